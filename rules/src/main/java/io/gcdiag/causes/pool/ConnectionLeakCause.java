package io.gcdiag.causes.pool;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.OwnPlaces.Seen;
import io.gcdiag.books.Place.Role;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.causes.workers.SizeSetting;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.PoolDemand;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Connections are not returned, or kept through work that does not need them. */
public final class ConnectionLeakCause extends Cause {
  public ConnectionLeakCause() {
    super(
        Hypothesis.CONNECTION_LEAK,
        "Connections held too long or not returned",
        "find the code that holds them, and return the connection (of an HTTP "
            + "client: close the response) in a finally block; JDBC pools can print the "
            + "stack that acquired one (leak detection)",
        List.of(),
        Trait.OF_SOME_REQUESTS,
        Trait.SEEN_IN_WAITS);
    chartLine("for a connection", "Connection waits");
    chartLine("waiting", "Pool: waiting");
    lengthens(Effect.POOL_WAIT, Effect.DOWNSTREAM_WAIT);
  }

  /** If connections are held idle, the number in use does not show the pool size. */
  @Override
  public void place(PlaceParts found) {
    PoolPlaces pools = new PoolPlaces(found);
    pools.pool(
        pools.holding().or(pools::borrowing),
        PoolDemand.size(found.timeline(), found.window()).filter(pools::isExact));
  }

  @Override
  public Optional<String> kind(SuspectContext suspect) {
    if (isHeldForOtherWork(suspect)) {
      return Optional.of("Connections held during work that does not use them");
    }
    return suspect.at(Role.CODE).map(part -> "Connection leak: connections are not returned");
  }

  /** Whether connections are returned, but held during work that does not use them. */
  private boolean isHeldForOtherWork(SuspectContext suspect) {
    return PoolPlaces.heldElsewhere(suspect.incident()).isPresent()
        || suspect.isAdvised("pool-wait", hypothesis());
  }

  @Override
  public List<Edit> edits(SuspectContext suspect) {
    if (isHeldForOtherWork(suspect)) {
      String change =
          "return the connection before this call, or call it before the connection is acquired:"
              + " end the transaction or the block that spans both";
      return PoolPlaces.heldElsewhere(suspect.incident())
          .flatMap(Seen::user)
          .map(user -> List.of(Edit.code(user.toString(), change, suspect.why())))
          .orElseGet(() -> suspect.code(change));
    }
    List<Edit> edits =
        new ArrayList<>(
            suspect.code(
                "close the connection in a finally block or by try-with-resources, also after an"
                    + " exception"));
    boolean told =
        suspect.about().stream().anyMatch(finding -> finding.actions().containsKey(hypothesis()));
    PoolPlaces.library(suspect.timeline(), suspect.incident().window())
        .filter(library -> !told)
        .map(library -> new SizeSetting(suspect.timeline()).leakDetection(library.name()))
        .ifPresent(edits::addAll);
    return edits;
  }
}
