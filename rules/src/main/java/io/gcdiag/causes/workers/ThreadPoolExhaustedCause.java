package io.gcdiag.causes.workers;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.CauseRemoved;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Place.Part;
import io.gcdiag.books.Place.Role;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.Prediction;
import io.gcdiag.books.Rule;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.measures.Case;
import io.gcdiag.units.Numbers;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** Too few threads serve requests. */
public final class ThreadPoolExhaustedCause extends Cause {
  public ThreadPoolExhaustedCause() {
    super(
        Hypothesis.THREAD_POOL_EXHAUSTED,
        "Too few worker threads",
        "give the named group more threads (request rate x duration of one task, "
            + "and some more for bursts), or let no thread wait for a call",
        Trait.OF_SOME_REQUESTS,
        Trait.SEEN_IN_WAITS,
        Trait.SEEN_IN_CPU_UNLESS_WAITING);
  }

  @Override
  public List<Rule> rules() {
    return List.of(
        new AsyncQueueRule(), new BusyWorkersRule(), new StuckThreadsRule(), new WorkerQueueRule());
  }

  @Override
  public void place(PlaceParts found) {
    Optional<FullGroup> group = FullGroup.of(found.incident());
    found.code(
        group
            .flatMap(one -> found.own().inDumps(one::has))
            .or(() -> found.own().most(Activity.CALLING))
            .or(() -> found.own().most(Activity.SAMPLED_CALLING))
            .or(() -> found.own().most(Activity.RUNNING)));
    group.ifPresent(
        one ->
            found.add(
                new Part(
                    Role.THREADS,
                    one.name(),
                    Numbers.counted(one.count(), "thread"),
                    one.source())));
  }

  @Override
  public Optional<String> kind(SuspectContext suspect) {
    Optional<FullGroup> group = FullGroup.of(suspect.incident());
    if (group.filter(FullGroup::isEventLoop).isPresent()) {
      return Optional.of(
          BusyLoops.isComputing(suspect.incident())
              ? "Event loop busy computing"
              : "Event loop blocked by a call that waits");
    }
    return group
        .filter(threads -> threads.count() == 1)
        .map(threads -> "One worker thread for all requests");
  }

  @Override
  public List<Edit> edits(SuspectContext suspect) {
    Optional<FullGroup> group = FullGroup.of(suspect.incident());
    if (group.filter(FullGroup::isEventLoop).isPresent()) {
      boolean computes = BusyLoops.isComputing(suspect.incident());
      return suspect.code(
          (computes
                  ? "compute less here, or do it on worker threads ("
                  : "do the blocking call on a worker thread (")
              + handOver(group.get().name())
              + "), not on the event loop");
    }
    if (group.filter(one -> one.count() == 1).isPresent()) {
      return suspect.code(
          "share this work among several threads, or make fewer or shorter calls in it: requests"
              + " wait for the one thread that does it");
    }
    Optional<ServerCounts.Wanted> wanted =
        counts(suspect.incident(), suspect.about()).flatMap(ServerCounts::credible);
    // The prediction may be for the event loops that do the work of a full executor.
    boolean more =
        group.isPresent() && wanted.filter(n -> n.wanted() > group.get().count()).isPresent();
    return !more
        ? List.of()
        : new SizeSetting(suspect.timeline())
            .threads(
                group.get().name(),
                Optional.of(group.get().count()),
                wanted.get().wanted(),
                wanted.get().demand("threads"));
  }

  /** How the framework with event loops of that name runs blocking calls on other threads. */
  static String handOver(String group) {
    String name = group.toLowerCase(Locale.ROOT);
    if (name.contains("reactor")) {
      return "Reactor: subscribeOn(Schedulers.boundedElastic())";
    }
    return name.contains("vert.x")
        ? "Vert.x: executeBlocking; Quarkus: @Blocking"
        : "an executor of its own";
  }

  @Override
  public List<Prediction> predictions(Case incident, List<Finding> findings, OptionalDouble share) {
    return ServerCounts.predictions(counts(incident, findings), new CauseRemoved(incident, this));
  }

  private Optional<ServerCounts> counts(Case incident, List<Finding> findings) {
    return ScarceServers.threads(incident, findings)
        .map(servers -> new ServerCounts(incident, hypothesis(), servers));
  }

  @Override
  public int askedFirst() {
    return 5;
  }
}
