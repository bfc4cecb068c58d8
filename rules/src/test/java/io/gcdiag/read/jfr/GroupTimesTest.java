package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.threads.ThreadGroupSample.GroupTime;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.read.frames.FrameBook;
import io.gcdiag.read.jfr.reader.EventThread;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class GroupTimesTest {

  private static final long SECOND = 1_000_000_000L;

  private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");

  private final GroupTimes times =
      new GroupTimes(new Stacks(FrameBook.standard()), Redactor.hiding());

  private static EventThread thread(long id, String name) {
    return new EventThread(id, id, name, false);
  }

  private static long nanos(double second) {
    return START.getEpochSecond() * SECOND + Math.round(second * SECOND);
  }

  private void timed(long id, double from, double seconds, boolean inNative) {
    times.timed(thread(id, "w-" + id), nanos(from), Math.round(seconds * SECOND), inNative);
  }

  @Test
  void aThreadIsThereFromItsFirstEventToItsLast() {
    timed(1, 0.25, 0.5, false);
    timed(1, 1.5, 0.25, true);
    timed(2, 1, 1, false);
    List<GroupTime> all = times.times();
    assertEquals(2, all.size());
    GroupTime first = all.get(0);
    assertEquals(START, first.at());
    assertEquals("w-N", first.group());
    assertEquals("w-*", first.pattern());
    assertEquals(0.75, first.presentSeconds(), 1e-9);
    assertEquals(0.5, first.waitedSeconds(), 1e-9);
    GroupTime second = all.get(1);
    // Of the first thread 0.75 s, of the second all of it.
    assertEquals(1.75, second.presentSeconds(), 1e-9);
    assertEquals(1, second.waitedSeconds(), 1e-9);
    assertEquals(0.25, second.nativeSeconds(), 1e-9);
    assertFalse(second.onRequestThread());
  }

  @Test
  void samplesShowThatAThreadIsThere() {
    times.met(thread(1, "w-1"), true, START, false);
    times.met(thread(1, "w-1"), true, START.plusMillis(400), false);
    GroupTime only = times.times().get(0);
    assertEquals(0.4, only.presentSeconds(), 1e-9);
    assertEquals(0, only.waitedSeconds(), 1e-9);
    assertTrue(only.onRequestThread());
  }

  @Test
  void loopsAreLeftOutAndWorkersThatAlsoPollAreNot() {
    for (int i = 0; i < 20; i++) {
      times.met(thread(1, "w-1"), true, START.plusMillis(20L * i), true);
      times.met(thread(2, "w-2"), true, START.plusMillis(20L * i), true);
    }
    timed(2, 0.5, 0.3, false);
    // The second parks for more than a hundredth of its time: 0.8 s of it are there.
    assertEquals(0.8, times.times().get(0).presentSeconds(), 1e-9);
  }

  @Test
  void oneWrongTimeDoesNotMakeARecordingOfYears() {
    timed(1, 0, 1, false);
    times.timed(thread(1, "w-1"), SECOND, SECOND, false);
    assertTrue(times.times().size() < 5_000);
    assertEquals(
        Duration.ofSeconds(Long.highestOneBit(times.times().get(0).length().getSeconds())),
        times.times().get(0).length());
  }

  @Test
  void virtualThreadsAreNoGroup() {
    times.met(new EventThread(2, 2, "vt-1", true), true, START, false);
    assertEquals(List.of(), times.times());
  }
}
