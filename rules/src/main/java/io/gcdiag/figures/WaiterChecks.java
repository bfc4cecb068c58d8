package io.gcdiag.figures;

import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries.Point;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.threads.WaitingThreads;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.figures.CrossCheck.Agreement;
import io.gcdiag.figures.CrossCheck.Side;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.PoolMeters;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.UtcText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * How many threads wait for a connection, as thread dumps, the recording and the pool's own gauge
 * tell it. A queue comes and goes within seconds, and a recording holds no wait that had not ended
 * when it did: numbers that differ for one of these reasons contradict nothing.
 */
final class WaiterChecks {

  /** Waits below the recording's threshold are in the dump only: so many threads are no matter. */
  private static final double FEW_THREADS = 3;

  /** The same as a share of the threads in the dump. */
  private static final double FEW_OF_THREADS = 0.1;

  /** Numbers of threads that differ by less than this are one number. */
  private static final double SAME_NUMBER = 0.5;

  /** A scrape further from a dump than this shows another moment. */
  private static final Duration SCRAPES_APART = Duration.ofSeconds(15);

  /** Queues of requests grow and drain within seconds; a gauge is a moment between two others. */
  private static final double PENDING_TOLERANCE = 0.25;

  /** A dump's clock has whole seconds: waiting threads are compared over the second after it. */
  private static final Duration DUMP_CLOCK = Duration.ofSeconds(1);

  /** HikariCP and Tomcat JDBC give up after 30 s by default: no wait lasts longer. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

  private static final String UNENDED = "open: a wait that outlasts the recording is not in it";

  private final Timeline timeline;
  private final List<WaitSeries> parks;
  private final boolean recorded;

  private WaiterChecks(Timeline timeline) {
    this.timeline = timeline;
    this.parks = timeline.waits(WaitKind.POOL);
    this.recorded = timeline.sees(Signal.THREAD_PARKS);
  }

  /** Every dump against the recording and the gauge, and the gauge against the recording. */
  static List<CrossCheck> of(Timeline timeline) {
    WaiterChecks waiters = new WaiterChecks(timeline);
    List<CrossCheck> checks = new ArrayList<>();
    timeline.dumps().forEach(dump -> waiters.dumpAndParks(dump).ifPresent(checks::add));
    PoolMeters.of(timeline)
        .ifPresent(
            meters -> {
              timeline
                  .dumps()
                  .forEach(dump -> waiters.dumpAndGauge(meters, dump).ifPresent(checks::add));
              waiters.gaugeAndParks(meters).ifPresent(checks::add);
            });
    return checks;
  }

  private static long waiting(ThreadSnapshot dump) {
    return dump.count(ThreadActivity.WAITING_FOR_POOL);
  }

  /** Those of them that have no events: the JVM records no parks of virtual threads. */
  private static long virtual(ThreadSnapshot dump) {
    return dump.threads().stream()
        .filter(ThreadState::virtual)
        .filter(thread -> thread.is(ThreadActivity.WAITING_FOR_POOL))
        .count();
  }

  private Optional<CrossCheck> dumpAndParks(ThreadSnapshot dump) {
    long dumped = waiting(dump) - virtual(dump);
    if (dump.at().isEmpty()
        || !timeline.span().contains(dump.at().get())
        || !recorded
        || dumped == 0 && parks.isEmpty()) {
      return Optional.empty();
    }
    Instant at = dump.at().get();
    Parked parked = parked(at, at.plus(DUMP_CLOCK), dumped);
    double room = Math.max(FEW_THREADS, FEW_OF_THREADS * dumped);
    Agreement agreement = agreement(dumped, parked, room, at);
    return Optional.of(
        new CrossCheck(
                fact(at),
                new Side(dump.source(), dumped),
                new Side(parkSource(), parked.closest()),
                dumped + " in the dump, " + parked.text() + " recorded in that second",
                agreement,
                agreement == Agreement.OPEN
                    ? UNENDED
                    : "the dump's number lies within the recorded ones, give or take 10 %")
            .at(new Window(at, at.plus(DUMP_CLOCK)), Effect.POOL_WAIT));
  }

  /**
   * The dump and the scrape next to it; where they differ, the recording shows what was between.
   */
  private Optional<CrossCheck> dumpAndGauge(PoolMeters meters, ThreadSnapshot dump) {
    if (dump.at().isEmpty()) {
      return Optional.empty();
    }
    Instant at = dump.at().get();
    double dumped = waiting(dump);
    Optional<Point> scrape =
        meters.pendingNear(at, SCRAPES_APART).filter(point -> dumped > 0 || point.value() > 0);
    return scrape.map(
        point -> {
          Compared compared = compared(at, dumped, point);
          return new CrossCheck(
                  fact(at),
                  new Side(dump.source(), dumped),
                  new Side(gaugeSource(meters), point.value()),
                  "%s waiting in the dump at %s, %s pending at %s%s"
                      .formatted(
                          Numbers.threeDigits(dumped),
                          UtcText.time(at) + " UTC",
                          Numbers.threeDigits(point.value()),
                          UtcText.time(point.at()) + " UTC",
                          apart(at, point.at())),
                  compared.agreement(),
                  compared.why())
              .at(new Window(at, at.plus(DUMP_CLOCK)), Effect.POOL_WAIT);
        });
  }

  private static String apart(Instant dump, Instant scrape) {
    Duration apart = Duration.between(dump, scrape).abs();
    return apart.isZero() ? "" : ", " + Durations.format(apart) + " apart";
  }

  private record Compared(Agreement agreement, String why) {}

  private Compared compared(Instant at, double dumped, Point scrape) {
    double gauge = scrape.value();
    double room = Math.max(FEW_THREADS, PENDING_TOLERANCE * Math.max(dumped, gauge));
    if (Math.abs(dumped - gauge) <= room) {
      return new Compared(Agreement.YES, tolerance(dumped, gauge));
    }
    Instant first = at.isBefore(scrape.at()) ? at : scrape.at();
    Instant last = at.isBefore(scrape.at()) ? scrape.at() : at;
    Duration apart = Duration.between(first, last);
    if (recorded && timeline.span().contains(first) && timeline.span().contains(last)) {
      Parked between = parked(first.minus(DUMP_CLOCK), last.plus(DUMP_CLOCK), dumped);
      if (between.holds(dumped, room) && between.holds(gauge, room)) {
        return new Compared(
            Agreement.YES, "the recording has both numbers between the dump and the scrape");
      }
    }
    return apart.compareTo(DUMP_CLOCK) > 0
        ? new Compared(
            Agreement.OPEN,
            "open: a queue can come and go in the " + Durations.format(apart) + " between the two")
        : new Compared(Agreement.NO, tolerance(dumped, gauge));
  }

  /** What lies within {@link #FEW_THREADS} of each other agrees, whatever part of it that is. */
  private static String tolerance(double dumped, double gauge) {
    return PENDING_TOLERANCE * Math.max(dumped, gauge) > FEW_THREADS
        ? "within a quarter"
        : "within " + Numbers.threeDigits(FEW_THREADS) + " threads";
  }

  /** The most that a scrape saw waiting, and the threads recorded as parked at that time. */
  private Optional<CrossCheck> gaugeAndParks(PoolMeters meters) {
    Optional<Point> peak = meters.peakPending(timeline.span()).filter(point -> point.value() > 0);
    boolean unseen = timeline.dumps().stream().anyMatch(dump -> virtual(dump) > 0);
    if (peak.isEmpty() || !recorded || unseen) {
      return Optional.empty();
    }
    double gauge = peak.get().value();
    Instant from = peak.get().at().minus(DUMP_CLOCK.dividedBy(2));
    Parked parked = parked(from, from.plus(DUMP_CLOCK), gauge);
    double room = Math.max(FEW_THREADS, PENDING_TOLERANCE * gauge);
    Agreement agreement = agreement(gauge, parked, room, peak.get().at());
    return Optional.of(
        new CrossCheck(
                fact(peak.get().at()),
                new Side(gaugeSource(meters), gauge),
                new Side(parkSource(), parked.closest()),
                Numbers.threeDigits(gauge) + " pending, " + parked.text() + " recorded",
                agreement,
                agreement == Agreement.OPEN
                    ? UNENDED
                    : "the gauge lies within what was recorded around that second, give or take a"
                        + " quarter")
            .at(new Window(from, from.plus(DUMP_CLOCK)), Effect.POOL_WAIT));
  }

  private Agreement agreement(double seen, Parked parked, double room, Instant at) {
    if (parked.holds(seen, room)) {
      return Agreement.YES;
    }
    return seen > parked.high() && mayLastBeyondTheEnd(at, seen - parked.high() - room)
        ? Agreement.OPEN
        : Agreement.NO;
  }

  /** Whether so many threads that wait then may have waited until the recording ended. */
  private boolean mayLastBeyondTheEnd(Instant at, double threads) {
    boolean nearEnd = Duration.between(at, timeline.span().to()).compareTo(LONGEST_WAIT) <= 0;
    boolean stillThere =
        timeline.dumps().stream()
            .filter(dump -> dump.at().filter(later -> later.isAfter(at)).isPresent())
            .reduce((earlier, later) -> later)
            .filter(last -> waiting(last) >= threads)
            .isPresent();
    return nearEnd || stillThere;
  }

  private static String fact(Instant at) {
    return "threads waiting for a connection at " + UtcText.time(at) + " UTC";
  }

  private Source parkSource() {
    return new Source(
        parks.isEmpty() ? "recording" : parks.get(0).source().file(), "jdk.ThreadPark");
  }

  private static Source gaugeSource(PoolMeters meters) {
    return meters.source(MetricMeaning.POOL_PENDING).orElseThrow();
  }

  private Parked parked(Instant from, Instant to, double other) {
    Window window = new Window(from, to);
    List<Double> waiting = new ArrayList<>();
    WaitingThreads.at(parks).forEach(window, (step, threads) -> waiting.add(threads));
    if (waiting.size() < WaitingThreads.steps(window)) {
      waiting.add(0.0);
    }
    double closest = 0;
    for (double threads : waiting) {
      closest = Math.abs(threads - other) < Math.abs(closest - other) ? threads : closest;
    }
    return new Parked(Collections.min(waiting), Collections.max(waiting), closest);
  }

  /**
   * How many threads were recorded as parked for a connection in a stretch of time.
   *
   * @param closest the number closest to another source's
   */
  private record Parked(double low, double high, double closest) {

    boolean holds(double threads, double room) {
      return threads >= low - room && threads <= high + room;
    }

    String text() {
      return Numbers.threeDigits(low)
          + (high - low < SAME_NUMBER ? "" : " to " + Numbers.threeDigits(high));
    }
  }
}
