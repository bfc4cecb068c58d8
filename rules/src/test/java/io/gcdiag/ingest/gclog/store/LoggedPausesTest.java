package io.gcdiag.ingest.gclog.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.heap.HeapChange;
import io.gcdiag.evidence.pauses.PauseKind;
import io.gcdiag.evidence.pauses.PauseType;
import io.gcdiag.evidence.pauses.SafepointStop;
import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.time.LongColumn;
import io.gcdiag.ingest.gclog.text.LogStamp;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Nanos;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LoggedPausesTest {

  private static final LogStamp BOTH =
      new LogStamp(
          Optional.of(Instant.parse("2026-11-21T05:46:33.665Z")),
          Optional.of(Duration.ofMillis(82)));

  /**
   * Room for two segments of pauses of nine columns of four bytes: both times, length, type,
   * number, line and three sizes.
   */
  private static final long TWO_SEGMENTS = 2 * LongColumn.SEGMENT * 9 * 4;

  @Test
  void whatIsTakenOutIsWhatWasPutIn() {
    List<LoggedPause> pauses = new ArrayList<>();
    pauses.add(pause(BOTH, Duration.ofNanos(5_487_000), 0, 17));
    pauses.add(pause(LogStamp.NONE, Duration.ZERO, -1, 1));
    LoggedPause bare = pause(BOTH, Duration.ofMillis(1), 2, 18);
    bare.tellsHeap = false;
    bare.type = new PauseType(PauseKind.FULL, "Ergonomics", false);
    bare.tellsCpu = true;
    bare.user = 120_000_000;
    bare.real = 40_000_000;
    pauses.add(bare);
    // Beyond what the columns are narrow for: kept all the same.
    LoggedPause large = pause(BOTH, Duration.ofDays(3), 1L << 40, 1L << 50);
    large.heap(new HeapChange(Bytes.of(1), Bytes.of(2L << 50), Bytes.of(Long.MAX_VALUE)));
    large.tellsCpu = true;
    large.user = 3;
    large.system = 4;
    large.real = 5;
    pauses.add(large);

    LoggedPauses logged = new LoggedPauses(new LoggedStalls());
    logged.addAll(pauses);

    assertEquals(pauses.size(), logged.size());
    for (int i = 0; i < pauses.size(); i++) {
      assertTrue(pauses.get(i).isLike(logged.get(i)), pauses.get(i).toString());
      assertEquals(pauses.get(i).line, logged.get(i).line);
    }
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
  void theLastOnesCanBeTakenAway() {
    LoggedPauses logged = new LoggedPauses(new LoggedStalls());
    for (int i = 0; i < 3_000; i++) {
      logged.add(numbered(i));
    }

    List<LoggedPause> taken = logged.takeFrom(2_998);
    logged.add(pause(LogStamp.NONE, Duration.ZERO, -1, 1));

    assertEquals(2, taken.size());
    assertTrue(numbered(2_999).isLike(taken.get(1)));
    assertEquals(2_999, logged.size());
    assertEquals(-1, logged.get(2_998).gcId);
    assertEquals(Nanos.NO_TIME, logged.uptime(2_998));
  }

  @Test
  void beyondItsBoundALogLosesItsOldestPausesAndCountsThem() {
    LoggedPauses logged = new LoggedPauses(new LoggedStalls(), TWO_SEGMENTS);
    for (int i = 0; i < 2_500; i++) {
      logged.add(numbered(i));
    }

    assertEquals(2_500, logged.count());
    assertEquals(2_500 - 1_024, logged.size());
    assertTrue(numbered(1_024).isLike(logged.get(0)));
    assertTrue(numbered(2_499).isLike(logged.last().orElseThrow()));
    String note = logged.forgotten().orElseThrow();
    assertTrue(note.startsWith("the log has 2,500 pauses; the first 1,024 of them"), note);
    // The longest of 0 to 1,023 ms is the last of them, on line 1,024.
    assertTrue(note.contains("the longest 1.02 s at line 1024"), note);

    assertEquals(2, logged.takeFrom(2_498).size());
    assertEquals(2_498, logged.count());
  }

  private static LoggedPause numbered(int number) {
    return pause(BOTH, Duration.ofMillis(number), number, number + 1L);
  }

  private static LoggedPause pause(LogStamp start, Duration duration, long id, long line) {
    LoggedPause pause = new LoggedPause();
    pause.startsAt(start);
    pause.nanos = duration.toNanos();
    pause.type = new PauseType(PauseKind.MIXED, "G1 Evacuation Pause", true);
    pause.heap(new HeapChange(Bytes.ofMebi(3), Bytes.ofMebi(2), Bytes.ofMebi(4)));
    pause.gcId = id;
    pause.line = line;
    return pause;
  }
}
