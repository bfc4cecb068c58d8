package io.gcdiag.cli.completion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.gcdiag.cli.command.CommandPages;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the shells themselves offer with the scripts, each run where it is installed (Debian: bash,
 * zsh, fish).
 */
class ShellCompletionTest {

  private static final int NO_TERMINAL = 77;
  private static final long PATIENCE_SECONDS = 120;

  /** A command line up to the cursor, with what is offered there. */
  private static final Map<String, Set<String>> OFFERED =
      new TreeMap<>(
          Map.of(
              "gcdiag an", Set.of("analyze"),
              "./gcdiag an", Set.of("analyze"),
              "gcdiag explain mem", Set.of("memory-leak", "memory-pressure"),
              "gcdiag analyze --fo", Set.of("--force", "--format"),
              "gcdiag analyze --format ", Set.of("table", "markdown", "html", "junit", "json"),
              "gcdiag rules --format=m", Set.of("markdown"),
              "gcdiag help lit", Set.of("littles-law"),
              "gcdiag analyze gc.l", Set.of("gc.log"),
              "gcdiag --debug analyze gc.log --jfr rec", Set.of("recording.jfr"),
              "gcdiag analyze --hold ", Set.of()));

  @TempDir static Path folder;

  @TestFactory
  Stream<DynamicTest> everyShellCompletesCommandsOptionsValuesFilesAndIds() throws IOException {
    Files.writeString(folder.resolve("gc.log"), "");
    Files.writeString(folder.resolve("recording.jfr"), "");
    return Arrays.stream(Shell.values())
        .flatMap(
            shell ->
                OFFERED.entrySet().stream()
                    .map(
                        offered ->
                            dynamicTest(
                                shell + " " + offered.getKey(),
                                () ->
                                    assertEquals(
                                        new TreeSet<>(offered.getValue()),
                                        ask(shell, offered.getKey())))));
  }

  private static Set<String> ask(Shell shell, String line) throws Exception {
    String name = shell.name().toLowerCase(Locale.ROOT);
    assumeTrue(installed(name), () -> name + " is not installed");
    Path script = folder.resolve("script." + name);
    Files.writeString(script, shell.script(CommandPages.all()));
    Path question = folder.resolve("ask." + name);
    try (InputStream in = ShellCompletionTest.class.getResourceAsStream("ask." + name)) {
      Files.write(question, in.readAllBytes());
    }
    Path errors = folder.resolve("errors");
    ProcessBuilder process =
        new ProcessBuilder(command(name, question.toString(), script.toString(), line))
            .directory(folder.toFile())
            .redirectError(errors.toFile());
    process.environment().put("HOME", folder.toString());
    process.environment().put("TERM", "dumb");
    Process running = process.start();
    running.getOutputStream().close();
    String offered =
        new String(running.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertTrue(running.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), () -> name + " does not end");
    assumeTrue(running.exitValue() != NO_TERMINAL, "there are no pseudo-terminals");
    assertEquals("", Files.readString(errors));
    return offered
        .lines()
        .map(String::strip)
        .filter(word -> !word.isEmpty())
        // fish repeats the option before the value.
        .map(word -> word.substring(word.indexOf('=') + 1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static List<String> command(String shell, String... arguments) {
    List<String> plain =
        switch (shell) {
          case "bash" -> List.of("bash", "--norc", "--noprofile");
          case "zsh" -> List.of("zsh", "-f");
          default -> List.of("fish", "--no-config");
        };
    return Stream.concat(plain.stream(), Arrays.stream(arguments)).toList();
  }

  private static boolean installed(String shell) {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":"))
        .anyMatch(place -> Files.isExecutable(Path.of(place, shell)));
  }
}
