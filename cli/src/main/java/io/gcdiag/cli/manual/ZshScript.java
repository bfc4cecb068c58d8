package io.gcdiag.cli.manual;

import io.gcdiag.cli.manual.CommandPage.Argument;
import io.gcdiag.cli.manual.CommandPage.Term;
import io.gcdiag.cli.manual.CommandPage.Values;
import io.gcdiag.units.ResourceText;
import java.util.ArrayList;
import java.util.List;

/** Completion for zsh, by its function {@code _arguments}. */
final class ZshScript {

  private ZshScript() {}

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
