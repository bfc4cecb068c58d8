package io.gcdiag.read.bytes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.read.bytes.IngestContext.JvmProcesses;
import io.gcdiag.read.bytes.JvmProcess.Kind;
import io.gcdiag.read.bytes.JvmProcess.Start;
import io.gcdiag.units.Bytes;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Which files are of one process. */
class JvmProcessesTest {

  private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");
  private static final Duration SECOND = Duration.ofSeconds(1);

  private static JvmFacts facts(String version, String collector, int mebi) {
    return new JvmFacts(
        version.isEmpty() ? Optional.empty() : Optional.of(version),
        collector.isEmpty() ? Optional.empty() : Optional.of(collector),
        Optional.empty(),
        mebi == 0 ? Optional.empty() : Optional.of(Bytes.ofMebi(mebi)),
        OptionalInt.empty(),
        Optional.empty(),
        new TreeMap<>());
  }

  private static JvmProcess process(
      String file, Kind kind, JvmFacts facts, Optional<Instant> start, int fromMinute, String app) {
    Instant from = START.plus(Duration.ofMinutes(fromMinute));
    return new JvmProcess(
        file,
        kind,
        facts,
        start.map(at -> new Start(at, SECOND, true)),
        Optional.of(new Window(from, from.plus(Duration.ofMinutes(1)))),
        app);
  }

  private static JvmProcess of(String file, Kind kind, JvmFacts facts) {
    return process(file, kind, facts, Optional.of(START), 1, "");
  }

  private static Set<String> foreign(JvmProcess... files) {
    JvmProcesses processes = new JvmProcesses();
    List.of(files).forEach(processes::add);
    return processes.foreign().keySet();
  }

  @Test
  void filesThatSayTheSameOrNothingBelongTogether() {
    assertEquals(
        Set.of(),
        foreign(
            of("recording.jfr", Kind.RECORDING, facts("17.0.15", "G1", 512)),
            of("gc.log", Kind.LOG, facts("17.0.15", "G1", 512)),
            of("threads.txt", Kind.DUMP, facts("", "", 0))));
  }

  @Test
  void anotherVersionCollectorOrHeapIsAnotherJvm() {
    JvmProcess recording = of("recording.jfr", Kind.RECORDING, facts("17.0.15", "G1", 512));
    assertEquals(
        Set.of("gc.log"), foreign(recording, of("gc.log", Kind.LOG, facts("21.0.2", "G1", 512))));
    assertEquals(
        Set.of("gc.log"), foreign(recording, of("gc.log", Kind.LOG, facts("", "Parallel", 0))));
    assertEquals(Set.of("gc.log"), foreign(recording, of("gc.log", Kind.LOG, facts("", "", 256))));
  }

  @Test
  void whatStandsInOneFileIsOfOneJvm() {
    assertEquals(
        Set.of(),
        foreign(
            of("stdout", Kind.LOG, facts("17.0.15", "G1", 512)),
            of("stdout", Kind.DUMP, facts("21.0.2", "Serial", 0))));
  }

  @Test
  void collectorsGoByManyNames() {
    assertEquals(
        Set.of(),
        foreign(
            of("recording.jfr", Kind.RECORDING, facts("", "ParNew + CMS", 0)),
            of("gc.log", Kind.LOG, facts("", "CMS", 0))));
    assertEquals(
        Set.of(),
        foreign(
            of("recording.jfr", Kind.RECORDING, facts("", "Z", 0)),
            of("gc.log", Kind.LOG, facts("", "The Z Garbage Collector", 0))));
  }

  @Test
  void theReasonNamesWhatDiffers() {
    JvmProcesses processes = new JvmProcesses();
    processes.add(of("recording.jfr", Kind.RECORDING, facts("17.0.15", "G1", 0)));
    processes.add(
        process(
            "gc.log",
            Kind.LOG,
            facts("17.0.15", "Parallel", 0),
            Optional.of(START.minusSeconds(1308)),
            1,
            ""));
    assertEquals(
        "of another JVM than recording.jfr: Parallel, not G1; started 2026-03-01 09:38:12 UTC, not"
            + " 2026-03-01 10:00:00 UTC",
        processes.foreign().get("gc.log"));
  }

  @Test
  void aRecordingCountsBeforeManyLogs() {
    assertEquals(
        Set.of("a.log", "b.log"),
        foreign(
            of("recording.jfr", Kind.RECORDING, facts("", "G1", 0)),
            of("a.log", Kind.LOG, facts("", "Serial", 0)),
            of("b.log", Kind.LOG, facts("", "Serial", 0))));
  }

  @Test
  void ofTwoLogsTheOneThatADumpAgreesWithCounts() {
    assertEquals(
        Set.of("a.log"),
        foreign(
            of("a.log", Kind.LOG, facts("", "Serial", 0)),
            of("b.log", Kind.LOG, facts("", "G1", 0)),
            of("threads.txt", Kind.DUMP, facts("", "G1", 0))));
  }

  @Test
  void recordingsOfOneProgramThatFollowEachOtherAreARestart() {
    JvmFacts facts = facts("17.0.15", "G1", 512);
    JvmProcess before =
        process("one.jfr", Kind.RECORDING, facts, Optional.of(START), 1, "orders.jar");
    Instant later = START.plus(Duration.ofMinutes(4));
    JvmProcess after =
        process("two.jfr", Kind.RECORDING, facts, Optional.of(later), 5, "orders.jar");
    assertEquals(Set.of(), foreign(before, after));
    JvmProcess another =
        process("two.jfr", Kind.RECORDING, facts, Optional.of(later), 5, "stock.jar");
    assertEquals(Set.of("two.jfr"), foreign(before, another));
    JvmProcess beside =
        process("two.jfr", Kind.RECORDING, facts, Optional.of(later), 1, "orders.jar");
    assertEquals(Set.of("two.jfr"), foreign(before, beside));
  }

  @Test
  void whatElseIsForeignShowsWhenTheOtherRecordingIsGone() {
    JvmProcess one = of("one.jfr", Kind.RECORDING, facts("", "G1", 0));
    JvmProcess two = of("two.jfr", Kind.RECORDING, facts("", "Serial", 0));
    JvmProcess log = of("gc.log", Kind.LOG, facts("", "Serial", 0));
    JvmProcess dump = of("threads.txt", Kind.DUMP, facts("", "Serial", 0));
    assertEquals(Set.of("one.jfr"), foreign(one, two, log, dump));
  }

  @Test
  void aLocalTimeIsComparedUpToItsZone() {
    // Up for 60 s at 15:31:02 by a clock in UTC+5:30: started at 10:00:02 UTC.
    Start local =
        Start.before(Instant.parse("2026-03-01T15:31:02Z"), Duration.ofSeconds(60), SECOND, false);
    assertTrue(local.agrees(new Start(START, SECOND, true)));
    assertTrue(!local.agrees(new Start(START.plusSeconds(120), SECOND, true)));
    assertTrue(!local.agrees(new Start(START.plus(Duration.ofDays(2)), SECOND, true)));
  }

  @Test
  void aClockDriftsOverALongUptime() {
    // 100 ppm of 100 days are 864 s.
    Duration up = Duration.ofDays(100);
    Start dump = Start.before(START.plus(up).plusSeconds(600), up, SECOND, true);
    assertTrue(dump.agrees(new Start(START, SECOND, true)));
    Start young = Start.before(START.plusSeconds(660), Duration.ofSeconds(60), SECOND, true);
    assertTrue(!young.agrees(new Start(START, SECOND, true)));
  }
}
