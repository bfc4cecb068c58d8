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
import io.gcdiag.causes.pool.ConnectionChurnCause;
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
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.requests.EndpointExcess;
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
          new ConnectionChurnCause(),
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
  public static Advice advice(
      MeasuredIncident incident, Cause cause, List<Finding> about, String why) {
    PlaceParts found = new PlaceParts(incident);
    cause.place(found);
    if (cause.is(Cause.Trait.OF_SOME_REQUESTS)) {
      EndpointExcess.slowOne(incident)
          .map(slow -> new Part(Role.ENDPOINT, slow.endpoint(), slow.words(), slow.source()))
          .ifPresent(found::add);
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
}
