package io.gcdiag.measures.jvm;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.CpuLoad;
import io.gcdiag.evidence.jvm.CpuSample.CpuQuota;
import io.gcdiag.evidence.jvm.CpuSample.ThrottleCount;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How often a container's CPU quota stopped the JVM. The kernel refills a control group's quota at
 * the start of each period; once it is used up, all threads of the group are stopped until the next
 * period (kernel.org, "CFS Bandwidth Control").
 *
 * @param periods periods between the readings in which any thread was runnable
 * @param throttled those in which the quota was used up
 * @param throttledTime time that CPUs were stopped for it, summed over the CPUs
 * @param between from the first reading to the last
 * @param shareInWindow share of it in the window: 1 if the readings lie inside, otherwise in
 *     proportion to the JVM's CPU use inside and outside, or to time if that is not recorded
 * @param source where the counters were read
 */
public record Throttling(
    long periods,
    long throttled,
    Duration throttledTime,
    Window between,
    double shareInWindow,
    Source source) {

  /** The kernel's default period, if the recording does not have it. */
  private static final Duration USUAL_PERIOD = Duration.ofMillis(100);

  /** A control group may be this many periods older than the JVM that it was created for. */
  private static final int BEFORE_START = 20;

  /**
   * Empty without two readings, one of them not before the window and one not after it. If there is
   * only one reading and the control group is as old as the JVM, the counters were zero at the
   * JVM's start.
   */
  public static Optional<Throttling> of(Timeline timeline, Window window) {
    List<ThrottleCount> read = timeline.samples(ThrottleCount.class);
    return between(timeline, window, read)
        .or(
            () ->
                atStart(timeline, read)
                    .flatMap(
                        zero ->
                            between(
                                timeline,
                                window,
                                Stream.concat(Stream.of(zero), read.stream()).toList())));
  }

  /** The counters at the JVM's start, if the control group can hardly have run anything before. */
  private static Optional<ThrottleCount> atStart(Timeline timeline, List<ThrottleCount> read) {
    Optional<Instant> start = timeline.jvm().start();
    if (start.isEmpty() || read.isEmpty() || !start.get().isBefore(read.get(0).at())) {
      return Optional.empty();
    }
    ThrottleCount first = read.get(0);
    double periods =
        Durations.seconds(Duration.between(start.get(), first.at()))
            / Durations.seconds(period(timeline));
    return first.periods() <= periods + BEFORE_START
        ? Optional.of(new ThrottleCount(start.get(), 0, 0, Duration.ZERO, first.source()))
        : Optional.empty();
  }

  private static Optional<Throttling> between(
      Timeline timeline, Window window, List<ThrottleCount> counts) {
    Optional<ThrottleCount> first =
        counts.stream()
            .filter(count -> !count.at().isAfter(window.from()))
            .reduce((earlier, later) -> later)
            .or(() -> counts.stream().filter(count -> window.contains(count.at())).findFirst());
    Optional<ThrottleCount> last =
        counts.stream()
            .filter(count -> !count.at().isBefore(window.to()))
            .findFirst()
            .or(
                () ->
                    counts.stream()
                        .filter(count -> window.contains(count.at()))
                        .reduce((earlier, later) -> later));
    return first.flatMap(
        from ->
            last.filter(to -> to.at().isAfter(from.at()))
                .map(to -> difference(timeline, window, from, to)));
  }

  /** The last reading, if there are no two readings to compare. */
  public static Optional<ThrottleCount> onlyReading(Timeline timeline, Window window) {
    return of(timeline, window).isPresent()
        ? Optional.empty()
        : timeline.samples(ThrottleCount.class).stream().reduce((earlier, later) -> later);
  }

  private static Throttling difference(
      Timeline timeline, Window window, ThrottleCount from, ThrottleCount to) {
    Window between = new Window(from.at(), to.at());
    return new Throttling(
        Math.max(0, to.periods() - from.periods()),
        Math.max(0, to.throttled() - from.throttled()),
        to.throttledTime().compareTo(from.throttledTime()) < 0
            ? Duration.ZERO
            : to.throttledTime().minus(from.throttledTime()),
        between,
        shareInside(timeline, window, between),
        to.source());
  }

  private static double shareInside(Timeline timeline, Window window, Window between) {
    double all = 0;
    double inside = 0;
    for (CpuLoad load : timeline.cpu(between)) {
      all += load.jvm();
      inside += window.contains(load.at()) ? load.jvm() : 0;
    }
    Window span = timeline.span();
    double recorded =
        Durations.seconds(between.overlap(span.from(), span.length())) / between.seconds();
    return all > 0
        ? inside / all * recorded
        : Durations.seconds(between.overlap(window.from(), window.length())) / between.seconds();
  }

  /** Whether all that the counters count happened inside the window. */
  public boolean isAllInside(Window window) {
    return !between.from().isBefore(window.from()) && !between.to().isAfter(window.to());
  }

  /** Share of the periods in which the quota was used up, 0 to 1. */
  public double throttledShare() {
    return periods == 0 ? 0 : (double) throttled / periods;
  }

  /**
   * Whether hardly a period of the window was left without a stop: then the quota is a full server,
   * and all that the JVM does takes longer. Readings before and after the window count other
   * periods as well, but those without a stop may all have been inside.
   */
  public static boolean isFull(Timeline timeline, Window window) {
    return of(timeline, window)
        .filter(
            one -> {
              double inside =
                  Durations.seconds(one.between.overlap(window.from(), window.length()))
                      / one.between.seconds();
              return one.throttled > 0
                  && one.periods - one.throttled <= (1 - Policy.FULL) * one.periods * inside;
            })
        .isPresent();
  }

  /**
   * Share of its time that a thread is stopped if it runs alone under a quota that is used up in
   * each period: it gets the quota, and waits for the rest of the period. 0 from a quota of a core
   * on, or if none is recorded.
   */
  public static double shareOfOneThread(Timeline timeline) {
    return quota(timeline)
        .map(
            quota ->
                Math.max(
                    0,
                    1
                        - Durations.seconds(quota.quota().orElse(quota.period()))
                            / Durations.seconds(quota.period())))
        .orElse(0.0);
  }

  /** Length of one such stop on one core; at most a period. */
  public Duration stop(Duration period) {
    if (throttled == 0) {
      return Duration.ZERO;
    }
    Duration mean = throttledTime.dividedBy(throttled);
    return mean.compareTo(period) > 0 ? period : mean;
  }

  /** One entry for each stop inside the window. */
  List<Duration> stops(Timeline timeline) {
    return stops(timeline, shareInWindow);
  }

  /** One entry for each stop, for the given share of all stops. */
  private List<Duration> stops(Timeline timeline, double share) {
    return Collections.nCopies((int) Math.round(throttled * share), stop(period(timeline)));
  }

  public static Duration period(Timeline timeline) {
    return quota(timeline)
        .map(CpuQuota::period)
        .filter(period -> !period.isZero() && !period.isNegative())
        .orElse(USUAL_PERIOD);
  }

  /** The quota in force; empty if there is none or it is not recorded. */
  public static Optional<CpuQuota> quota(Timeline timeline) {
    return timeline.samples(CpuQuota.class).stream()
        .filter(quota -> quota.quota().isPresent())
        .reduce((earlier, later) -> later);
  }

  /** The last quota that was read in a window. */
  public static Optional<CpuQuota> quota(Timeline timeline, Window window) {
    return timeline.samples(CpuQuota.class, window).stream()
        .filter(quota -> quota.quota().isPresent())
        .reduce((earlier, later) -> later);
  }

  /** Where the quota, or its absence, was read. */
  public static Source settings(Timeline timeline) {
    return timeline.samples(CpuQuota.class).get(0).source();
  }

  /** Share of a window that the stops took, 0 to 1. */
  public static double shareStopped(Timeline timeline, Window window) {
    double seconds =
        of(timeline, window).stream()
            .flatMap(throttling -> throttling.stops(timeline).stream())
            .mapToDouble(Durations::seconds)
            .sum();
    return Math.min(1, seconds / window.seconds());
  }

  /**
   * Upper bound of the time lost to these stops, in thread-seconds: if all of them were in the
   * incident, and if the queue had to drain with the CPU time that the quota leaves.
   */
  public static double mostSeconds(Incident incident, Throttling throttling) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    double used =
        quota(timeline)
            .map(
                quota ->
                    CpuUse.of(timeline, window).map(CpuUse::jvm).orElse(0.0)
                        * MachineLoad.cores(timeline)
                        * Durations.seconds(quota.period())
                        / Durations.seconds(quota.quota().orElse(quota.period())))
            .orElse(0.0);
    return StopCost.keptOutSeconds(incident, throttling.stops(timeline, 1), window)
        / (1 - Math.min(Policy.FULL, used));
  }

  /**
   * Whether CPU loads from metrics may hide a used-up quota: they are shares of the container's
   * limit, there is a limit, and nothing counts the stops.
   */
  public static boolean mayBeHidden(Timeline timeline) {
    return MachineLoad.isMetered(timeline)
        && timeline.samples(ThrottleCount.class).isEmpty()
        && !isWithoutQuota(timeline)
        && (quota(timeline).isPresent() || timeline.jvm().isGivenFewer());
  }

  /** Whether the inputs say that there is no quota. */
  public static boolean isWithoutQuota(Timeline timeline) {
    List<CpuQuota> quotas = timeline.samples(CpuQuota.class);
    Optional<Instant> counted =
        timeline.samples(ThrottleCount.class).stream()
            .filter(count -> count.periods() > 0)
            .map(ThrottleCount::at)
            .findFirst();
    return !quotas.isEmpty() && quota(timeline).isEmpty() && counted.isEmpty();
  }
}
