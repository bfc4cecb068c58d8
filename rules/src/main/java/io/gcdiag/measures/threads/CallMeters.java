package io.gcdiag.measures.threads;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.requests.Meter;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Numbers;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Calls to one host in a window, by the client's own timer: how many ended and how long they took.
 *
 * @param target the host, as the client names it; {@code other services} without a name
 * @param perSecond calls that ended, by the second
 * @param meanSeconds how long they took on average
 */
public record CallMeters(String target, double perSecond, double meanSeconds, Source source) {

  public static final String BY_TIMER = "by the client's own timer";

  /** Requests in these calls at a time, on average (Little's law). */
  public double inProgress() {
    return perSecond * meanSeconds;
  }

  /**
   * Whether events have less than half of the calls that the timers count, and of their time: those
   * below a threshold, or beyond so many a second, are not recorded.
   */
  static boolean haveMostCalls(Timeline timeline, List<WaitSeries> recorded) {
    Window span = timeline.span();
    WaitSeries.Totals events = WaitSeries.totals(recorded, span);
    double least = Policy.MAJORITY * span.seconds();
    return events.count() < least * perSecond(timeline, span)
        && events.waitedSeconds() < least * inProgress(timeline, span);
  }

  /** Whether timers are the only source for calls: nothing else recorded them, or most of them. */
  public static boolean areAlone(Timeline timeline) {
    return !timeline.metrics(MetricMeaning.CALL_SECONDS).isEmpty()
        && UserWaits.of(timeline, WaitKind.DOWNSTREAM).isEmpty();
  }

  /**
   * The timers of a window by host. If several services report timers, or spans have the same
   * calls, those with the most time in calls.
   */
  public static List<CallMeters> of(Timeline timeline, Window window) {
    return byMachine(timeline.metrics(MetricMeaning.CALL_SECONDS)).values().stream()
        .max(Comparator.comparingDouble(CallMeters::seconds))
        .map(timers -> of(timeline, timers, MetricMeaning.CALLS, window))
        .orElse(List.of());
  }

  /** The parts of requests that spans show and that are no calls, by the name of the span. */
  public static List<CallMeters> steps(Timeline timeline, Window window) {
    List<MetricSeries> timers = timeline.metrics(MetricMeaning.STEP_SECONDS);
    return of(timeline, timers, MetricMeaning.STEPS, window);
  }

  private static SortedMap<String, List<MetricSeries>> byMachine(Collection<MetricSeries> timers) {
    SortedMap<String, List<MetricSeries>> machines = new TreeMap<>();
    timers.forEach(
        timer ->
            machines
                .computeIfAbsent(
                    how(timer.source()) + timer.labelsOfMachine(), any -> new ArrayList<>())
                .add(timer));
    return machines;
  }

  private static double seconds(List<MetricSeries> timers) {
    return timers.stream()
        .map(MetricSeries::points)
        .mapToDouble(read -> read.get(read.size() - 1).value() - read.get(0).value())
        .sum();
  }

  private static List<CallMeters> of(
      Timeline timeline, List<MetricSeries> timers, MetricMeaning counted, Window window) {
    List<CallMeters> calls = new ArrayList<>();
    for (MetricSeries timer : timers) {
      double seconds = Meter.perSecond(timer, window).orElse(0);
      counters(timeline, timer, counted)
          .filter(count -> count.labels().equals(timer.labels()))
          .filter(count -> Meter.grown(count, window).orElse(0) >= Policy.FEWEST_COUNTED)
          .findFirst()
          .map(count -> Meter.perSecond(count, window).orElse(0))
          .ifPresent(
              perSecond ->
                  calls.add(
                      new CallMeters(
                          target(timer), perSecond, seconds / perSecond, timer.source())));
    }
    return calls;
  }

  /** Of a database client the queries that it times. */
  private static Stream<MetricSeries> counters(
      Timeline timeline, MetricSeries timer, MetricMeaning counted) {
    return Stream.concat(
        timeline.metrics(MetricMeaning.QUERIES).stream()
            .filter(count -> stem(count).equals(stem(timer))),
        timeline.metrics(counted).stream());
  }

  /** A timer's name without {@code _count} or {@code _sum}. */
  private static String stem(MetricSeries series) {
    return series.name().replaceAll("[^A-Za-z0-9]?(?:count|sum)$", "");
  }

  private static String target(MetricSeries timer) {
    Map<String, String> labels = timer.labelsButMachine();
    return labels.isEmpty() ? "other services" : String.join(", ", labels.values());
  }

  /** The calls of an incident whose number in progress grew most. */
  public static Optional<CallMeters> mostGrown(Incident incident) {
    return of(incident.timeline(), incident.window()).stream()
        .max(
            Comparator.comparingDouble(
                now ->
                    now.inProgress()
                        - now.before(incident).map(CallMeters::inProgress).orElse(0.0)));
  }

  /** The same calls in the baseline. */
  public Optional<CallMeters> before(Incident incident) {
    return incident.baseline().flatMap(usual -> sameIn(of(incident.timeline(), usual)));
  }

  /** Those of the same target. */
  public Optional<CallMeters> sameIn(List<CallMeters> others) {
    return others.stream().filter(one -> one.target.equals(target)).findFirst();
  }

  /** How they were measured: {@code by spans}. */
  public String how() {
    return how(source);
  }

  private static String how(Source source) {
    return source.isOfSpans() ? "by spans" : BY_TIMER;
  }

  /**
   * The part of these calls that the called service takes, by its own spans.
   *
   * @param seconds of a call, on average
   * @param beforeSeconds until it begins, as far as clocks agree
   */
  public record Served(double seconds, double beforeSeconds) {}

  /** Empty unless spans of the called service are known for most of the calls. */
  public Optional<Served> served(Timeline timeline, Window window) {
    double count = ofThese(timeline, MetricMeaning.SERVED_CALLS, window);
    return count >= Policy.MAJORITY * perSecond
        ? Optional.of(
            new Served(
                ofThese(timeline, MetricMeaning.SERVED_SECONDS, window) / count,
                ofThese(timeline, MetricMeaning.BEFORE_SERVED_SECONDS, window) / count))
        : Optional.empty();
  }

  private double ofThese(Timeline timeline, MetricMeaning meaning, Window window) {
    return timeline.metrics(meaning).stream()
        .filter(series -> target(series).equals(target))
        .mapToDouble(series -> Meter.perSecond(series, window).orElse(0))
        .sum();
  }

  /** Whether they are of a statement, which stands behind the kind of its database. */
  public boolean isQuery() {
    return target.contains(": ");
  }

  /** All queries, or all other calls, of a request of a window, where requests are counted. */
  public OptionalDouble perRequest(Incident incident, Window window) {
    Timeline timeline = incident.timeline();
    double all =
        of(timeline, window).stream()
            .filter(one -> one.isQuery() == isQuery())
            .mapToDouble(CallMeters::perSecond)
            .sum();
    return Numbers.of(
        RequestRate.overTime(timeline, window), requests -> all / requests.perSecond());
  }

  /** Calls that ended, by the second, to all hosts. */
  static double perSecond(Timeline timeline, Window window) {
    return of(timeline, window).stream().mapToDouble(CallMeters::perSecond).sum();
  }

  /** Requests in calls at a time, on average, to all hosts. */
  public static double inProgress(Timeline timeline, Window window) {
    return of(timeline, window).stream().mapToDouble(CallMeters::inProgress).sum();
  }

  /**
   * Share of the incident's time in calls that is due to slower calls, compared with the baseline,
   * 0 to 1; empty without a baseline.
   */
  static OptionalDouble shareOfSlower(Incident incident) {
    Timeline timeline = incident.timeline();
    double now = inProgress(timeline, incident.window());
    if (incident.baseline().isEmpty() || now <= 0) {
      return OptionalDouble.empty();
    }
    double asBefore = 0;
    for (CallMeters call : of(timeline, incident.window())) {
      // A host without calls in the baseline has no slower ones.
      double usual = call.before(incident).map(CallMeters::meanSeconds).orElse(call.meanSeconds());
      asBefore += call.perSecond() * Math.min(usual, call.meanSeconds());
    }
    return OptionalDouble.of(Math.max(0, 1 - asBefore / now));
  }
}
