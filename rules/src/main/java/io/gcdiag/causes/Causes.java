package io.gcdiag.causes;

import io.gcdiag.books.Advice;
import io.gcdiag.books.Cause;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Place;
import io.gcdiag.books.Place.Part;
import io.gcdiag.books.Place.Role;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.Rule;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.causes.cores.CpuSaturationCause;
import io.gcdiag.causes.cores.CpuThrottlingCause;
import io.gcdiag.causes.cores.ExceptionStormCause;
import io.gcdiag.causes.cores.HostCpuContentionCause;
import io.gcdiag.causes.cores.JitPressureCause;
import io.gcdiag.causes.memory.AllocationChurnCause;
import io.gcdiag.causes.memory.ContainerMemoryCause;
import io.gcdiag.causes.memory.DirectMemoryCause;
import io.gcdiag.causes.memory.ExplicitGcCause;
import io.gcdiag.causes.memory.FinalizerBacklogCause;
import io.gcdiag.causes.memory.GcLockerCause;
import io.gcdiag.causes.memory.HeapResizingCause;
import io.gcdiag.causes.memory.HumongousAllocationCause;
import io.gcdiag.causes.memory.MemoryLeakCause;
import io.gcdiag.causes.memory.MemoryPressureCause;
import io.gcdiag.causes.memory.MetaspacePressureCause;
import io.gcdiag.causes.memory.SwappingCause;
import io.gcdiag.causes.pool.ConnectionLeakCause;
import io.gcdiag.causes.pool.ConnectionPoolUndersizedCause;
import io.gcdiag.causes.stops.SafepointStallCause;
import io.gcdiag.causes.waits.DeadlockCause;
import io.gcdiag.causes.waits.LockContentionCause;
import io.gcdiag.causes.waits.LogQueueFullCause;
import io.gcdiag.causes.waits.NativeOrUnknownCause;
import io.gcdiag.causes.waits.RequestsSleepCause;
import io.gcdiag.causes.waits.SlowClientsCause;
import io.gcdiag.causes.waits.SlowDiskCause;
import io.gcdiag.causes.waits.SlowDownstreamCause;
import io.gcdiag.causes.workers.ThreadLeakCause;
import io.gcdiag.causes.workers.ThreadPoolExhaustedCause;
import io.gcdiag.causes.workers.VirtualThreadPinningCause;
import io.gcdiag.evidence.EndpointSeries;
import io.gcdiag.evidence.EndpointSeries.Total;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.Case;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Ratio;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All root causes, and all rules: each of these is in the list of one cause, and says by {@link
 * io.gcdiag.books.Judges} which it judges.
 */
public final class Causes {

  private static final List<Cause> ALL =
      List.of(
          new MemoryPressureCause(),
          new HeapResizingCause(),
          new MemoryLeakCause(),
          new AllocationChurnCause(),
          new HumongousAllocationCause(),
          new GcLockerCause(),
          new ExplicitGcCause(),
          new FinalizerBacklogCause(),
          new MetaspacePressureCause(),
          new DirectMemoryCause(),
          new SwappingCause(),
          new ContainerMemoryCause(),
          new ConnectionPoolUndersizedCause(),
          new ConnectionLeakCause(),
          new ThreadPoolExhaustedCause(),
          new VirtualThreadPinningCause(),
          new ThreadLeakCause(),
          new SlowDownstreamCause(),
          new LockContentionCause(),
          new DeadlockCause(),
          new LogQueueFullCause(),
          new SlowClientsCause(),
          new SlowDiskCause(),
          new RequestsSleepCause(),
          new NativeOrUnknownCause(),
          new CpuSaturationCause(),
          new CpuThrottlingCause(),
          new HostCpuContentionCause(),
          new JitPressureCause(),
          new ExceptionStormCause(),
          new SafepointStallCause());

  private static final Map<Hypothesis, Cause> BY_HYPOTHESIS = new EnumMap<>(Hypothesis.class);

  static {
    ALL.forEach(cause -> BY_HYPOTHESIS.put(cause.hypothesis(), cause));
  }

  private static final List<Rule> RULES =
      ALL.stream()
          .flatMap(cause -> cause.rules().stream())
          .sorted(Comparator.comparing(Rule::id))
          .toList();

  private Causes() {}

  public static Cause of(Hypothesis hypothesis) {
    return BY_HYPOTHESIS.get(hypothesis);
  }

  /**
   * Where a suspect is and what to change.
   *
   * @param about what was found about it
   * @param why the figures that show it
   */
  public static Advice advice(Case incident, Cause cause, List<Finding> about, String why) {
    PlaceParts found = new PlaceParts(incident);
    cause.place(found);
    if (cause.is(Cause.Trait.OF_SOME_REQUESTS)) {
      EndpointExcess.slowOne(incident).ifPresent(slow -> found.add(slow.part()));
    }
    Optional<Place> place = found.place();
    SuspectContext suspect = new SuspectContext(incident, about, place, why);
    return new Advice(cause.kind(suspect), place, cause.edits(suspect));
  }

  /** All rules, sorted by id. */
  public static List<Rule> rules() {
    return RULES;
  }

  /** Their sensors, each with the id of its rule: what is asked one by one. */
  public static List<Rule> sensors() {
    return RULES.stream().flatMap(rule -> rule.sensors().stream()).toList();
  }

  /**
   * By how much the requests of one endpoint took longer in the incident than in the baseline, as a
   * part of what all endpoints lost.
   *
   * @param endpoint its name
   * @param share of the time that all requests took longer, 0 to 1
   * @param before mean latency in the baseline; that of all requests where {@code isNew}
   * @param during mean latency in the incident
   * @param requests how many the incident has
   * @param isNew whether the baseline has too few of its requests to say how long they usually take
   * @param source where the latencies were read
   */
  private record EndpointExcess(
      String endpoint,
      double share,
      Duration before,
      Duration during,
      long requests,
      boolean isNew,
      Source source) {

    /** It as a part of a place. */
    Part part() {
      return new Part(
          Role.ENDPOINT,
          endpoint,
          "%s -> %s, %s %% of the delay"
              .formatted(
                  Durations.format(before),
                  Durations.format(during),
                  Math.round(new Ratio(share).percent())),
          source);
    }

    /**
     * Every endpoint that took longer, the largest share first; none without a baseline that has
     * requests.
     */
    static List<EndpointExcess> of(Incident incident) {
      Optional<Window> baseline = incident.baseline();
      Optional<RequestSeries> series = incident.timeline().requestsByEndpoint();
      return baseline.isPresent() && series.isPresent()
          ? of(series.get(), baseline.get(), incident.window())
          : List.of();
    }

    /**
     * The one endpoint that is slow, where most of the delay is of its requests and each of them is
     * delayed clearly more than those of the others.
     */
    static Optional<EndpointExcess> slowOne(Incident incident) {
      List<EndpointExcess> all = of(incident);
      if (all.isEmpty() || all.get(0).share() <= Policy.MAJORITY) {
        return Optional.empty();
      }
      EndpointExcess most = all.get(0);
      RequestSeries series = incident.timeline().requestsByEndpoint().orElseThrow();
      long others =
          series.endpoints().stream()
              .filter(one -> !one.endpoint().equals(most.endpoint()))
              .mapToLong(one -> one.within(incident.window()).requests())
              .sum();
      double ofOthers = others == 0 ? 0 : (1 - most.share()) / others;
      boolean clear = most.share() / most.requests() >= Policy.CLEARLY_MORE * ofOthers;
      boolean isOne = !most.isNew() && !most.endpoint().equals(EndpointSeries.OTHERS);
      return isOne && others > 0 && clear ? Optional.of(most) : Optional.empty();
    }

    private static List<EndpointExcess> of(RequestSeries series, Window before, Window during) {
      Total usual =
          series.endpoints().stream()
              .map(one -> one.within(before))
              .reduce(new Total(0, 0), Total::plus);
      if (usual.requests() < Policy.FEWEST_COUNTED) {
        return List.of();
      }
      List<EndpointExcess> found = new ArrayList<>();
      double all = 0;
      for (EndpointSeries one : series.endpoints()) {
        Total baseline = one.within(before);
        Total then = one.within(during);
        boolean isNew = baseline.requests() < Policy.FEWEST_COUNTED;
        Duration own = isNew ? usual.mean() : baseline.mean();
        double lost = (Durations.seconds(then.mean()) - Durations.seconds(own)) * then.requests();
        if (lost > 0 && then.requests() >= Policy.FEWEST_COUNTED) {
          all += lost;
          found.add(
              new EndpointExcess(
                  one.endpoint(), lost, own, then.mean(), then.requests(), isNew, series.source()));
        }
      }
      double sum = all;
      return found.stream()
          .map(one -> one.ofAll(sum))
          .sorted(Comparator.comparingDouble(EndpointExcess::share).reversed())
          .toList();
    }

    private EndpointExcess ofAll(double sum) {
      return new EndpointExcess(endpoint, share / sum, before, during, requests, isNew, source);
    }
  }
}
