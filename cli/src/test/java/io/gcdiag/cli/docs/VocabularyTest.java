package io.gcdiag.cli.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.cli.command.CommandPages;
import io.gcdiag.cli.help.CommandPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * One term per thing: pages, help and changelog use the words of the JVM, of monitoring and of
 * queueing theory. {@code gcdiag explain} prints the pages below {@code docs/rules} and {@code
 * docs/hypotheses}.
 */
class VocabularyTest {

  /** The files below a path whose names end so. */
  private record Texts(String path, String ending) {}

  /** Approved reports can join: {@code new Texts("fixtures/incidents", "approved/report.txt")}. */
  private static final List<Texts> CHECKED =
      List.of(
          new Texts("docs", ".md"),
          new Texts("README.md", ".md"),
          new Texts("CHANGELOG.md", ".md"),
          new Texts("fixtures/README.md", ".md"));

  /**
   * Decisions keep the words of their time. The tutorial joins when its outputs and the text about
   * them are rewritten.
   */
  private static final List<String> EXEMPT = List.of("docs/decisions", "docs/tutorial.md");

  /** A phrase that is not used, and what to write. */
  private record Banned(Pattern phrase, String use) {

    /** A blank in the phrase stands for a line end, too. */
    static Banned of(String phrase, String use) {
      return new Banned(
          Pattern.compile(
              "\\b(?:" + phrase.replace(" ", "\\s+") + ")\\b", Pattern.CASE_INSENSITIVE),
          use);
    }
  }

  private static final List<Banned> BANNED =
      List.of(
          // Windows and lost time
          Banned.of("calm", "baseline"),
          Banned.of("trouble", "incident window, or lost time"),
          Banned.of("(users|requests) lost|the loss", "lost time"),
          Banned.of("users (feel|felt)|nobody felt", "user impact"),
          Banned.of(
              "go(es)? back to (this|it|that)|falls? to (this|it|that|the)|c(o|a)mes? to that",
              "explains 79.7 % of the lost time"),
          Banned.of(
              "stays? unexplained|nobody accounts for|put down to", "unexplained, explained by"),
          Banned.of(
              "users' (work|time|threads)|threads that serve( users| requests)?",
              "request threads"),
          // People as actors
          Banned.of(
              "whoever|somebody|someone|nobody|anybody|anyone|everybody|everyone",
              "the thing that acts: thread, holder, process, service"),
          Banned.of(
              "(is|are|was|were|be|been) told(?! (apart|from))|tells? of|told by|told of"
                  + "|tells (how|what|which|who|where|when|whether)",
              "shows, states, is recorded"),
          Banned.of("speaks? (for|against|of)", "supports, is evidence for or against"),
          Banned.of("too little speaks", "checked, not indicated"),
          Banned.of("too little to judge", "not enough data"),
          Banned.of("ask(s|ed|ing)? for", "requests, needs"),
          Banned.of(
              "(samples?|sampler|dumps?) (meets?|met)|met by (a |the )?(samples?|sampler|dumps?)",
              "samples find, dumps show"),
          Banned.of("named by the user|told by the user", "given on the command line"),
          Banned.of("set otherwise", "settings differ"),
          Banned.of("as ever|worth a word", "as in the baseline; is reported"),
          // Garbage collection
          Banned.of(
              "stands? still|stood still|standing still",
              "stop-the-world pause; is stopped, stuck, unchanged"),
          Banned.of("full collections?", "full GC"),
          Banned.of("markings", "concurrent cycles"),
          Banned.of(
              "found no room|no room to copy|failed (copies|evacuations?)|copies failed",
              "evacuation failure"),
          Banned.of("what collections (left|leave)", "heap after GC"),
          Banned.of("short of room|want of room|heap's room", "headroom"),
          Banned.of("ceiling", "maximum heap (-Xmx)"),
          Banned.of("on and on", "grows steadily"),
          Banned.of("what is allocated", "allocation rate, allocation per request"),
          Banned.of("beside the collections", "non-GC safepoint"),
          // Threads, locks and CPU
          Banned.of("in (a|the) circle|circles? of threads|reports a circle", "deadlock"),
          Banned.of(
              "(wait|waits|waited|waiting|queue|queues|queued) for (a core|cores|the cores)",
              "waiting for CPU, run queue"),
          Banned.of("later than asked", "timed waits overran"),
          // Connections and calls
          Banned.of("borrow(s|ed|ing|er|ers)?", "wait for a connection, obtain a connection"),
          Banned.of(
              "lent out|(give|gives|given|giving) back|keeps? (the|a|its) connections?|connections? (is|are|was|were) kept",
              "holds a connection, returned, in use"),
          Banned.of("remote sides?|calls? to others", "remote host, downstream call"),
          Banned.of(
              "file calls?|(forces?|forced|forcing) (a |the |each )?(files?|records?|logs?)",
              "file I/O, fsync"));

  @Test
  void pagesUseTheTermsOfTheField() throws IOException {
    List<String> found = new ArrayList<>();
    int files = 0;
    for (Texts texts : CHECKED) {
      try (Stream<Path> paths = Files.walk(Pages.ROOT.resolve(texts.path()))) {
        for (Path file : paths.sorted().toList()) {
          String name = Pages.ROOT.relativize(file).toString().replace('\\', '/');
          if (name.endsWith(texts.ending()) && EXEMPT.stream().noneMatch(name::startsWith)) {
            files++;
            found.addAll(violations(name, words(name, Files.readAllLines(file))));
          }
        }
      }
    }
    assertEquals("", String.join("\n", found));
    assertTrue(files > 100, "only " + files + " files were found");
  }

  @Test
  void theHelpUsesTheTermsOfTheField() {
    List<String> found = new ArrayList<>();
    for (CommandPage page : CommandPages.all()) {
      found.addAll(violations("help " + page.command(), page.toString()));
    }
    assertEquals("", String.join("\n", found));
  }

  @Test
  void aPhraseIsFoundOverALineEndAndNamedWithItsLineAndTerm() {
    assertEquals(
        List.of("page.md:2: 'full\ncollection': write full GC".replace("\n", " ")),
        violations("page.md", "A pause.\nThen a full\ncollection came.\n"));
  }

  @Test
  void whatAProgramPrintsIsNoProse() {
    List<String> page =
        List.of(
            "> in the calm", "    calm", "```text", "calm", "```", "`calm` [x](calm.md)", "calm");
    assertEquals(
        List.of("page.md:7: 'calm': write baseline"),
        violations("page.md", words("page.md", page)));
  }

  private static List<String> violations(String name, String text) {
    List<String> found = new ArrayList<>();
    for (Banned banned : BANNED) {
      Matcher phrase = banned.phrase().matcher(text);
      while (phrase.find()) {
        long line = text.substring(0, phrase.start()).lines().count();
        boolean lineBegins = phrase.start() == 0 || text.charAt(phrase.start() - 1) == '\n';
        found.add(
            String.format(
                "%s:%d: '%s': write %s",
                name,
                lineBegins ? line + 1 : line,
                phrase.group().replaceAll("\\s+", " "),
                banned.use()));
      }
    }
    return found;
  }

  /**
   * The words of a file, line for line. Of a Markdown page without quotations, code, targets of
   * links and generated tables: these hold what a program prints or is called.
   */
  private static String words(String name, List<String> lines) {
    if (!name.endsWith(".md")) {
      return String.join("\n", lines);
    }
    StringBuilder words = new StringBuilder();
    boolean code = false;
    boolean generated = false;
    for (String line : lines) {
      boolean fence = line.strip().startsWith("```");
      generated = line.matches("<!-- (tables:start|rows: ).*") || generated;
      if (!fence && !code && !generated && !line.startsWith("    ") && !line.startsWith(">")) {
        words.append(line.replaceAll("`[^`]*`", "``").replaceAll("\\]\\([^)]*\\)", "]"));
      }
      words.append('\n');
      code ^= fence;
      generated = generated && !line.matches("<!-- (tables:|rows )end.*");
    }
    return words.toString();
  }
}
