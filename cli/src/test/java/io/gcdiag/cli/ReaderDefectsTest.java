package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.Analysis;
import io.gcdiag.read.bytes.Progress;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A defect met while a file is read is not held against the file. */
class ReaderDefectsTest extends CommandRuns {

  private static final Path SAMPLES = Path.of("../fixtures/samples");

  /** Called by every reader between two pieces of a file. */
  private static final Progress DEFECT =
      new Progress() {
        @Override
        public void at(String file, long read, long size) {
          throw new IllegalStateException("planted");
        }

        @Override
        public void ended() {
          // Nothing is planted here.
        }
      };

  @ParameterizedTest
  @ValueSource(
      strings = {
        "recordings/jdk21.jfr.gz",
        "gc-logs/g1-jdk17-gc-heap-cpu.log",
        "gc-logs/parnew-cms-jdk8.log",
        "thread-dumps/jcmd-jdk17.txt",
        "thread-dumps/dump-to-file-jdk21.json",
        "thread-dumps/javacore-openj9.txt",
        "class-histograms/jcmd-jdk17-1.txt",
        "jvm-info/flags-jdk17.txt",
        "load/k6-1.8-handle-summary.json",
        "load/k6-1.8-samples.csv.gz",
        "load/k6-1.8-stdout.txt",
        "load/jmeter-5.6.jtl",
        "load/ab-2.3-stdout.txt",
        "load/wrk-stdout.txt",
        "load/hey-0.1.4-stdout.txt",
        "load/gatling-3.10-simulation.log",
        "metrics/prometheus-range.json",
        "metrics/exposition-dated.txt",
        "metrics/table.csv",
        "packed/jcmd-jdk17.txt.lz4"
      })
  void aDefectOfAReaderEndsTheRunAndSaysWhoseItIs(String sample) {
    analysis = request -> Analysis.run(request.telling(DEFECT));
    Path file = SAMPLES.resolve(sample);
    Outcome outcome = run("analyze", file.toString());
    assertEquals(1, outcome.code(), outcome.err());
    assertEquals("", outcome.out());
    assertEquals(1, outcome.err().lines().count(), outcome.err());
    assertTrue(outcome.err().contains("a defect of gcdiag"), outcome.err());
    assertTrue(outcome.err().contains(file.getFileName().toString()), outcome.err());
    assertTrue(outcome.err().contains("planted"), outcome.err());
    assertFalse(outcome.err().contains("\tat "), outcome.err());
    Outcome debug = run("analyze", file.toString(), "--debug");
    assertEquals(1, debug.code());
    assertTrue(debug.err().contains("\tat " + ReaderDefectsTest.class.getName()), debug.err());
  }
}
