package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSample.LockHold;
import io.gcdiag.evidence.threads.WaitSample.LockHold.Doing;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class LockHandoversTest {

  private static final Instant START = Instant.parse("2024-05-01T10:00:00Z");
  private static final Doing FILE = new Doing(WaitKind.FILE, "journal");

  private final LockHandovers locks = new LockHandovers("recording.jfr");

  private static Instant at(long millis) {
    return START.plusMillis(millis);
  }

  private void waited(long thread, long from, long to, OptionalLong previousOwner) {
    locks.add(
        "jdk.JavaMonitorEnter",
        "com.shop.Journal",
        7,
        ThreadSpans.nanos(at(from)),
        (to - from) * 1_000_000,
        thread,
        previousOwner);
  }

  private void did(long thread, Instant from, Duration length) {
    locks.spans.add(thread, ThreadSpans.nanos(from), length.toNanos(), FILE);
  }

  private List<LockHold> holds() {
    return locks.holds(instant -> 0.08);
  }

  @Test
  void theThreadThatGotTheLockLastHoldsItUntilTheNextGetsIt() {
    // Thread 1 gets it at 100, thread 2 at 150, thread 3 at 220; who let it go first is unknown.
    waited(1, 0, 100, OptionalLong.empty());
    waited(2, 10, 150, OptionalLong.empty());
    waited(3, 20, 220, OptionalLong.empty());
    did(1, at(110), Duration.ofMillis(30));
    did(2, at(160), Duration.ofMillis(100));
    LockHold hold = holds().get(0);
    // Thread 1 from 100 to 150, thread 2 from 150 to 220.
    assertEquals(2, hold.holds());
    assertEquals(0.050 + 0.070, hold.heldSeconds(), 1e-9);
    // 30 ms of thread 1, and of thread 2 what lies before 220.
    assertEquals(0.030 + 0.060, hold.timed().get(FILE), 1e-9);
  }

  @Test
  void theOwnerThatTheEventNamesNeedNotHaveWaitedItself() {
    waited(2, 1_000, 1_200, OptionalLong.of(1));
    did(1, at(900), Duration.ofMillis(250));
    LockHold hold = holds().get(0);
    assertEquals(0.200, hold.heldSeconds(), 1e-9);
    assertEquals(0.150, hold.timed().get(FILE), 1e-9);
  }

  @Test
  void samplesOfTheOwnerCountWithTheTimeTheyStandFor() {
    waited(2, 1_000, 1_200, OptionalLong.of(1));
    did(1, at(1_050), Duration.ZERO);
    did(1, at(1_300), Duration.ZERO);
    did(3, at(1_100), Duration.ZERO);
    LockHold hold = holds().get(0);
    assertEquals(0.08, hold.sampled().get(FILE), 1e-9);
    assertTrue(hold.timed().isEmpty());
  }

  @Test
  void aThreadThatWaitedAloneHasNoKnownOwnerUnlessTheEventNamesOne() {
    waited(1, 0, 100, OptionalLong.empty());
    waited(2, 500, 600, OptionalLong.empty());
    assertEquals(List.of(), holds());
  }

  @Test
  void ofManyHoldsWholeSecondsAreLeftOutAndTheSharesStay() {
    // 300,000 holds of 1 ms, half of each spent in file I/O.
    for (int i = 0; i < 300_000; i++) {
      waited(2 + i % 2, i, i + 1, OptionalLong.of(2 + (i + 1) % 2));
      did(2 + (i + 1) % 2, at(i), Duration.ofNanos(500_000));
    }
    double held = holds().stream().mapToDouble(LockHold::heldSeconds).sum();
    double file = holds().stream().mapToDouble(hold -> hold.timed().get(FILE)).sum();
    assertTrue(held > 20 && held < 200, () -> "held " + held);
    assertEquals(0.5, file / held, 0.01);
  }
}
