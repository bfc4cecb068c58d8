package io.gcdiag.cli.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A line of a shell as the pages show it, taken apart: quotes, comments, continued lines, pipes and
 * redirection. Not a shell: what else one can write there stands in no page.
 */
final class ShellLine {

  /** Ends the words of one program. */
  private static final Set<String> ENDS = Set.of("|", ">", ">>", "&&", ";", "2>", "<");

  private ShellLine() {}

  /** The programs that a block starts, each with its arguments. */
  static List<List<String>> programs(List<String> block) {
    List<List<String>> programs = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String part : block) {
      if (part.endsWith("\\")) {
        line.append(part, 0, part.length() - 1).append(' ');
      } else {
        programs.addAll(inLine(line + part));
        line.setLength(0);
      }
    }
    return programs;
  }

  private static List<List<String>> inLine(String line) {
    // What a substituted program prints is an input of the one around it.
    String plain = line.replace("<(", "< ").replaceFirst("\\)$", "");
    List<List<String>> programs = new ArrayList<>();
    List<String> program = new ArrayList<>();
    boolean file = false;
    for (String word : words(plain)) {
      if (ENDS.contains(word)) {
        add(programs, program);
        file = word.endsWith(">") || word.equals("<") && !plain.contains("source <");
      } else if (file) {
        file = false;
      } else {
        program.add(word);
      }
    }
    add(programs, program);
    return programs;
  }

  private static void add(List<List<String>> programs, List<String> program) {
    while (!program.isEmpty() && program.get(0).matches("[A-Z_]+=.*")) {
      program.remove(0);
    }
    if (!program.isEmpty()) {
      programs.add(List.copyOf(program));
    }
    program.clear();
  }

  private static List<String> words(String line) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    char quote = 0;
    boolean any = false;
    for (char c : (line + " ").toCharArray()) {
      if (quote != 0) {
        if (c == quote) {
          quote = 0;
        } else {
          word.append(c);
        }
      } else if (c == '\'' || c == '"') {
        quote = c;
        any = true;
      } else if (c == '#' && !any && word.isEmpty()) {
        break;
      } else if (Character.isWhitespace(c)) {
        if (any || !word.isEmpty()) {
          words.add(word.toString());
        }
        word.setLength(0);
        any = false;
      } else {
        word.append(c);
      }
    }
    return words;
  }
}
