package io.gcdiag.figures;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.SecondReading;
import io.gcdiag.evidence.time.SecondReading.Totals;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.figures.CrossCheck.Agreement;
import io.gcdiag.figures.CrossCheck.Side;
import io.gcdiag.figures.Metric.Origin;
import io.gcdiag.measures.EffectTimes;
import io.gcdiag.measures.LostTime;
import io.gcdiag.measures.RequestDelays;
import io.gcdiag.measures.WaitEstimate.Relation;
import io.gcdiag.measures.jvm.PauseTotals;
import io.gcdiag.measures.requests.BeforeServer;
import io.gcdiag.measures.requests.LoadTestDelays;
import io.gcdiag.measures.requests.RequestExcess;
import io.gcdiag.measures.threads.DumpedWaits;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.stats.Correlation;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.UtcText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Facts that two independent sources tell. */
public final class CrossChecks {

  /** An attempt takes a tenth of it, and the full GC follows within as little. */
  private static final long LONGEST_NANOS = Duration.ofMillis(1).toNanos();

  /** A pause more or less at the ends of what both cover is none that one of them lost. */
  private static final double PAUSE_TOLERANCE = 0.02;

  /**
   * Log and recording of one JVM agree within 0.2 ms a pause (measured on 265 pauses): the log's
   * times begin with the operation at the safepoint, the recording's with the collection.
   */
  private static final double APART_PER_PAUSE_SECONDS = 0.0002;

  /** Sums and lengths of whole milliseconds may differ by one. */
  private static final double LAST_DIGIT_SECONDS = 0.001;

  /** Stamps of logs are whole milliseconds: room at both ends of what two files share. */
  private static final Duration STAMP_ROOM = Duration.ofMillis(5);

  private static final double THOUSAND = 1_000;
  private static final double UNIT_ROOM = 3;

  /** The one that all shares are shares of. */
  private static final String RULES = ", the report's lost time";

  private CrossChecks() {}

  /** The facts that the inputs tell twice; the size of the lost time only if there is one. */
  public static List<CrossCheck> of(Incident incident, EffectTimes times, boolean impact) {
    Timeline timeline = incident.timeline();
    List<CrossCheck> checks = new ArrayList<>();
    checks.addAll(pauses(timeline));
    checks.addAll(ReadingChecks.of(timeline));
    checks.addAll(WaiterChecks.of(timeline));
    for (Effect effect : Effect.values()) {
      if (times.relation(effect) == Relation.CONTRADICT) {
        checks.add(contradiction(timeline, times, effect));
      }
    }
    ClockSkew.of(timeline).ifPresent(checks::add);
    checks.addAll(UnitChecks.of(timeline));
    latencies(incident).ifPresent(checks::add);
    if (impact) {
      Lost.of(incident, times)
          .flatMap(lost -> lostTime(timeline, lost, times))
          .ifPresent(checks::add);
    }
    return checks;
  }

  /** Dumps that show far more threads waiting than events do, also at their own moments. */
  private static CrossCheck contradiction(Timeline timeline, EffectTimes times, Effect effect) {
    Window window = times.window();
    List<WaitSeries> recorded = UserWaits.of(timeline, effect);
    double events = WaitSeries.threads(recorded, window);
    DumpedWaits dumps = times.inDumps(effect).orElseThrow();
    return new CrossCheck(
            "threads " + effect.title() + ", mean",
            new Side(recorded.get(0).source(), events),
            new Side(
                dumps.dumps() == 1 ? "one thread dump" : dumps.dumps() + " thread dumps",
                dumps.threads()),
            "%s by events, %s by thread dumps"
                .formatted(Numbers.threeDigits(events), Numbers.threeDigits(dumps.threads())),
            Agreement.NO,
            "events have to reach "
                + Numbers.threeDigits(dumps.range().low())
                + ", the low end of what so few dumps allow")
        .at(window, effect);
  }

  /** Each pair of files with pauses, over the time that both cover. */
  private static List<CrossCheck> pauses(Timeline timeline) {
    List<CrossCheck> checks = new ArrayList<>();
    List<Map.Entry<String, Pauses>> files = List.copyOf(timeline.stops().pausesByFile().entrySet());
    for (int i = 0; i < files.size(); i++) {
      for (int j = i + 1; j < files.size(); j++) {
        if (!files.get(i).getValue().isEmpty() && !files.get(j).getValue().isEmpty()) {
          checks.addAll(pair(files.get(i), files.get(j)));
        }
      }
    }
    return checks;
  }

  private static List<CrossCheck> pair(Map.Entry<String, Pauses> a, Map.Entry<String, Pauses> b) {
    Instant from =
        Collections.max(List.of(a.getValue().get(0).start(), b.getValue().get(0).start()));
    Instant to =
        Stream.of(a, b)
            .map(file -> file.getValue().get(file.getValue().size() - 1).end())
            .min(Instant::compareTo)
            .orElseThrow();
    Instant first = from.minus(STAMP_ROOM);
    Instant last = to.plus(STAMP_ROOM);
    if (!first.isBefore(last)) {
      return List.of();
    }
    Window common = new Window(first, last);
    PauseTotals one = totals(a.getValue(), b.getValue(), common);
    PauseTotals two = totals(b.getValue(), a.getValue(), common);
    String begin = UtcText.time(from);
    String end = UtcText.time(to);
    String span = " (" + (begin.equals(end) ? "at " + end : begin + " to " + end) + " UTC)";
    double seconds = Durations.seconds(one.sum());
    double other = Durations.seconds(two.sum());
    boolean close =
        Math.abs(seconds - other)
            <= PAUSE_TOLERANCE * Math.max(seconds, other)
                + APART_PER_PAUSE_SECONDS * Math.max(one.count(), two.count())
                + LAST_DIGIT_SECONDS;
    boolean sameCount =
        Math.abs(one.count() - two.count()) <= PAUSE_TOLERANCE * Math.max(one.count(), two.count());
    boolean sameLength =
        Math.abs(Durations.seconds(one.longest()) - Durations.seconds(two.longest()))
            <= PAUSE_TOLERANCE * Durations.seconds(one.longest()) + LAST_DIGIT_SECONDS;
    Stream<CrossCheck> checks =
        Stream.of(
            new CrossCheck(
                "GC pauses" + span,
                new Side(file(a.getKey()), one.count()),
                new Side(file(b.getKey()), two.count()),
                ReadingChecks.pauses(one.count(), two.count()),
                Agreement.of(sameCount),
                "within 2 %"),
            time(
                "time stopped in GC pauses, in seconds" + span,
                List.of(Origin.of(file(a.getKey())), Origin.of(file(b.getKey()))),
                List.of(one.sum(), two.sum()),
                close,
                "within 2 % and 0.2 ms a pause"),
            time(
                "longest GC pause, in seconds" + span,
                List.of(Origin.of(file(a.getKey())), Origin.of(file(b.getKey()))),
                List.of(one.longest(), two.longest()),
                sameLength,
                "within 2 %"));
    // A single pause is the sum.
    return checks
        .limit(one.count() == 1 && two.count() == 1 ? 2 : 3)
        .map(check -> check.at(common, Effect.STOPPED))
        .toList();
  }

  private static CrossCheck time(
      String fact, List<Origin> sources, List<Duration> times, boolean same, String tolerance) {
    return new CrossCheck(
        fact,
        new Side(sources.get(0), Durations.seconds(times.get(0))),
        new Side(sources.get(1), Durations.seconds(times.get(1))),
        Durations.format(times.get(0)) + " and " + Durations.format(times.get(1)),
        Agreement.of(same),
        tolerance);
  }

  private static Source file(String name) {
    return new Source(name, "");
  }

  /** Of a file that has more than the other, without those that were given up. */
  private static PauseTotals totals(Pauses told, Pauses other, Window window) {
    Pauses pauses = told.within(window);
    return PauseTotals.of(
        pauses.size() > other.within(window).size()
            ? pauses.where(i -> !isAbandoned(pauses, i))
            : pauses,
        window.seconds());
  }

  /**
   * Lost time as the load test measured it.
   *
   * @param what where it was read, and how it is calculated
   * @param ofWindow whether it is that of the incident only
   */
  private record Lost(double seconds, Origin what, boolean ofWindow) {

    /** What requests lost at stops for thread dumps is no part of the incident. */
    static Optional<Lost> of(Incident incident, EffectTimes times) {
      return RequestExcess.overTime(incident)
          .map(excess -> ofWindow(excess, times.observerSeconds()))
          .or(() -> incident.timeline().mainRequestStats().flatMap(Lost::ofRun));
    }

    private static Lost ofWindow(RequestExcess excess, double looks) {
      double seconds = Math.max(0, excess.seconds() - looks);
      boolean same = Durations.format(seconds).equals(Durations.format(excess.seconds()));
      return new Lost(
          seconds,
          Origin.of(
              excess.source(),
              ", (mean - baseline's mean) x requests of the incident"
                  + (same
                      ? ""
                      : ", less %s at stops for thread dumps and the recorder"
                          .formatted(Durations.format(looks)))),
          true);
    }

    /** All latency above the median, or above the shortest where the median waited too. */
    private static Optional<Lost> ofRun(RequestStats stats) {
      boolean all = LoadTestDelays.everybodyWaits(stats);
      Optional<Duration> usual = RequestExcess.undisturbed(stats);
      return usual.isEmpty() || stats.mean().isEmpty() || stats.requests().isEmpty()
          ? Optional.empty()
          : Optional.of(
              new Lost(
                  (Durations.seconds(stats.mean().get()) - Durations.seconds(usual.get()))
                      * stats.requests().getAsLong(),
                  Origin.of(
                      stats.source(),
                      ", (mean - " + (all ? "shortest" : "median") + ") x requests"),
                  false));
    }
  }

  /**
   * The users' loss against the ledger's sum. The two see different things, and those of a whole
   * run cover another span, so only their size is compared.
   */
  private static Optional<CrossCheck> lostTime(Timeline timeline, Lost users, EffectTimes times) {
    double accounted = times.totalExcessSeconds() - times.excessSeconds(Effect.UNACCOUNTED);
    double ledger = Math.max(times.recordedExcessSeconds(), accounted);
    double lost = users.seconds();
    if (lost <= 0 || ledger <= 0) {
      return Optional.empty();
    }
    String whole = Durations.format(times.totalExcessSeconds());
    boolean ofUsers = whole.equals(Durations.format(lost));
    boolean ofLedger = whole.equals(Durations.format(ledger));
    boolean agrees = ledger < 2 * lost && lost < 2 * ledger;
    Optional<String> open =
        agrees
            ? Optional.empty()
            : users.ofWindow() && ledger < lost
                ? Optional.of("the rest was recorded nowhere, and is a line of the ledger")
                : whyOpen(timeline, times, ledger < lost);
    return Optional.of(
        new CrossCheck(
            "lost time of all requests, summed, in seconds",
            new Side(users.what().and(ofUsers ? RULES : ""), lost),
            new Side(
                "waits, pauses and computing of the incident"
                    + (ofUsers ? "" : ofLedger ? RULES : "; the report's lost time is " + whole),
                ledger),
            Durations.format(lost) + " and " + Durations.format(ledger),
            open.isPresent() ? Agreement.OPEN : Agreement.of(agrees),
            "within a factor of two"
                + (users.ofWindow() ? "" : ": the load test covers more time than the window")
                + open.map(why -> "; " + why)
                    .orElseGet(
                        () ->
                            isAnotherUnit(ledger / lost)
                                ? "; about a thousand apart: is the latency in another unit?"
                                : "")));
  }

  /** Which file's latencies the report has where several have some, and those of the others. */
  private static Optional<CrossCheck> latencies(Incident incident) {
    Timeline timeline = incident.timeline();
    Map<Origin, Duration> means = new LinkedHashMap<>();
    Stream.concat(timeline.requestsOfSpan().stream(), timeline.requests().series().stream())
        .forEach(
            series ->
                series
                    .within(incident.window())
                    .latencies()
                    .mean()
                    .ifPresent(
                        mean -> means.putIfAbsent(Origin.of(file(series.source().file())), mean)));
    timeline.requests().stats().stream()
        .filter(stats -> stats.mean().isPresent())
        .filter(stats -> !means.containsKey(Origin.of(file(stats.source().file()))))
        .forEach(
            stats ->
                means.put(
                    Origin.of(file(stats.source().file()), ", whole test"),
                    stats.mean().orElseThrow()));
    List<Side> sides =
        means.entrySet().stream()
            .map(mean -> new Side(mean.getKey(), Durations.seconds(mean.getValue())))
            .toList();
    if (sides.size() < 2) {
      return Optional.empty();
    }
    Optional<BeforeServer> ends = BeforeServer.of(incident);
    double longer =
        ends.map(both -> Durations.seconds(both.server()) / Durations.seconds(both.users()))
            .orElse(1.0);
    boolean tooShort = longer > UNIT_ROOM && isAnotherUnit(longer);
    return Optional.of(
        new CrossCheck(
            "mean latency, in seconds",
            sides.get(0),
            sides.get(1),
            means.entrySet().stream()
                .map(
                    mean ->
                        Durations.format(mean.getValue())
                            + " by "
                            + mean.getKey()
                            + (mean.getKey().equals(sides.get(0).source())
                                ? ", which this report uses"
                                : ""))
                .collect(Collectors.joining("; ")),
            tooShort ? Agreement.NO : Agreement.OPEN,
            tooShort
                ? "users should not wait for less than the server takes: is one of them in another"
                    + " unit?"
                : ends.filter(BeforeServer::isFelt).isEmpty()
                    ? "open: their requests differ"
                    : "open: a queue before the server, in a proxy or the load generator, is in some"
                        + (isAnotherUnit(longer) ? "; or one is in another unit" : "")));
  }

  /** Why nothing follows from the two sums being far apart; absent if something does. */
  private static Optional<String> whyOpen(
      Timeline timeline, EffectTimes times, boolean recordedLess) {
    return times.isBounded()
        ? Optional.of("the time requests wait for pauses is an estimate, bounded by the load test")
        : Optional.of(timeline)
            .filter(of -> recordedLess)
            .flatMap(HiddenWaits::behindDelays)
            .map(HiddenWaits::why);
  }

  /** Milliseconds read as seconds, or the other way round, with the room of that comparison. */
  private static boolean isAnotherUnit(double ratio) {
    double apart = ratio > 1 ? ratio : 1 / ratio;
    return apart > THOUSAND / UNIT_ROOM && apart < THOUSAND * UNIT_ROOM;
  }

  private static boolean isAbandoned(Pauses pauses, int i) {
    return i + 1 < pauses.size()
        && pauses.nanos(i) < LONGEST_NANOS
        && pauses.kind(i) == PauseKind.YOUNG
        && pauses.tellsHeap(i)
        && pauses.usedBefore(i) == pauses.usedAfter(i)
        && pauses.kind(i + 1) == PauseKind.FULL
        && pauses.startNanos(i + 1) - pauses.endNanos(i) < LONGEST_NANOS;
  }

  /** What two programs read in the same log. */
  static final class ReadingChecks {

    /** Both read the same digits; a sum of them differs by what conversions round. */
    private static final Duration ROUNDING = Duration.ofMillis(1);

    private ReadingChecks() {}

    static List<CrossCheck> of(Timeline timeline) {
      List<CrossCheck> checks = new ArrayList<>();
      for (SecondReading reading : timeline.stops().secondReadings()) {
        String part = reading.part().isEmpty() ? "" : " (" + reading.part() + ")";
        Totals own = reading.own();
        Totals other = reading.other();
        checks.add(
            new CrossCheck(
                "pauses in the log" + part,
                new Side(file(reading.file()), own.count()),
                new Side(reading.reader(), other.count()),
                pauses(own.count(), other.count()),
                Agreement.of(own.count() == other.count()),
                "the same number"));
        checks.add(time("time stopped in GC pauses" + part, reading, own.sum(), other.sum()));
        checks.add(time("longest GC pause" + part, reading, own.longest(), other.longest()));
      }
      return checks;
    }

    /** {@code 37 pauses in both}, or both numbers where they differ. */
    static String pauses(long one, long other) {
      String pauses = Math.max(one, other) == 1 ? " pause" : " pauses";
      return one == other ? one + pauses + " in both" : one + " and " + other + pauses;
    }

    private static CrossCheck time(
        String fact, SecondReading reading, Duration own, Duration other) {
      return CrossChecks.time(
          fact + ", in seconds",
          List.of(Origin.of(file(reading.file())), Origin.words(reading.reader())),
          List.of(own, other),
          own.minus(other).abs().compareTo(ROUNDING) <= 0,
          "within 1 ms");
    }
  }

  /**
   * Whether the load test's latencies can be in the unit in which they were read. Only what cannot
   * be, or may well not be, makes a row.
   */
  static final class UnitChecks {

    /** Rates and means of a run are those of its middle: room for its ends. */
    private static final double ROOM = 1.25;

    static List<CrossCheck> of(Timeline timeline) {
      List<CrossCheck> checks = new ArrayList<>();
      timeline.mainRequestStats().flatMap(UnitChecks::users).ifPresent(checks::add);
      return checks;
    }

    /** Little's law: rate x latency requests are in progress, and each of them is some user's. */
    private static Optional<CrossCheck> users(RequestStats stats) {
      if (stats.rate().isEmpty() || stats.mean().isEmpty() || stats.users().isEmpty()) {
        return Optional.empty();
      }
      double underWay = stats.rate().get().perSecond() * Durations.seconds(stats.mean().get());
      double users = stats.users().getAsLong();
      if (underWay <= ROOM * users + 1) {
        return Optional.empty();
      }
      return Optional.of(
          new CrossCheck(
              "requests in progress",
              new Side(Origin.of(stats.source(), ", rate x mean latency"), underWay),
              new Side(Origin.of(stats.source(), ", users"), users),
              "%s x %s = %s, and there were %s users"
                  .formatted(
                      stats.rate().get(),
                      Durations.format(stats.mean().get()),
                      Numbers.threeDigits(underWay),
                      Numbers.count(Math.round(users))),
              Agreement.NO,
              "not more than there are users: is the latency in another unit?"));
    }
  }

  /**
   * Whether the load generator's clock runs minutes ahead of the JVM's, or behind. What requests
   * lose and what the JVM loses in waits and stops rise and fall together; if they do so at another
   * time than their stamps say, and not at that time, the clocks differ.
   */
  static final class ClockSkew {

    /** Further apart, clocks are those of different time zones. */
    private static final Duration MOST = Duration.ofMinutes(15);

    /** A request is booked where it began, and its wait where it waited: less is no skew. */
    private static final Duration LEAST = Duration.ofSeconds(30);

    /** A minute of seconds; what is shorter has too few ups and downs to be laid over another. */
    private static final int FEWEST = 60;

    /** So much closer must the two be at the other time. */
    private static final double CLOSER = 0.3;

    /** A wrong alarm would make engineers look for a fault in clocks that are right. */
    private static final double SIGNIFICANT = 0.01;

    private final RequestSeries requests;
    private final double[] lost;
    private final double[] delays;
    private final Duration bucket;

    /** Buckets from the start of the JVM's record to that of the requests, as their stamps say. */
    private final int offset;

    private ClockSkew(Timeline timeline, RequestSeries requests, Window own) {
      this.requests = requests;
      Window span = timeline.span();
      this.bucket = LostTime.bucket(span);
      this.lost = LostTime.over(timeline, span, bucket);
      this.delays = RequestDelays.delays(requests, own, bucket);
      this.offset =
          (int)
              Math.floorDiv(
                  Duration.between(span.from(), own.from()).toSeconds(), bucket.toSeconds());
    }

    /** A disagreement of the two clocks, if there is one. */
    static Optional<CrossCheck> of(Timeline timeline) {
      return timeline
          .requestsOfSpan()
          .flatMap(
              requests ->
                  requests
                      .span()
                      .flatMap(own -> new ClockSkew(timeline, requests, own).check(timeline)));
    }

    private Optional<CrossCheck> check(Timeline timeline) {
      int most = buckets(MOST);
      int least = buckets(LEAST);
      int best = 0;
      double closest = -1;
      double here = -1;
      int tried = 0;
      for (int by = -most; by <= most; by++) {
        Optional<Correlation> relation = relation(by);
        if (relation.isPresent()) {
          tried++;
          double r = relation.get().r();
          if (Math.abs(by) < least) {
            here = Math.max(here, r);
          }
          if (r > closest) {
            closest = r;
            best = by;
          }
        }
      }
      boolean clear =
          Math.abs(best) >= least
              && closest - here >= CLOSER
              && relation(best).orElseThrow().pValue() * tried < SIGNIFICANT;
      return clear ? Optional.of(skew(timeline, best, closest, here)) : Optional.empty();
    }

    private int buckets(Duration length) {
      return (int) Math.ceil(Durations.seconds(length) / Durations.seconds(bucket));
    }

    /** How closely the two move together if the requests are moved on by so many buckets. */
    private Optional<Correlation> relation(int by) {
      int first = Math.max(0, offset + by);
      int last = Math.min(lost.length, offset + by + delays.length);
      int enough = Math.max(FEWEST, Math.min(lost.length, delays.length) / 2);
      if (last - first < enough) {
        return Optional.empty();
      }
      int start = first - offset - by;
      return Correlation.pearson(
          Arrays.copyOfRange(lost, first, last),
          Arrays.copyOfRange(delays, start, start + last - first));
    }

    private CrossCheck skew(Timeline timeline, int by, double closest, double here) {
      double seconds = by * Durations.seconds(bucket);
      String jvm =
          timeline.waits().stream()
              .findFirst()
              .map(series -> series.source().file())
              .or(() -> timeline.stops().pausesByFile().keySet().stream().findFirst())
              .orElse("recording");
      return new CrossCheck(
          "clock of the load test against the JVM's, in seconds",
          new Side(requests.source(), seconds),
          new Side(file(jvm), 0),
          ("requests are delayed %s%s the JVM waits or stops (r = %s then, %s as the"
                  + " files are dated)")
              .formatted(
                  Durations.format(Math.abs(seconds)),
                  by < 0 ? " after" : " before",
                  Numbers.decimals(closest, 2),
                  Numbers.decimals(here, 2)),
          Agreement.NO,
          "the clocks differ by less than " + Durations.format(LEAST));
    }
  }
}
