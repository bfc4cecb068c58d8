package io.gcdiag.cli.manual;

import io.gcdiag.cli.manual.CommandPage.Argument;
import io.gcdiag.cli.manual.CommandPage.Term;
import io.gcdiag.cli.manual.CommandPage.Values;
import io.gcdiag.units.ResourceText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The shells for which there are scripts. */
public enum Shell {
  /** bash 3.2 and later. */
  BASH(BashScript::of),
  /** zsh 5 and later. */
  ZSH(ZshScript::of),
  /** fish 3 and later. */
  FISH(FishScript::of),
  /** PowerShell 5 and later. */
  POWERSHELL(PowerShellScript::of);

  private final Function<List<CommandPage>, String> script;

  Shell(Function<List<CommandPage>, String> script) {
    this.script = script;
  }

  /**
   * The script.
   *
   * @param pages that of gcdiag itself first, then those of its commands
   */
  public String script(List<CommandPage> pages) {
    return script.apply(pages);
  }

  /** The shell of a path such as {@code /usr/bin/zsh}. */
  public static Optional<Shell> ofPath(String path) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    return Arrays.stream(values())
        .filter(shell -> shell.name().toLowerCase(Locale.ROOT).equals(name))
        .findFirst();
  }

  private static final class BashScript {

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
          page.options()
              .flatMap(option -> option.names().stream())
              .collect(Collectors.joining(" "));
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

  private static final class FishScript {

    private static final String NO_COMMAND = "__fish_use_subcommand";

    static String of(List<CommandPage> pages) {
      StringBuilder script =
          new StringBuilder(
              "# fish completion for gcdiag; written by 'gcdiag completion fish'\n\n");
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

  /** Completion for PowerShell, which offers files by itself where nothing else fits. */
  private static final class PowerShellScript {

    static String of(List<CommandPage> pages) {
      StringBuilder options = new StringBuilder();
      StringBuilder values = new StringBuilder();
      StringBuilder positionals = new StringBuilder();
      for (CommandPage page : pages) {
        entry(
            options, page.command(), page.options().flatMap(one -> one.names().stream()).toList());
        page.options()
            .filter(option -> option.values() == Values.WORDS)
            .forEach(
                option ->
                    option
                        .names()
                        .forEach(
                            name -> entry(values, page.command() + " " + name, option.words())));
        page.positionals()
            .findFirst()
            .filter(argument -> argument.values() == Values.WORDS)
            .ifPresent(argument -> entry(positionals, page.command(), argument.words()));
      }
      return ResourceText.whole(PowerShellScript.class, "gcdiag.ps1")
          .replace("{{commands}}", list(pages.get(0).commands().stream().map(Term::name).toList()))
          .replace("{{options}}", options)
          .replace("{{values}}", values)
          .replace("{{positionals}}", positionals);
    }

    private static void entry(StringBuilder table, String key, List<String> words) {
      table.append("    '").append(key).append("' = ").append(list(words)).append('\n');
    }

    private static String list(List<String> words) {
      return words.stream().collect(Collectors.joining("', '", "@('", "')"));
    }
  }

  /** Completion for zsh, by its function {@code _arguments}. */
  private static final class ZshScript {

    static String of(List<CommandPage> pages) {
      CommandPage root = pages.get(0);
      StringBuilder commands = new StringBuilder();
      for (Term command : root.commands()) {
        String entry = command.name() + ":" + command.meaning();
        commands.append("    ").append(quoted(entry)).append('\n');
      }
      List<String> specs = new ArrayList<>(List.of("-C"));
      root.options().forEach(option -> specs.addAll(specs(option)));
      specs.add("'1:command:->command'");
      specs.add("'*::argument:->arguments'");
      StringBuilder arguments = new StringBuilder();
      arguments(arguments, "  ", specs);
      StringBuilder cases = new StringBuilder();
      pages.subList(1, pages.size()).forEach(page -> command(cases, page));
      return ResourceText.whole(ZshScript.class, "gcdiag.zsh")
          .replace("{{commands}}", commands)
          .replace("{{arguments}}", arguments)
          .replace("{{cases}}", cases);
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
}
