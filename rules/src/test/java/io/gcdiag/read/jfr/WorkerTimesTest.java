package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.threads.ThreadGroupSample.WorkerTime;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.read.frames.FrameBook;
import io.gcdiag.read.jfr.reader.EventThread;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WorkerTimesTest {

  private static final long SECOND = 1_000_000_000L;

  private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");

  private final WorkerTimes times =
      new WorkerTimes(new Stacks(FrameBook.standard()), Redactor.hiding());

  private static EventThread thread(long id, String name) {
    return new EventThread(id, id, name, false);
  }

  private static long nanos(Instant at) {
    return at.getEpochSecond() * SECOND;
  }

  @Test
  void waitsAreCutAtTheBordersOfTheStretches() {
    times.waited(thread(1, "w-1"), true, nanos(START), 7 * SECOND, WaitKind.IDLE);
    times.waited(thread(2, "w-2"), true, nanos(START.plusSeconds(6)), SECOND, WaitKind.LOCK);
    List<WorkerTime> all = times.times();
    assertEquals(2, all.size());
    assertEquals(START, all.get(0).at());
    assertEquals("w-N", all.get(0).group());
    assertEquals(2, all.get(0).workers(), 1e-9);
    assertTrue(all.get(0).onRequestThread());
    assertEquals(5, all.get(0).waited().get(WaitKind.IDLE), 1e-9);
    assertEquals(2, all.get(1).waited().get(WaitKind.IDLE), 1e-9);
    assertEquals(1, all.get(1).waited().get(WaitKind.LOCK), 1e-9);
  }

  @Test
  void aThreadThatOnlyWaitsForSocketsIsALoop() {
    for (int i = 0; i < 10; i++) {
      Instant at = START.plusMillis(100L * i);
      times.met(thread(1, "qtp-1"), true, at, Optional.of(WaitKind.DOWNSTREAM));
      times.met(thread(2, "qtp-2"), true, at, Optional.empty());
      times.met(thread(3, "qtp-3"), true, at, Optional.of(WaitKind.IDLE));
    }
    WorkerTime one = times.times().get(0);
    assertEquals(2, one.workers(), 1e-9);
    assertEquals(1, one.loops());
  }

  /** A pool that replaces its threads has as many as are there at a time. */
  @Test
  void aThreadIsAWorkerFromItsStartToItsEnd() {
    times.waited(thread(1, "w-1"), true, nanos(START), 2 * SECOND, WaitKind.DOWNSTREAM);
    times.ended(thread(1, "w-1"), START.plusSeconds(2));
    times.started(thread(2, "w-2"), START.plusSeconds(2));
    times.waited(
        thread(2, "w-2"), true, nanos(START.plusSeconds(2)), 8 * SECOND, WaitKind.DOWNSTREAM);
    List<WorkerTime> all = times.times();
    // 2 s of the one and 3 s of the other; then the other alone.
    assertEquals(1, all.get(0).workers(), 1e-9);
    assertEquals(1, all.get(1).workers(), 1e-9);
  }

  @Test
  void aThreadThatTheServerKeepsInReserveIsNoFreeWorker() {
    times.waited(thread(1, "qtp-1"), true, nanos(START), 5 * SECOND, WaitKind.DOWNSTREAM);
    // In reserve for four of the five seconds, at work in the last.
    times.reserved(thread(2, "qtp-2"), nanos(START), 4 * SECOND);
    times.waited(
        thread(2, "qtp-2"), true, nanos(START.plusSeconds(4)), SECOND, WaitKind.DOWNSTREAM);
    WorkerTime one = times.times().get(0);
    assertEquals(2 - 4 / 5.0, one.workers(), 1e-9);
    assertEquals(6, one.waited().get(WaitKind.DOWNSTREAM), 1e-9);
    assertEquals(0, one.waited().getOrDefault(WaitKind.IDLE, 0.0));
  }

  @Test
  void virtualThreadsAreNoGroupAndOneThreadIsOne() {
    times.met(thread(1, "timer"), false, START, Optional.empty());
    times.met(new EventThread(2, 2, "vt-1", true), true, START, Optional.empty());
    times.met(new EventThread(3, 3, "vt-2", true), true, START, Optional.empty());
    assertEquals(1, times.times().size());
    assertEquals("timer", times.times().get(0).group());
    assertEquals(1, times.times().get(0).workers(), 1e-9);
  }

  @Test
  void hoursOfAThreadOfNoGroupDoNotStopTheReading() {
    EventThread virtual = new EventThread(2, 2, "", true);
    times.waited(virtual, false, nanos(START), 10_000 * 5 * SECOND, WaitKind.SLEEP);
    assertEquals(List.of(), times.times());
  }

  @Test
  void hoursAreCountedInLongerStretches() {
    times.waited(thread(1, "w-1"), true, nanos(START), 3_000 * 5 * SECOND, WaitKind.IDLE);
    times.waited(thread(2, "w-2"), true, nanos(START), 5 * SECOND, WaitKind.LOCK);
    List<WorkerTime> all = times.times();
    assertEquals(1_500, all.size());
    assertEquals(10, all.get(0).length().toSeconds());
    assertEquals(10, all.get(0).waited().get(WaitKind.IDLE), 1e-9);
    assertEquals(5, all.get(0).waited().get(WaitKind.LOCK), 1e-9);
  }
}
