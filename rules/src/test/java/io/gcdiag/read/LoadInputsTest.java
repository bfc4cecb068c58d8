package io.gcdiag.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.InputReport.Status;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.fixtures.SampleFiles;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.read.bytes.Redactor;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Results of load generators as inputs: recognised by content, whatever their name. */
@Tag("slow")
class LoadInputsTest {

  @TempDir Path folder;

  private static Timeline read(Path path, String kind) {
    return Ingest.read(
        List.of(new Ingest.Request(path, Optional.ofNullable(kind), Optional.empty())),
        OperatorFacts.none(),
        Redactor.off(),
        ReadOptions.STANDARD);
  }

  private static InputReport only(Timeline timeline) {
    assertEquals(1, timeline.inputs().size(), () -> "" + timeline.inputs());
    return timeline.inputs().get(0);
  }

  @ParameterizedTest
  @CsvSource({
    "k6-1.8-samples.json.gz,k6-samples,true",
    "k6-1.8-samples.csv.gz,k6-samples,true",
    "k6-1.8-grpc-samples.csv.gz,k6-samples,true",
    "k6-1.8-grpc-summary.json,k6-summary,false",
    "k6-1.8-summary-export.json,k6-summary,false",
    "k6-1.8-handle-summary.json,k6-summary,false",
    "k6-1.8-stdout.txt,k6-console,false",
    "jmeter-5.6.jtl,jmeter,true",
    "jmeter-5.6-xml.jtl,jmeter,true",
    "ab-2.3-stdout.txt,ab,false",
    "ab-2.3-gnuplot.tsv,ab,true",
    "ab-2.3-percentages.csv,ab,false",
    "wrk-stdout.txt,wrk,false",
    "wrk2-stdout.txt,wrk,false",
    "hey-0.1.4-stdout.txt,hey,false",
    "hey-0.1.4-refused.txt,hey,false",
    "gatling-3.10-simulation.log,gatling,true",
    "gatling-3.14-simulation.log,gatling,true",
  })
  void everyResultIsRecognisedByItsContentPackedOrNot(
      String sample, String format, boolean overTime) throws IOException {
    Path file = SampleFiles.file("load/" + sample);
    Path named = Files.copy(file, folder.resolve("results.jfr"));
    for (Path path : List.of(named, sample.endsWith(".gz") ? file : packed(file))) {
      for (String kind : Arrays.asList(null, "load")) {
        Timeline timeline = read(path, kind);
        assertEquals(format, only(timeline).format());
        assertEquals(Status.OK, only(timeline).status(), () -> only(timeline).note());
        assertEquals(1, timeline.requests().stats().size());
        assertEquals(overTime ? 1 : 0, timeline.requests().series().size());
        assertEquals(overTime, timeline.dated());
        assertTrue(timeline.coverage().of(Signal.REQUEST_STATS).recorded());
      }
    }
  }

  private Path packed(Path file) throws IOException {
    Path packed = folder.resolve("packed");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
      Files.copy(file, out);
    }
    return packed;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gc-logs/g1-jdk17-gc-only.log",
        "thread-dumps/jcmd-jdk17.txt",
        "thread-dumps/dump-to-file-jdk25.json",
        "thread-dumps/not-a-dump.txt",
      })
  void whatIsNoResultIsRefusedWithAListOfWhatIs(String sample) {
    InputReport report = only(read(SampleFiles.file(sample), "load"));
    assertEquals(Status.UNREADABLE, report.status());
    for (String expected :
        List.of(
            "the samples of k6 (--out json or --out csv)",
            "a k6 end-of-test summary (--summary-export or handleSummary)",
            "the output of k6",
            "results of JMeter (JTL: CSV or XML)",
            "the output of Apache Bench (ab), or what its -g or -e wrote",
            "the output of wrk or wrk2",
            "the output of hey",
            "a simulation.log of Gatling")) {
      assertTrue(report.note().contains(expected), report::note);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "k6-1.8-samples.json.gz",
        "jmeter-5.6.jtl",
        "jmeter-5.6-xml.jtl",
        "ab-2.3-stdout.txt",
        "wrk-stdout.txt",
        "hey-0.1.4-stdout.txt",
        "k6-1.8-stdout.txt",
        "gatling-3.10-simulation.log",
      })
  void aResultIsNeitherAGcLogNorAThreadDump(String sample) {
    for (String kind : List.of("gc-log", "thread-dump", "jfr")) {
      assertEquals("unknown", only(read(SampleFiles.file("load/" + sample), kind)).format());
    }
  }

  @Test
  void aResultWithoutRecordingSaysWhatTimeIsLookedAt() {
    Timeline timeline = read(SampleFiles.file("load/jmeter-5.6.jtl"), null);
    // The seconds of the first and the last timeStamp.
    assertEquals(Instant.ofEpochSecond(1795245544), timeline.span().from());
    assertEquals(Instant.ofEpochSecond(1795245547), timeline.span().to());
  }

  @Test
  void aResultOfATestThatStillRanIsPartial() throws IOException {
    String text = Files.readString(SampleFiles.file("load/jmeter-5.6-xml.jtl"));
    Path cut = Files.writeString(folder.resolve("a.jtl"), text.substring(0, text.length() / 2));
    Timeline timeline = read(cut, null);
    assertEquals(Status.PARTIAL, only(timeline).status());
    assertTrue(only(timeline).note().startsWith("not closed, or damaged, at line"));
    assertEquals(1, timeline.requests().series().size());
  }

  @Test
  void aResultOfWhichNothingIsLeftSaysWhy() throws IOException {
    Path file =
        Files.writeString(folder.resolve("a.jtl"), "<testResults version='1.2'>\n<httpSample t=");
    InputReport report = only(read(file, null));
    assertEquals(Status.UNREADABLE, report.status());
    assertEquals(
        "no request with a time and a latency that can be read (not closed, or damaged, at line 2;"
            + " what stands before it was read)",
        report.note());
  }

  @Test
  void whatAConsoleOfWindowsWroteIsRecognised() throws IOException {
    String text = Files.readString(SampleFiles.file("load/ab-2.3-stdout.txt"));
    Path file = folder.resolve("ab.txt");
    Files.write(file, ("\uFEFF" + text.replace("\n", "\r\n")).getBytes(StandardCharsets.UTF_16LE));
    Timeline timeline = read(file, null);
    assertEquals("ab", only(timeline).format());
    assertEquals(300, timeline.requests().stats().get(0).requests().orElseThrow());
  }
}
