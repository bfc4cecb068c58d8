package io.gcdiag.figures;

import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.PauseSketch.full;
import static io.gcdiag.sketches.PauseSketch.young;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.threads.LoggedError;
import io.gcdiag.evidence.threads.LoggedError.Kind;
import io.gcdiag.evidence.time.Source;
import java.util.List;
import org.junit.jupiter.api.Test;

class NotableEventsTest {

  private static LoggedError timeout(double second) {
    return new LoggedError(
        at(second), Kind.POOL_TIMEOUT, "HikariPool-1", "", Source.line("app.log", 7));
  }

  @Test
  void eachKindIsCountedOverAllThatIsKnownWithItsCausesLengthAndTime() {
    assertEquals(
        List.of(
            "3 full GCs (Ergonomics, System.gc()), 330 ms in total, longest 130 ms,"
                + " 10:00:30 to 10:01:45 UTC",
            "1 evacuation failure (G1 Evacuation Pause) of 20 ms, 10:00:50 UTC",
            "1 timeout waiting for a connection (HikariPool-1), at 2024-05-01T10:00:10Z"),
        NotableEvents.of(
            incident()
                .pause(full(30, 100).cause("Ergonomics"))
                .pause(full(60, 130).cause("System.gc()"))
                .pause(full(105, 100).cause("Ergonomics"))
                .pause(young(50, 20).foundNoRoom())
                .pauses(100, 0, 120, young(0, 5))
                .sample(timeout(10))
                .sample(timeout(400))
                .build()));
  }

  /** Before the incident, which has none. */
  @Test
  void fullCollectionsForTheFirstClassesAreNot() {
    String cause = "Metadata GC Threshold";
    assertEquals(List.of(), NotableEvents.of(incident().pause(full(5, 100).cause(cause)).build()));
    assertEquals(
        List.of(
            "2 full GCs ("
                + cause
                + "), 200 ms in total, longest 100 ms, 10:00:05 to 10:01:10 UTC"),
        NotableEvents.of(
            incident().pause(full(5, 100).cause(cause)).pause(full(70, 100).cause(cause)).build()));
  }

  @Test
  void youngCollectionsAreNotNotable() {
    assertEquals(List.of(), NotableEvents.of(incident().pauses(100, 0, 120, young(0, 5)).build()));
  }
}
