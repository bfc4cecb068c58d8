package io.gcdiag.cli.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.cli.SampleDiagnosis;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.Station;
import io.gcdiag.measures.threads.Station.Kind;
import io.gcdiag.measures.threads.Station.Row;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class StationSectionTest {

  private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");
  private static final Window MINUTE = new Window(START, START.plusSeconds(60));

  private static String row(Station station) {
    Block.Table table =
        (Block.Table) StationSection.of(SampleDiagnosis.passing(station)).blocks().get(0);
    return String.join(" | ", table.rows().get(0).stream().map(Cell::text).toList());
  }

  private static Station calls(Optional<Row> before, Row during, String cover) {
    return new Station(
        Kind.CALLS,
        "db:5432",
        Optional.of(Effect.DOWNSTREAM_WAIT),
        before,
        during,
        OptionalDouble.empty(),
        cover,
        List.of(new Source("recording.jfr", "jdk.SocketRead")));
  }

  @Test
  void callsAsLongAsBeforeAreMoreOften() {
    assertEquals(
        "calls: db:5432 | 60 -> 165 | 50 ms -> 50 ms | 3 -> 8.25 | more often"
            + " | jdk.SocketRead, threshold 20 ms",
        row(
            calls(
                Optional.of(Row.timed(60, 0.05, MINUTE)),
                Row.timed(165, 0.05, MINUTE),
                "threshold 20 ms")));
  }

  @Test
  void onlyABaselineShowsWhatChanged() {
    assertEquals(
        "What changed, station by station", StationSection.title(SampleDiagnosis.memoryPressure()));
    assertEquals("Station by station", StationSection.title(SampleDiagnosis.healthy()));
  }

  @Test
  void whatIsCountedAtMomentsHasANumberAlone() {
    assertEquals(
        "workers: desk-N | - | - | 4 -> 12 of 16 | more in it | jdk.ThreadPark", row(desks(4, 12)));
  }

  @Test
  void aGroupWithoutAFreeThreadIsFullIfItWasNotBefore() {
    assertEquals(
        "workers: desk-N | - | - | 4 -> 15.8 of 16 | more in it, full | jdk.ThreadPark",
        row(desks(4, 15.8)));
    assertEquals(
        "workers: desk-N | - | - | 12 -> 15.8 of 16 | full | jdk.ThreadPark", row(desks(12, 15.8)));
    // 0.9 x 16 = 14.4.
    assertEquals(
        "workers: desk-N | - | - | 15 -> 15.8 of 16 | no | jdk.ThreadPark", row(desks(15, 15.8)));
  }

  /** So many of 16 threads at work. */
  private static Station desks(double before, double during) {
    return new Station(
        Kind.WORKERS,
        "desk-N",
        Optional.empty(),
        Optional.of(Row.present(before, MINUTE)),
        Row.present(during, MINUTE),
        OptionalDouble.of(16),
        "",
        List.of(new Source("recording.jfr", "jdk.ThreadPark")));
  }

  /** One at a time: 12 of 250 ms in a minute are 3 s of it. */
  @Test
  void stopsAreAShareOfTime() {
    Station stops =
        new Station(
            Kind.STOPS,
            "collector",
            Optional.of(Effect.STOPPED),
            Optional.of(Row.counted(0, 0, MINUTE)),
            Row.timed(0.2, 0.25, MINUTE),
            OptionalDouble.empty(),
            "",
            List.of(new Source("gc.log", "")));

    assertEquals(
        "stopped: collector | 0 -> 0.2 | 250 ms | none -> 5.0 % of time | new | gc.log",
        row(stops));
  }

  @Test
  void withoutABaselineNothingIsSaidToHaveChanged() {
    assertEquals(
        "calls: db:5432 | 60 | 50 ms | 3 | jdk.SocketRead",
        row(calls(Optional.empty(), Row.timed(60, 0.05, MINUTE), "")));
  }

  @Test
  void whatWasNotThereIsNewAndWhatStayedIsNot() {
    assertEquals(
        "calls: db:5432 | 0 -> 60 | 50 ms | 0 -> 3 | new | jdk.SocketRead",
        row(calls(Optional.of(Row.counted(0, 0, MINUTE)), Row.timed(60, 0.05, MINUTE), "")));
    assertEquals(
        "calls: db:5432 | 60 -> 66 | 50 ms -> 55 ms | 3 -> 3.63 | no | jdk.SocketRead",
        row(calls(Optional.of(Row.timed(60, 0.05, MINUTE)), Row.timed(66, 0.055, MINUTE), "")));
  }

  private static Station of(Kind kind, String name, double before, double during) {
    return new Station(
        kind,
        name,
        Optional.empty(),
        Optional.of(Row.present(before, MINUTE)),
        Row.present(during, MINUTE),
        OptionalDouble.empty(),
        "",
        List.of(new Source("recording.jfr", "jdk.ThreadPark")));
  }

  /** Stops are a part of the time: 0.2 of it is more than two more threads that wait. */
  @Test
  void theFirstScreenHasWhatGrewAndWhatAReaderWouldSuspect() {
    List<Station> all =
        List.of(
            of(Kind.REQUESTS, "", 5, 80),
            of(Kind.WORKERS, "desk-N", 4, 20),
            of(Kind.POOL_QUEUE, "HikariCP", 0, 14),
            of(Kind.CONNECTIONS, "HikariCP", 3, 3.05),
            of(Kind.CALLS, "db:5432", 2, 2),
            of(Kind.LOCK_QUEUE, "Ledger", 0.2, 0.2),
            of(Kind.SLEEPS, "", 3, 5),
            of(Kind.THREADS, "", 100, 200),
            of(Kind.STOPS, "collector", 0, 0.2),
            of(Kind.CORES, "this service's code", 1, 1));
    Block.Table table =
        StationSection.brief(SampleDiagnosis.passing(all.toArray(Station[]::new))).orElseThrow();
    assertEquals(
        List.of(
            "requests",
            "workers: desk-N",
            "waiting for a connection: HikariCP",
            "connections: HikariCP",
            "calls: db:5432",
            "stopped: collector"),
        table.rows().stream().map(row -> row.get(0).text()).toList());
  }
}
