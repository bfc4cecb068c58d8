package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.Analysis;
import io.gcdiag.AnalysisRequest.Input;
import io.gcdiag.cli.settings.Settings.Folders;
import io.gcdiag.fixtures.SampleFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code -} as an input. */
@Tag("slow")
class StandardInputTest extends CommandRuns {

  private static final String LOG = "gc-logs/g1-jdk17-gc-only.log";

  private byte[] bytes = {};

  private boolean typed;

  private static byte[] sample(String name) {
    try {
      return Files.readAllBytes(SampleFiles.file(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Outcome piped(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code;
    try (StandardInput input = new StandardInput(new ByteArrayInputStream(bytes), () -> typed)) {
      code =
          Main.run(
              args,
              request -> {
                asked = request;
                return Analysis.run(request);
              },
              terminal,
              input,
              Folders.none(),
              new PrintWriter(out),
              new PrintWriter(err));
    }
    return new Outcome(code, out.toString(), err.toString().replace("\r\n", "\n"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        LOG,
        "gc-logs/g1-jdk8.log.gz",
        "packed/jcmd-jdk17.txt.lz4",
        "packed/incident-gnu.tar.gz",
        "recordings/jdk21.jfr.gz"
      })
  void itIsRecognisedByContentPackedOrNot(String name) {
    bytes = sample(name);
    Outcome outcome = piped("analyze", "-");
    assertEquals(0, outcome.code(), outcome.err());
    assertTrue(outcome.out().contains("standard input"), outcome.out());
    assertFalse(outcome.out().contains(".tmp"), outcome.out());
    assertFalse(Files.exists(asked.inputs().get(0).path()));
  }

  @Test
  void aPlainRecordingIsRead() throws IOException {
    try (InputStream in =
        new GZIPInputStream(Files.newInputStream(SampleFiles.file("recordings/jdk21.jfr.gz")))) {
      bytes = in.readAllBytes();
    }
    assertEquals(0, piped("analyze", "--jfr", "-").code());
    assertEquals(Optional.of("jfr"), asked.inputs().get(0).format());
  }

  @Test
  void itStandsBesideOtherInputs() {
    bytes = sample(LOG);
    String dump = SampleFiles.file("thread-dumps/jcmd-jdk17.txt").toString();
    Outcome outcome = piped("analyze", dump, "--gc-log", "-");
    assertEquals(0, outcome.code(), outcome.err());
    assertTrue(outcome.out().contains("standard input (gc-log)"), outcome.out());
    bytes = new byte[0];
    assertEquals("gcdiag: standard input: file is empty\n", piped("analyze", dump, "-").err());
  }

  @Test
  void everyCommandThatReadsFilesTakesIt() {
    bytes = sample("load/k6-1.8-samples.csv.gz");
    String results = SampleFiles.file("load/k6-1.8-samples.csv.gz").toString();
    assertEquals(0, piped("slo", "-", "--p95", "10s").code());
    assertEquals(0, piped("slo", "--load", "-", "--p95", "10s").code());
    Outcome compared = piped("compare", "-", results);
    assertEquals(0, compared.code(), compared.err());
    assertTrue(compared.out().contains("standard input"), compared.out());
    // Whatever the file can tell: it was read.
    for (String[] command :
        new String[][] {
          {"correlate", "-"}, {"littles-law", "--from", "-", "--rps", "10", "--hold", "1ms"}
        }) {
      Outcome outcome = piped(command);
      assertTrue(outcome.code() == 0 && outcome.err().isEmpty(), outcome.err());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"analyze - -", "analyze - --gc-log -", "compare - -", "slo --load - - --p95 1s"})
  void itCanBeReadOnceOnly(String command) {
    bytes = sample(LOG);
    assertFails(
        2,
        "gcdiag: standard input ('-') can be read once only; name a file instead",
        piped(command.split(" ")));
  }

  @Test
  void withoutAnythingInItThereIsNothingToRead() {
    assertFails(
        3,
        "gcdiag: standard input is empty; did the command before the pipe fail?",
        piped("analyze", "-"));
  }

  @Test
  void aTerminalIsNoFile() {
    typed = true;
    assertFails(
        2,
        "gcdiag: standard input ('-') is a terminal; redirect a file to it, like 'gcdiag analyze -"
            + " < gc.log'",
        piped("analyze", "-"));
    // Nothing is asked of it unless it is named.
    assertEquals(0, piped("analyze", SampleFiles.file(LOG).toString()).code());
  }

  @Test
  void whatIsInNoFormatIsSaidToBe() {
    bytes = new byte[] {1, 2, 3};
    Outcome outcome = piped("analyze", "-");
    assertEquals(3, outcome.code());
    assertTrue(
        outcome.err().startsWith("gcdiag: standard input: not recognised; expected"),
        outcome.err());
    assertEquals(1, outcome.err().lines().count());
  }

  @Test
  void aFileOfThatNameIsNamedWithItsFolder() {
    assertFalse(new Input(Path.of("./-"), Optional.empty()).path().toString().equals("-"));
  }

  @Test
  void aStreamThatBreaksIsSaidToBe() {
    InputStream broken =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("the pipe broke");
          }
        };
    StringWriter err = new StringWriter();
    try (StandardInput input = new StandardInput(broken, () -> false)) {
      int code =
          Main.run(
              new String[] {"analyze", "-"},
              analysis,
              terminal,
              input,
              Folders.none(),
              new PrintWriter(new StringWriter()),
              new PrintWriter(err));
      assertEquals(3, code);
    }
    assertEquals("gcdiag: standard input cannot be read: the pipe broke", err.toString().trim());
  }
}
