package io.gcdiag.causes.pool;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.CauseRemoved;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.Prediction;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.causes.workers.ScarceServers;
import io.gcdiag.causes.workers.ServerCounts;
import io.gcdiag.causes.workers.SizeSetting;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.threads.ConnectionsInUse;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.PoolDemand;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.units.Numbers;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Demand exceeds the pool. */
public final class ConnectionPoolUndersizedCause extends Cause {

  /** One connection more than such threads is the size that HikariCP's documentation gives. */
  private static final String ONE_AT_A_TIME =
      "end the outer transaction, or the block that holds the first connection, before the second"
          + " is obtained, or let both share one (propagation REQUIRED): a pool with fewer"
          + " connections than threads that do so can block itself";

  public ConnectionPoolUndersizedCause() {
    super(
        Hypothesis.CONNECTION_POOL_UNDERSIZED,
        "Connection pool undersized",
        "raise the pool's maximum size to what the demand needs: request rate x "
            + "time a connection is held, and some more for bursts",
        List.of(new PoolWaitRule()),
        Trait.OF_SOME_REQUESTS,
        Trait.SEEN_IN_WAITS);
    chartLine("for a connection", "Connection waits");
    chartLine("waiting", "Pool: waiting");
    askedFirst(0);
    lengthens(Effect.POOL_WAIT);
  }

  @Override
  public void place(PlaceParts found) {
    PoolPlaces pools = new PoolPlaces(found);
    pools.pool(pools.borrowing(), PoolDemand.size(found.timeline(), found.window()));
    if (PoolPlaces.library(found.timeline(), found.window()).isEmpty()) {
      // A limit of a client is one for each remote host.
      found
          .longest(UserWaits.of(found.timeline(), WaitKind.DOWNSTREAM))
          .map(PlaceParts::host)
          .ifPresent(found::add);
    }
  }

  @Override
  public List<Edit> edits(SuspectContext suspect) {
    if (ConnectionsInUse.areMostlyNested(suspect.timeline())) {
      return suspect.code(ONE_AT_A_TIME);
    }
    Optional<ServerCounts.Wanted> wanted =
        counts(suspect.incident()).flatMap(ServerCounts::credible);
    Optional<PoolPlaces.Library> library =
        PoolPlaces.library(suspect.timeline(), suspect.incident().window());
    if (library.isEmpty()) {
      return List.of();
    }
    if (wanted.isEmpty()) {
      return suspect.infrastructure(
          library.get().name() + " maximum size",
          ScarceServers.connections(suspect.incident())
              .filter(pool -> pool.load() < pool.now())
              .map(ConnectionPoolUndersizedCause::doubled)
              .orElse(
                  "raise it to request rate x time a connection is held, and some more for"
                      + " bursts"));
    }
    return new SizeSetting(suspect.timeline())
        .pool(
            library.get().name(),
            Optional.of(wanted.get().now()),
            wanted.get().wanted(),
            wanted.get().demand("connections"));
  }

  @Override
  public List<Prediction> predictions(
      MeasuredIncident incident, List<Finding> findings, OptionalDouble share) {
    return ServerCounts.predictions(counts(incident), new CauseRemoved(incident, this));
  }

  /** By the formula fewer would do, so that it gives no size. */
  private static String doubled(ScarceServers pool) {
    return "double it (now %s) and measure again: request rate x time a connection is held is %s"
        .formatted(pool.now(), Numbers.threeDigits(pool.load()));
  }

  private Optional<ServerCounts> counts(MeasuredIncident incident) {
    return ScarceServers.connections(incident)
        .map(servers -> new ServerCounts(incident, hypothesis(), servers));
  }
}
