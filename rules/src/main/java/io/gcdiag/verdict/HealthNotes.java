package io.gcdiag.verdict;

import io.gcdiag.books.Attribution;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.causes.memory.LiveSetGrowthRule;
import io.gcdiag.causes.waits.DeadlockedThreadsRule;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.figures.NotableEvents;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.jvm.CpuUse;
import io.gcdiag.measures.requests.LoadTestDelays;
import io.gcdiag.measures.requests.RequestExcess;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.measures.requests.TestedRequests;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.Percentiles;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Rate;
import io.gcdiag.units.Ratio;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What a healthy report tells beside that: little that was lost, what changed, what may come.
 *
 * @param judgements of all causes, the strongest first
 * @param attribution who has how much of the lost time
 */
record HealthNotes(Case incident, List<Judgement> judgements, Attribution attribution) {

  /** Effects that are queues: a few requests carry all of the waiting. */
  private static final List<Effect> QUEUES =
      List.of(Effect.POOL_WAIT, Effect.LOCK_WAIT, Effect.WORKER_WAIT);

  private static final String OTHERS_WAIT =
      " Threads wait for a connection, more of them than the load test can have requests in progress:"
          + " they work for no request.";

  /** Each note starts with a space; empty if there is none. */
  String sentences() {
    return noticed()
        + queued()
        + busier()
        + (incident.effects().isPoolOfOthers() ? OTHERS_WAIT : "")
        + neverSilent("");
  }

  /**
   * Notes that every report without a suspect needs and that were not printed yet, each with a
   * leading space.
   */
  String neverSilent(String said) {
    List<String> events =
        NotableEvents.of(incident.timeline()).stream()
            .filter(event -> !said.contains(event))
            .toList();
    return (events.isEmpty() ? "" : " Notable: " + String.join("; ", events) + ".")
        + toWatch(LiveSetGrowthRule.FULL_IF_ALIVE, said)
        + toWatch(DeadlockedThreadsRule.DEADLOCKED, said);
  }

  /**
   * What a reader who asks for better than healthy should look at. The lost time is compared with
   * the median latency: where a request loses a quarter of it on average, or the 99th percentile is
   * long and many times the median, and one cause explains most of the lost time, that cause is
   * named, however little it is.
   */
  private String noticed() {
    return lostOfMedian() < Policy.SUBSTANTIAL && !isTailLong()
        ? ""
        : judgements.stream()
            .filter(judgement -> judgement.verdict() == Verdict.NOT_INDICATED)
            .filter(judgement -> attribution.share(judgement.hypothesis()) > Policy.MAJORITY)
            .findFirst()
            .map(
                judgement ->
                    " Most of the little lost time (%s) is explained by %s: %s."
                        .formatted(
                            new Ratio(attribution.share(judgement.hypothesis())),
                            judgement.hypothesis().id(),
                            judgement.reason()))
            .orElse("");
  }

  /**
   * What the slowest requests wait for, if they take at least twice as long as most. If one request
   * in 100 waits for the difference, the mean wait is 1 % of the difference, and a queue with that
   * mean wait explains all of it. More waiting than all requests of a load test lost is that of
   * other threads.
   */
  private String queued() {
    Optional<Duration> p99 = tested(Percentiles.TAIL);
    Optional<Duration> p50 = tested(Percentiles.MEDIAN);
    Optional<Rate> rate = RequestRate.of(incident.timeline(), incident.window());
    if (p99.isEmpty() || p50.isEmpty() || rate.isEmpty()) {
      return "";
    }
    Duration longer = p99.get().minus(p50.get());
    Effect most =
        QUEUES.stream().max(Comparator.comparingDouble(incident.effects()::during)).orElseThrow();
    double waiting = incident.effects().during(most);
    double each = waiting / rate.get().perSecond();
    boolean ofOthers =
        waiting * incident.window().seconds() > RequestExcess.mostInRun(incident.timeline());
    return ofOthers
            || longer.compareTo(p50.get()) < 0
            || each < Policy.TAIL * Durations.seconds(longer)
        ? ""
        : (" A few requests are delayed, %s: %s per request on average, enough for a P99"
                + " latency of %s.")
            .formatted(
                most.title(),
                Durations.format(Durations.ofSeconds(each)),
                Durations.format(p99.get()));
  }

  private Optional<Duration> tested(double percent) {
    return TestedRequests.of(incident).flatMap(stats -> stats.percentile(percent));
  }

  private boolean isTailLong() {
    Optional<Duration> p99 = tested(Percentiles.TAIL);
    Optional<Duration> p50 = tested(Percentiles.MEDIAN);
    return p99.isPresent() && p50.isPresent() && LoadTestDelays.isQueued(p99.get(), p50.get());
  }

  /**
   * Of a service that became slower it is worth knowing that it computes more than before, also
   * where no thread is seen to wait: how long requests compute is in no wait.
   */
  private String busier() {
    Timeline timeline = incident.timeline();
    double now = CpuUse.of(timeline, incident.window()).map(CpuUse::service).orElse(0.0);
    Optional<CpuUse> usual = incident.baseline().flatMap(baseline -> CpuUse.of(timeline, baseline));
    return usual
        .filter(
            baseline -> now >= Math.max(Policy.MAJORITY, Policy.CLEARLY_MORE * baseline.service()))
        .map(
            baseline ->
                (" What changed: the service uses %s of the CPU (before: %s): more requests, or"
                        + " more CPU time per request.")
                    .formatted(new Ratio(now), new Ratio(baseline.service())))
        .orElse("");
  }

  /** What the first finding with that value states. */
  private String toWatch(String value, String said) {
    return judgements.stream()
        .flatMap(judgement -> judgement.findings().stream())
        .filter(finding -> finding.values().containsKey(value))
        .map(Finding::statement)
        .findFirst()
        .filter(statement -> !said.contains(statement))
        .map(statement -> " To watch: " + statement + ".")
        .orElse("");
  }

  /** Time lost to known causes, a request on average, as a part of the median; 0 if not known. */
  private double lostOfMedian() {
    Window window = incident.window();
    double lost = Hypothesis.catalogue().stream().mapToDouble(attribution::seconds).sum();
    double requests =
        RequestRate.of(incident.timeline(), window)
            .map(rate -> rate.perSecond() * window.seconds())
            .orElse(0.0);
    double median = tested(Percentiles.MEDIAN).map(Durations::seconds).orElse(0.0);
    return requests > 0 && median > 0 ? lost / requests / median : 0;
  }
}
