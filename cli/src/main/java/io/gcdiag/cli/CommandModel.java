package io.gcdiag.cli;

import java.io.PrintWriter;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ScopeType;

/**
 * A command as picocli knows it. Each field of a command declares an option or argument here and is
 * what reads its value after the command line has been parsed; the help lists options in the order
 * of the fields. No annotations: reading them takes longer than a short command
 * (docs/decisions/0013).
 */
final class CommandModel {

  private static final String AT_MOST_ONE = "0..1";
  private static final String ANY_NUMBER = "0..*";

  private final CommandSpec spec;

  /**
   * A command without options.
   *
   * @param command what runs: a Runnable or Callable
   * @param name its name on the command line
   */
  CommandModel(Object command, String name) {
    spec = CommandSpec.wrapWithoutInspection(command).name(name);
  }

  /** An option without a value. */
  BooleanSupplier flag(String name) {
    return flag(OptionSpec.builder(name));
  }

  /** A flag that every command has, declared by gcdiag itself. */
  BooleanSupplier inheritedFlag(String name) {
    return flag(OptionSpec.builder(name).scopeType(ScopeType.INHERIT));
  }

  void helpFlag(String shortName, String name) {
    flag(OptionSpec.builder(shortName, name).usageHelp(true).scopeType(ScopeType.INHERIT));
  }

  void versionFlag(String shortName, String name) {
    flag(OptionSpec.builder(shortName, name).versionHelp(true));
  }

  private BooleanSupplier flag(OptionSpec.Builder builder) {
    OptionSpec option = builder.type(boolean.class).initialValue(false).build();
    spec.addOption(option);
    return () -> Boolean.TRUE.equals(option.getValue());
  }

  /** An option with a value, absent unless it is given. */
  <T> Supplier<Optional<T>> value(String name, String label, Class<T> type) {
    return optional(add(option(name, label).type(type)));
  }

  <T> Supplier<T> value(String name, String label, Class<T> type, T otherwise) {
    return add(option(name, label).type(type).initialValue(otherwise))::getValue;
  }

  Supplier<ZoneId> timeZone() {
    return value("--time-zone", "ZONE", ZoneId.class, ZoneOffset.UTC);
  }

  Supplier<Terminal.Colour> colour() {
    return value("--color", "WHEN", Terminal.Colour.class, Terminal.Colour.AUTO);
  }

  /** An option that can be given more than once. */
  <T> Supplier<List<T>> values(String name, String label, Class<T> type) {
    return add(option(name, label).type(List.class).auxiliaryTypes(type).initialValue(List.of()))
        ::getValue;
  }

  /** An option whose values are pairs, {@code NAME=VALUE}, and that can be given more than once. */
  <T> Supplier<Map<String, T>> pairs(String name, String label, Class<T> type) {
    return add(
            option(name, label)
                .type(Map.class)
                .auxiliaryTypes(String.class, type)
                .initialValue(Map.of()))
        ::getValue;
  }

  /** An argument that must be given, at this position from 0. */
  <T> Supplier<T> argument(int position, String label, Class<T> type) {
    return add(argument(label).index(String.valueOf(position)).required(true).type(type))::getValue;
  }

  /** The only argument, which may be left out. */
  <T> Supplier<Optional<T>> optionalArgument(String label, Class<T> type) {
    return optional(add(argument(label).index("0").arity(AT_MOST_ONE).type(type)));
  }

  <T> Supplier<List<T>> arguments(String label, Class<T> type) {
    return add(
            argument(label)
                .arity(ANY_NUMBER)
                .type(List.class)
                .auxiliaryTypes(type)
                .initialValue(List.of()))
        ::getValue;
  }

  private static OptionSpec.Builder option(String name, String label) {
    return OptionSpec.builder(name).paramLabel(label);
  }

  private static PositionalParamSpec.Builder argument(String label) {
    return PositionalParamSpec.builder().paramLabel(label);
  }

  private ArgSpec add(OptionSpec.Builder option) {
    return add(option.build());
  }

  private ArgSpec add(PositionalParamSpec.Builder argument) {
    return add(argument.build());
  }

  private ArgSpec add(ArgSpec declared) {
    spec.add(declared);
    return declared;
  }

  private static <T> Supplier<Optional<T>> optional(ArgSpec declared) {
    return () -> Optional.ofNullable(declared.getValue());
  }

  CommandSpec spec() {
    return spec;
  }

  /** Whether the option stands on the command line. */
  boolean given(String option) {
    return spec.commandLine().getParseResult().hasMatchedOption(option);
  }

  GcdiagCommand tool() {
    return GcdiagCommand.of(spec.commandLine());
  }

  PrintWriter out() {
    return spec.commandLine().getOut();
  }

  PrintWriter err() {
    return spec.commandLine().getErr();
  }
}
