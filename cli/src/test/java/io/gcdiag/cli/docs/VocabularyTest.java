package io.gcdiag.cli.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.cli.CommandPages;
import io.gcdiag.cli.manual.CommandPage;
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
          new Texts("rules/src/main/resources/io/gcdiag/causes", ".txt"),
          new Texts("rules/src/main/resources/io/gcdiag/evidence", ".txt"),
          new Texts("rules/src/main/resources/io/gcdiag/figures", ".txt"),
          new Texts("fixtures/incidents", "approved/report.txt"),
          new Texts("fixtures/incidents", "approved/report.md"),
          new Texts("fixtures/incidents", "approved/report.json"),
          new Texts("fixtures/incidents", "approved/report.html"));

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
          if (name.endsWith(texts.ending())) {
            files++;
            found.addAll(Vocabulary.violations(name, words(name, Files.readAllLines(file))));
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
          found.addAll(Vocabulary.violations(name, literals));
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
          found.addAll(Vocabulary.violations(name, comments, Vocabulary.IN_COMMENTS));
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
        Vocabulary.violations("A.java", comments(source), Vocabulary.IN_COMMENTS));
  }

  @Test
  void theHelpUsesTheTermsOfTheField() {
    List<String> found = new ArrayList<>();
    for (CommandPage page : CommandPages.all()) {
      found.addAll(Vocabulary.violations("help " + page.command(), page.toString()));
    }
    assertEquals("", String.join("\n", found));
  }

  @Test
  void aPhraseIsFoundOverALineEndAndNamedWithItsLineAndTerm() {
    assertEquals(
        List.of("page.md:2: 'full\ncollection': write full GC".replace("\n", " ")),
        Vocabulary.violations("page.md", "A pause.\nThen a full\ncollection came.\n"));
  }

  @Test
  void whatAProgramPrintsIsNoProse() {
    List<String> page =
        List.of(
            "> in the calm", "    calm", "```text", "calm", "```", "`calm` [x](calm.md)", "calm");
    assertEquals(
        List.of("page.md:7: 'calm': write baseline"),
        Vocabulary.violations("page.md", words("page.md", page)));
  }

  @Test
  void aTextOverSeveralLiteralsIsOne() {
    assertEquals(
        List.of("A.java:2: 'full collection': write full GC"),
        Vocabulary.violations(
            "A.java",
            literals("/** The calm. */\nint a = f(\"a full\"\n    + \" collection\"); // calm\n")));
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
