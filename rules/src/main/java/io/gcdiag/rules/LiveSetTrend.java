package io.gcdiag.rules;

import io.gcdiag.evidence.GcPause;
import io.gcdiag.evidence.HeapChange;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.PauseKind;
import io.gcdiag.evidence.Source;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.Window;
import io.gcdiag.stats.TrendLine;
import io.gcdiag.units.Bytes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * How the live set moved: the heap in use after collections that clear old garbage (full and mixed
 * ones), else the lowest use after any collection in each slice of time.
 *
 * <p>Use after young collections holds old garbage too, so that its growth shows no leak; that it
 * does not grow shows that there is none.
 *
 * <p>Only the later half of the incident window counts: a cache that fills to its bound grows as a
 * leak does, and levels off. Growth that ends is no leak.
 *
 * @param line bytes over seconds, in the later half
 * @param span the half of the time looked at
 * @param points how many points it rests on
 * @param onFullCollections whether the points are full or mixed collections
 * @param cleared whether old garbage had its chance to be cleared: by such collections, or by a
 *     concurrent marking that ended in time and found nothing worth collecting
 * @param levelsOff whether it grows much slower towards the end than before, or not at all
 * @param stoppedByCeiling whether it is flat only because it grew steadily, from the calm on, until
 *     the heap's ceiling stopped it
 * @param limit the heap's ceiling, where known
 * @param source where the points were read
 */
record LiveSetTrend(
    TrendLine line,
    Window span,
    int points,
    boolean onFullCollections,
    boolean cleared,
    boolean levelsOff,
    boolean stoppedByCeiling,
    Optional<Bytes> limit,
    Source source) {

  /** Slices for the lowest use: enough for a slope, each long enough to hold a few collections. */
  private static final int SLICES = 16;

  /** Fewer points than this make no trend worth naming. */
  private static final int FEWEST_POINTS = 5;

  /** Growth over the half below this share of the ceiling is drift, not a leak. */
  private static final double WORTH_NAMING = 0.05;

  /** A live set that is level for less than this may be resting between two steps. */
  private static final Duration LONG_ENOUGH = Duration.ofSeconds(10);

  /** So much of the ceiling in use after collections leaves a leak no room to grow. */
  private static final double AT_CEILING = 0.85;

  /** A slope that falls below half of what it was is the end of a ramp. */
  private static final double GOING_ON = 0.5;

  /** Slopes within this factor are one steady growth. */
  private static final double ABOUT_THE_SAME = 3;

  /** Full within this many spans, that is within another incident window, is soon. */
  private static final int SOON_SPANS = 2;

  /** The last such part of the span is left to the collections that follow a marking. */
  private static final int CHANCE_TO_CLEAR_PART = 4;

  static Optional<LiveSetTrend> of(Incident incident) {
    Timeline timeline = incident.timeline();
    Window whole = incident.windows().incident();
    Window later = new Window(whole.from().plus(whole.length().dividedBy(2)), whole.to());
    List<GcPause> measured =
        timeline.pauses(later).stream().filter(pause -> pause.heap().isPresent()).toList();
    List<GcPause> clearing =
        measured.stream()
            .filter(pause -> pause.kind() == PauseKind.FULL || pause.kind() == PauseKind.MIXED)
            .toList();
    boolean full = clearing.size() >= FEWEST_POINTS;
    List<GcPause> points = full ? clearing : lowest(measured, later);
    if (points.size() < FEWEST_POINTS) {
      return Optional.empty();
    }
    boolean marked =
        timeline.pauses(later).stream()
            .filter(pause -> pause.kind() == PauseKind.REMARK)
            .anyMatch(pause -> pause.start().isBefore(later.to().minus(chanceToClear(later))));
    double[] used = clipped(points, measured);
    boolean levelsOff = levelsOff(points, used, later);
    return fit(points, used, later)
        .map(
            line ->
                new LiveSetTrend(
                    line,
                    later,
                    points.size(),
                    full,
                    full || marked,
                    levelsOff,
                    isStoppedByCeiling(incident, line),
                    timeline.jvm().maxHeap(),
                    points.get(points.size() - 1).source()));
  }

  /**
   * Mixed collections follow a marking within a few young ones, if there is anything to collect.
   */
  private static Duration chanceToClear(Window window) {
    return window.length().dividedBy(CHANCE_TO_CLEAR_PART);
  }

  /**
   * Use after each collection, at most what a later full collection left: what that one cleared was
   * garbage before already.
   */
  private static double[] clipped(List<GcPause> points, List<GcPause> measured) {
    double[] used = new double[points.size()];
    for (int i = 0; i < used.length; i++) {
      GcPause point = points.get(i);
      used[i] =
          measured.stream()
              .filter(pause -> pause.kind() == PauseKind.FULL)
              .filter(pause -> pause.start().isAfter(point.start()))
              .mapToDouble(LiveSetTrend::used)
              .reduce(used(point), Math::min);
    }
    return used;
  }

  /** A ramp that ends in a level is a cache that was filled; a leak goes on as it began. */
  private static boolean levelsOff(List<GcPause> points, double[] used, Window window) {
    int half = points.size() / 2;
    if (half < TrendLine.FEWEST_POINTS) {
      return false;
    }
    Optional<TrendLine> early =
        fit(points.subList(0, half), Arrays.copyOfRange(used, 0, half), window);
    Optional<TrendLine> late =
        fit(
            points.subList(half, points.size()),
            Arrays.copyOfRange(used, half, used.length),
            window);
    return early.isPresent()
        && late.isPresent()
        && late.get().theilSenSlope() < GOING_ON * early.get().theilSenSlope();
  }

  private static Optional<TrendLine> fit(List<GcPause> points, double[] used, Window window) {
    return TrendLine.fit(points.stream().mapToDouble(p -> at(p, window)).toArray(), used);
  }

  /**
   * A leak that has reached the ceiling is flat there. It differs from a cache that was filled in
   * one go by the steady growth before: in both halves of the calm, at about the same slope.
   */
  private static boolean isStoppedByCeiling(Incident incident, TrendLine line) {
    Optional<Bytes> limit = incident.timeline().jvm().maxHeap();
    Optional<Window> calm = incident.windows().baseline();
    if (limit.isEmpty() || calm.isEmpty() || line.intercept() < AT_CEILING * limit.get().value()) {
      return false;
    }
    Instant middle = calm.get().from().plus(calm.get().length().dividedBy(2));
    Optional<TrendLine> first = envelope(incident, new Window(calm.get().from(), middle));
    Optional<TrendLine> second = envelope(incident, new Window(middle, calm.get().to()));
    if (first.isEmpty() || second.isEmpty()) {
      return false;
    }
    double early = first.get().slope();
    double late = second.get().slope();
    return first.get().slopeLow() > 0
        && second.get().slopeLow() > 0
        && late < ABOUT_THE_SAME * early
        && early < ABOUT_THE_SAME * late;
  }

  private static Optional<TrendLine> envelope(Incident incident, Window window) {
    List<GcPause> measured =
        incident.timeline().pauses(window).stream().filter(p -> p.heap().isPresent()).toList();
    List<GcPause> points = lowest(measured, window);
    return points.size() < TrendLine.FEWEST_POINTS
        ? Optional.empty()
        : fit(points, clipped(points, measured), window);
  }

  /** The live set at the start of the span, on the line. */
  Bytes first() {
    return onLine(0);
  }

  /** The live set at its end, on the line. */
  Bytes last() {
    return onLine(span.seconds());
  }

  /**
   * Growing, clearly, by an amount that matters, and not for want of a collection that clears old
   * garbage: between two of those the heap after young collections always grows.
   */
  boolean growsWithoutBound() {
    return cleared && rises() && watchedLongEnough() || stoppedByCeiling;
  }

  /** Growing, clearly, and by an amount that matters, whatever the reason. */
  boolean rises() {
    double growth = last().value() - (double) first().value();
    double enough =
        WORTH_NAMING * limit.map(Bytes::value).orElse(Math.max(first().value(), last().value()));
    return line.slopeLow() > 0 && line.theilSenSlope() > 0 && growth > enough && !levelsOff;
  }

  /** Whether it is full already, or will be within twice the span that was looked at. */
  boolean isFullSoon() {
    return stoppedByCeiling
        || untilFull()
            .filter(left -> left.compareTo(span.length().multipliedBy(SOON_SPANS)) < 0)
            .isPresent();
  }

  /** Whether it was watched for long enough that "it does not grow" means something. */
  boolean watchedLongEnough() {
    return span.length().compareTo(LONG_ENOUGH) >= 0;
  }

  /** Time until the ceiling at this slope, if it grows and the ceiling is known. */
  Optional<Duration> untilFull() {
    if (!growsWithoutBound() || stoppedByCeiling || limit.isEmpty()) {
      return Optional.empty();
    }
    double seconds = (limit.get().value() - last().value()) / line.slope();
    return Optional.of(Duration.ofSeconds(Math.max(0, Math.round(seconds))));
  }

  /** A line goes on where a heap cannot: the ceiling bounds what it says. */
  private Bytes onLine(double x) {
    long value = Math.max(0, Math.round(line.intercept() + line.slope() * x));
    return Bytes.of(limit.map(max -> Math.min(max.value(), value)).orElse(value));
  }

  private static List<GcPause> lowest(List<GcPause> pauses, Window window) {
    Duration slice = window.length().dividedBy(SLICES);
    List<GcPause> lowest = new ArrayList<>();
    for (int i = 0; i < SLICES && !slice.isZero(); i++) {
      Instant from = window.from().plus(slice.multipliedBy(i));
      Window part = new Window(from, from.plus(slice));
      pauses.stream()
          .filter(pause -> part.contains(pause.start()))
          .min(Comparator.comparingDouble(LiveSetTrend::used))
          .ifPresent(lowest::add);
    }
    return lowest;
  }

  private static double at(GcPause pause, Window window) {
    return Duration.between(window.from(), pause.start()).toNanos() / 1e9;
  }

  private static double used(GcPause pause) {
    return pause.heap().map(HeapChange::usedAfter).map(Bytes::value).orElse(0L);
  }
}
