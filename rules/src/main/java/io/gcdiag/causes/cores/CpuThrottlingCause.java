package io.gcdiag.causes.cores;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.Place.Part;
import io.gcdiag.books.Place.Role;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.Rule;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.CpuSample.CpuQuota;
import io.gcdiag.evidence.jvm.CpuSample.ThrottleCount;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.EffectTimes;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.measures.jvm.Throttling;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** A CPU quota stops the JVM. */
public final class CpuThrottlingCause extends Cause {
  public CpuThrottlingCause() {
    super(
        Hypothesis.CPU_THROTTLING,
        "Throttling by the container's CPU quota",
        "raise the container's CPU limit or remove it; or run less at once: fewer worker and"
            + " collector threads",
        List.of(new CpuQuotaRule()),
        Trait.SEEN_IN_CPU);
  }

  @Override
  public void place(PlaceParts found) {
    Throttling.quota(found.timeline())
        .ifPresent(
            one ->
                found.add(
                    new Part(Role.MACHINE, "CPU quota of the container", text(one), one.source())));
  }

  @Override
  public List<Edit> edits(SuspectContext suspect) {
    return Throttling.quota(suspect.timeline())
        .map(
            quota ->
                List.of(
                    Edit.infrastructure(
                        "CPU limit of the container",
                        Optional.of(text(quota)),
                        "remove it, or raise it"
                            // An option may give the JVM more CPUs than the machine has.
                            + IntStream.of(
                                    suspect.timeline().jvm().cpus().orElse(0),
                                    MachineLoad.cores(suspect.timeline()))
                                .filter(cpus -> cpus > 0)
                                .min()
                                .stream()
                                .filter(cpus -> cpus > cores(quota))
                                .mapToObj(cpus -> " to " + Numbers.counted(cpus, "core"))
                                .findFirst()
                                .orElse(""),
                        suspect.why())))
        .orElse(List.of());
  }

  private static double cores(CpuQuota quota) {
    return Durations.seconds(quota.quota().orElse(Duration.ZERO))
        / Durations.seconds(quota.period());
  }

  private static String text(CpuQuota quota) {
    double cores = cores(quota);
    return Numbers.threeDigits(cores) + (cores == 1 ? " core" : " cores");
  }

  /**
   * Asks how often the container's CPU quota was used up, which stops all threads until the next
   * period.
   */
  @Judges(value = Hypothesis.CPU_THROTTLING, needs = Signal.CPU_THROTTLING)
  static final class CpuQuotaRule implements Rule {

    /**
     * Effects that are longer because of a quota: it stops GC threads too, and threads that hold
     * locks or connections. Calls to hosts outside the control group go on.
     */
    private static final List<Effect> WHILE_STOPPED =
        List.of(
            Effect.LOCK_WAIT, Effect.POOL_WAIT, Effect.SAFEPOINT, Effect.STOPPED, Effect.PINNED);

    @Override
    public List<Finding> examine(MeasuredIncident incident) {
      Timeline timeline = incident.timeline();
      Window window = incident.window();
      Optional<Throttling> throttling = Throttling.of(timeline, window);
      if (throttling.isPresent()) {
        return List.of(judge(incident, throttling.get()));
      }
      if (Throttling.isWithoutQuota(timeline)) {
        return List.of(
            Finding.of(id(), "the JVM runs without a CPU quota")
                .from(Throttling.settings(timeline))
                .refutes(Hypothesis.CPU_THROTTLING)
                .build());
      }
      return Throttling.onlyReading(timeline, window)
          .filter(count -> count.throttled() > 0)
          .filter(count -> count.throttled() >= Policy.TAIL * count.periods())
          .map(count -> tell(timeline, count))
          .stream()
          .toList();
    }

    /**
     * The kernel counts from the start of the control group, so a single reading does not show
     * when.
     */
    private Finding tell(Timeline timeline, ThrottleCount count) {
      return Finding.of(
              id(),
              ("the CPU quota%s was used up in %s of %s periods since the container started;"
                      + " the counters were read once, so it is unknown whether in the incident:"
                      + " record with jdk.ContainerCPUThrottling#period=1s")
                  .formatted(
                      Throttling.quota(timeline).map(CpuQuotaRule::inWords).orElse(""),
                      count.throttled(),
                      Numbers.count(count.periods())))
          .value("periods", count.periods())
          .value("throttledPeriods", count.throttled())
          .value("throttledSeconds", Durations.seconds(count.throttledTime()))
          .from(count.source())
          .supports(Hypothesis.CPU_THROTTLING)
          .build();
    }

    private static String usedUp(Throttling throttling, boolean inside) {
      return " was used up in %s of %s periods, which stopped the threads for %s, summed over the CPUs%s"
          .formatted(
              throttling.throttled(),
              Numbers.count(throttling.periods()),
              Durations.format(throttling.throttledTime()),
              inside ? "" : "; how much of it in the incident is unknown");
    }

    private Finding judge(MeasuredIncident incident, Throttling throttling) {
      Timeline timeline = incident.timeline();
      Window window = incident.window();
      boolean inside = throttling.isAllInside(window);
      FindingBuilder finding =
          Finding.of(
                  id(),
                  "the CPU quota"
                      + Throttling.quota(timeline).map(CpuQuotaRule::inWords).orElse("")
                      + (throttling.throttled() == 0
                          ? " was never used up"
                          : usedUp(throttling, inside)))
              .figure(
                  "share of time stopped by the CPU quota",
                  incident,
                  one -> new Ratio(Throttling.shareStopped(timeline, one)).toString())
              .figure(
                  "periods in which the quota was used up",
                  throttling.throttled() + " of " + Numbers.count(throttling.periods()))
              .value("periods", throttling.periods())
              .value("throttledPeriods", throttling.throttled())
              .value("throttledSeconds", Durations.seconds(throttling.throttledTime()))
              .value("shareInIncident", throttling.shareInWindow())
              .from(throttling.source());
      Optional<String> before =
          incident
              .baseline()
              .flatMap(b -> Throttling.quota(timeline, b))
              .map(CpuThrottlingCause::text);
      Throttling.quota(timeline, window)
          .map(CpuThrottlingCause::text)
          .filter(now -> before.filter(other -> !other.equals(now)).isPresent())
          .ifPresent(now -> finding.figure("CPU quota of the container", before, now));
      if (throttling.throttled() > 0) {
        Duration mean = throttling.throttledTime().dividedBy(throttling.throttled());
        Duration stop = throttling.stop(Throttling.period(timeline));
        finding.sum(
            "one stop lasted %s%s: %s / %s%s"
                .formatted(
                    Durations.format(stop),
                    mean.equals(stop) ? " on average" : ", a period, at most",
                    Durations.format(throttling.throttledTime()),
                    throttling.throttled(),
                    mean.equals(stop)
                        ? ""
                        : " = " + Durations.format(mean) + ", on several CPUs at a time"));
      }
      if (throttling.throttledShare() < Policy.TAIL) {
        return finding.refutes(Hypothesis.CPU_THROTTLING).build();
      }
      double stopped = stoppedMore(incident);
      WHILE_STOPPED.forEach(
          effect ->
              finding.passes(
                  effect,
                  Effect.THROTTLED,
                  stopped,
                  "while the quota stops all threads, waiting threads wait longer"));
      return finding
          .explains(Hypothesis.CPU_THROTTLING, Effect.THROTTLED, 1)
          .passes(
              Effect.UNACCOUNTED,
              Effect.THROTTLED,
              furtherShare(incident, throttling),
              "the quota stops all threads again and again, and nothing else that is recorded delays"
                  + " the requests")
          .build();
    }

    /**
     * Share of the incident in which the quota stopped the threads, beyond that of the baseline: by
     * the counters, or of a thread that runs alone where the quota came to be used up in each
     * period.
     */
    private static double stoppedMore(Incident incident) {
      Timeline timeline = incident.timeline();
      double before =
          incident
              .baseline()
              .map(baseline -> Throttling.shareStopped(timeline, baseline))
              .orElse(0.0);
      double more = Math.max(0, Throttling.shareStopped(timeline, incident.window()) - before);
      boolean becameFull =
          Throttling.isFull(timeline, incident.window())
              && incident.baseline().filter(usual -> Throttling.isFull(timeline, usual)).isEmpty();
      return becameFull ? Math.max(more, Throttling.shareOfOneThread(timeline)) : more;
    }

    private static String inWords(CpuQuota quota) {
      return " of "
          + Durations.format(quota.quota().orElse(Duration.ZERO))
          + " in "
          + Durations.format(quota.period());
    }

    /**
     * Upper bound of the share beyond what the ledger has. The ledger splits the stops between
     * incident and baseline by the JVM's CPU use, and counts the delay with the mean request rate.
     * The delay is larger if all stops were in the incident and requests came in bursts, which is
     * how a quota is used up. It is at most the time of all requests that were in the system, and
     * may be all of it where hardly a period is left: then the quota is a full server.
     */
    private static double furtherShare(MeasuredIncident incident, Throttling throttling) {
      EffectTimes times = incident.effects();
      double unaccounted = times.excessSeconds(Effect.UNACCOUNTED);
      if (throttling.throttledShare() >= Policy.FULL) {
        return 1;
      }
      double most = Throttling.mostSeconds(incident, throttling);
      double rest = most - times.excessSeconds(Effect.THROTTLED);
      return unaccounted <= 0 ? 0 : Math.max(0, Math.min(1, rest / unaccounted));
    }
  }
}
