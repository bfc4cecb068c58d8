package io.gcdiag.measures.requests;

import static io.gcdiag.sketches.IncidentBuilder.CALM;
import static io.gcdiag.sketches.IncidentBuilder.TROUBLE;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.Windows;
import io.gcdiag.measures.WindowFinder;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.Threads;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Forty requests end every second of the first minute, and two of the second. */
class UnendedRequestsTest {

  private static IncidentBuilder hanging(ThreadActivity activity) {
    return incident().requests(40, 2).dump(90, Threads.threads("exec-", 30, activity, true));
  }

  @Test
  void whereFewEndTheWindowIsFoundAndTheServiceIsNotCalledSick() {
    Windows found =
        WindowFinder.find(
            incident().requests(40, 2).build().timeline(), Optional.empty(), Optional.empty());
    assertEquals(TROUBLE, found.incident());
    assertEquals(new Window(CALM.from(), at(54)), found.baseline().orElseThrow());
    assertEquals(
        "requests that ended fell from 40/s to 2/s on average (in steps of 1 s)", found.reason());
    UnendedRequests few = UnendedRequests.of(incident().requests(40, 2).build()).orElseThrow();
    assertFalse(few.areSeen());
    assertEquals(
        "requests that ended: 40/s -> 2/s (they hang or stopped coming, which a thread dump tells"
            + " apart)",
        few.words());
  }

  @Test
  void threadsInsideRequestsInADumpShowThatTheyHang() {
    UnendedRequests few =
        UnendedRequests.of(hanging(ThreadActivity.SLEEPING).build()).orElseThrow();
    assertTrue(few.areSeen());
    assertEquals(
        "requests that ended: 40/s -> 2/s, while 30 threads were inside one (mean of 1 dump)",
        few.words());
  }

  @Test
  void threadsWithoutWorkShowThatNoneCome() {
    assertFalse(UnendedRequests.of(hanging(ThreadActivity.IDLE).build()).orElseThrow().areSeen());
  }

  @Test
  void aThirdLessIsNoCollapse() {
    assertTrue(UnendedRequests.of(incident().requests(40, 27).build()).isEmpty());
  }
}
