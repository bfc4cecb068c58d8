package io.gcdiag.cli.manual;

import io.gcdiag.cli.manual.CommandPage.CommandTexts;
import io.gcdiag.cli.manual.CommandPage.Term;
import io.gcdiag.units.ResourceText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The words of all commands and options. They stand in {@code help.txt}, which only a help page
 * loads: sections, each below its name in brackets, of paragraphs with a blank line between them.
 *
 * <p>A command has a section of its summary and its details, and one for each list of terms that it
 * has. A term is a name with the meaning below it; {@code + NAME} stands for the terms of another
 * section. Options are listed by the heading under which the help has them; an option that means
 * something else in one command stands there with the name of that command before its own.
 */
public final class HelpTexts {

  private static final String OPTIONS = "options: ";
  private static final String TERMS_OF = "+ ";

  private static final Map<String, List<String>> SECTIONS = sections();
  private static final Map<String, Entry> ENTRIES = entries();

  /**
   * What the help says of an option or argument.
   *
   * @param heading under which it stands
   * @param meaning what it does, with its default
   */
  public record Entry(String heading, String meaning) {}

  private HelpTexts() {}

  private static Map<String, List<String>> sections() {
    Map<String, List<String>> sections = new LinkedHashMap<>();
    List<String> section = List.of();
    for (String paragraph : ResourceText.whole(HelpTexts.class, "help.txt").strip().split("\n\n")) {
      if (paragraph.startsWith("[")) {
        section = new ArrayList<>();
        sections.put(paragraph.substring(1, paragraph.length() - 1), section);
      } else {
        section.add(paragraph);
      }
    }
    return sections;
  }

  /** One sentence about a command; the empty name is gcdiag itself. */
  public static String summary(String command) {
    return joined(SECTIONS.get(name(command)).get(0));
  }

  public static CommandTexts of(String command) {
    String name = name(command);
    return new CommandTexts(
        SECTIONS.get(name).stream().skip(1).map(HelpTexts::joined).toList(),
        terms(name + ": examples"),
        terms(name + ": exit codes"),
        terms(name + ": environment"),
        terms(name + ": files"));
  }

  private static String name(String command) {
    return command.isEmpty() ? "gcdiag" : command;
  }

  /** The headings of options and arguments in their order, the same in all commands. */
  public static List<String> headings() {
    return SECTIONS.keySet().stream()
        .filter(section -> section.startsWith(OPTIONS))
        .map(section -> section.substring(OPTIONS.length()))
        .toList();
  }

  private static Map<String, Entry> entries() {
    Map<String, Entry> entries = new HashMap<>();
    for (String heading : headings()) {
      terms(OPTIONS + heading)
          .forEach(term -> entries.put(term.name(), new Entry(heading, term.meaning())));
    }
    return entries;
  }

  /**
   * What an option or argument means in a command.
   *
   * @param name its long name, or the label of an argument
   */
  public static Entry entry(String command, String name) {
    Entry everywhere = ENTRIES.get(name);
    Entry entry = ENTRIES.getOrDefault(command + " " + name, everywhere);
    if (entry == null) {
      throw new IllegalStateException("help.txt says nothing of " + command + " " + name);
    }
    return entry;
  }

  private static List<Term> terms(String section) {
    List<Term> terms = new ArrayList<>();
    for (String paragraph : SECTIONS.getOrDefault(section, List.of())) {
      if (paragraph.startsWith(TERMS_OF)) {
        terms.addAll(terms(paragraph.substring(TERMS_OF.length())));
      } else {
        String[] parts = paragraph.split("\n", 2);
        terms.add(new Term(parts[0], joined(parts[1]).strip()));
      }
    }
    return terms;
  }

  /** As one line, unless it is to be copied. */
  private static String joined(String paragraph) {
    return paragraph.replaceAll("\n *", " ");
  }
}
