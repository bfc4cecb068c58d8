package io.gcdiag.read.gclog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.jvm.HeapChange;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.jvm.PauseType;
import io.gcdiag.evidence.jvm.SafepointStop;
import io.gcdiag.evidence.time.LongColumn;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Nanos;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GcLogTest {

  private static final LogStamp BOTH =
      new LogStamp(
          Optional.of(Instant.parse("2026-11-21T05:46:33.665Z")),
          Optional.of(Duration.ofMillis(82)));

  private static final PauseType MIXED =
      new PauseType(PauseKind.MIXED, "G1 Evacuation Pause", true);

  /**
   * Room for two segments of pauses of nine columns of four bytes: both times, length, type,
   * number, line and three sizes.
   */
  private static final long TWO_SEGMENTS = 2 * LongColumn.SEGMENT * 9 * 4;

  @Test
  void whatIsTakenOutIsWhatWasPutIn() {
    HeapChange large = new HeapChange(Bytes.of(1), Bytes.of(2L << 50), Bytes.of(Long.MAX_VALUE));
    List<LogRow> pauses =
        List.of(
            pause(BOTH, Duration.ofNanos(5_487_000), 0, 17),
            pause(LogStamp.NONE, Duration.ZERO, -1, 1),
            new LogRow(
                BOTH,
                Duration.ofMillis(1),
                new PauseType(PauseKind.FULL, "Ergonomics", false),
                2,
                18,
                Optional.empty(),
                Optional.of(
                    new LogRow.Cpu(Duration.ofMillis(120), Duration.ZERO, Duration.ofMillis(40)))),
            // Beyond what the columns are narrow for: kept all the same.
            new LogRow(
                BOTH,
                Duration.ofDays(3),
                MIXED,
                1L << 40,
                1L << 50,
                Optional.of(large),
                Optional.of(
                    new LogRow.Cpu(
                        Duration.ofNanos(3), Duration.ofNanos(4), Duration.ofNanos(5)))));

    GcLog log = new GcLog();
    pauses.forEach(pause -> add(log, pause));

    assertEquals(pauses, LogRow.of(log));
  }

  @Test
  void safepointsToo() {
    LoggedStalls logged = new LoggedStalls();
    Duration reaching = Duration.ofNanos(181_019);
    logged.add(BOTH, reaching, Duration.ofNanos(5_513_019), "ThreadDump", false, 9);
    logged.add(LogStamp.NONE, Duration.ofDays(1), Duration.ZERO, "", true, Long.MAX_VALUE);

    assertEquals(2, logged.size());
    SafepointStop dump = logged.placed(0, "gc.log");
    assertEquals(
        new SafepointStop(
            BOTH.wallClock().orElseThrow(),
            reaching,
            Duration.ofNanos(5_513_019),
            "ThreadDump",
            false,
            Source.line("gc.log", 9)),
        dump);
    assertEquals(BOTH.uptimeNanos(), logged.uptime(0));
    assertEquals(Nanos.NO_TIME, logged.wallClock(1));
    assertEquals(Nanos.NO_TIME, logged.uptime(1));
    SafepointStop other = logged.placed(1, "gc.log");
    assertEquals(Duration.ofDays(1), other.reaching());
    assertEquals("", other.operation());
    assertTrue(other.collection());
    assertEquals(Long.MAX_VALUE, logged.line(1));
  }

  @Test
  void pausesCanBeMovedAndTheLastOnesTakenAway() {
    GcLog log = new GcLog();
    for (int i = 0; i < 3_000; i++) {
      add(log, numbered(i));
    }

    log.pauses.move(2_999, 7);
    log.pauses.cut(2_998);
    add(log, pause(LogStamp.NONE, Duration.ZERO, -1, 1));

    assertEquals(numbered(2_999), LogRow.of(log, 7));
    assertEquals(2_999, log.pauses.size());
    assertEquals(-1, log.pauses.gcId(2_998));
    assertEquals(Nanos.NO_TIME, log.pauses.uptime(2_998));
  }

  @Test
  void beyondItsBoundALogLosesItsOldestPausesAndCountsThem() {
    GcLog log = new GcLog(TWO_SEGMENTS);
    for (int i = 0; i < 2_500; i++) {
      add(log, numbered(i));
      log.makeRoom();
    }

    assertEquals(2_500, log.pauses.count());
    assertEquals(2_500 - 1_024, log.pauses.size());
    assertEquals(numbered(1_024), LogRow.of(log, 0));
    assertEquals(numbered(2_499), LogRow.of(log, log.pauses.last()));
    String note = log.pauses.forgotten().orElseThrow();
    assertTrue(note.startsWith("the log has 2,500 pauses; the first 1,024 of them"), note);
    // The longest of 0 to 1,023 ms is the last of them, on line 1,024.
    assertTrue(note.contains("the longest 1.02 s at line 1024"), note);
  }

  private static LogRow numbered(int number) {
    return pause(BOTH, Duration.ofMillis(number), number, number + 1L);
  }

  private static LogRow pause(LogStamp start, Duration duration, long id, long line) {
    HeapChange heap = new HeapChange(Bytes.ofMebi(3), Bytes.ofMebi(2), Bytes.ofMebi(4));
    return new LogRow(start, duration, MIXED, id, line, Optional.of(heap), Optional.empty());
  }

  private static void add(GcLog log, LogRow pause) {
    int row =
        log.pauses.add(
            pause.start().wallNanos(),
            pause.start().uptimeNanos(),
            pause.duration().toNanos(),
            pause.type(),
            pause.gcId(),
            pause.line());
    pause.heap().ifPresent(heap -> log.pauses.heap(row, heap));
    pause
        .cpu()
        .ifPresent(
            times ->
                log.pauses.cpu(
                    row, times.user().toNanos(), times.system().toNanos(), times.real().toNanos()));
  }
}
