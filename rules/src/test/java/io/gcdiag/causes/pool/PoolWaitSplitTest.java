package io.gcdiag.causes.pool;

import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.PauseSketch.young;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.sketches.IncidentBuilder;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class PoolWaitSplitTest {

  private static IncidentBuilder waits(int count, double millis) {
    return incident().waits(count, 60, 120, WaitKind.POOL, "HikariCP", millis);
  }

  private static PoolWaitSplit split(IncidentBuilder builder) {
    return PoolWaitSplit.of(builder.build()).orElseThrow();
  }

  @Test
  void pausesProduceWaitsThatTheSizeAloneDoesNot() {
    // Six pauses of 1 s hold back 800 arrivals each. After each, 10 connections at 4.32 ms serve
    // 2,315/s, against 800/s that keep coming: the backlog drains in 800 / 1,515 = 0.53 s, in
    // which waits are 0.35 s at most. Six times about 800 x 0.17 s is of the order of 1,000 s, of
    // which 600 s were observed.
    PoolWaitSplit split =
        split(
            waits(600, 1000).pauses(6, 60, 120, young(0, 1000)).rate(800).hold(4.32).poolSize(10));
    assertTrue(split.simulated());
    assertTrue(split.byStalls() > 0.98, split::toString);
    assertTrue(split.bySize() < 0.02, split::toString);
    assertEquals(0, split.by(LongerHolds.Cause.ANSWERS));
  }

  @Test
  void aModelThatProducesFarMoreThanWasSeenIsDropped() {
    // 1000/s x 9.5 ms = 9.5 of 10. Erlang C: 83 % wait, for 9.5 ms / 0.5 = 19 ms on average, so
    // 60,000 x 0.83 x 19 ms = 940 s in a minute; 50 s were seen.
    PoolWaitSplit split = split(waits(100, 500).rate(1000).hold(9.5).poolSize(10));
    assertFalse(split.simulated());
    assertEquals(0, split.bySize());
  }

  @Test
  void anOverloadIsTheSizesHoweverFewWaitersTheThreadsAllow() {
    // 12 of 10: the model's queue grows to 10,000, where a server with 200 threads shows 200.
    PoolWaitSplit split = split(waits(100, 500).rate(1000).hold(12).poolSize(10));
    assertTrue(split.simulated());
    assertEquals(1, split.bySize(), 1e-9);
  }

  @Test
  void aModelThatMakesFarLessThanTheSizeAccountsForIsNotReproduced() {
    // 90 of 100 s are the size's: a model that makes 10 s has not the same pool, one of 50 s may.
    assertFalse(sized(10).isReproduced());
    assertTrue(sized(50).isReproduced());
  }

  private static PoolWaitSplit sized(double simulatedSeconds) {
    return new PoolWaitSplit(100, 0.9, Map.of(), 0, PoolWaitSplit.Basis.FIGURES, simulatedSeconds);
  }

  @Test
  void whatTheSimulationDoesNotProduceStaysOpen() {
    // 3.5 of 10 connections in use and no pause: nothing makes 50 s of waiting.
    PoolWaitSplit split = split(waits(100, 500).rate(813).hold(4.32).poolSize(10));
    assertEquals(50, split.observedSeconds(), 1e-6);
    assertTrue(split.rest() > 0.98, split::toString);
  }

  @Test
  void slowerAnswersTakeWhatTheLongerHoldAdds() {
    // 50/s x 20 ms = 1 of 4 connections; calls ten times as long: 50/s x 200 ms = 10 of 4.
    PoolWaitSplit split =
        split(
            waits(100, 500)
                .rate(50)
                .hold(20)
                .poolSize(4)
                .waits(3000, 0, 60, WaitKind.DOWNSTREAM, "db:5432", 20)
                .waits(3000, 60, 120, WaitKind.DOWNSTREAM, "db:5432", 200));
    assertTrue(split.by(LongerHolds.Cause.ANSWERS) > 0.98, split::toString);
    assertTrue(split.bySize() < 0.02, split::toString);
  }

  @Test
  void boundsThatAddUpToAnOverloadAreNotSimulated() {
    // At most 1000/s x 20 ms = 20 of 10, but the median request may hold its connection for less.
    PoolWaitSplit split = split(waits(100, 500).loadTest(1000, 20).poolSize(10));
    assertFalse(split.simulated());
    assertEquals(0, split.bySize());
  }

  @Test
  void figuresBeyondWhatCanBeSimulatedAreNot() {
    // 1000/s for 60 s, ten hours each, on 10 connections: years of work.
    PoolWaitSplit split = split(waits(100, 500).rate(1000).hold(36_000_000).poolSize(10));
    assertFalse(split.simulated());
  }

  @Test
  void theSameFiguresGiveTheSameSplit() {
    IncidentBuilder one = waits(10, 50).rate(800).hold(11).poolSize(10);
    IncidentBuilder two = waits(10, 50).rate(800).hold(11).poolSize(10);
    assertEquals(split(one), split(two));
  }

  @Test
  void withoutAWaitThereIsNothingToSplit() {
    assertEquals(
        Optional.empty(), PoolWaitSplit.of(incident().rate(813).hold(4.32).poolSize(10).build()));
  }
}
