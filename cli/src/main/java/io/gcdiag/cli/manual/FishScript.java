package io.gcdiag.cli.manual;

import io.gcdiag.cli.manual.CommandPage.Argument;
import io.gcdiag.cli.manual.CommandPage.Term;
import io.gcdiag.cli.manual.CommandPage.Values;
import java.util.List;
import java.util.Optional;

/** Completion for fish. */
final class FishScript {

  private static final String NO_COMMAND = "__fish_use_subcommand";

  private FishScript() {}

  static String of(List<CommandPage> pages) {
    StringBuilder script =
        new StringBuilder("# fish completion for gcdiag; written by 'gcdiag completion fish'\n\n");
    script.append("complete -c gcdiag -f\n");
    for (Term command : pages.get(0).commands()) {
      line(script, NO_COMMAND)
          .append(" -a ")
          .append(command.name())
          .append(" -d ")
          .append(quoted(command.meaning()))
          .append('\n');
    }
    pages.forEach(page -> page(script, page));
    return script.toString();
  }

  private static void page(StringBuilder script, CommandPage page) {
    String when =
        page.command().isEmpty() ? NO_COMMAND : "__fish_seen_subcommand_from " + page.command();
    page.options().forEach(option -> option(line(script, when), option));
    Optional<Argument> positional = page.positionals().findFirst();
    if (positional.isPresent() && positional.get().values() != Values.TEXT) {
      line(script, when).append(offer(positional.get())).append('\n');
    }
  }

  private static void option(StringBuilder script, Argument option) {
    for (String name : option.names()) {
      script.append(name.startsWith("--") ? " -l " : " -s ").append(name.replaceFirst("^-+", ""));
    }
    if (option.values() != Values.NONE) {
      // Required, and a file only where files are wanted.
      script.append(option.values() == Values.FILES ? " -r" : " -x").append(offer(option));
    }
    script.append(" -d ").append(quoted(option.description())).append('\n');
  }

  private static String offer(Argument argument) {
    return switch (argument.values()) {
      case WORDS -> " -a " + quoted(String.join(" ", argument.words()));
      case FILES -> " -F";
      case NONE, TEXT -> "";
    };
  }

  private static StringBuilder line(StringBuilder script, String when) {
    return script.append("complete -c gcdiag -n ").append(quoted(when));
  }

  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
