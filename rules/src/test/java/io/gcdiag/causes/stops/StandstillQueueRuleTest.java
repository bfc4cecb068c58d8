package io.gcdiag.causes.stops;

import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.PauseSketch.full;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Rule;
import io.gcdiag.measures.threads.Effect;
import org.junit.jupiter.api.Test;

class StandstillQueueRuleTest {

  private final Rule rule = new StandstillQueueRule();

  @Test
  void whatQueuesBeforeAServiceThatStandsStillIsTheStops() {
    // Twenty pauses of 100 ms without a gap, 100 requests a second: 222 s of waiting (see
    // StandstillTest). In the ledger each pause holds up 0.52 in service and half of 10 arrivals:
    // 20 x 0.1 s x 5.52 = 11 s. Of the 12,000 requests of the load test, which took 100 ms
    // longer than the median on average, half came in this minute of two: 600 s, 589 of them
    // unrecorded. (222.6 - 11) / 589 = 35.9 %.
    Finding finding =
        only(
            rule,
            incident().withoutBaseline().loadTest(100, 5, 105).pauses(20, 70, 72, full(0, 100)));
    assertEquals(
        "the service was stopped for 2 s of the window; requests queue during "
            + "stop-the-world pauses: at this rate 3 min 42 s of waiting in total, of "
            + "which 11 s is recorded: 35.9 % of the lost time that no event covers",
        finding.statement());
    assertEquals(Effect.STOPPED, finding.transfers().get(0).to());
    assertEquals(0.359, finding.transfers().get(0).fraction(), 0.002);
  }

  @Test
  void whereNothingIsUnrecordedThereIsNothingToHandOn() {
    assertSilent(rule, incident().rate(100).pause(full(70, 2000)));
  }

  @Test
  void withoutARateThereIsNothingToSay() {
    assertSilent(rule, incident().pause(full(70, 2000)));
  }
}
