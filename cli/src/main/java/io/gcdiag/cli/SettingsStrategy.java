package io.gcdiag.cli;

import io.gcdiag.cli.render.ReportFormat;
import io.gcdiag.cli.settings.Setting;
import io.gcdiag.cli.settings.SettingKey;
import io.gcdiag.cli.settings.Settings;
import io.gcdiag.cli.settings.SettingsException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.IExecutionStrategy;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;

/**
 * Runs a command with the values of settings files, as if they preceded the command line. The files
 * depend on the inputs, so the command line is first parsed without them; it is parsed again only
 * if there are settings.
 */
final class SettingsStrategy implements IExecutionStrategy {

  private static final List<String> INPUTS =
      List.of("--jfr", "--gc-log", "--thread-dump", "--load", "--metrics", "--from");

  private static final String OUTPUT = "--output";
  private static final String VERBOSE = "--verbose";
  private static final String QUIET = "--quiet";

  private final Settings.Folders folders;

  SettingsStrategy(Settings.Folders folders) {
    this.folders = folders;
  }

  @Override
  public int execute(ParseResult given) {
    if (!given.hasSubcommand() || asksForHelp(given.subcommand())) {
      return new RunLast().execute(given);
    }
    CommandLine root = given.commandSpec().commandLine();
    try {
      Settings settings = Settings.read(inputs(given.subcommand()), folders);
      List<Setting> used = used(given.subcommand(), settings);
      return used.isEmpty() ? new RunLast().execute(given) : execute(root, given, used);
    } catch (SettingsException e) {
      throw failure(root, CommandFailure.usage(e.getMessage(), e));
    }
  }

  private static boolean asksForHelp(ParseResult command) {
    return command.isUsageHelpRequested() || command.isVersionHelpRequested();
  }

  private static ExecutionException failure(CommandLine root, CommandFailure failure) {
    return new ExecutionException(root, failure.getMessage(), failure);
  }

  private static int execute(CommandLine root, ParseResult given, List<Setting> used) {
    List<String> arguments = new ArrayList<>(given.originalArgs());
    int command = arguments.indexOf(given.subcommand().commandSpec().name());
    CommandSpec spec = given.subcommand().commandSpec();
    arguments.addAll(
        command + 1, used.stream().flatMap(setting -> arguments(setting, spec)).toList());
    ParseResult whole;
    try {
      whole = root.parseArgs(arguments.toArray(String[]::new));
    } catch (ParameterException e) {
      throw failure(root, CommandFailure.usage(wrongValue(e, used), e));
    }
    GcdiagCommand.of(root).use(used);
    return new RunLast().execute(whole);
  }

  private static Collection<Path> inputs(ParseResult command) {
    Stream<Path> positional =
        command.matchedPositionals().stream().flatMap(one -> paths(one.getValue()));
    Stream<Path> named =
        INPUTS.stream()
            .filter(command::hasMatchedOption)
            .flatMap(option -> paths(command.matchedOption(option).getValue()));
    return Stream.concat(positional, named).distinct().toList();
  }

  private static Stream<Path> paths(Object value) {
    Collection<?> all = value instanceof Collection<?> several ? several : List.of(value);
    return all.stream().filter(Path.class::isInstance).map(Path.class::cast);
  }

  /** The settings that the command knows and its command line does not override. */
  private static List<Setting> used(ParseResult command, Settings settings) {
    List<Setting> used = new ArrayList<>();
    CommandSpec spec = command.commandSpec();
    boolean verbose = command.hasMatchedOption(VERBOSE);
    for (Setting setting : settings.all()) {
      Optional<OptionSpec> option = option(setting, spec);
      if (option.isEmpty()) {
        continue;
      }
      Optional<String> instead = instead(setting, command);
      if (instead.isEmpty()) {
        used.add(setting);
      }
      // Warns whenever a setting shows secrets.
      boolean shows = setting.key().name().equals(SettingKey.NO_REDACT) && instead.isEmpty();
      if ((verbose || shows) && !command.hasMatchedOption(QUIET)) {
        Messages.say(
            spec.commandLine().getErr(),
            "setting "
                + setting.text()
                + " ("
                + setting.where()
                + ")"
                + instead.map(given -> ": not used, " + given + " is given").orElse(""));
      }
    }
    return used;
  }

  private static Optional<OptionSpec> option(Setting setting, CommandSpec spec) {
    return setting.key().options().stream()
        .flatMap(name -> Optional.ofNullable(spec.findOption(name)).stream())
        .findFirst();
  }

  /** Options of the command line that override the setting. */
  private static Optional<String> instead(Setting setting, ParseResult command) {
    Stream<String> options =
        switch (setting.key().name()) {
          case SettingKey.NO_REDACT, SettingKey.REDACT_HOSTS ->
              Stream.of("--no-redact", "--redact-hosts");
          default -> setting.key().options().stream();
        };
    return options
        .filter(command::hasMatchedOption)
        .findFirst()
        .or(() -> endingInstead(setting, command));
  }

  private static Optional<String> endingInstead(Setting setting, ParseResult command) {
    boolean format = setting.key().name().equals(SettingKey.FORMAT);
    return format && command.hasMatchedOption(OUTPUT)
        ? ReportFormat.ofFileName(command.matchedOption(OUTPUT).getValue().toString())
            .map(any -> OUTPUT + " with such an ending")
        : Optional.empty();
  }

  private static Stream<String> arguments(Setting setting, CommandSpec spec) {
    String option = option(setting, spec).orElseThrow().longestName();
    return switch (setting.key().kind()) {
      case SWITCH -> setting.isOn() ? Stream.of(option) : Stream.empty();
      case TEXT, LIST, FILE -> setting.values().stream().map(value -> option + "=" + value);
    };
  }

  /** The message on a value, with the settings file in place of the option. */
  private static String wrongValue(ParameterException e, List<Setting> used) {
    Optional<Setting> wrong =
        e.getArgSpec() instanceof OptionSpec option
            ? used.stream()
                .filter(
                    setting ->
                        setting.key().options().stream()
                            .anyMatch(Arrays.asList(option.names())::contains))
                .findFirst()
            : Optional.empty();
    return wrong
        .map(setting -> setting.where() + ": " + setting.key().name() + ": " + reason(e))
        .orElse(e.getMessage());
  }

  /** The message of the converter, without the prefix of the parser. */
  private static String reason(ParameterException e) {
    return e.getCause() instanceof CommandLine.TypeConversionException cause
        ? cause.getMessage()
        : e.getMessage();
  }
}
