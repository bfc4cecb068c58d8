package io.gcdiag.cli.manual;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gcdiag.cli.CommandPages;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What the shells themselves offer with the scripts, each run where it is installed (Debian: bash,
 * zsh, fish).
 */
@Tag("slow")
class ShellCompletionTest {

  private static final int NO_TERMINAL = 77;
  private static final long PATIENCE_SECONDS = 300;

  /** Begins a line with a question among the answers. */
  private static final String LINE = ": ";

  /** A command line up to the cursor, with what is offered there. */
  private static final Map<String, Set<String>> OFFERED =
      new TreeMap<>(
          Map.of(
              "gcdiag an", Set.of("analyze"),
              "./gcdiag an", Set.of("analyze"),
              "gcdiag explain mem", Set.of("memory-leak", "memory-limit", "memory-pressure"),
              "gcdiag analyze --fo", Set.of("--force", "--format"),
              "gcdiag analyze --format ",
                  Set.of("table", "markdown", "html", "jira", "junit", "json"),
              "gcdiag rules --format=m", Set.of("markdown"),
              "gcdiag help lit", Set.of("littles-law"),
              "gcdiag analyze gc.l", Set.of("gc.log"),
              "gcdiag --debug analyze gc.log --jfr rec", Set.of("recording.jfr"),
              "gcdiag analyze --hold ", Set.of()));

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void everyShellCompletesCommandsOptionsValuesFilesAndIds(Shell shell) throws Exception {
    String name = shell.name().toLowerCase(Locale.ROOT);
    assumeTrue(installed(name), () -> name + " is not installed");
    Files.writeString(folder.resolve("gc.log"), "");
    Files.writeString(folder.resolve("recording.jfr"), "");
    assertEquals(OFFERED, ask(shell, name));
  }

  private Map<String, Set<String>> ask(Shell shell, String name) throws Exception {
    Path script = folder.resolve("script." + name);
    Files.writeString(script, shell.script(CommandPages.all()));
    Path question = folder.resolve("ask." + name);
    try (InputStream in = ShellCompletionTest.class.getResourceAsStream("ask." + name)) {
      Files.write(question, in.readAllBytes());
    }
    List<String> command = new ArrayList<>(command(name));
    command.add(question.toString());
    command.add(script.toString());
    command.addAll(OFFERED.keySet());
    Path errors = folder.resolve("errors");
    ProcessBuilder process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectError(errors.toFile());
    process.environment().put("HOME", folder.toString());
    process.environment().put("TERM", "dumb");
    Process running = process.start();
    running.getOutputStream().close();
    String answers = new String(running.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(running.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), () -> name + " does not end");
    assumeTrue(running.exitValue() != NO_TERMINAL, "there are no pseudo-terminals");
    assertEquals("", Files.readString(errors));
    return byLine(answers);
  }

  private static Map<String, Set<String>> byLine(String answers) {
    Map<String, Set<String>> offered = new TreeMap<>();
    Set<String> words = Set.of();
    for (String answer : answers.lines().toList()) {
      if (answer.startsWith(LINE)) {
        words = new TreeSet<>();
        offered.put(answer.substring(LINE.length()), words);
      } else if (!answer.isBlank()) {
        // fish repeats the option before the value.
        words.add(answer.strip().substring(answer.strip().indexOf('=') + 1));
      }
    }
    return offered;
  }

  private static List<String> command(String shell) {
    return switch (shell) {
      case "bash" -> List.of("bash", "--norc", "--noprofile");
      case "zsh" -> List.of("zsh", "-f");
      default -> List.of("fish", "--no-config");
    };
  }

  private static boolean installed(String shell) {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":"))
        .anyMatch(place -> Files.isExecutable(Path.of(place, shell)));
  }
}
