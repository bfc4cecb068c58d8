package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.gcdiag.Analysis;
import io.gcdiag.cli.command.CommandPages;
import io.gcdiag.cli.command.Terminal;
import io.gcdiag.cli.help.CommandPage;
import io.gcdiag.fixtures.Incidents;
import io.gcdiag.fixtures.Samples;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every command of gcdiag that the README, the documentation and the help show does what it says:
 * the files it names are laid out in a folder, and it is run. Of what stands behind a bar or a sign
 * of redirection the shell takes care.
 */
class DocumentedCommandsTest {

  private static final int TARGETS_MISSED = 10;
  private static final Path ROOT =
      Incidents.all().get(0).getParent().getParent().getParent().toAbsolutePath();

  @TempDir static Path folder;

  @BeforeAll
  static void layOutTheFiles() throws IOException {
    Path incident = Incidents.folder("login-slo-missed");
    copy(incident, folder.resolve("incident"));
    copy(incident, folder.resolve("before"));
    copy(Incidents.folder("login-slo-missed-fixed"), folder.resolve("after"));
    unpack(incident.resolve("recording.jfr.gz"), "recording.jfr");
    unpack(incident.resolve("recording.jfr.gz"), "incident.jfr");
    unpack(incident.resolve("requests.csv.gz"), "results.csv");
    Files.copy(incident.resolve("gc.log"), folder.resolve("gc.log"));
    Files.copy(incident.resolve("threads-1.txt"), folder.resolve("threads.txt"));
    Files.copy(Samples.file("metrics/prometheus-range.json"), folder.resolve("metrics.json"));
    Files.writeString(
        folder.resolve("our-frames.txt"), shownIn(ROOT.resolve("docs/inputs/frames.md"), "[pool]"));
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectory(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }

  private static void unpack(Path packed, String name) throws IOException {
    try (InputStream in = new GZIPInputStream(Files.newInputStream(packed))) {
      Files.copy(in, folder.resolve(name));
    }
  }

  /** The indented block of a page that begins with a line. */
  private static String shownIn(Path page, String first) throws IOException {
    List<String> lines = Files.readAllLines(page);
    int from = lines.indexOf("    " + first);
    assertTrue(from >= 0, "no block begins with " + first);
    StringBuilder block = new StringBuilder();
    for (String line : lines.subList(from, lines.size())) {
      if (!line.isBlank() && !line.startsWith("    ")) {
        break;
      }
      block.append(line.strip()).append('\n');
    }
    return block.toString();
  }

  private static Set<String> commands() throws IOException {
    Set<String> commands = new TreeSet<>();
    List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md")));
    try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
      files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
    }
    for (Path page : pages) {
      Files.readAllLines(page).stream()
          .filter(line -> line.matches(" {4}(\\./)?gcdiag [a-z].*"))
          .forEach(line -> commands.add(line.strip().replaceFirst("^\\./", "")));
    }
    run(List.of())
        .out()
        .lines()
        .filter(line -> line.startsWith("  gcdiag "))
        // What a command is for stands behind it.
        .forEach(line -> commands.add(line.strip().replaceFirst(" {2,}.*", "")));
    for (CommandPage page : CommandPages.all()) {
      page.texts().examples().forEach(example -> commands.add(example.name()));
    }
    return commands;
  }

  @TestFactory
  List<DynamicTest> everyCommandThatIsShownRuns() throws IOException {
    return commands().stream().map(one -> dynamicTest(one, () -> check(one))).toList();
  }

  @Test
  void thereAreCommandsOfEachKind() throws IOException {
    String all = String.join("\n", commands());
    for (String kind :
        List.of("analyze", "compare", "slo", "correlate", "littles-law", "explain")) {
      assertTrue(all.contains("gcdiag " + kind + " "), () -> "no example of " + kind);
    }
  }

  private static void check(String command) throws IOException {
    List<String> words = new ArrayList<>(List.of(command.split(" ")));
    int redirection = words.indexOf(">");
    List<String> arguments =
        words.subList(1, redirection < 0 ? words.size() : redirection).stream()
            .map(DocumentedCommandsTest::located)
            .toList();
    List<Path> written =
        Stream.iterate(0, i -> i < words.size() - 1, i -> i + 1)
            .filter(i -> Set.of("--output", "--report").contains(words.get(i)))
            .map(i -> Path.of(located(words.get(i + 1))))
            .toList();
    // Another example may have written it: what is there already is not replaced.
    for (Path file : written) {
      Files.deleteIfExists(file);
    }
    Ran ran = run(arguments);
    assertTrue(
        ran.code() == 0 || ran.code() == TARGETS_MISSED && words.contains("--fail-on"),
        () -> ran.code() + " " + ran.err());
    // What gcdiag has to say of its inputs is no part of what is promised; a refusal is.
    assertFalse(ran.err().contains("usage"), ran::err);
    boolean toFiles = words.contains("--output");
    assertEquals(toFiles, ran.out().isBlank(), ran::err);
    for (Path file : written) {
      assertTrue(Files.size(file) > 0, file::toString);
    }
  }

  /**
   * Words that name files of the example lie in the folder, those of the project where they lie.
   */
  private static String located(String word) {
    if (word.startsWith("fixtures/")) {
      return ROOT.resolve(word).toString();
    }
    boolean file = word.matches("[a-z-]+\\.(jfr|log|txt|csv|json|md|html|xml)|[a-z]+/");
    return file ? folder.resolve(word).toString() : word;
  }

  private record Ran(int code, String out, String err) {}

  private static Ran run(List<String> arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Main.run(
            arguments.toArray(String[]::new),
            Analysis::run,
            Terminal.NONE,
            new PrintWriter(out),
            new PrintWriter(err));
    return new Ran(code, out.toString(), err.toString());
  }
}
