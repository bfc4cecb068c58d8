package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The man pages, written as the packaging writes them. */
@Tag("slow")
class ManPagesTest {

  private static final long PATIENCE_SECONDS = 300;

  @TempDir static Path folder;

  private record Ran(int code, String out, String err) {}

  @BeforeAll
  static void writeThePages() throws Exception {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    String source = Path.of("src/build/java/ManPages.java").toString();
    Ran ran =
        run(
            List.of(
                java.toString(),
                "-cp",
                System.getProperty("java.class.path"),
                source,
                folder.toString(),
                "1.2.3"));
    assertEquals(0, ran.code(), ran::err);
  }

  @Test
  void gcdiagAndEachCommandHaveOne() throws IOException {
    Set<String> expected =
        CommandPages.all().stream()
            .map(page -> page.qualifiedName().replace(' ', '-') + ".1")
            .collect(Collectors.toCollection(TreeSet::new));
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(
          expected,
          files
              .map(file -> file.getFileName().toString())
              .collect(Collectors.toCollection(TreeSet::new)));
    }
    assertTrue(expected.containsAll(Set.of("gcdiag.1", "gcdiag-analyze.1")), expected::toString);
  }

  @Test
  void groffRendersEachWithoutAWarning() throws Exception {
    assumeTrue(installed("groff"), "groff is not installed");
    for (Path page : pages()) {
      Ran ran = run(List.of("groff", "-man", "-Tutf8", "-ww", "-P-cbou", page.toString()));
      assertEquals(0, ran.code(), ran::err);
      assertEquals("", ran.err());
      for (String section : List.of("NAME", "SYNOPSIS", "OPTIONS", "EXIT STATUS", "SEE ALSO")) {
        assertTrue(ran.out().contains("\n" + section + "\n"), () -> page + " has no " + section);
      }
    }
    String analyze =
        run(List.of(
                "groff",
                "-man",
                "-Tutf8",
                "-P-cbou",
                folder.resolve("gcdiag-analyze.1").toString()))
            .out();
    assertTrue(analyze.contains("gcdiag-analyze - ranks the root causes"), analyze);
    assertTrue(analyze.contains("\n       --format FORMAT\n"), analyze);
    assertTrue(analyze.contains("gcdiag 1.2.3"), analyze);
  }

  @Test
  void manShowsEachWithoutAWarning() throws Exception {
    assumeTrue(installed("man"), "man is not installed");
    for (Path page : pages()) {
      Ran ran = run(List.of("man", "--warnings", "-l", page.toString()));
      assertEquals(0, ran.code(), ran::err);
      assertEquals("", ran.err());
      assertTrue(ran.out().contains("EXIT STATUS"), ran::out);
    }
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }

  private static Ran run(List<String> command) throws Exception {
    Path errors = Files.createTempFile(folder.getParent(), "man", ".err");
    ProcessBuilder process = new ProcessBuilder(command).redirectError(errors.toFile());
    process.environment().put("LC_ALL", "C.UTF-8");
    process.environment().put("MANPAGER", "cat");
    process.environment().put("MANWIDTH", "80");
    Process running = process.start();
    running.getOutputStream().close();
    String out = new String(running.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(running.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), () -> command + " never ends");
    String err = Files.readString(errors);
    Files.delete(errors);
    return new Ran(running.exitValue(), out, err);
  }

  private static boolean installed(String program) {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":"))
        .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
  }
}
