package io.gcdiag.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.jvm.SafepointStop;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.WindowFinder;
import io.gcdiag.measures.jvm.PauseTotals;
import io.gcdiag.read.bytes.IngestContext;
import io.gcdiag.read.bytes.InputFile;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.read.dumps.ThreadDumpFormat;
import io.gcdiag.read.gclog.GcLogFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the pauses of a log and the time of a dump come to lie on the common clock. */
class LogPlacementTest {

  private static final Instant JVM_START = Instant.parse("2026-03-01T10:00:00Z");

  @TempDir Path folder;
  private IngestContext intake;

  @BeforeEach
  void newIntake() {
    intake = new IngestContext(Redactor.off(), ReadOptions.STANDARD);
  }

  /** One line of an unified log; its stamp is taken when the pause of 10 ms is over. */
  private static String line(String stamp, int id) {
    return stamp
        + "[info][gc] GC("
        + id
        + ") Pause Young (Normal) (G1 Evacuation Pause) 24M->4M(256M) 10.000ms\n";
  }

  private void log(String text) throws IOException {
    Path file = Files.writeString(folder.resolve("gc.log"), text);
    new GcLogFormat().read(InputFile.of(file), intake);
  }

  private void dump(String localTime) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("threads.txt"),
            localTime
                + """

                Full thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode, sharing):

                "main" #1 prio=5 os_prio=0 cpu=36.18ms elapsed=5.20s tid=0x00007f0c runnable
                   java.lang.Thread.State: RUNNABLE
                \tat com.example.Main.main(Main.java:5)

                """);
    new ThreadDumpFormat().read(InputFile.of(file), intake);
  }

  /** A recording of the first five minutes that tells of collections 0 and 1. */
  private void recording(double first, double second) {
    intake
        .timeline()
        .recording("recording.jfr", new Window(JVM_START, JVM_START.plus(Duration.ofMinutes(5))));
    intake.clocks().recordedCollection(0, JVM_START.plusMillis(Math.round(first * 1e3)));
    intake.clocks().recordedCollection(1, JVM_START.plusMillis(Math.round(second * 1e3)));
  }

  private Timeline timeline() {
    intake.align();
    return intake.timeline().build();
  }

  private List<Instant> starts() {
    return timeline().pauses().stream().map(GcPause::start).toList();
  }

  private Optional<Instant> dumped() {
    return timeline().dumps().stream().findFirst().flatMap(ThreadSnapshot::at);
  }

  /** Logged with {@code safepoint:file=safepoint.log:time}: there is no pause to tell the clock. */
  @Test
  void aLogOfSafepointsAloneLiesByItsDates() throws IOException {
    log(
        "[2026-03-01T10:00:07.000+0000] Total time for which application threads were stopped:"
            + " 0.5000000 seconds, Stopping threads took: 0.4990000 seconds\n");
    assertEquals(
        List.of(Instant.parse("2026-03-01T10:00:06.500Z")),
        timeline().safepoints().stream().map(SafepointStop::start).toList());
  }

  @Test
  void aLogOfUptimesIsTiedToTheRecordingByTheNumbersOfItsCollections() throws IOException {
    log(line("[3.000s]", 0) + line("[7.010s]", 1) + line("[9.010s]", 2));
    // Pauses end at the stamp and took 10 ms: uptimes 2.99, 7.00 and 9.00 s. The recording has the
    // first two 0.5 s later on its clock.
    recording(3.49, 7.5);
    assertEquals(
        List.of(
            JVM_START.plusMillis(3_490), JVM_START.plusMillis(7_500), JVM_START.plusMillis(9_500)),
        starts());
  }

  @Test
  void aWallClockAnHourAheadIsMovedOntoTheRecordings() throws IOException {
    log(
        line("[2026-03-01T11:00:03.010+0000]", 0)
            + line("[2026-03-01T11:00:07.010+0000]", 1)
            + line("[2026-03-01T11:00:09.010+0000]", 2));
    recording(3, 7);
    Timeline timeline = timeline();
    assertEquals(JVM_START.plusSeconds(9), timeline.pauses().get(2).start());
    assertEquals(
        List.of(
            "the clock of gc.log differs from the recording's by 1 h 0 min (from 2 GCs that both hold); its times were shifted to the recording's clock"),
        timeline.coverage().notes());
  }

  @Test
  void withoutCommonCollectionsUptimesCountFromTheJvmsStartThatARecordingTells()
      throws IOException {
    log(line("[3.010s]", 0));
    intake.clocks().jvmStarted("recording.jfr", JVM_START);
    assertEquals(List.of(JVM_START.plusSeconds(3)), starts());
  }

  @Test
  void uptimesCountFromTheStartThatTheAgeOfThreadsTells() throws IOException {
    // At 10:01:05 the oldest thread is 5.2 s old; 3 s after the start the pause began.
    log(line("[3.010s]", 0));
    dump("2026-03-01 10:01:05");
    assertEquals(List.of(Instant.parse("2026-03-01T10:01:02.800Z")), starts());
  }

  @Test
  void dumpsOfTwoJvmsDoNotSayWhichOfThemTheLogIsOf() throws IOException {
    log(line("[3.010s]", 0));
    dump("2026-03-01 10:01:05");
    dump("2026-03-01 10:08:05");
    assertEquals(List.of(Instant.EPOCH.plusSeconds(3)), starts());
  }

  @Test
  void uptimesWithNothingToTieThemToCountFrom1970AndThatIsSaid() throws IOException {
    log(line("[3.010s]", 0) + line("[7.010s]", 1));
    Timeline timeline = timeline();
    assertEquals(Instant.EPOCH.plusSeconds(3), timeline.pauses().get(0).start());
    assertTrue(
        timeline.coverage().notes().stream()
            .anyMatch(note -> note.startsWith("gc.log has no wall-clock times")));
  }

  @Test
  void pausesOfALogWithoutTimesAreCountedAndSaidNotToBePlaced() throws IOException {
    log(
        """
        [GC (Allocation Failure)  9587K->1623K(31808K), 0.0020000 secs]
        [Full GC (System.gc())  3242K->755K(31680K), 0.0050000 secs]
        """);
    Timeline timeline = timeline();
    assertEquals(
        List.of(
            "gc.log: its lines have no credible times: its 2 pauses, 7 ms in all and the longest 5 ms,"
                + " cannot be placed and judged; log with -Xlog:gc*:file=gc.log:time,uptime, or with"
                + " -XX:+PrintGCDateStamps on JDK 8"),
        timeline.coverage().notes());
    assertTrue(timeline.pauses().isEmpty());
  }

  @Test
  void uptimesMakeTheWallClockFiner() throws IOException {
    // Offsets of date and uptime: 1.000, 1.000 and 1.003 s after the full minute; the middle one
    // holds, which dates the third pause 3 ms before its own date.
    log(
        line("[2026-03-01T10:00:04.010+0000][3.010s]", 0)
            + line("[2026-03-01T10:00:08.010+0000][7.010s]", 1)
            + line("[2026-03-01T10:00:10.013+0000][9.010s]", 2));
    assertEquals(
        List.of(
            Instant.parse("2026-03-01T10:00:04Z"),
            Instant.parse("2026-03-01T10:00:08Z"),
            Instant.parse("2026-03-01T10:00:10Z")),
        starts());
  }

  @Test
  void aClockThatWasSetWhileTheJvmRanCountsAsItSays() throws IOException {
    log(
        line("[2026-03-01T10:00:04.010+0000][3.010s]", 0)
            + line("[2026-03-01T10:00:08.010+0000][7.010s]", 1)
            + line("[2026-03-01T12:00:10.010+0000][9.010s]", 2));
    assertEquals(Instant.parse("2026-03-01T12:00:10Z"), starts().get(2));
  }

  @Test
  void theLocalTimeOfADumpIsInTheZoneThatTheLogStates() throws IOException {
    log(line("[2026-03-01T15:30:03.010+0530]", 0) + line("[2026-03-01T15:30:07.010+0530]", 1));
    // 15:40 at UTC+5:30; nearer to the log's seven seconds would be no zone at all.
    dump("2026-03-01 15:40:00");
    assertEquals(Optional.of(Instant.parse("2026-03-01T10:10:00Z")), dumped());
  }

  @Test
  void anOffsetOfZeroIsNoZoneBecauseUtctimePrintsItToo() throws IOException {
    log(line("[2026-03-01T10:00:03.010+0000]", 0) + line("[2026-03-01T10:00:07.010+0000]", 1));
    // 12:00:05 at UTC+2 falls between the two.
    dump("2026-03-01 12:00:05");
    assertEquals(Optional.of(Instant.parse("2026-03-01T10:00:05Z")), dumped());
  }

  @Test
  void withoutAZoneTheDumpGoesWhereTheRecordingIs() throws IOException {
    recording(3, 7);
    dump("2026-03-01 15:32:00");
    assertEquals(Optional.of(Instant.parse("2026-03-01T10:02:00Z")), dumped());
  }

  @Test
  void aDumpAloneIsInUtcAndThatIsSaid() throws IOException {
    dump("2026-03-01 15:32:00");
    Timeline timeline = timeline();
    assertEquals(Optional.of(Instant.parse("2026-03-01T15:32:00Z")), timeline.dumps().get(0).at());
    assertEquals(
        List.of("threads.txt states its time without a zone; taken as UTC"),
        timeline.coverage().notes());
  }

  /** The dump of an hour later is inside what is analysed. */
  @Test
  void aLogOfItsFirstLinesCoversNoTime() throws IOException {
    log(
        "[2026-03-01T10:00:00.000+0000][0.005s][info][gc] Using G1\n"
            + "[2026-03-01T10:00:00.001+0000][0.006s][info][gc,init] Version: 17.0.9+9 (release)\n");
    dump("2026-03-01 11:00:00");
    assertEquals(Instant.parse("2026-03-01T11:00:00Z"), timeline().span().from());
  }

  /** 300.5 ms, in which no request can lose more than once as much; it has no rates. */
  @Test
  void aLogOfOnePauseHasNoRates() throws IOException {
    log(line("[2026-03-01T10:30:01.000+0000][1.5s]", 1).replace("10.000ms", "300.500ms"));
    Timeline timeline = timeline();
    MeasuredIncident incident =
        new MeasuredIncident(
            timeline, WindowFinder.find(timeline, Optional.empty(), Optional.empty()));
    assertTrue(PauseTotals.areOneAlone(incident));
    assertEquals(0.3005, incident.effects().totalExcessSeconds(), 1e-6);
  }
}
