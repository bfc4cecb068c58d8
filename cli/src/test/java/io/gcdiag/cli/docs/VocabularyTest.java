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
 * One term per thing: reports, messages, pages, help and changelog use the words of the JVM, of
 * monitoring and of queueing theory. {@code gcdiag explain} prints the pages below {@code
 * docs/rules} and {@code docs/hypotheses}.
 */
class VocabularyTest {

  /** The files below a path whose names end so. */
  private record Texts(String path, String ending) {}

  private static final List<Texts> CHECKED =
      List.of(
          new Texts("docs", ".md"),
          new Texts("README.md", ".md"),
          new Texts("CHANGELOG.md", ".md"),
          new Texts("fixtures/README.md", ".md"),
          new Texts("fixtures/incidents", "approved/report.txt"),
          new Texts("fixtures/incidents", "approved/report-verbose.txt"),
          new Texts("fixtures/incidents", "approved/report.md"),
          new Texts("fixtures/incidents", "approved/report.json"),
          new Texts("fixtures/incidents", "approved/report.html"));

  /** Decisions keep the words of their time. */
  private static final List<String> EXEMPT = List.of("docs/decisions");

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

  private static final Banned CALM = Banned.of("calm", "baseline");
  private static final Banned TROUBLE = Banned.of("trouble", "incident window, or lost time");
  private static final Banned PEOPLE =
      Banned.of(
          "whoever|somebody|someone|nobody|anybody|anyone|everybody|everyone",
          "the thing that acts: thread, holder, process, service");
  private static final Banned TOLD =
      Banned.of("told (from|apart)", "distinguished from, separated");

  /** Comments are held to fewer terms than texts: they may speak of code. */
  private static final List<Banned> BANNED_IN_COMMENTS = List.of(CALM, TROUBLE, PEOPLE, TOLD);

  private static final List<Banned> BANNED =
      List.of(
          // Windows and lost time
          CALM,
          TROUBLE,
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
          PEOPLE,
          TOLD,
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
          // A method of that name is code.
          Banned.of(
              "(?<!\\.\\s?)(?<!\\.<wbr>)borrow(s|ed|ing|er|ers)?",
              "wait for a connection, obtain a connection"),
          Banned.of(
              "lent out|(give|gives|given|giving) back|keeps? (the|a|its) connections?|connections? (is|are|was|were) kept",
              "holds a connection, returned, in use"),
          Banned.of("remote sides?|calls? to others", "remote host, downstream call"),
          Banned.of(
              "file calls?|(forces?|forced|forcing) (a |the |each )?(files?|records?|logs?)",
              "file I/O, fsync"),
          Banned.of("lent( out)?|handed out|(comes?|came|coming) back", "in use, is returned"),
          // Findings and figures
          Banned.of(
              "(?<!persons.to.)whom|find who|who (asks|owns|keeps|holds|makes|uses)",
              "the thing that acts"),
          Banned.of("(do|does|did) not tell|nothing tells|no \\w+ tells", "does not show"),
          Banned.of(
              "looked for, (and|nothing)|nothing seen|too little to tell",
              "checked, not indicated; not enough data"),
          Banned.of("when all is well", "in normal operation"),
          Banned.of("under way", "in progress"),
          Banned.of("held up|holds? up(?! to)", "delayed"),
          Banned.of("pil(e|es|ed|ing) up", "queue"),
          Banned.of("kept waiting", "delayed, blocked"),
          Banned.of("(gets?|got) a core", "runs, does not wait for CPU"),
          Banned.of("the collector's threads", "GC threads"),
          Banned.of("largest heap", "maximum heap"),
          Banned.of("thrown out", "deoptimized"),
          Banned.of(
              "what (was|is) (lost|committed)|what requests lost", "lost time, committed heap"),
          Banned.of("bears? no|to be watched|held against each", "has no; watch; compared"),
          Banned.of("1 and 1 \\w+s", "one in both"));

  /** Comments, text blocks, and texts that are put together of literals alone. */
  private static final Pattern LITERALS =
      Pattern.compile(
          "(?s)/\\*.*?\\*/|//[^\n]*|'(?:[^'\\\\]|\\\\.)+'|\"\"\".*?\"\"\""
              + "|\"(?:[^\"\\\\\n]|\\\\.)*+\"(?:\\s*+\\+\\s*+\"(?:[^\"\\\\\n]|\\\\.)*+\")*+");

  /** What a comment begins, goes on and ends with, and what it says of. */
  private static final Pattern COMMENT_MARKS =
      Pattern.compile("(?m)/\\*\\*?|\\*/|^[ \\t]*\\*(?!/)|//|@param \\w+|\\{@\\w+ [^}]*\\}");

  private static final Pattern CONCATENATION = Pattern.compile("\"\\s*\\+\\s*\"");

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

  /** Titles, findings, advice, messages: all that reports and standard error are made of. */
  @Test
  void theTextsOfTheProgramUseTheTermsOfTheField() throws IOException {
    List<String> found = new ArrayList<>();
    long texts = 0;
    for (String module : List.of("cli", "rules")) {
      try (Stream<Path> paths = Files.walk(Pages.ROOT.resolve(module + "/src/main/java"))) {
        for (Path file :
            paths.filter(path -> path.toString().endsWith(".java")).sorted().toList()) {
          String name = Pages.ROOT.relativize(file).toString().replace('\\', '/');
          String literals = literals(Files.readString(file));
          texts += literals.lines().filter(line -> !line.isEmpty()).count();
          found.addAll(violations(name, literals));
        }
      }
    }
    assertEquals("", String.join("\n", found));
    assertTrue(texts > 1000, "only " + texts + " texts were found");
  }

  @Test
  void commentsUseTheTermsOfTheField() throws IOException {
    List<String> found = new ArrayList<>();
    long lines = 0;
    for (String module : List.of("cli", "rules")) {
      try (Stream<Path> paths = Files.walk(Pages.ROOT.resolve(module + "/src/main/java"))) {
        for (Path file :
            paths.filter(path -> path.toString().endsWith(".java")).sorted().toList()) {
          String name = Pages.ROOT.relativize(file).toString().replace('\\', '/');
          String comments = comments(Files.readString(file));
          lines += comments.lines().filter(line -> !line.isBlank()).count();
          found.addAll(violations(name, comments, BANNED_IN_COMMENTS));
        }
      }
    }
    assertEquals("", String.join("\n", found));
    assertTrue(lines > 10_000, "only " + lines + " lines of comments were found");
  }

  @Test
  void aPhraseOfACommentIsFoundOverALineEndAndInItsLine() {
    String source =
        "String calm = \"calm\";\n/**\n * Not to be told\n * from it.\n * @param calm one\n */\n";
    assertEquals(
        List.of("A.java:3: 'told from': write distinguished from, separated"),
        violations("A.java", comments(source), BANNED_IN_COMMENTS));
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

  @Test
  void aTextOverSeveralLiteralsIsOne() {
    assertEquals(
        List.of("A.java:2: 'full collection': write full GC"),
        violations(
            "A.java",
            literals("/** The calm. */\nint a = f(\"a full\"\n    + \" collection\"); // calm\n")));
  }

  @Test
  void aSentenceOverSeveralLinesOfACellIsOne() {
    List<String> table =
        List.of("┌───┬──────┐", "│ 1 │ full │", "│   │ GC   │", "└───┴──────┘", "text");
    assertEquals("┌───┬──────┐\n1 | full GC\n\n└───┴──────┘\ntext", cells(table));
  }

  private static List<String> violations(String name, String text) {
    return violations(name, text, BANNED);
  }

  private static List<String> violations(String name, String text, List<Banned> all) {
    List<String> found = new ArrayList<>();
    for (Banned banned : all) {
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

  /** The texts of a source file, each in the line where it begins; without names and keys. */
  private static String literals(String source) {
    StringBuilder texts = new StringBuilder();
    Matcher literal = LITERALS.matcher(source);
    int last = 0;
    while (literal.find()) {
      String text = CONCATENATION.matcher(literal.group()).replaceAll("");
      if (text.startsWith("\"") && text.contains(" ")) {
        long lines = source.substring(last, literal.start()).chars().filter(c -> c == '\n').count();
        texts.append("\n".repeat((int) lines)).append(text.replace('\n', ' '));
        last = literal.start();
      }
    }
    return texts.toString();
  }

  /** The comments of a source file, each in its lines; without names of parameters. */
  private static String comments(String source) {
    StringBuilder comments = new StringBuilder();
    Matcher literal = LITERALS.matcher(source);
    int last = 0;
    while (literal.find()) {
      if (literal.group().startsWith("/")) {
        comments.append(source.substring(last, literal.start()).replaceAll("[^\n]", ""));
        comments.append(COMMENT_MARKS.matcher(literal.group()).replaceAll(" "));
        last = literal.end();
      }
    }
    return comments.toString();
  }

  /** Each row of a table in its first line, the lines of a cell joined; the rest as it is. */
  private static String cells(List<String> lines) {
    List<String> words = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      if (!lines.get(i).startsWith("│")) {
        words.add(lines.get(i));
        continue;
      }
      List<StringBuilder> row = new ArrayList<>();
      int first = words.size();
      for (; i < lines.size() && lines.get(i).startsWith("│"); i++) {
        String[] parts = lines.get(i).substring(1).split("│");
        for (int column = 0; column < parts.length; column++) {
          if (row.size() <= column) {
            row.add(new StringBuilder());
          }
          if (!parts[column].isBlank()) {
            row.get(column).append(parts[column].strip()).append(' ');
          }
        }
        words.add("");
      }
      i--;
      words.set(first, String.join("| ", row).strip());
    }
    return String.join("\n", words);
  }

  /**
   * The words of a file, line for line. Of a Markdown page without quotations, code, targets of
   * links and generated tables: these hold what a program prints or is called.
   */
  private static String words(String name, List<String> lines) {
    if (!name.endsWith(".md")) {
      return cells(lines);
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
