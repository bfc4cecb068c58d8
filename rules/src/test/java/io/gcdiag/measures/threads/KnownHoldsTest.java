package io.gcdiag.measures.threads;

import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSample.PoolHold;
import io.gcdiag.evidence.threads.WaitSample.PoolHold.Doing;
import io.gcdiag.evidence.threads.WaitSample.PoolHold.Kind;
import io.gcdiag.evidence.threads.WaitSample.PoolHold.Time;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.sketches.IncidentBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KnownHoldsTest {

  private static final Doing QUERY = new Doing(Kind.OWN_CALL, "db:5432");
  private static final Doing PARTNER = new Doing(Kind.OTHER_CALL, "partner:8080");
  private static final Doing LOCK = new Doing(Kind.LOCK, "com.shop.Cart");

  /**
   * A hundred times a second code that gets a connection: 20 ms in a query and 180 ms in something
   * else.
   */
  private static IncidentBuilder borrowers(Doing elsewhere) {
    IncidentBuilder builder =
        incident()
            .recorded(Signal.THREAD_PARKS, 10)
            .recorded(Signal.SOCKET_READS, 10)
            .waits(600, 60, 120, WaitKind.POOL, "HikariCP", 500);
    for (int second = 60; second < 120; second++) {
      builder.sample(
          new PoolHold(
              at(second),
              "HikariCP",
              100,
              20,
              Map.of(QUERY, new Time(100, 2), elsewhere, new Time(100, 18)),
              Map.of(),
              new Source("recording.jfr", "")));
    }
    return builder;
  }

  /** Threads that hold a connection, on average. */
  private static double holders(IncidentBuilder builder) {
    MeasuredIncident incident = builder.build();
    Window window = incident.window();
    return KnownHolds.of(incident, "HikariCP").in(window).stream()
            .mapToDouble(PoolHold::heldSeconds)
            .sum()
        / window.seconds();
  }

  @Test
  void callsThatAreAlwaysTwoAtATimeAreThoseOfTwoConnections() {
    // A query of 20 ms begins every 10 ms: 100/s x 20 ms = 2, and never three.
    IncidentBuilder two =
        borrowers(PARTNER).waits(6_000, 60, 120, WaitKind.DOWNSTREAM, "db:5432", 20);
    assertEquals(2, holders(two), 0.1);
  }

  @Test
  void holdersThatKeepTheirConnectionsCallNowAndThen() {
    // As many queries: four at a time in one second, and none in the next.
    IncidentBuilder some = borrowers(PARTNER);
    for (int second = 60; second < 120; second += 2) {
      some.waits(200, second, second + 1, WaitKind.DOWNSTREAM, "db:5432", 20);
    }
    assertEquals(20, holders(some), 0.1);
  }

  @Test
  void aLockLetsNoMoreThanSoManyCallEither() {
    IncidentBuilder locked =
        borrowers(LOCK).waits(6_000, 60, 120, WaitKind.DOWNSTREAM, "db:5432", 20);
    assertEquals(20, holders(locked), 0.1);
  }
}
