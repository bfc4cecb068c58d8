package io.gcdiag.diagnosis;

import io.gcdiag.evidence.GcPause;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries.Point;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Signal;
import io.gcdiag.evidence.ThreadActivity;
import io.gcdiag.evidence.ThreadSnapshot;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.WaitKind;
import io.gcdiag.evidence.WaitSeries;
import io.gcdiag.evidence.Window;
import io.gcdiag.ledger.Delays;
import io.gcdiag.ledger.EffectTimes;
import io.gcdiag.ledger.PauseTotals;
import io.gcdiag.rules.PoolMeters;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Facts that two independent sources tell. */
final class CrossChecks {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

  /** Log and recording of one JVM agree within 0.2 ms a pause (measured on 265 pauses). */
  private static final double PAUSE_TOLERANCE = 0.02;

  /** Sums and lengths of whole milliseconds may differ by one. */
  private static final double LAST_DIGIT_SECONDS = 0.001;

  /** Stamps of logs are whole milliseconds: room at both ends of what two files share. */
  private static final Duration STAMP_ROOM = Duration.ofMillis(5);

  /** Waits below the recording's threshold are in the dump only: so many threads are no matter. */
  private static final double FEW_THREADS = 3;

  /** The same as a share of the threads in the dump. */
  private static final double FEW_OF_THREADS = 0.1;

  /** Numbers of threads that differ by less than this are one number. */
  private static final double SAME_NUMBER = 0.5;

  /** A scrape further from a dump than this tells of another moment. */
  private static final Duration SCRAPES_APART = Duration.ofSeconds(15);

  /** Queues of requests grow and drain within seconds; a gauge is a moment between two others. */
  private static final double PENDING_TOLERANCE = 0.25;

  /** A dump's clock has whole seconds: waiting threads are compared over the second after it. */
  private static final Duration DUMP_CLOCK = Duration.ofSeconds(1);

  private static final Duration STEP = WaitSeries.BUCKET;

  private CrossChecks() {}

  /** The facts that the inputs tell twice; the size of the loss only if there is one. */
  static List<CrossCheck> of(Timeline timeline, EffectTimes times, boolean trouble) {
    List<CrossCheck> checks = new ArrayList<>();
    checks.addAll(pauses(timeline));
    timeline.dumps().forEach(dump -> waiters(timeline, dump).ifPresent(checks::add));
    PoolMeters.of(timeline)
        .ifPresent(
            meters -> {
              timeline.dumps().forEach(dump -> pending(meters, dump).ifPresent(checks::add));
              pendingAndParks(timeline, meters).ifPresent(checks::add);
            });
    if (trouble) {
      timeline.mainRequestStats().flatMap(stats -> lostTime(stats, times)).ifPresent(checks::add);
    }
    return checks;
  }

  /** Each pair of files that tell of pauses, over the time that both cover. */
  private static List<CrossCheck> pauses(Timeline timeline) {
    List<CrossCheck> checks = new ArrayList<>();
    List<Map.Entry<String, List<GcPause>>> files = List.copyOf(timeline.pausesByFile().entrySet());
    for (int i = 0; i < files.size(); i++) {
      for (int j = i + 1; j < files.size(); j++) {
        if (!files.get(i).getValue().isEmpty() && !files.get(j).getValue().isEmpty()) {
          checks.addAll(pair(files.get(i), files.get(j)));
        }
      }
    }
    return checks;
  }

  private static List<CrossCheck> pair(
      Map.Entry<String, List<GcPause>> a, Map.Entry<String, List<GcPause>> b) {
    Instant from = later(a.getValue().get(0).start(), b.getValue().get(0).start());
    Instant to =
        earlier(
            a.getValue().get(a.getValue().size() - 1).end(),
            b.getValue().get(b.getValue().size() - 1).end());
    Instant first = from.minus(STAMP_ROOM);
    Instant last = to.plus(STAMP_ROOM);
    if (!first.isBefore(last)) {
      return List.of();
    }
    Window common = new Window(first, last);
    PauseTotals one = totals(a.getValue(), common);
    PauseTotals two = totals(b.getValue(), common);
    String span = " (" + TIME.format(from) + " to " + TIME.format(to) + ")";
    double seconds = Durations.seconds(one.sum());
    double other = Durations.seconds(two.sum());
    boolean close =
        Math.abs(seconds - other)
            <= PAUSE_TOLERANCE * Math.max(seconds, other) + LAST_DIGIT_SECONDS;
    return List.of(
        new CrossCheck(
            "pauses of the collector" + span,
            a.getKey(),
            one.count(),
            b.getKey(),
            two.count(),
            one.count() + " and " + two.count() + " pauses",
            one.count() == two.count(),
            "the same number"),
        new CrossCheck(
            "time stopped in pauses, in seconds" + span,
            a.getKey(),
            seconds,
            b.getKey(),
            other,
            Durations.format(one.sum()) + " and " + Durations.format(two.sum()),
            close,
            "within 2 %"),
        new CrossCheck(
            "longest pause, in seconds" + span,
            a.getKey(),
            Durations.seconds(one.longest()),
            b.getKey(),
            Durations.seconds(two.longest()),
            Durations.format(one.longest()) + " and " + Durations.format(two.longest()),
            Math.abs(Durations.seconds(one.longest()) - Durations.seconds(two.longest()))
                <= PAUSE_TOLERANCE * Durations.seconds(one.longest()) + LAST_DIGIT_SECONDS,
            "within 2 %"));
  }

  private static PauseTotals totals(List<GcPause> pauses, Window window) {
    return PauseTotals.of(
        pauses.stream().filter(p -> window.contains(p.start())).toList(), window.seconds());
  }

  /** Threads that wait for a connection: in a dump, and by the parks recorded at that time. */
  private static Optional<CrossCheck> waiters(Timeline timeline, ThreadSnapshot dump) {
    long dumped = dump.count(ThreadActivity.WAITING_FOR_POOL);
    List<WaitSeries> parks = timeline.waits(WaitKind.POOL);
    if (dump.at().isEmpty()
        || !timeline.span().contains(dump.at().get())
        || !timeline.coverage().of(Signal.THREAD_PARKS).recorded()
        || dumped == 0 && parks.isEmpty()) {
      return Optional.empty();
    }
    Instant at = dump.at().get();
    Parked parked = Parked.around(parks, at, dumped);
    double room = Math.max(FEW_THREADS, FEW_OF_THREADS * dumped);
    boolean agrees = dumped >= parked.low() - room && dumped <= parked.high() + room;
    String parkFile = parks.isEmpty() ? "recording" : parks.get(0).source().file();
    return Optional.of(
        new CrossCheck(
            "threads waiting for a connection at " + TIME.format(at),
            dump.source().toString(),
            dumped,
            parkFile + " jdk.ThreadPark",
            parked.closest(),
            dumped + " and " + parked.text() + " threads",
            agrees,
            "the dump lies within what was recorded in that second, give or take 10 %"));
  }

  /** How many threads were recorded as parked for a connection in the second after an instant. */
  private record Parked(double low, double high, double closest) {

    static Parked around(List<WaitSeries> parks, Instant at, double other) {
      double low = Double.MAX_VALUE;
      double high = 0;
      double closest = 0;
      for (Instant t = at; t.isBefore(at.plus(DUMP_CLOCK)); t = t.plus(STEP)) {
        Instant moment = t;
        double waiting = parks.stream().mapToDouble(series -> series.waitingAt(moment)).sum();
        low = Math.min(low, waiting);
        high = Math.max(high, waiting);
        closest = Math.abs(waiting - other) < Math.abs(closest - other) ? waiting : closest;
      }
      return new Parked(low, high, closest);
    }

    String text() {
      return Numbers.threeDigits(low)
          + (high - low < SAME_NUMBER ? "" : " to " + Numbers.threeDigits(high));
    }
  }

  /** Threads that wait for a connection: in a dump, and by the pool's own gauge near that time. */
  private static Optional<CrossCheck> pending(PoolMeters meters, ThreadSnapshot dump) {
    if (dump.at().isEmpty()) {
      return Optional.empty();
    }
    Instant at = dump.at().get();
    double dumped = dump.count(ThreadActivity.WAITING_FOR_POOL);
    return meters
        .pendingNear(at, SCRAPES_APART)
        .filter(point -> dumped > 0 || point.value() > 0)
        .map(
            point ->
                new CrossCheck(
                    "threads waiting for a connection at " + TIME.format(at),
                    dump.source().toString(),
                    dumped,
                    meters.source(MetricMeaning.POOL_PENDING).orElseThrow() + " pending",
                    point.value(),
                    Numbers.threeDigits(dumped)
                        + " in the dump at "
                        + TIME.format(at)
                        + ", "
                        + Numbers.threeDigits(point.value())
                        + " pending at "
                        + TIME.format(point.at()),
                    Math.abs(dumped - point.value())
                        <= Math.max(
                            FEW_THREADS, PENDING_TOLERANCE * Math.max(dumped, point.value())),
                    "within a quarter: a queue changes between a dump and the scrape next to it"));
  }

  /** The most that a scrape saw waiting, and the threads recorded as parked at that time. */
  private static Optional<CrossCheck> pendingAndParks(Timeline timeline, PoolMeters meters) {
    List<WaitSeries> parks = timeline.waits(WaitKind.POOL);
    Optional<Point> peak = meters.peakPending(timeline.span()).filter(point -> point.value() > 0);
    if (peak.isEmpty() || !timeline.coverage().of(Signal.THREAD_PARKS).recorded()) {
      return Optional.empty();
    }
    double gauge = peak.get().value();
    Parked parked = Parked.around(parks, peak.get().at().minus(DUMP_CLOCK.dividedBy(2)), gauge);
    double room = Math.max(FEW_THREADS, PENDING_TOLERANCE * gauge);
    return Optional.of(
        new CrossCheck(
            "threads waiting for a connection at " + TIME.format(peak.get().at()),
            meters.source(MetricMeaning.POOL_PENDING).orElseThrow() + " pending",
            gauge,
            (parks.isEmpty() ? "recording" : parks.get(0).source().file()) + " jdk.ThreadPark",
            parked.closest(),
            Numbers.threeDigits(gauge) + " pending and " + parked.text() + " recorded threads",
            gauge >= parked.low() - room && gauge <= parked.high() + room,
            "the gauge lies within what was recorded around that second, give or take a quarter"));
  }

  /**
   * The users' loss as they saw it: all latency above the median, or above the shortest where the
   * median waited too, against the ledger's sum. The two cover different spans and see different
   * things, so only their size is compared.
   */
  private static Optional<CrossCheck> lostTime(RequestStats stats, EffectTimes times) {
    boolean all = Delays.everybodyWaits(stats);
    Optional<Duration> usual = all ? stats.shortest() : stats.percentile(50.0);
    double ledger = times.totalExcessSeconds();
    if (usual.isEmpty() || stats.mean().isEmpty() || stats.requests().isEmpty() || ledger <= 0) {
      return Optional.empty();
    }
    double perRequest = Durations.seconds(stats.mean().get()) - Durations.seconds(usual.get());
    double lost = perRequest * stats.requests().getAsLong();
    if (lost <= 0) {
      return Optional.empty();
    }
    boolean agrees = ledger < 2 * lost && lost < 2 * ledger;
    return Optional.of(
        new CrossCheck(
            "time that users' work lost, in thread-seconds",
            stats.source() + ", (mean - " + (all ? "shortest" : "median") + ") x requests",
            lost,
            "ledger of the incident window",
            ledger,
            Numbers.threeDigits(lost) + " and " + Numbers.threeDigits(ledger) + " thread-seconds",
            agrees,
            "within a factor of two: the load test covers more time than the window"));
  }

  private static Instant later(Instant a, Instant b) {
    return a.isAfter(b) ? a : b;
  }

  private static Instant earlier(Instant a, Instant b) {
    return a.isBefore(b) ? a : b;
  }
}
