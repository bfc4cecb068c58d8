package io.gcdiag.measures.jvm;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.jvm.HeapSamples;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.jvm.LiveSet.Basis;
import io.gcdiag.measures.jvm.LiveSet.Point;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.TrendLine;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Nanos;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Trend of the live set through the incident window.
 *
 * <p>A leak grows at a constant rate. Loading a list, filling a cache and warm-up look the same at
 * first, and then level off. A leak that has filled the heap is flat, too: see {@link FullHeap}.
 *
 * @param line bytes over seconds since the window's start
 * @param basis the kind of collection after which the points were read
 * @param levelsOff whether growth towards the end is much slower than before, or has stopped
 * @param slopeAtEnd bytes per second in the second half, at most the line's slope: something that
 *     fills up slows down
 * @param fullHeap whether steady growth has filled the heap
 * @param filling how full the heap is at the end
 * @param limit the heap's maximum size, if known
 * @param source where the last point was read
 */
public record LiveSetTrend(
    TrendLine line,
    Window span,
    Basis basis,
    int points,
    boolean levelsOff,
    double slopeAtEnd,
    boolean fullHeap,
    Filling filling,
    Optional<Bytes> limit,
    Source source) {

  /** A heap that will be full within this many more incident windows is full soon. */
  private static final int SOON_SPANS = 2;

  /**
   * Over the incident window. If that has too little data, over everything known, unless nothing
   * grew outside of the window: a leak does not start with the incident, while piled-up requests
   * hold memory only as long as they last.
   */
  public static Optional<LiveSetTrend> of(Incident incident, HeapFigures heap) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    Optional<LiveSet> inside = heap.liveSet();
    boolean enough = window.length().compareTo(Policy.SUSTAINED) >= 0;
    if (inside.filter(live -> enough && live.basis() != Basis.YOUNG).isEmpty()) {
      Window all = allCollections(timeline);
      Optional<LiveSetTrend> wider =
          (all.equals(window) ? inside : LiveSet.in(timeline, all))
              .filter(live -> live.basis() != Basis.YOUNG)
              .filter(live -> growsOutside(window, live))
              .flatMap(live -> of(incident, all, live, heap));
      if (wider.isPresent()) {
        return wider;
      }
    }
    return inside.flatMap(live -> of(incident, window, live, heap));
  }

  /** Whether the live set grows outside of the window, or too little is known to exclude it. */
  private static boolean growsOutside(Window window, LiveSet live) {
    return fit(
            live.points().stream().filter(point -> !window.contains(point.at())).toList(),
            window.from())
        .filter(line -> !isCertain(line))
        .isEmpty();
  }

  /** A log may begin earlier than a recording that was started during the incident. */
  private static Window allCollections(Timeline timeline) {
    Window span = timeline.span();
    return timeline.pauses().stream()
        .findFirst()
        .map(GcPause::start)
        .filter(first -> first.isBefore(span.from()))
        .map(first -> new Window(first, span.to()))
        .orElse(span);
  }

  private static Optional<LiveSetTrend> of(
      Incident incident, Window window, LiveSet live, HeapFigures heap) {
    List<Point> points = live.points();
    return fit(points, window.from())
        .map(
            line ->
                new LiveSetTrend(
                    line,
                    window,
                    live.basis(),
                    points.size(),
                    LiveSetCourse.of(incident.timeline(), window, live.seen()).levelsOff(),
                    slopeAtEnd(points, window, line),
                    FullHeap.bySteadyGrowth(incident, heap.liveSet()),
                    Filling.of(incident, heap.room(), line, points.get(points.size() - 1).bytes()),
                    incident.timeline().jvm().maxHeap(),
                    points.get(points.size() - 1).source()));
  }

  private static double slopeAtEnd(List<Point> points, Window window, TrendLine line) {
    Instant middle = window.from().plus(window.length().dividedBy(2));
    return fit(points.stream().filter(p -> !p.at().isBefore(middle)).toList(), window.from())
        .map(late -> Math.min(line.slope(), late.theilSenSlope()))
        .orElse(line.slope());
  }

  static Optional<TrendLine> fit(List<Point> points, Instant start) {
    return TrendLine.fit(
        points.stream().mapToDouble(point -> point.secondsSince(start)).toArray(),
        points.stream().mapToDouble(Point::bytes).toArray());
  }

  /**
   * How full the heap is at the end of the window.
   *
   * @param asMuchFree whether the heap at its maximum size has as much free as it should
   * @param roomLeft whether it has, and would still have some after two more such windows at the
   *     steepest slope that the points allow
   * @param seen whether at least a quarter of the maximum size was filled within the data, and that
   *     growth ended below {@link FullHeap#AT_CEILING}
   */
  public record Filling(boolean asMuchFree, boolean roomLeft, boolean seen) {

    static Filling of(Incident incident, Optional<HeapRoom> room, TrendLine line, double atEnd) {
      Timeline timeline = incident.timeline();
      Window window = incident.window();
      double ceiling = timeline.jvm().maxHeap().map(Bytes::value).orElse(0L);
      double committed =
          room.map(typical -> (double) typical.typical().committed().value()).orElse(0.0);
      double steepest = atEnd + line.slopeHigh() * SOON_SPANS * window.seconds();
      double wanted = HeapRoom.Wanted.of(timeline.jvm()).ratio().value();
      HeapSamples seen = timeline.heap(FullHeap.seen(incident));
      double least = IntStream.range(0, seen.size()).mapToDouble(seen::used).min().orElse(atEnd);
      double most = Math.max(ceiling, committed);
      boolean asMuchFree = most > 0 && 1 - atEnd / most >= wanted;
      return new Filling(
          asMuchFree,
          asMuchFree && steepest < most,
          most > 0
              && atEnd - least >= Policy.SUBSTANTIAL * most
              && atEnd < FullHeap.AT_CEILING * committed);
    }
  }

  /** The live set at the start of the span, on the line. */
  public Bytes first() {
    return onLine(0);
  }

  /** The live set at its end, on the line. */
  public Bytes last() {
    return onLine(span.seconds());
  }

  /**
   * Whether it clearly grows by a relevant amount, and not only because no collection has cleared
   * old garbage: between two of those the heap after young collections always grows.
   */
  public boolean growsWithoutBound() {
    boolean sustained = basis != Basis.YOUNG && rises() && watchedLongEnough();
    return sustained || fullHeap;
  }

  /**
   * Whether it clearly grows by a relevant amount, for any reason. 5 % of the heap is more than
   * drift; after concurrent cycles it must be more than the garbage that these leave.
   */
  boolean rises() {
    double growth = last().value() - (double) first().value();
    double ceiling = limit.map(Bytes::value).orElse(Math.max(first().value(), last().value()));
    double enough = basis == Basis.MARKED ? LiveSet.NEVER_CLEARED : Policy.NEGLIGIBLE;
    return isCertain() && growth > enough * ceiling && !levelsOff;
  }

  /** Whether it grows by objects that no collection could have cleared yet, alive or not. */
  public boolean mayRiseByGarbage() {
    return rises() && basis == Basis.YOUNG;
  }

  /** Whether the slope is known to be above zero. */
  public boolean isCertain() {
    return isCertain(line);
  }

  private static boolean isCertain(TrendLine line) {
    return line.slopeLow() > 0 && line.theilSenSlope() > 0;
  }

  /** Whether the slope is known to be below zero. */
  public boolean falls() {
    return line.slopeHigh() < 0 && line.theilSenSlope() < 0;
  }

  /** Whether the fitted line rises although the median slope does not. */
  public boolean risesInSteps() {
    return line.slopeLow() > 0 && line.theilSenSlope() <= 0 && !levelsOff;
  }

  /** Whether the heap is full, or will be within twice the span examined. */
  public boolean isFullSoon() {
    return fullHeap
        || untilFull()
            .filter(left -> left.compareTo(span.length().multipliedBy(SOON_SPANS)) < 0)
            .isPresent();
  }

  /**
   * Whether the span is long enough that no growth is evidence, and growth is not just loading of
   * data, which takes less than ten seconds.
   */
  public boolean watchedLongEnough() {
    return span.length().compareTo(Policy.SUSTAINED) >= 0;
  }

  /**
   * Time until the maximum size, if that is soon and nothing shows yet whether the growth is alive.
   * While the heap at its maximum size has as much free after collections as it should, the growth
   * is what young collections leave for the next full or mixed one.
   */
  public Optional<Duration> fullSoonIfAlive() {
    return mayRiseByGarbage() && !filling.asMuchFree()
        ? atSlopeOfEnd().filter(left -> left.compareTo(span.length().multipliedBy(SOON_SPANS)) < 0)
        : Optional.empty();
  }

  /** Time until the maximum size at the final slope, if it grows and the maximum size is known. */
  public Optional<Duration> untilFull() {
    return growsWithoutBound() && !fullHeap ? atSlopeOfEnd() : Optional.empty();
  }

  private Optional<Duration> atSlopeOfEnd() {
    return limit.isPresent() && slopeAtEnd > 0
        ? Optional.of(untilFull(slopeAtEnd))
        : Optional.empty();
  }

  /** Lower bound of that time, from the upper end of the slope's interval; if the time is known. */
  public Optional<Duration> untilFullAtLeast() {
    return untilFull().map(likely -> untilFull(line.slopeHigh()));
  }

  /**
   * Upper bound of that time, from the lower end of the slope's interval, or from the final slope
   * if that is smaller.
   */
  public Optional<Duration> untilFullAtMost() {
    return untilFull()
        .filter(likely -> line.slopeLow() > 0)
        .map(likely -> untilFull(Math.min(line.slopeLow(), slopeAtEnd)));
  }

  private Duration untilFull(double bytesPerSecond) {
    double seconds = (limit.orElseThrow().value() - last().value()) / bytesPerSecond;
    return Duration.ofSeconds(Math.max(0, Math.round(seconds)));
  }

  /**
   * Whether a leak can be excluded as a cause of this incident: the live set does not grow, and
   * either the heap has free memory, or the data show how it filled up and that this ended. A heap
   * that was full all the time may have been filled by a leak over days, which a minute of data
   * cannot show.
   */
  public boolean excludesLeak() {
    return !rises()
        && !risesInSteps()
        && !fullHeap
        && watchedLongEnough()
        && (filling.roomLeft() || filling.seen() && levelsOff);
  }

  /** The fitted line, limited by the maximum heap size. */
  private Bytes onLine(double x) {
    long value = Math.max(0, Math.round(line.intercept() + line.slope() * x));
    return Bytes.of(limit.map(max -> Math.min(max.value(), value)).orElse(value));
  }

  /**
   * The live set over the running time of the application. A leak grows only while the application
   * runs. Near the end GC takes most of the time, and by the clock the growth would slow down.
   *
   * @param seconds time since the window's start without the pauses, ascending
   */
  private record LiveSetCourse(double[] seconds, double[] bytes) {

    /** The part after this share of the time is compared with the part before. */
    private static final double EARLY_PART = 2 / 3.0;

    static LiveSetCourse of(Timeline timeline, Window window, List<Point> points) {
      Pauses pauses = timeline.pauses(window);
      double[] seconds = new double[points.size()];
      double stopped = 0;
      int next = 0;
      for (int i = 0; i < seconds.length; i++) {
        Point point = points.get(i);
        long at = Nanos.since1970(point.at());
        while (next < pauses.size() && pauses.startNanos(next) < at) {
          stopped += pauses.seconds(next++);
        }
        seconds[i] = point.secondsSince(window.from()) - stopped;
      }
      return new LiveSetCourse(seconds, points.stream().mapToDouble(Point::bytes).toArray());
    }

    /**
     * Whether the last third grows at less than half the rate of the time before. Uses the robust
     * slope, or the end points if there are only two points.
     */
    boolean levelsOff() {
      if (seconds.length < 2) {
        return false;
      }
      double first = seconds[0];
      double border = first + EARLY_PART * (seconds[seconds.length - 1] - first);
      int late = 0;
      while (late < seconds.length && seconds[late] < border) {
        late++;
      }
      // The point before the border belongs to both parts.
      int shared = Math.max(0, late - 1);
      return late >= 2
          && seconds.length - shared >= 2
          && pace(shared, seconds.length) < Policy.MAJORITY * pace(0, late);
    }

    private double pace(int from, int to) {
      double span = seconds[to - 1] - seconds[from];
      double byTheEnds = span <= 0 ? 0 : (bytes[to - 1] - bytes[from]) / span;
      Optional<TrendLine> line =
          TrendLine.fit(Arrays.copyOfRange(seconds, from, to), Arrays.copyOfRange(bytes, from, to));
      return line.map(TrendLine::theilSenSlope).orElse(byTheEnds);
    }
  }
}
