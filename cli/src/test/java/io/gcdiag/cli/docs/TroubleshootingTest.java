package io.gcdiag.cli.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page on troubleshooting quotes messages that gcdiag or its launcher prints today. */
class TroubleshootingTest {

  private static final Pattern QUOTED = Pattern.compile("### `(.*)`");

  /** One string of Java written in several lines. */
  private static final Pattern CONTINUED = Pattern.compile("\"\\s*\\+\\s*\"");

  @Test
  void messagesAreThoseOfTheSources() throws IOException {
    String sources = CONTINUED.matcher(sources()).replaceAll("");
    List<String> quoted =
        Files.readAllLines(Pages.ROOT.resolve("docs/troubleshooting.md")).stream()
            .map(QUOTED::matcher)
            .filter(Matcher::matches)
            .map(heading -> heading.group(1))
            .toList();
    assertTrue(quoted.size() > 15, quoted::toString);
    List<String> unknown =
        quoted.stream()
            .filter(
                message ->
                    !Arrays.stream(message.split("\\.\\.\\."))
                        .map(String::strip)
                        .allMatch(sources::contains))
            .toList();
    assertEquals(List.of(), unknown, "no source has these messages");
  }

  private static String sources() throws IOException {
    StringBuilder sources = new StringBuilder(Files.readString(Pages.ROOT.resolve("gcdiag")));
    for (String module : List.of("cli", "rules")) {
      try (Stream<Path> files = Files.walk(Pages.ROOT.resolve(module + "/src/main/java"))) {
        sources.append(
            files
                .filter(file -> file.toString().endsWith(".java"))
                .map(TroubleshootingTest::text)
                .collect(Collectors.joining("\n")));
      }
    }
    return sources.toString();
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
