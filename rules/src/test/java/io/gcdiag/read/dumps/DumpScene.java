package io.gcdiag.read.dumps;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.fixtures.SampleFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.file.Files;
import java.util.List;

/** Dumps as {@link ThreadDumps} reads them, from the samples and from text. */
final class DumpScene {

  static List<ParsedDump> sample(String name) throws IOException {
    try (InputStream in = Files.newInputStream(SampleFiles.file("thread-dumps/" + name))) {
      return ThreadDumps.parse(in);
    }
  }

  static String sampleText(String name) throws IOException {
    return Files.readString(SampleFiles.file("thread-dumps/" + name));
  }

  static List<ParsedDump> text(String text) throws IOException {
    return ThreadDumps.parse(new StringReader(text));
  }

  static ParsedThread named(ParsedDump dump, String name) {
    List<ParsedThread> found =
        dump.threads().stream().filter(thread -> thread.name().equals(name)).toList();
    assertEquals(1, found.size(), name);
    return found.get(0);
  }

  static long count(ParsedDump dump, String state) {
    return dump.threads().stream().filter(thread -> thread.state().equals(state)).count();
  }

  private DumpScene() {}
}
