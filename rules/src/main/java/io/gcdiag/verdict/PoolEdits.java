package io.gcdiag.verdict;

import io.gcdiag.books.Edit;
import io.gcdiag.books.OwnPlaces.Seen;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.causes.pool.PoolPlaces;
import io.gcdiag.causes.workers.BusyLoops;
import io.gcdiag.causes.workers.FullGroup;
import io.gcdiag.causes.workers.ServerCounts;
import io.gcdiag.causes.workers.SizeSetting;
import io.gcdiag.measures.threads.ConnectionsInUse;
import io.gcdiag.units.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Sizes of pools of connections and threads, and how connections are returned. */
public final class PoolEdits {

  private static final String BLOCKING_CALL = "do the blocking call on a worker thread (";

  /** One connection more than such threads is the size that HikariCP's documentation gives. */
  private static final String ONE_AT_A_TIME =
      "end the outer transaction, or the block that holds the first connection, before the second"
          + " is obtained, or let both share one (propagation REQUIRED): a pool with fewer"
          + " connections than threads that do so can block itself";

  private final SuspectContext suspect;

  PoolEdits(SuspectContext suspect) {
    this.suspect = suspect;
  }

  List<Edit> largerPool() {
    if (ConnectionsInUse.areMostlyNested(suspect.timeline())) {
      return suspect.code(ONE_AT_A_TIME);
    }
    Optional<ServerCounts.Wanted> wanted =
        new Predictor(suspect.incident(), suspect.about()).wanted(suspect.hypothesis());
    Optional<PoolPlaces.Library> library =
        PoolPlaces.library(suspect.timeline(), suspect.incident().window());
    if (library.isEmpty()) {
      return List.of();
    }
    if (wanted.isEmpty()) {
      return suspect.infrastructure(
          library.get().name() + " maximum size",
          "raise it to request rate x time a connection is held, and some more for bursts");
    }
    return new SizeSetting(suspect.timeline())
        .pool(
            library.get().name(),
            Optional.of(wanted.get().now()),
            wanted.get().wanted(),
            demand(wanted.get(), "connections"));
  }

  private static String demand(ServerCounts.Wanted wanted, String what) {
    // The rate counts served requests only, not those that still queued.
    return ("the demand needs at least %s %s on average; with %s hardly any request waits"
            + " longer than it holds one")
        .formatted(Numbers.threeDigits(wanted.load()), what, wanted.wanted());
  }

  List<Edit> moreThreads() {
    Optional<FullGroup> group = FullGroup.of(suspect.incident());
    if (group.filter(FullGroup::isEventLoop).isPresent()) {
      boolean computes = BusyLoops.isComputing(suspect.incident());
      return suspect.code(
          (computes ? "compute less here, or do it on worker threads (" : BLOCKING_CALL)
              + handOver(group.get().name())
              + "), not on the event loop");
    }
    if (group.filter(one -> one.count() == 1).isPresent()) {
      return suspect.code(
          "share this work among several threads, or make fewer or shorter calls in it: requests"
              + " wait for the one thread that does it");
    }
    Optional<ServerCounts.Wanted> wanted =
        new Predictor(suspect.incident(), suspect.about()).wanted(suspect.hypothesis());
    // The prediction may be of the loops that do the work of an executor that is full.
    boolean more =
        group.isPresent() && wanted.filter(n -> n.wanted() > group.get().count()).isPresent();
    return !more
        ? List.of()
        : new SizeSetting(suspect.timeline())
            .threads(
                group.get().name(),
                Optional.of(group.get().count()),
                wanted.get().wanted(),
                demand(wanted.get(), "threads"));
  }

  /** How the framework with event loops of that name runs blocking calls elsewhere. */
  public static String handOver(String group) {
    String name = group.toLowerCase(Locale.ROOT);
    if (name.contains("reactor")) {
      return "Reactor: subscribeOn(Schedulers.boundedElastic())";
    }
    return name.contains("vert.x")
        ? "Vert.x: executeBlocking; Quarkus: @Blocking"
        : "an executor of its own";
  }

  /** Whether connections are returned, but held during work that does not use them. */
  boolean isHeldForOtherWork() {
    return PoolPlaces.heldElsewhere(suspect.incident()).isPresent()
        || suspect.about().stream()
            .map(finding -> finding.actions().getOrDefault(suspect.hypothesis(), ""))
            .anyMatch(text -> text.startsWith("return the connection before"));
  }

  List<Edit> returned() {
    if (isHeldForOtherWork()) {
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
        suspect.about().stream()
            .anyMatch(finding -> finding.actions().containsKey(suspect.hypothesis()));
    PoolPlaces.library(suspect.timeline(), suspect.incident().window())
        .filter(library -> !told)
        .map(library -> new SizeSetting(suspect.timeline()).leakDetection(library.name()))
        .ifPresent(edits::addAll);
    return edits;
  }
}
