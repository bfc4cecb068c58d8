package io.gcdiag.cli.manual;

import io.gcdiag.cli.manual.CommandPage.Term;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All that is to be said of a command. The help, the man page, the reference and the completion
 * scripts are views of it.
 *
 * @param command the word after {@code gcdiag}; empty for gcdiag itself
 * @param summary one sentence
 * @param groups arguments and options by the heading they stand under, in order
 * @param commands the commands that can follow, with their summaries
 * @param texts what is written by hand
 */
public record CommandPage(
    String command,
    String summary,
    Map<String, List<Argument>> groups,
    List<Term> commands,
    CommandTexts texts) {

  private static final String TOOL = "gcdiag";

  /** A name and what it means. */
  public record Term(String name, String meaning) {}

  /** What can be written as a value, for completion. */
  public enum Values {
    /** A switch: there is no value. */
    NONE,
    /** One of a fixed set of words. */
    WORDS,
    /** The name of a file or folder. */
    FILES,
    /** Anything else. */
    TEXT
  }

  /**
   * An option or a positional argument.
   *
   * @param names such as {@code -h} and {@code --help}; empty for a positional argument
   * @param label stands for the value; empty if there is none
   * @param description what it does, with its default
   * @param required whether the command fails without it
   * @param repeatable whether it can be given more than once
   * @param values what can be written as a value
   * @param words the values, where they are a fixed set
   */
  public record Argument(
      List<String> names,
      String label,
      String description,
      boolean required,
      boolean repeatable,
      Values values,
      List<String> words) {

    public boolean positional() {
      return names.isEmpty();
    }

    /** As the help lists it: {@code --format FORMAT}. */
    public String usage() {
      if (positional()) {
        return label + (repeatable ? "..." : "");
      }
      return String.join(", ", names) + (label.isEmpty() ? "" : " " + label);
    }
  }

  /** With the name of the tool: {@code gcdiag analyze}. */
  public String qualifiedName() {
    return command.isEmpty() ? TOOL : TOOL + " " + command;
  }

  /** How it is called, in one line. */
  public String synopsis() {
    String positionals =
        positionals()
            .map(argument -> argument.required() ? argument.usage() : "[" + argument.usage() + "]")
            .collect(Collectors.joining(" "));
    return Stream.of(
            qualifiedName(), commands.isEmpty() ? "" : "COMMAND", "[OPTION...]", positionals)
        .filter(part -> !part.isEmpty())
        .collect(Collectors.joining(" "));
  }

  /** The arguments that stand by their position, in order. */
  public Stream<Argument> positionals() {
    return groups.values().stream().flatMap(List::stream).filter(Argument::positional);
  }

  /** The options, in the order of the help. */
  public Stream<Argument> options() {
    return groups.values().stream().flatMap(List::stream).filter(a -> !a.positional());
  }

  /**
   * What is written by hand for a command.
   *
   * @param details paragraphs below the summary; those that begin with {@link #CODE} are to be
   *     copied
   * @param examples calls, each with what it is for
   * @param exitCodes each exit code that the command can end with
   * @param environment each environment variable that the command or its launcher reads
   * @param files each file that the command reads without being given its name
   */
  public record CommandTexts(
      List<String> details,
      List<Term> examples,
      List<Term> exitCodes,
      List<Term> environment,
      List<Term> files) {

    /** Begins a paragraph that no line break may change. */
    public static final String CODE = "  ";

    public static boolean isCode(String paragraph) {
      return paragraph.startsWith(CODE);
    }
  }
}
