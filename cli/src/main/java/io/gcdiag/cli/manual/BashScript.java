package io.gcdiag.cli.manual;

import io.gcdiag.cli.manual.CommandPage.Argument;
import io.gcdiag.cli.manual.CommandPage.Term;
import io.gcdiag.cli.manual.CommandPage.Values;
import io.gcdiag.units.ResourceText;
import java.util.List;
import java.util.stream.Collectors;

/** Completion for bash. */
final class BashScript {

  private BashScript() {}

  static String of(List<CommandPage> pages) {
    StringBuilder values = new StringBuilder();
    StringBuilder words = new StringBuilder();
    for (CommandPage page : pages) {
      page.options()
          .filter(option -> option.values() != Values.NONE)
          .forEach(option -> value(values, page, option));
      words(words, page);
    }
    return ResourceText.whole(BashScript.class, "gcdiag.bash")
        .replace("{{values}}", values)
        .replace("{{words}}", words);
  }

  /** What follows an option that takes a value. */
  private static void value(StringBuilder script, CommandPage page, Argument option) {
    String patterns =
        option.names().stream()
            .map(name -> page.command() + ":" + name)
            .collect(Collectors.joining(" | "));
    script.append("    ").append(patterns).append(") ").append(offer(option));
    script.append("return ;;\n");
  }

  private static String offer(Argument argument) {
    return switch (argument.values()) {
      case WORDS -> "_gcdiag_words \"" + String.join(" ", argument.words()) + "\"; ";
      case FILES -> "_gcdiag_files; ";
      case NONE, TEXT -> "";
    };
  }

  /** What can stand anywhere else. */
  private static void words(StringBuilder script, CommandPage page) {
    String options =
        page.options().flatMap(option -> option.names().stream()).collect(Collectors.joining(" "));
    String pattern = page.command().isEmpty() ? "''" : page.command();
    String rest =
        page.commands().isEmpty()
            ? page.positionals().findFirst().map(BashScript::offer).orElse("")
            : "_gcdiag_words \""
                + page.commands().stream().map(Term::name).collect(Collectors.joining(" "))
                + "\"; ";
    script
        .append("    ")
        .append(pattern)
        .append(")\n      if [[ $cur == -* ]]; then _gcdiag_words \"")
        .append(options)
        .append("\"; else ")
        .append(rest.isEmpty() ? ":; " : rest)
        .append("fi\n      ;;\n");
  }
}
