package io.gcdiag.cli.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.gcdiag.cli.CommandPages;
import io.gcdiag.cli.manual.CommandPage;
import io.gcdiag.fixtures.Incidents;
import io.gcdiag.fixtures.SampleFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every command of gcdiag that the README, the documentation and the help show does what it says:
 * the files it names are laid out in a folder, and it is run. Programs that it is connected to by a
 * pipe are not run, what they would hand over is a GC log; {@link JvmCommandsTest} tries commands
 * of the JDK.
 */
@Tag("slow")
class DocumentedCommandsTest {

  private static final int TARGETS_MISSED = 10;

  @TempDir static Path folder;

  @BeforeAll
  static void layOutTheFiles() throws IOException {
    Path incident = Incidents.folder("login-slo-missed");
    copy(incident, folder.resolve("incident"));
    copy(incident, folder.resolve("before"));
    copy(Incidents.folder("login-slo-missed-fixed"), folder.resolve("after"));
    unpack(incident.resolve("recording.jfr.gz"), "recording.jfr");
    Files.copy(
        Incidents.folder("pool-queue-small-heap").resolve("recording.jfr"),
        folder.resolve("incident.jfr"));
    unpack(incident.resolve("requests.csv.gz"), "results.csv");
    Files.copy(incident.resolve("gc.log"), folder.resolve("gc.log"));
    Files.copy(incident.resolve("threads-1.txt"), folder.resolve("threads.txt"));
    Files.copy(SampleFiles.file("metrics/prometheus-range.json"), folder.resolve("metrics.json"));
    Files.copy(SampleFiles.file("metrics/table.csv"), folder.resolve("panel.csv"));
    Path host = Files.createDirectories(folder.resolve("recordings/orders/host-1"));
    Files.copy(incident.resolve("gc.log"), host.resolve("gc.log"));
    // Examples that sum up what an earlier run found.
    Gcdiag.run(List.of("fleet", located("recordings/"), "--out", located("results/")));
    Gcdiag.run(List.of("analyze", located("gc.log"), "--report", located("earlier.json")));
    Files.writeString(
        folder.resolve("our-frames.txt"),
        shownIn(Pages.ROOT.resolve("docs/inputs/frames.md"), "[pool]"));
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

  /** The block of code of a page that begins with a line. */
  private static String shownIn(Path page, String first) throws IOException {
    return Pages.code(page).stream()
        .map(code -> String.join("\n", code.lines()))
        .filter(code -> code.startsWith(first))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no block begins with " + first));
  }

  private static Set<List<String>> commands() throws IOException {
    Set<List<String>> commands = new TreeSet<>(Comparator.comparing(Object::toString));
    for (Path page : Pages.forUsers()) {
      for (Pages.Code code : Pages.code(page)) {
        if (code.isShell()) {
          commands.addAll(ofGcdiag(code.lines()));
        }
      }
    }
    Gcdiag.run(List.of())
        .out()
        .lines()
        .filter(line -> line.startsWith("  gcdiag "))
        // What a command is for stands behind it.
        .forEach(
            line -> commands.addAll(ofGcdiag(List.of(line.replaceFirst("(\\S) {2,}.*", "$1")))));
    for (CommandPage page : CommandPages.all()) {
      page.texts()
          .examples()
          .forEach(example -> commands.addAll(ofGcdiag(List.of(example.name()))));
    }
    return commands;
  }

  /** The arguments of gcdiag in a block of code, after its name. */
  private static List<List<String>> ofGcdiag(List<String> block) {
    List<String> lines =
        block.stream().filter(line -> line.contains("gcdiag ") || line.endsWith("\\")).toList();
    boolean continued = block.stream().anyMatch(line -> line.endsWith("\\"));
    return ShellLine.programs(continued ? block : lines).stream()
        .filter(words -> words.get(0).matches("(\\./|.*/bin/)?gcdiag") && words.size() > 1)
        .map(words -> words.subList(1, words.size()))
        .toList();
  }

  @TestFactory
  List<DynamicTest> everyCommandThatIsShownRuns() throws IOException {
    // Those whose output is shown are run where it is compared.
    Set<List<String>> compared = ShownOutputTest.commands();
    return commands().stream()
        .filter(one -> !compared.contains(one))
        .map(one -> dynamicTest(String.join(" ", one), () -> check(one)))
        .toList();
  }

  @Test
  void thereAreCommandsOfEachKind() throws IOException {
    List<String> kinds = commands().stream().map(words -> words.get(0)).toList();
    for (String kind :
        List.of("analyze", "compare", "slo", "correlate", "littles-law", "explain")) {
      assertTrue(kinds.contains(kind), () -> "no example of " + kind);
    }
  }

  private static void check(List<String> words) throws IOException {
    List<String> arguments = words.stream().map(DocumentedCommandsTest::located).toList();
    List<Path> written =
        Stream.iterate(0, i -> i < words.size() - 1, i -> i + 1)
            .filter(i -> Set.of("--output", "--report").contains(words.get(i)))
            .map(i -> Path.of(located(words.get(i + 1))))
            .toList();
    // Another example may have written it: what is there already is not replaced.
    for (Path file : written) {
      Files.deleteIfExists(file);
    }
    Gcdiag.Ran ran;
    try (InputStream piped = Files.newInputStream(folder.resolve("gc.log"))) {
      ran = Gcdiag.run(arguments, piped);
    }
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

  /** Words that name files of an example lie in the folder, those of the project where they lie. */
  private static String located(String word) {
    boolean file =
        word.matches("([a-z0-9-]+/)?[a-z0-9-*]+\\.(jfr|log|txt|csv|json|md|html|xml)|[a-z]+/");
    return file ? folder.resolve(word).toString() : Gcdiag.located(word);
  }
}
