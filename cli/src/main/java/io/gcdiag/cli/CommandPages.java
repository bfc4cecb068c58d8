package io.gcdiag.cli;

import io.gcdiag.cli.manual.CommandPage;
import io.gcdiag.cli.manual.CommandPage.Argument;
import io.gcdiag.cli.manual.CommandPage.Term;
import io.gcdiag.cli.manual.CommandPage.Values;
import io.gcdiag.cli.manual.HelpTexts;
import io.gcdiag.cli.manual.HelpTexts.Entry;
import io.gcdiag.cli.manual.Manual;
import io.gcdiag.cli.manual.Manual.Topic;
import io.gcdiag.cli.render.ReportFormat;
import io.gcdiag.cli.settings.Settings;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The pages of the commands, generated from the model of picocli. */
public final class CommandPages {

  private CommandPages() {}

  /** The page of gcdiag itself, then those of its commands in the order of the help. */
  public static List<CommandPage> all() {
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    return all(
        GcdiagCommand.commandLine(
            List.of(),
            request -> {
              throw new IllegalStateException("pages are made without an analysis");
            },
            Terminal.NONE,
            StandardInput.none(),
            Settings.Folders.none(),
            nowhere,
            nowhere));
  }

  static List<CommandPage> all(CommandLine root) {
    return Stream.concat(Stream.of(root), root.getSubcommands().values().stream())
        .map(command -> of(command.getCommandSpec()))
        .toList();
  }

  static CommandPage of(CommandSpec spec) {
    String name = spec.parent() == null ? "" : spec.name();
    Map<String, List<Argument>> groups = new LinkedHashMap<>();
    HelpTexts.headings().forEach(heading -> groups.put(heading, new ArrayList<>()));
    for (PositionalParamSpec positional : spec.positionalParameters()) {
      Entry entry = HelpTexts.entry(name, positional.paramLabel());
      groups.get(entry.heading()).add(argument(spec, positional, List.of(), entry.meaning()));
    }
    for (OptionSpec option : spec.options()) {
      Entry entry = HelpTexts.entry(name, option.longestName());
      groups
          .get(entry.heading())
          .add(argument(spec, option, List.of(option.names()), entry.meaning()));
    }
    groups.values().removeIf(List::isEmpty);
    List<Term> commands =
        spec.subcommands().keySet().stream()
            .map(command -> new Term(command, HelpTexts.summary(command)))
            .toList();
    return new CommandPage(name, HelpTexts.summary(name), groups, commands, HelpTexts.of(name));
  }

  private static Argument argument(
      CommandSpec command, ArgSpec spec, List<String> names, String meaning) {
    boolean valued = spec.arity().max() > 0;
    List<String> words = valued ? words(command, spec) : List.of();
    return new Argument(
        names,
        valued ? spec.paramLabel() : "",
        meaning,
        spec.required(),
        spec.isMultiValue(),
        valued ? values(spec, words) : Values.NONE,
        words);
  }

  private static Values values(ArgSpec spec, List<String> words) {
    if (!words.isEmpty()) {
      return Values.WORDS;
    }
    return element(spec) == Path.class ? Values.FILES : Values.TEXT;
  }

  /** The type of one value, also where there can be several or none. */
  private static Class<?> element(ArgSpec spec) {
    Class<?>[] types = spec.auxiliaryTypes();
    return types.length == 1 ? types[0] : spec.type();
  }

  private static List<String> words(CommandSpec command, ArgSpec spec) {
    if (spec instanceof PositionalParamSpec && spec.paramLabel().equals(ExplainCommand.ID)) {
      return Manual.topics().stream().map(Topic::id).toList();
    }
    if (spec instanceof PositionalParamSpec && spec.paramLabel().equals(HelpCommand.COMMAND)) {
      return List.copyOf(command.root().subcommands().keySet());
    }
    Class<?> type = element(spec);
    if (type == ReportFormat.class) {
      return Arrays.stream(ReportFormat.values()).map(ReportFormat::id).toList();
    }
    return type.isEnum()
        ? Arrays.stream(type.getEnumConstants())
            .map(constant -> GcdiagCommand.Converters.word((Enum<?>) constant))
            .toList()
        : List.of();
  }
}
