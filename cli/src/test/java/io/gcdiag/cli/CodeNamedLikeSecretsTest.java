package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.Analysis;
import io.gcdiag.fixtures.Incidents;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A guilty method whose name is a word for secrets is named in every format. */
@Tag("slow")
class CodeNamedLikeSecretsTest {

  @TempDir private Path folder;

  /** The lock is held in desk.Journal.append:26; names of the same length keep files whole. */
  private Path named(String method) throws IOException {
    Path incident =
        Incidents.all().stream()
            .filter(path -> path.endsWith("desk-one-journal"))
            .findFirst()
            .orElseThrow();
    Path copy = Files.createDirectory(folder.resolve("incident"));
    try (Stream<Path> files = Files.list(incident)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = file.getFileName().toString();
        // A character is a byte, and stays one.
        String text = new String(read(file), StandardCharsets.ISO_8859_1);
        String renamed = text.replace("append", method).replace("Journal", "Secrets");
        Files.write(
            copy.resolve(name.replace(".gz", "")), renamed.getBytes(StandardCharsets.ISO_8859_1));
      }
    }
    return copy;
  }

  private static byte[] read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      InputStream plain = file.toString().endsWith(".gz") ? new GZIPInputStream(in) : in;
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      plain.transferTo(bytes);
      return bytes.toByteArray();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"secret", "apiKey", "passwd"})
  void everyFormatNamesIt(String method) throws IOException {
    List<String> args =
        new ArrayList<>(List.of("analyze", named(method).toString(), "--verbose", "--force"));
    List<Path> reports = new ArrayList<>();
    for (String ending : List.of("txt", "md", "html", "json")) {
      reports.add(folder.resolve("report." + ending));
      args.addAll(List.of("--report", folder.resolve("report." + ending).toString()));
    }
    for (List<String> more : List.of(List.<String>of(), List.of("--redact-hosts"))) {
      StringWriter out = new StringWriter();
      PrintWriter writer = new PrintWriter(out);
      List<String> all = new ArrayList<>(args);
      all.addAll(more);
      Main.run(all.toArray(String[]::new), Analysis::run, Terminal.NONE, writer, writer);
      for (Path report : reports) {
        String text = Files.readString(report);
        // The advice, and where the lock is held.
        assertTrue(text.contains("desk.Secrets." + method + ":26: move"), report + "\n" + text);
        assertFalse(text.contains("desk.Secrets." + method + ":[hidden"), report::toString);
        assertTrue(!more.isEmpty() || !text.contains("[hidden "), report::toString);
      }
    }
  }
}
