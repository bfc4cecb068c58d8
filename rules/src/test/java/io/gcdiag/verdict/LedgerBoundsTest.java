package io.gcdiag.verdict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.LedgerEntry;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.threads.Effect;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A log and two dumps, in which all 30 and 50 request threads wait for a connection. */
class LedgerBoundsTest {

  private static List<LedgerEntry> lines(Scene scene) {
    MeasuredIncident incident = scene.incident();
    return Ledger.of(incident, incident.effects());
  }

  private static Scene dumps() {
    return Scene.ofLog(60).dump(20, 30).dump(40, 50);
  }

  @Test
  void whatTwoDumpsMayHaveMissedIsBounded() {
    List<LedgerEntry> lines = lines(dumps());
    LedgerEntry counted = lines.get(0);
    assertEquals(Effect.POOL_WAIT, counted.effect());
    // Wilson's interval for all of two: 0.3424 to 1, of 40 threads.
    assertEquals(13.7, counted.incidentThreadsInterval().orElseThrow().low(), 0.01);
    assertEquals(40, counted.incidentThreadsInterval().orElseThrow().high(), 0.01);
    LedgerEntry rest = lines.get(1);
    assertEquals(Effect.UNACCOUNTED, rest.effect());
    assertTrue(rest.atMost());
    // And for none of two: up to 0.6576 of 40.
    assertEquals(26.3, rest.incidentThreads(), 0.01);
    assertTrue(rest.note().endsWith("at most 39.7 % of the lost time can lie here"), rest::note);
  }

  @Test
  void waitsInDumpsAfterStopsAreShownAsABound() {
    List<LedgerEntry> lines = lines(dumps().pauses(0, 60, 1, 100));
    LedgerEntry bound =
        lines.stream().filter(line -> line.effect() == Effect.POOL_WAIT).findFirst().orElseThrow();
    assertTrue(bound.atMost());
    assertEquals(0, bound.excessThreadSeconds());
    // A tenth of the time is stopped, and no dump sees it: 0.9 x 40.
    assertEquals(36, bound.incidentThreads(), 0.01);
    assertEquals(List.of("HikariCP"), bound.sites().stream().map(LedgerEntry.Site::name).toList());
  }

  @Test
  void aLoadTestTellsTheRestBetter() {
    assertFalse(lines(dumps().load(100, 400, 10, 900)).stream().anyMatch(LedgerEntry::atMost));
  }
}
