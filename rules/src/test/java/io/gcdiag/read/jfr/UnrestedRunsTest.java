package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.threads.ThreadGroupSample.UnrestedRun;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.read.jfr.WorkerTimes.UnrestedRuns;
import io.gcdiag.read.jfr.reader.EventThread;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class UnrestedRunsTest {

  private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");
  private static final EventThread LOOP = new EventThread(7, 7, "loop-3", false);

  private final UnrestedRuns runs = new UnrestedRuns(Redactor.hiding());

  /** Four samples in each of these seconds, of which one runs and the others wait. */
  private void atWork(int from, int until) {
    for (int second = from; second < until; second++) {
      for (int i = 0; i < 4; i++) {
        Optional<WaitKind> call = i == 0 ? Optional.empty() : Optional.of(WaitKind.DOWNSTREAM);
        runs.met(LOOP, START.plusSeconds(second).plusMillis(200L * i), call);
      }
    }
  }

  private void selector(int second) {
    runs.met(LOOP, START.plusSeconds(second), Optional.of(WaitKind.IDLE));
  }

  @Test
  void aRunLastsFromRestToRest() {
    selector(0);
    atWork(1, 21);
    selector(21);
    assertEquals(
        List.of(new UnrestedRun(START.plusSeconds(1), Duration.ofSeconds(20), "loop-N", 7, 80, 60)),
        runs.runs());
  }

  @Test
  void theOrderOfSamplesDoesNotMatter() {
    atWork(11, 21);
    selector(25);
    selector(0);
    atWork(1, 11);
    assertEquals(Duration.ofSeconds(20), runs.runs().get(0).length());
  }

  @Test
  void whoParkedWithoutWorkHasRested() {
    atWork(0, 20);
    long park = ThreadSpans.nanos(START.plusSeconds(10));
    runs.rested(LOOP, park, park + ThreadSpans.SECOND / 50);
    List<UnrestedRun> both = runs.runs();
    assertEquals(2, both.size());
    assertEquals(Duration.ofSeconds(10), both.get(0).length());
    assertEquals(START.plusSeconds(11), both.get(1).at());
  }

  @Test
  void eachSecondOfSeveralRestsCounts() {
    // At rest twice in the tenth second and once in the eleventh: at work 0 to 10 and 12 to 20.
    atWork(0, 20);
    for (int millis : List.of(10_100, 10_500, 11_100)) {
      long park = ThreadSpans.nanos(START.plusMillis(millis));
      runs.rested(LOOP, park, park + ThreadSpans.SECOND / 50);
    }
    List<UnrestedRun> both = runs.runs();
    assertEquals(Duration.ofSeconds(10), both.get(0).length());
    assertEquals(START.plusSeconds(12), both.get(1).at());
  }

  @Test
  void fewSamplesMayHaveMissedTheRest() {
    atWork(0, 7);
    assertEquals(List.of(), runs.runs());
  }

  @Test
  void nobodyKnowsWhatAThreadWasAtThatNoSampleMet() {
    atWork(0, 10);
    atWork(20, 30);
    assertEquals(2, runs.runs().size());
  }

  @Test
  void manySecondsAreCountedInLongerSteps() {
    for (int second = 0; second < 250_000; second++) {
      runs.met(LOOP, START.plusSeconds(second), Optional.empty());
    }
    UnrestedRun all = runs.runs().get(0);
    assertEquals(Duration.ofSeconds(250_000), all.length());
    assertEquals(250_000, all.samples());
  }
}
