package io.gcdiag.ingest.gclog.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.heap.HeapChange;
import io.gcdiag.evidence.pauses.PauseKind;
import io.gcdiag.ingest.gclog.text.LogStamp;
import io.gcdiag.units.Bytes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class PackedListTest {

  private static final LogStamp BOTH =
      new LogStamp(
          Optional.of(Instant.parse("2026-11-21T05:46:33.665Z")),
          Optional.of(Duration.ofMillis(82)));

  @Test
  void whatIsTakenOutIsWhatWasPutIn() {
    List<LoggedPause> pauses = new ArrayList<>();
    pauses.add(pause(BOTH, Duration.ofNanos(5_487_000), 23, 7, 66, OptionalLong.of(0), 17));
    pauses.add(pause(LogStamp.NONE, Duration.ZERO, 0, 0, 0, OptionalLong.empty(), 1));
    pauses.add(withoutHeap(pauses.get(0)).withCpu(cpu(120, 0, 40)));
    // Beyond what the words hold: kept all the same.
    pauses.add(pause(BOTH, Duration.ofDays(3), 1, 1, 1, OptionalLong.of(1L << 40), 1L << 50));
    pauses.add(pause(BOTH, Duration.ZERO, 1L << 30, 1L << 31, 1L << 32, OptionalLong.of(1), 2));
    pauses.add(withoutHeap(pauses.get(0)).withCpu(cpu(3, 4, 5)));
    pauses.add(
        pause(
            new LogStamp(Optional.of(Instant.MAX), Optional.empty()),
            Duration.ofNanos(1),
            1,
            2,
            3,
            OptionalLong.of(5),
            6));

    PackedPauses packed = new PackedPauses();
    packed.addAll(pauses);

    assertEquals(pauses, packed);
  }

  @Test
  void safepointsToo() {
    List<LoggedStall> stalls =
        List.of(
            new LoggedStall(
                BOTH,
                Duration.ofNanos(181_019),
                Duration.ofNanos(5_513_019),
                "ThreadDump",
                false,
                9),
            new LoggedStall(
                LogStamp.NONE, Duration.ofDays(1), Duration.ZERO, "", true, Long.MAX_VALUE));

    PackedStalls packed = new PackedStalls();
    packed.addAll(stalls);

    assertEquals(stalls, packed);
  }

  @Test
  void anElementCanBeReplacedAndTheLastOnesTakenAway() {
    PackedPauses packed = new PackedPauses();
    LoggedPause odd = pause(BOTH, Duration.ofDays(3), 1, 1, 1, OptionalLong.of(1L << 40), 1L << 50);
    for (int i = 0; i < 3_000; i++) {
      packed.add(numbered(i));
    }
    packed.set(2_999, odd);
    assertEquals(odd, packed.get(2_999));

    packed.cut(2_999);
    packed.add(numbered(7));

    assertEquals(3_000, packed.size());
    assertEquals(numbered(7), packed.get(2_999));
  }

  @Test
  void beyondItsBoundALogLosesItsOldestPausesAndCountsThem() {
    // Room for two segments of 1,024 pauses of seven words.
    KeptPauses kept = new KeptPauses(2 * 1_024 * 7);
    for (int i = 0; i < 2_500; i++) {
      kept.add(numbered(i));
    }

    assertEquals(2_500, kept.count());
    assertEquals(2_500 - 1_024, kept.pauses().size());
    assertEquals(numbered(1_024), kept.pauses().get(0));
    assertEquals(numbered(2_499), kept.last().orElseThrow());
    String note = kept.forgotten().orElseThrow();
    assertTrue(note.startsWith("the log has 2,500 pauses; the first 1,024 of them"), note);
    // The longest of 0 to 1,023 ms is the last of them, on line 1,024.
    assertTrue(note.contains("the longest 1.02 s at line 1024"), note);
  }

  @Test
  void whatAPauseEnclosedIsFoundAgainAfterOthersWereLost() {
    KeptPauses kept = new KeptPauses(2 * 1_024 * 7);
    for (int i = 0; i < 2_500; i++) {
      kept.add(numbered(i));
    }

    assertEquals(List.of(numbered(2_498), numbered(2_499)), kept.takeFrom(2_498));
    assertEquals(2_498, kept.count());
  }

  private static LoggedPause numbered(int number) {
    return pause(BOTH, Duration.ofMillis(number), 3, 2, 4, OptionalLong.of(number), number + 1L);
  }

  private static LoggedPause pause(
      LogStamp start,
      Duration duration,
      long before,
      long after,
      long committed,
      OptionalLong id,
      long line) {
    return new LoggedPause(
        start,
        duration,
        PauseKind.MIXED,
        "G1 Evacuation Pause",
        new LoggedHeap(
            Optional.of(
                new HeapChange(Bytes.ofMebi(before), Bytes.ofMebi(after), Bytes.ofMebi(committed))),
            true),
        Optional.empty(),
        id,
        line);
  }

  private static LoggedPause withoutHeap(LoggedPause pause) {
    return pause.withHeap(new LoggedHeap(Optional.empty(), false));
  }

  private static CpuTimes cpu(int user, int system, int real) {
    return new CpuTimes(
        Duration.ofMillis(user), Duration.ofMillis(system), Duration.ofMillis(real));
  }
}
