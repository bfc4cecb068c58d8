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
 * How the live set moved through the incident window.
 *
 * <p>A leak goes on as it began; a list that is loaded, a cache that is filled and a service that
 * warms up grow as a leak does, and level off. A leak that has filled the heap is flat, too: see
 * {@link FullHeap}.
 *
 * @param line bytes over seconds since the window's start
 * @param span the time looked at
 * @param basis what the points were read after
 * @param points how many points it rests on
 * @param levelsOff whether it grows much slower towards the end than before, or not at all
 * @param slopeAtEnd bytes per second in the second half, at most the line's: what fills up slows
 *     down
 * @param fullHeap whether steady growth has filled the heap
 * @param filling how full the heap is at the end
 * @param limit the heap's maximum size, where known
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

  /** Full within this many spans, that is within two more incident windows, is soon. */
  private static final int SOON_SPANS = 2;

  /**
   * Over the incident window; where that holds too little to tell, over all that is known, unless
   * nothing grew outside of the window: a leak does not wait for the incident, and requests that
   * pile up hold more for as long as they do.
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

  /** Also where that is too little to tell. */
  private static boolean growsOutside(Window window, LiveSet live) {
    return fit(
            live.points().stream().filter(point -> !window.contains(point.at())).toList(),
            window.from())
        .filter(line -> !isCertain(line))
        .isEmpty();
  }

  /** A log goes back further than a recording that was started during the incident. */
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
   * @param roomLeft whether it has as much free as it should, at its maximum size, and would still
   *     have some after two more such windows at the steepest slope that the points allow
   * @param seen whether at least a quarter of the maximum size was filled before our eyes, and that
   *     ended below {@link #FullHeap.AT_CEILING}
   */
  public record Filling(boolean roomLeft, boolean seen) {

    /** Beyond this share of the heap growth ends for lack of room. */
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
      return new Filling(
          most > 0 && 1 - atEnd / most >= wanted && steepest < most,
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
   * Growing, clearly, by an amount that matters, and not for want of a collection that clears old
   * garbage: between two of those the heap after young collections always grows.
   */
  public boolean growsWithoutBound() {
    boolean sustained = basis != Basis.YOUNG && rises() && watchedLongEnough();
    return sustained || fullHeap;
  }

  /**
   * Growing, clearly, and by an amount that matters, whatever the reason: 5 % of the heap is more
   * than drift, and after concurrent cycles more than the garbage that none of them clears.
   */
  boolean rises() {
    double growth = last().value() - (double) first().value();
    double ceiling = limit.map(Bytes::value).orElse(Math.max(first().value(), last().value()));
    double enough = basis == Basis.MARKED ? LiveSet.NEVER_CLEARED : Policy.NEGLIGIBLE;
    return isCertain() && growth > enough * ceiling && !levelsOff;
  }

  /** Growing, but by what nothing has cleared yet, be it alive or not. */
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

  /**
   * Whether a line through all of it climbs, though from most points to most others it does not.
   */
  public boolean risesInSteps() {
    return line.slopeLow() > 0 && line.theilSenSlope() <= 0 && !levelsOff;
  }

  /** Whether it is full already, or will be within twice the span that was looked at. */
  public boolean isFullSoon() {
    return fullHeap
        || untilFull()
            .filter(left -> left.compareTo(span.length().multipliedBy(SOON_SPANS)) < 0)
            .isPresent();
  }

  /**
   * Whether it was watched for long enough that "it does not grow" means something, and that growth
   * is no loading of data: what is loaded at once is loaded within ten seconds.
   */
  public boolean watchedLongEnough() {
    return span.length().compareTo(Policy.SUSTAINED) >= 0;
  }

  /**
   * Time until the maximum size, if it is soon and nothing has shown yet whether what rises is
   * alive.
   */
  public Optional<Duration> fullSoonIfAlive() {
    return mayRiseByGarbage()
        ? atSlopeOfEnd().filter(left -> left.compareTo(span.length().multipliedBy(SOON_SPANS)) < 0)
        : Optional.empty();
  }

  /**
   * Time until the maximum size at the slope of the end, if it grows and the maximum size is known.
   */
  public Optional<Duration> untilFull() {
    return growsWithoutBound() && !fullHeap ? atSlopeOfEnd() : Optional.empty();
  }

  private Optional<Duration> atSlopeOfEnd() {
    return limit.isPresent() && slopeAtEnd > 0
        ? Optional.of(untilFull(slopeAtEnd))
        : Optional.empty();
  }

  /** The soonest that may be, at the upper end of the slope's interval; if the time is known. */
  public Optional<Duration> untilFullAtLeast() {
    return untilFull().map(likely -> untilFull(line.slopeHigh()));
  }

  /** The latest, at the lower end, or at what the slope is towards the end if that is less. */
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
   * Whether it can be excluded that a leak made this incident: it does not grow, and either the
   * heap has room, or it was seen how the heap came to be as full as it is, and that this ended. A
   * heap that was full all along may have been filled by a leak over days, of which a minute shows
   * nothing.
   */
  public boolean excludesLeak() {
    return !rises()
        && !risesInSteps()
        && !fullHeap
        && watchedLongEnough()
        && (filling.roomLeft() || filling.seen() && levelsOff);
  }

  /** A line goes on where a heap cannot: the maximum size bounds what it says. */
  private Bytes onLine(double x) {
    long value = Math.max(0, Math.round(line.intercept() + line.slope() * x));
    return Bytes.of(limit.map(max -> Math.min(max.value(), value)).orElse(value));
  }

  /**
   * The live set over the time that the application ran. A leak grows only while it runs: near the
   * end collections take most of the time, and by the clock the growth slows down.
   *
   * @param seconds time since the window's start without the pauses, rising
   * @param bytes the live set
   */
  private record LiveSetCourse(double[] seconds, double[] bytes) {

    /** The last such part is compared with what was before. */
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
     * Whether the last third grows at less than half the pace of the time before. Both by the
     * robust slope, or by the ends where there are only two points.
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
      // The point before the border begins the last stretch and ends the one before.
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
