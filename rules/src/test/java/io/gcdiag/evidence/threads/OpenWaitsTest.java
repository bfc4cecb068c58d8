package io.gcdiag.evidence.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.sketches.Threads;
import io.gcdiag.units.Durations;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A recording of 20 s; one thread waits for a lock, with an event, until the second 10. */
class OpenWaitsTest {

  private static final String LOCK = "com.acme.Sender";
  private static final Window RECORDING = new Window(at(0), at(20));

  private static Instant at(double second) {
    return Instant.ofEpochSecond(1_700_000_000).plus(Durations.ofSeconds(second));
  }

  private static double waited(WaitKind kind, double recordedSeconds, ThreadSnapshot... dumps) {
    WaitSeries.Builder waits =
        new WaitSeries.Builder(
            new WaitSite(kind, LOCK, true, "com.acme.Sender.send"), new Source("run.jfr", ""));
    waits.add(at(10 - recordedSeconds), Durations.ofSeconds(recordedSeconds));
    return WaitSeries.seconds(
        OpenWaits.added(List.of(waits.build()), List.of(dumps), RECORDING), RECORDING);
  }

  private static ThreadSnapshot dump(double second, int waiting, String lock) {
    ThreadState thread =
        Threads.thread("exec-1", "BLOCKED", ThreadActivity.WAITING_FOR_LOCK, lock, true);
    return new ThreadSnapshot(
        Optional.of(at(second)),
        Collections.nCopies(waiting, thread),
        Deadlocks.NONE,
        List.of(),
        Optional.empty(),
        new Source("threads.txt", "1"));
  }

  @Test
  void whatADumpHasBeyondTheEventsOfItsMomentWaitsUntilTheEnd() {
    // From second to second 1, 1.6, 2.2, 2.8, 3.4 and 4 wait, the first of them with the event. So
    // four began at 10, 11, 13 and 14 s.
    double open = 10 + 9 + 7 + 6;
    assertEquals(8 + open, waited(WaitKind.LOCK, 8, dump(9, 1, LOCK), dump(14, 4, LOCK)), 1e-6);
  }

  @Test
  void thoseOfTheFirstDumpBeganThen() {
    assertEquals(8 + 3 * 4, waited(WaitKind.LOCK, 8, dump(16, 3, LOCK)), 1e-6);
  }

  @Test
  void thoseThatALaterDumpLacksWereNotOpen() {
    // One of the nine waits at both: 8 s.
    assertEquals(8 + 8, waited(WaitKind.LOCK, 8, dump(12, 9, LOCK), dump(16, 1, LOCK)), 1e-6);
  }

  @Test
  void waitsThatNeverLastedThatLongWouldHaveEvents() {
    assertEquals(1, waited(WaitKind.LOCK, 1, dump(16, 4, LOCK)), 1e-6);
  }

  @Test
  void dumpsOfAnotherLockOrOfAnotherTimeAddNothing() {
    assertEquals(8, waited(WaitKind.LOCK, 8, dump(16, 4, "com.acme.Cache")), 1e-6);
    assertEquals(8, waited(WaitKind.LOCK, 8, dump(21, 4, LOCK)), 1e-6);
    assertEquals(8, waited(WaitKind.LOCK, 8), 1e-6);
  }

  /** Callers that get no connection give up, and dumps are judged by that. */
  @Test
  void waitsForConnectionsStayAsRecorded() {
    assertEquals(8, waited(WaitKind.POOL, 8, dump(16, 4, LOCK)), 1e-6);
  }

  @Test
  void aThreadThatWaitsAloneStaysSoWhereDumpsAddNone() {
    WaitSeries.Builder waits =
        new WaitSeries.Builder(
            new WaitSite(WaitKind.LOCK, LOCK, true, "com.acme.Sender.send"),
            new Source("run.jfr", ""));
    waits.add(at(2), Durations.ofSeconds(8), 7);
    List<WaitSeries> alone = List.of(waits.build());
    assertEquals(alone, OpenWaits.added(alone, List.of(dump(16, 0, LOCK)), RECORDING));
  }
}
