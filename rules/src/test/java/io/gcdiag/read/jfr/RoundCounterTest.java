package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.threads.ThreadGroupSample.WorkRounds;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.read.jfr.WorkerTimes.RoundCounter;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoundCounterTest {

  private static final long MILLI = 1_000_000;
  private static final long START = Instant.parse("2026-11-21T12:00:00Z").getEpochSecond() * 1_000;

  private final RoundCounter counter = new RoundCounter();

  private void rested(long thread, long fromMillis, long untilMillis) {
    counter.rested(thread, (START + fromMillis) * MILLI, (START + untilMillis) * MILLI);
  }

  private static double longest(Latencies latencies) {
    return Durations.millis(latencies.percentile(100).orElseThrow().value().orElseThrow());
  }

  @Test
  void aRoundIsFromTheEndOfARestToTheNextOne() {
    rested(1, 0, 200);
    rested(2, 0, 300);
    rested(1, 207, 500);
    rested(2, 320, 1_400);
    rested(1, 512, 2_000);
    List<WorkRounds> rounds = counter.rounds("exec-N");
    // 7 ms, 12 ms and 20 ms, all begun in the first second, after rests of 200, 293 and 300 ms.
    assertEquals(1, rounds.size());
    assertEquals(Instant.ofEpochMilli(START), rounds.get(0).at());
    assertEquals(3, rounds.get(0).lengths().count());
    assertEquals(20, longest(rounds.get(0).lengths()), 0.2);
    assertEquals(300, longest(rounds.get(0).rests()), 3);
  }

  @Test
  void whatIsWrittenDownLateIsNoRound() {
    rested(1, 1_000, 1_200);
    rested(1, 0, 200);
    assertEquals(List.of(), counter.rounds("exec-N"));
  }

  @Test
  void anHourIsCountedInLongerSteps() {
    for (int second = 0; second < 3_600; second++) {
      rested(1, 1_000L * second, 1_000L * second + 900);
    }
    List<WorkRounds> rounds = counter.rounds("exec-N");
    assertEquals(Duration.ofSeconds(2), rounds.get(0).length());
    assertEquals(1_800, rounds.size());
    assertEquals(3_599, rounds.stream().mapToLong(round -> round.lengths().count()).sum());
  }
}
