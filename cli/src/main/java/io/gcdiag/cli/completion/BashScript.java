package io.gcdiag.cli.completion;

import io.gcdiag.cli.help.CommandPage;
import io.gcdiag.cli.help.CommandPage.Argument;
import io.gcdiag.cli.help.CommandPage.Term;
import io.gcdiag.cli.help.CommandPage.Values;
import java.util.List;
import java.util.stream.Collectors;

/** Completion for bash. */
final class BashScript {

  private static final String HEAD =
      """
      # bash completion for gcdiag; written by 'gcdiag completion bash'

      _gcdiag_words() {
        COMPREPLY=($(compgen -W "$1" -- "$cur"))
      }

      _gcdiag_files() {
        local file
        compopt -o filenames 2>/dev/null
        while IFS= read -r file; do
          COMPREPLY+=("$file")
        done < <(compgen -f -- "$cur")
      }

      _gcdiag() {
        local cur=${COMP_WORDS[COMP_CWORD]} before=$((COMP_CWORD - 1)) command= word
        COMPREPLY=()
        # bash takes --option=value apart at the sign.
        if [[ $cur == = ]]; then
          cur=
        elif [[ ${COMP_WORDS[before]} == = ]]; then
          before=$((before - 1))
        fi
        local previous=${COMP_WORDS[before]}
        for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
          if [[ $word != -* ]]; then
            command=$word
            break
          fi
        done
      """;

  private BashScript() {}

  static String of(List<CommandPage> pages) {
    StringBuilder script = new StringBuilder(HEAD);
    script.append("  case $command:$previous in\n");
    for (CommandPage page : pages) {
      page.options()
          .filter(option -> option.values() != Values.NONE)
          .forEach(option -> value(script, page, option));
    }
    script.append("  esac\n  case $command in\n");
    pages.forEach(page -> words(script, page));
    script.append("  esac\n}\n\ncomplete -F _gcdiag gcdiag\n");
    return script.toString();
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
