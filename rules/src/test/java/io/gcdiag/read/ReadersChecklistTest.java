package io.gcdiag.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a new reader needs beside itself, with the file to write it in. */
class ReadersChecklistTest {

  private static final Path READERS = Path.of("src/main/java/io/gcdiag/read");

  private static final Pattern GROUP = Pattern.compile("final class (\\w+) extends EventGroup\\b");

  private static final Pattern FORMAT = Pattern.compile("final class (\\w+Format) extends \\w+");

  @Test
  void everyGroupOfEventsIsAskedForThem() {
    assertEquals(
        List.of(),
        notMadeIn("jfr/RecordingEvents.java", GROUP),
        "nothing gives events to these: add 'new <class>(lane)' to the groups in"
            + " rules/src/main/java/io/gcdiag/read/jfr/RecordingEvents.java");
  }

  @Test
  void everyFormatIsTried() {
    assertEquals(
        List.of(),
        notMadeIn("Formats.java", FORMAT),
        "no file is tried for these: add 'new <class>()' to ALL in"
            + " rules/src/main/java/io/gcdiag/read/Formats.java, a sample below fixtures/samples"
            + " with its line in docs/inputs/README.md, and docs/inputs/<id>.md");
  }

  private static List<String> notMadeIn(String list, Pattern declared) {
    String listed = text(READERS.resolve(list));
    try (Stream<Path> files = Files.walk(READERS)) {
      List<String> all =
          files
              .filter(file -> file.toString().endsWith(".java"))
              .flatMap(file -> declared.matcher(text(file)).results())
              .map(found -> found.group(1))
              .sorted()
              .toList();
      assertFalse(all.isEmpty(), "no class is declared as " + declared);
      return all.stream().filter(name -> !listed.contains("new " + name + "(")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
