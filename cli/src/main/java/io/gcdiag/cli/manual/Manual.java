package io.gcdiag.cli.manual;

import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.Causes;
import io.gcdiag.units.ResourceText;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** All pages: which there are, and what stands on them. */
public final class Manual {

  private static final List<String> WORDS =
      List.of("lost-time", "explains", "verdicts", "confidence", "windows", "glossary");

  private static final List<Topic> TOPICS =
      Stream.of(
              Hypothesis.catalogue().stream()
                  .map(hypothesis -> new Topic(Topic.Kind.HYPOTHESIS, hypothesis.id())),
              Causes.rules().stream().map(Rule::id).map(id -> new Topic(Topic.Kind.RULE, id)),
              words().stream().map(word -> new Topic(Topic.Kind.WORD, word)))
          .flatMap(topics -> topics)
          .toList();

  private Manual() {}

  /** Root causes in the catalogue's order, then rules by id, then words of reports. */
  public static List<Topic> topics() {
    return TOPICS;
  }

  /** The words of reports that have a page, in the order of a report. */
  public static List<String> words() {
    return WORDS;
  }

  /** The topic of that id, in capital or small letters; the glossary for a term of its table. */
  public static Optional<Topic> find(String id) {
    String wanted = id.toLowerCase(Locale.ROOT);
    String page = isTerm(wanted) ? "glossary" : wanted;
    return TOPICS.stream()
        .filter(topic -> topic.id().equals(wanted))
        .findFirst()
        .or(() -> TOPICS.stream().filter(topic -> topic.id().equals(page)).findFirst());
  }

  private static boolean isTerm(String word) {
    return page(new Topic(Topic.Kind.WORD, "glossary"))
        .lines()
        .filter(line -> line.startsWith("| "))
        .flatMap(line -> Stream.of(line.split("\\|")[1].split(",")))
        .anyMatch(term -> term.strip().equalsIgnoreCase(word));
  }

  /** Ids that may have been meant, the likeliest first; may be empty. */
  public static List<String> nearest(String id) {
    return NearestNames.of(id, TOPICS.stream().map(Topic::id).toList());
  }

  public static String page(Topic topic) {
    return ResourceText.whole(Manual.class, topic.kind().folder() + "/" + topic.id() + ".md");
  }

  /**
   * Something that has a page.
   *
   * @param id its public name, which is also the name of its page
   */
  public record Topic(Kind kind, String id) {

    /** What has pages; each kind has a folder under {@code docs/}. */
    public enum Kind {
      HYPOTHESIS("hypotheses"),
      RULE("rules"),
      /** A word of every report. */
      WORD("reference");

      private final String folder;

      Kind(String folder) {
        this.folder = folder;
      }

      String folder() {
        return folder;
      }
    }
  }
}
