package io.gcdiag.causes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.gcdiag.books.Bearing;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.sketches.IncidentBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds the rule book, the catalogue of root causes and their pages together. */
class CausesTest {

  private static final List<String> RULE_HEADINGS =
      List.of(
          "What it does",
          "Evidence it needs",
          "How it judges",
          "Example",
          "Known limitations",
          "What it does not say");

  private static final List<String> HYPOTHESIS_HEADINGS =
      List.of(
          "What it is",
          "Evidence for it",
          "Evidence against it, look-alikes",
          "What gcdiag checks",
          "What to change first");

  private static final int MOST_WORDS = 400;

  private static final Path ROOT = root();
  private static final Path RULE_PAGES = ROOT.resolve("docs/rules");
  private static final Path HYPOTHESIS_PAGES = ROOT.resolve("docs/hypotheses");
  private static final Path RULES = ROOT.resolve("rules/src/main/java/io/gcdiag/causes");

  /** The class of a rule, of its own or nested in a cause. */
  private static final Pattern RULE_CLASS =
      Pattern.compile("(?m)^ *(?:public |static )*final class (\\w+Rule)\\b");

  private static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (folder != null && !Files.isDirectory(folder.resolve("docs"))) {
      folder = folder.getParent();
    }
    return folder == null ? Path.of("") : folder;
  }

  @Test
  void everyIdIsUnique() {
    assertEquals(
        new TreeSet<>(ids()).size(), ids().size(), "two rules share an id; rename one of " + ids());
    Set<String> both = new TreeSet<>(ids());
    both.retainAll(hypotheses());
    assertEquals(
        Set.of(), both, "a rule and a root cause share an id, so that a page has two meanings");
  }

  @Test
  void everyRuleIsCalledLikeItsClass() {
    for (Rule rule : Causes.rules()) {
      String name = rule.getClass().getSimpleName();
      assertTrue(name.endsWith("Rule"), name + ": rename the class so that it ends with Rule");
      assertEquals(
          kebab(name),
          rule.id(),
          name + ": let id() return \"" + kebab(name) + "\", or rename the class");
    }
  }

  @Test
  void everyHypothesisHasItsCause() {
    for (Hypothesis hypothesis : Hypothesis.catalogue()) {
      assertNotNull(Causes.of(hypothesis), "add the class of " + hypothesis + " to Causes.ALL");
      assertEquals(hypothesis, Causes.of(hypothesis).hypothesis());
    }
  }

  @Test
  void everyRuleClassIsOfACause() {
    Set<String> classes = new TreeSet<>();
    try (Stream<Path> files = Files.walk(RULES)) {
      files
          .filter(file -> file.toString().endsWith(".java"))
          .flatMap(file -> RULE_CLASS.matcher(read(file)).results())
          .forEach(rule -> classes.add(rule.group(1)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    assertEquals(Causes.rules().size(), classes.size());
    Causes.rules().forEach(rule -> classes.remove(rule.getClass().getSimpleName()));
    assertEquals(
        Set.of(), classes, "add these to the list of rules of the cause that they are about");
  }

  @Test
  void everyRuleHasATest() {
    for (Rule rule : Causes.rules()) {
      Path test = testOf(rule);
      assertTrue(
          Files.exists(test),
          "write "
              + ROOT.relativize(test)
              + " with a case that fires, one that speaks against, and one with too little data");
    }
  }

  @Test
  void everyRuleHasAPageWithTheSameHeadings() {
    for (Rule rule : Causes.rules()) {
      check(RULE_PAGES.resolve(rule.id() + ".md"), rule.id(), RULE_HEADINGS);
    }
  }

  @Test
  void everyRootCauseHasAPageWithTheSameHeadings() {
    for (Hypothesis hypothesis : Hypothesis.catalogue()) {
      check(
          HYPOTHESIS_PAGES.resolve(hypothesis.id() + ".md"), hypothesis.id(), HYPOTHESIS_HEADINGS);
    }
  }

  @Test
  void thePageOfARuleOrOfTheRootCauseThatItJudgesNamesTheOther() {
    for (Rule rule : Causes.rules()) {
      for (Hypothesis hypothesis : rule.judges()) {
        Path page = HYPOTHESIS_PAGES.resolve(hypothesis.id() + ".md");
        String link = "(../rules/" + rule.id() + ".md)";
        Path own = RULE_PAGES.resolve(rule.id() + ".md");
        String back = "(../hypotheses/" + hypothesis.id() + ".md)";
        assertTrue(
            read(page).contains(link) || read(own).contains(back),
            "name [" + hypothesis.id() + "] in " + own);
      }
    }
  }

  /** An on-call engineer reads a page while the incident goes on. */
  @Test
  void noPageOfARuleHasMoreThan400Words() {
    List<String> longer = new ArrayList<>();
    for (Rule rule : Causes.rules()) {
      long words = words(read(RULE_PAGES.resolve(rule.id() + ".md")));
      if (words > MOST_WORDS) {
        longer.add(rule.id() + ".md: " + words);
      }
    }
    assertEquals(List.of(), longer, "shorten these, and move derivations to the rule's Javadoc");
  }

  @Test
  void noPageIsLeftOver() {
    assertNoneLeft(RULE_PAGES, new TreeSet<>(ids()), "rule");
    assertNoneLeft(HYPOTHESIS_PAGES, hypotheses(), "root cause");
  }

  @Test
  void everyRootCauseIsJudgedByARule() {
    Set<String> unjudged = hypotheses();
    Causes.rules().forEach(rule -> rule.judges().forEach(h -> unjudged.remove(h.id())));
    assertEquals(
        Set.of(), unjudged, "no rule names these in judges(); write one or drop the constants");
  }

  @Test
  void theExampleOfAPageIsCheckedByTheRulesTest() {
    List<String> untested = new ArrayList<>();
    for (Rule rule : Causes.rules()) {
      String tested = plain(testsOf(rule).replaceAll("\"\\s*\\+\\s*\"", ""));
      for (String quote : quotes(read(RULE_PAGES.resolve(rule.id() + ".md")))) {
        if (!tested.contains(plain(quote))) {
          untested.add(rule.id() + ".md: " + quote);
        }
      }
    }
    assertEquals(
        List.of(), untested, "quote under Example, after '> ', a statement of the rule's test");
  }

  @Test
  void aRuleAnswersForAnIncidentOfWhichNothingIsKnown() {
    MeasuredIncident nothing = IncidentBuilder.incident().withoutBaseline().build();
    for (Rule rule : Causes.rules()) {
      for (Finding finding : rule.examine(nothing)) {
        for (Bearing bearing : finding.bearings()) {
          assertTrue(
              bearing instanceof Bearing.Weakens,
              rule.id() + " concludes from nothing: " + finding.statement());
        }
      }
    }
  }

  private static List<String> ids() {
    return Causes.rules().stream().map(Rule::id).toList();
  }

  private static Set<String> hypotheses() {
    return Hypothesis.catalogue().stream()
        .map(Hypothesis::id)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** {@code HeapFreeRatioRule} is {@code heap-free-ratio}. */
  private static String kebab(String className) {
    return className
        .replaceFirst("Rule$", "")
        .replaceAll("(?<=[a-z0-9])(?=[A-Z])", "-")
        .toLowerCase(Locale.ROOT);
  }

  private static void check(Path page, String id, List<String> headings) {
    Path shown = ROOT.relativize(page);
    if (!Files.exists(page)) {
      fail("write " + shown + ", beginning with '# " + id + "', with '## ' before: " + headings);
    }
    List<String> lines = read(page).lines().toList();
    assertEquals("# " + id, lines.get(0), "let " + shown + " begin with '# " + id + "'");
    assertEquals(
        headings,
        lines.stream().filter(l -> l.startsWith("## ")).map(l -> l.substring(3)).toList(),
        "give " + shown + " these headings of the second level, in this order");
  }

  private static void assertNoneLeft(Path pages, Set<String> known, String kind) {
    Set<String> left = new TreeSet<>(names(pages, ".md"));
    left.removeAll(known);
    assertEquals(
        Set.of(),
        left,
        "delete or rename these pages in " + ROOT.relativize(pages) + ": no " + kind);
  }

  /** Where the test of a rule is: in the rule's own package. */
  private static Path testOf(Rule rule) {
    Class<?> type = rule.getClass();
    return ROOT.resolve("rules/src/test/java")
        .resolve(type.getPackageName().replace('.', '/'))
        .resolve(type.getSimpleName() + "Test.java");
  }

  /** All tests of its package that make the rule: one of many sensors has several. */
  private static String testsOf(Rule rule) {
    String made = "new " + rule.getClass().getSimpleName() + "()";
    try (Stream<Path> files = Files.list(testOf(rule).getParent())) {
      return files
          .map(CausesTest::read)
          .filter(test -> test.contains(made))
          .collect(Collectors.joining());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Names of the files in a folder and below it that end so, without that ending. */
  private static Set<String> names(Path folder, String ending) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(ending))
          .map(name -> name.substring(0, name.length() - ending.length()))
          .collect(Collectors.toCollection(TreeSet::new));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What stands after {@code > } in the section Example; at least one line. */
  private static List<String> quotes(String page) {
    List<String> quotes = new ArrayList<>();
    StringBuilder quote = new StringBuilder();
    String example = page.substring(page.indexOf("## Example"), page.indexOf("## Known"));
    for (String line : (example + "\n\n").lines().toList()) {
      if (line.startsWith("> ")) {
        quote.append(quote.isEmpty() ? "" : " ").append(line.substring(2));
      } else if (!quote.isEmpty()) {
        quotes.add(quote.toString());
        quote.setLength(0);
      }
    }
    return quotes.isEmpty() ? List.of("(nothing quoted)") : quotes;
  }

  /** As {@code wc -w} counts them: marks of headings and tables are words, too. */
  private static long words(String page) {
    return Stream.of(page.split("\\s+")).filter(word -> !word.isEmpty()).count();
  }

  private static String plain(String text) {
    return text.replaceAll("\\s+", " ").trim();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
