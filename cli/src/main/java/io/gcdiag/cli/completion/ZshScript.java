package io.gcdiag.cli.completion;

import io.gcdiag.cli.help.CommandPage;
import io.gcdiag.cli.help.CommandPage.Argument;
import io.gcdiag.cli.help.CommandPage.Term;
import io.gcdiag.cli.help.CommandPage.Values;
import java.util.ArrayList;
import java.util.List;

/** Completion for zsh, by its function {@code _arguments}. */
final class ZshScript {

  private static final String HEAD =
      """
      #compdef gcdiag
      # zsh completion for gcdiag; written by 'gcdiag completion zsh'

      _gcdiag() {
        local context state state_descr line
        local -a commands
        typeset -A opt_args
      """;

  /** Run by zsh's completion system as a file of its fpath, or sourced by the user. */
  private static final String TAIL =
      """
      }

      if [ "${funcstack[1]}" = _gcdiag ]; then
        _gcdiag "$@"
      else
        compdef _gcdiag gcdiag
      fi
      """;

  private ZshScript() {}

  static String of(List<CommandPage> pages) {
    CommandPage root = pages.get(0);
    StringBuilder script = new StringBuilder(HEAD);
    script.append("  commands=(\n");
    for (Term command : root.commands()) {
      String entry = command.name() + ":" + command.meaning();
      script.append("    ").append(quoted(entry)).append('\n');
    }
    script.append("  )\n");
    List<String> specs = new ArrayList<>(List.of("-C"));
    root.options().forEach(option -> specs.addAll(specs(option)));
    specs.add("'1:command:->command'");
    specs.add("'*::argument:->arguments'");
    arguments(script, "  ", specs);
    script.append("  case $state in\n    command) _describe command commands ;;\n");
    script.append("    arguments)\n      case $line[1] in\n");
    pages.subList(1, pages.size()).forEach(page -> command(script, page));
    script.append("      esac\n      ;;\n  esac\n").append(TAIL);
    return script.toString();
  }

  private static void command(StringBuilder script, CommandPage page) {
    List<String> specs = new ArrayList<>();
    page.options().forEach(option -> specs.addAll(specs(option)));
    int[] position = {1};
    page.positionals()
        .forEach(
            argument -> {
              String place = argument.repeatable() ? "*" : String.valueOf(position[0]++);
              specs.add(quoted(place + ":" + argument.label() + ":" + action(argument)));
            });
    script.append("        ").append(page.command()).append(")\n");
    arguments(script, "          ", specs);
    script.append("          ;;\n");
  }

  private static void arguments(StringBuilder script, String indent, List<String> specs) {
    script.append(indent).append("_arguments");
    specs.forEach(spec -> script.append(" \\\n").append(indent).append("  ").append(spec));
    script.append('\n');
  }

  private static List<String> specs(Argument option) {
    return option.names().stream().map(name -> spec(name, option)).toList();
  }

  private static String spec(String name, Argument option) {
    String description = option.description().replace("[", "\\[").replace("]", "\\]");
    String value =
        option.values() == Values.NONE ? "" : ":" + option.label() + ":" + action(option);
    String equals = option.values() == Values.NONE ? "" : "=";
    String several = option.repeatable() ? "*" : "";
    return quoted(several + name + equals + "[" + description.replace(":", "\\:") + "]" + value);
  }

  private static String action(Argument argument) {
    return switch (argument.values()) {
      case WORDS -> "(" + String.join(" ", argument.words()) + ")";
      case FILES -> "_files";
      case NONE, TEXT -> " ";
    };
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }
}
