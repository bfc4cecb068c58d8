package io.gcdiag.causes.workers;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.CauseRemoved;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.Place.Part;
import io.gcdiag.books.Place.Role;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.PlaceText;
import io.gcdiag.books.Prediction;
import io.gcdiag.books.Rule;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.threads.DownstreamCalls;
import io.gcdiag.measures.threads.DumpTimes;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.Ordered;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Too few threads serve requests. */
public final class ThreadPoolExhaustedCause extends Cause {
  public ThreadPoolExhaustedCause() {
    super(
        Hypothesis.THREAD_POOL_EXHAUSTED,
        "Too few worker threads",
        "give the named group more threads (request rate x duration of one task, "
            + "and some more for bursts), or let no thread wait for a call",
        List.of(
            new AsyncQueueRule(),
            new BusyWorkersRule(),
            new StuckThreadsRule(),
            new WorkerQueueRule()),
        Trait.OF_SOME_REQUESTS,
        Trait.SEEN_IN_WAITS,
        Trait.SEEN_IN_CPU_UNLESS_WAITING);
    askedFirst(5);
    lengthens(Effect.WORKER_WAIT);
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
  public List<Prediction> predictions(
      MeasuredIncident incident, List<Finding> findings, OptionalDouble share) {
    return ServerCounts.predictions(counts(incident, findings), new CauseRemoved(incident, this));
  }

  private Optional<ServerCounts> counts(MeasuredIncident incident, List<Finding> findings) {
    return ScarceServers.threads(incident, findings)
        .map(servers -> new ServerCounts(incident, hypothesis(), servers));
  }

  /** Names request threads that are in the same wait in consecutive dumps. */
  @Judges(
      value = {Hypothesis.SLOW_DOWNSTREAM, Hypothesis.LOCK_CONTENTION},
      needs = Signal.THREAD_DUMPS)
  static final class StuckThreadsRule implements Rule {

    @Override
    public List<Finding> examine(MeasuredIncident incident) {
      StuckThreads stuck = StuckThreads.in(DumpTimes.during(incident));
      if (stuck.threads().isEmpty()) {
        return List.of();
      }
      int count = stuck.threads().size();
      long calling = stuck.inCalls();
      FindingBuilder finding =
          Finding.of(
                  id(),
                  ("%s stuck in %s dumps or more, for at least %s (same stack, hardly any CPU time"
                          + " used): %s")
                      .formatted(
                          Numbers.counted(count, "request thread") + (count == 1 ? " is" : " are"),
                          stuck.dumps(),
                          Durations.format(stuck.length()),
                          places(stuck)))
              .value("threads", count)
              .value("dumps", stuck.dumps())
              .value("seconds", Durations.seconds(stuck.length()))
              .from(stuck.sources());
      if (calling > 0) {
        finding.supports(Hypothesis.SLOW_DOWNSTREAM);
        if (DownstreamCalls.inflation(incident) <= 1) {
          // No event shows the duration of calls that do not end.
          finding.explains(
              Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT, ofCalls(incident, calling));
        }
      }
      if (stuck.threads().stream().anyMatch(one -> one.is(ThreadActivity.WAITING_FOR_LOCK))) {
        finding.supports(Hypothesis.LOCK_CONTENTION);
      }
      return List.of(finding.build());
    }

    /** Share of the request threads in calls that are stuck in one, by the last dump. */
    private static double ofCalls(MeasuredIncident incident, long stuck) {
      List<ThreadSnapshot> dumps = DumpTimes.during(incident);
      long all = dumps.get(dumps.size() - 1).requestsAt(ThreadActivity.IN_DOWNSTREAM_CALL);
      return Math.min(1, stuck / (double) Math.max(1, all));
    }

    /** {@code 9 in a call (JDBC) at com.shop.Orders.find, ...}. */
    private static String places(StuckThreads stuck) {
      Map<String, Integer> places = new TreeMap<>();
      stuck.threads().forEach(thread -> places.merge(PlaceText.of(thread), 1, Integer::sum));
      String named =
          Ordered.largestFirst(places).stream()
              .limit(Policy.MOST_NAMED)
              .map(place -> Numbers.count(place.getValue()) + " " + place.getKey())
              .collect(Collectors.joining(", "));
      return places.size() > Policy.MOST_NAMED ? named + ", ..." : named;
    }
  }
}
