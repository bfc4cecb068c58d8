package io.gcdiag.causes.workers;

import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.ThreadGroupSample.SampledTime;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.measures.requests.LoadTestDelays;
import io.gcdiag.measures.requests.TestedRequests;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.SampledGroup;
import io.gcdiag.measures.threads.UnrestedLoops;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.Percentiles;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Event loops that are blocked by calls, or compute all the time although cores are free. While a
 * loop handles one request, its other connections wait.
 */
@Judges(value = Hypothesis.THREAD_POOL_EXHAUSTED, needs = Signal.CPU_SAMPLES)
public record BusyLoops(String id) implements Rule {

  public static final String SAMPLES = "jdk.NativeMethodSample";

  /**
   * A loop is a single server: busy for nine tenths of its time, it makes each arrival wait for
   * four to nine service times (M/D/1 and M/M/1). Loops do not share work: some may be busy all the
   * time while others rest.
   */
  private static boolean isBusy(SampledGroup group) {
    return group.idle() <= (1 - Policy.FULL) * group.all();
  }

  private static double share(double seconds, SampledGroup group) {
    return seconds / group.all();
  }

  private static boolean computes(SampledGroup group) {
    return isBusy(group) && share(group.running(), group) >= Policy.MAJORITY;
  }

  private static boolean isHeldUp(SampledGroup group, boolean unseen) {
    return group.samples() >= Policy.FEWEST_SAMPLES
        && (computes(group)
            || (isBusy(group) || unseen) && share(group.waiting(), group) >= Policy.MAJORITY);
  }

  @Override
  public List<Finding> examine(MeasuredIncident incident) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    if (MachineLoad.isFull(timeline, window)) {
      return List.of();
    }
    boolean unseen = NeverFreeWorkers.areRequestsUnseen(incident);
    List<Finding> findings = new ArrayList<>();
    loops(incident, unseen)
        .forEach(
            (name, group) -> {
              Optional<UnrestedLoops> unrested =
                  isBusy(group) ? Optional.empty() : UnrestedLoops.of(timeline, window, name);
              if (unrested.isPresent()) {
                findings.add(unrested(incident, name, unrested.get(), unseen));
              } else if (isHeldUp(group, unseen)) {
                findings.add(busy(incident, name, group, unseen));
              }
            });
    return findings;
  }

  /** The group of loops that is blocked for the largest share of its time. */
  static Optional<String> busiest(MeasuredIncident incident) {
    return mostHeldUp(incident).map(Map.Entry::getKey);
  }

  /** Whether that group computes and makes no blocking call. */
  static boolean isComputing(MeasuredIncident incident) {
    return mostHeldUp(incident).filter(group -> computes(group.getValue())).isPresent();
  }

  private static Optional<Map.Entry<String, SampledGroup>> mostHeldUp(MeasuredIncident incident) {
    boolean unseen = NeverFreeWorkers.areRequestsUnseen(incident);
    return loops(incident, unseen).entrySet().stream()
        .filter(group -> isHeldUp(group.getValue(), unseen))
        .max(Comparator.comparingDouble(group -> longest(group.getValue())));
  }

  /** What they spend most of their time on, other than rest. */
  private static double longest(SampledGroup group) {
    return share(Math.max(group.waiting(), group.running()), group);
  }

  /** Groups of event loops that serve requests, by name, in the incident. */
  private static Map<String, SampledGroup> loops(Incident incident, boolean unseen) {
    Timeline timeline = incident.timeline();
    Map<String, SampledGroup> ever = groups(timeline, timeline.span());
    Set<String> serving =
        timeline.samples(SampledTime.class).stream()
            .filter(SampledTime::onRequestThread)
            .map(SampledTime::group)
            .collect(Collectors.toSet());
    if (serving.isEmpty() || unseen) {
      serving.addAll(rested(incident));
    }
    serving.removeAll(SampledGroup.parking(timeline));
    Map<String, SampledGroup> loops = groups(timeline, incident.window());
    loops.keySet().removeIf(name -> !serving.contains(name) || !ever.get(name).isLoop());
    return loops;
  }

  /**
   * Groups that rested in their selectors in the baseline. If no thread is known by its frames or
   * name to wait for requests, one of these groups serves them.
   */
  private static Set<String> rested(Incident incident) {
    return incident
        .baseline()
        .map(window -> groups(incident.timeline(), window))
        .orElse(Map.of())
        .entrySet()
        .stream()
        .filter(group -> group.getValue().isLoop())
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  private static Map<String, SampledGroup> groups(Timeline timeline, Window window) {
    return SampledGroup.byName(timeline.samples(SampledTime.class, window));
  }

  private Finding busy(Incident incident, String name, SampledGroup group, boolean unseen) {
    Optional<String> before =
        incident
            .baseline()
            .map(window -> groups(incident.timeline(), window).get(name))
            .filter(usual -> usual.all() > 0)
            .map(usual -> new Ratio(usual.busyShare()).toString());
    Ratio busy = new Ratio(group.busyShare());
    String at =
        computes(group)
            ? " of the time computing, each on one CPU while others are free"
            : " of the time in a blocking call";
    FindingBuilder finding =
        Finding.of(
                id(),
                ("the event loops %s are busy %s of the time%s (%s samples), %s%s: meanwhile they"
                        + " serve no other request")
                    .formatted(
                        name,
                        busy,
                        before.map(usual -> ", against " + usual + " before").orElse(""),
                        Numbers.count(group.samples()),
                        new Ratio(
                            share(computes(group) ? group.running() : group.waiting(), group)),
                        at))
            .figure("busy time of the event loops", before, busy.toString())
            .value("busy", group.busyShare())
            .value("waiting", share(group.waiting(), group))
            .value("samples", group.samples())
            .warns(Hypothesis.THREAD_POOL_EXHAUSTED);
    return finished(incident, finding, unseen);
  }

  private Finding unrested(Incident incident, String name, UnrestedLoops loops, boolean unseen) {
    FindingBuilder finding =
        Finding.of(
                id(),
                ("%s of the %s event loops %s%s never idle in %s s (%s samples), %s of the time in"
                        + " a blocking call: requests on %s connections wait, and no other loop serves"
                        + " them")
                    .formatted(
                        Numbers.count(loops.unrested()),
                        Numbers.count(loops.loops()),
                        name,
                        loops.unrested() == 1 ? " was" : " were",
                        Numbers.count(loops.seconds()),
                        Numbers.count(loops.samples()),
                        new Ratio(loops.waiting()),
                        loops.unrested() == 1 ? "its" : "their"))
            .value("unrested", loops.unrested())
            .value("loops", loops.loops())
            .value("seconds", loops.seconds())
            .value("waiting", loops.waiting())
            .value("samples", loops.samples())
            .supports(Hypothesis.THREAD_POOL_EXHAUSTED, isFelt(incident));
    return finished(incident, finding, unseen);
  }

  /**
   * Whether the load test has the latency tail that waiting for such a loop would cause; true
   * without a load test.
   */
  private static boolean isFelt(Incident incident) {
    return TestedRequests.of(incident)
        .flatMap(stats -> stats.percentile(Percentiles.TAIL).or(stats::longest))
        .map(LoadTestDelays::isLong)
        .orElse(true);
  }

  private static Finding finished(Incident incident, FindingBuilder finding, boolean unseen) {
    finding.from(incident.timeline().recorded(SAMPLES));
    if (unseen) {
      finding.explains(Hypothesis.THREAD_POOL_EXHAUSTED, Effect.UNACCOUNTED, 1);
    }
    return finding.build();
  }
}
