package io.gcdiag.measures;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.jvm.JvmSample.ThrownExceptions;
import io.gcdiag.evidence.threads.LoggedError;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.SampledCalls;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Numbers;
import java.util.List;
import java.util.Optional;

/**
 * Calls that no event shows because they end by their timeout: from JDK 22 on {@code
 * java.net.Socket} writes {@code jdk.SocketRead} for a read that returns, but none for a read that
 * throws (JDK-8308995). Samples of threads in native calls find them.
 *
 * @param during threads in calls on average in the incident, by samples
 * @param before the same in the baseline; empty without one
 * @param recorded threads in calls on average in the incident, by events
 * @param thrown whether exceptions or a log show that reads timed out
 * @param shareOfUnaccounted share of the unaccounted time, 0 to 1
 */
public record TimedOutReads(
    double during,
    Optional<Double> before,
    double recorded,
    boolean thrown,
    double shareOfUnaccounted) {

  private static final String TIMEOUT = "java.net.SocketTimeoutException";

  /**
   * Empty if events show most of the time that samples do, if it hardly grew against the baseline,
   * and on a JDK that records such reads.
   */
  public static Optional<TimedOutReads> of(Incident incident, EffectTimes times) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    double during = SampledCalls.threads(timeline, window);
    double recorded = WaitSeries.threads(UserWaits.of(timeline, WaitKind.DOWNSTREAM), window);
    if (timeline.jvm().oldestRelease().orElse(0) < JvmFacts.WITHOUT_TIMED_OUT_READS
        || during < Policy.LEAST_THREADS_FELT
        || recorded >= Policy.SUBSTANTIAL * during
        || isThrottled(timeline, window)) {
      return Optional.empty();
    }
    Optional<Double> before =
        incident.baseline().map(baseline -> SampledCalls.threads(timeline, baseline));
    double more = during - before.orElse(0.0) * RequestRate.busier(incident);
    if (more < Policy.SAMPLES_GOOD_TO * during) {
      return Optional.empty();
    }
    double unaccounted = times.excessSeconds(Effect.UNACCOUNTED);
    return Optional.of(
        new TimedOutReads(
            during,
            before,
            recorded,
            isThrown(timeline, window),
            unaccounted > 0 && before.isPresent()
                ? Math.min(1, more * window.seconds() / unaccounted)
                : 0));
  }

  /**
   * How many of the recorded exceptions are those of reads that timed out, in words; empty if none
   * is, and on a JDK that records such reads.
   */
  public static Optional<String> amongExceptions(Timeline timeline) {
    List<ThrownExceptions> thrown = timeline.samples(ThrownExceptions.class);
    long reads =
        thrown.stream()
            .filter(exception -> exception.type().equals(TIMEOUT))
            .mapToLong(ThrownExceptions::count)
            .sum();
    long all = thrown.stream().mapToLong(ThrownExceptions::count).sum();
    return reads == 0 || timeline.jvm().oldestRelease().orElse(0) < JvmFacts.WITHOUT_TIMED_OUT_READS
        ? Optional.empty()
        : Optional.of(
            "%s of %s recorded exceptions are %s"
                .formatted(Numbers.count(reads), Numbers.count(all), TIMEOUT));
  }

  /**
   * False if the rate of reads is well below the recording's throttle, so that none was dropped.
   */
  private static boolean isThrottled(Timeline timeline, Window window) {
    double reads =
        timeline.waits(WaitKind.DOWNSTREAM).stream()
            .mapToDouble(series -> series.within(window).count())
            .sum();
    return reads >= Policy.MAJORITY * JvmFacts.READS_KEPT_PER_SECOND * window.seconds();
  }

  /**
   * JDK 25.0.3 gives exceptions the timestamp of the JVM's start, so exceptions of any time count.
   */
  private static boolean isThrown(Timeline timeline, Window window) {
    List<LoggedError> logged = timeline.samples(LoggedError.class, window);
    return timeline.samples(ThrownExceptions.class).stream()
            .anyMatch(exception -> exception.type().equals(TIMEOUT))
        || logged.stream().anyMatch(error -> error.kind() == LoggedError.Kind.CALL_TIMEOUT);
  }
}
