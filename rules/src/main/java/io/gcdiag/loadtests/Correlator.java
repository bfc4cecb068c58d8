package io.gcdiag.loadtests;

import io.gcdiag.evidence.EndpointSeries;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.MetricSeries.Point;
import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.CpuLoad;
import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.jvm.HeapSample;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.loadtests.Correlations.Lead;
import io.gcdiag.loadtests.Correlations.Lead.Shift;
import io.gcdiag.loadtests.Correlations.Lead.Strength;
import io.gcdiag.loadtests.Correlations.Lead.Verdict;
import io.gcdiag.loadtests.Correlations.OfEndpoint;
import io.gcdiag.measures.jvm.AllocationRate;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.stats.Correlation;
import io.gcdiag.stats.ManyTests;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntToDoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Correlates every series of the inputs with the latency tail. */
public final class Correlator {

  /**
   * With fewer intervals, only coefficients above 0.63 differ from 0, and a single interval
   * decides.
   */
  public static final int FEWEST_INTERVALS = 10;

  /** Largest lead or lag, in intervals. */
  public static final int MOST_SHIFT = 3;

  /**
   * Largest number of series: a correction for more would leave no relation, and a reader would not
   * look at more.
   */
  private static final int MOST_SERIES = 100;

  /** Further ones have little of the time, and would take from the others' significance. */
  private static final int MOST_ENDPOINTS = 5;

  private final Timeline timeline;
  private final CorrelationRequest request;
  private final List<String> notes = new ArrayList<>();

  private Correlator(Timeline timeline, CorrelationRequest request) {
    this.timeline = timeline;
    this.request = request;
  }

  public static Correlations correlate(Timeline timeline, CorrelationRequest request) {
    return new Correlator(timeline, request).result();
  }

  private Correlations result() {
    Optional<Tail> tail = Tail.of(timeline, request);
    if (tail.isEmpty()) {
      return new Correlations(
          timeline.inputs(),
          Optional.empty(),
          "There is no latency over time in the files: give raw results of the load test, a scraped"
              + " histogram of requests, or a latency of a metric export (--map SERIES=latency).",
          List.of(),
          List.of(),
          List.of(),
          notes);
    }
    notes.addAll(tail.get().notes());
    // A constant series is related to nothing, and does not count among those tried.
    List<Measured> measured =
        Correlation.varies(tail.get().seconds()) ? measured(tail.get()) : List.of();
    List<Lead> leads = Leads.of(measured, tail.get().grid());
    otherViews(tail.get());
    Candidates.missing(timeline).ifPresent(notes::add);
    return new Correlations(
        timeline.inputs(),
        Optional.of(basis(tail.get())),
        CorrelationSummary.of(tail.get(), leads),
        leads,
        ofEndpoints(tail.get(), measured),
        TimerSplit.of(timeline, tail.get().grid().whole()),
        notes);
  }

  private static Correlations.Basis basis(Tail tail) {
    return new Correlations.Basis(
        tail.name(),
        tail.source(),
        tail.grid().step(),
        tail.reason(),
        tail.grid().whole(),
        tail.grid().count(),
        Grid.known(tail.seconds()));
  }

  private List<Measured> measured(Tail tail) {
    List<Measured> measured = new ArrayList<>();
    List<String> elsewhere = new ArrayList<>();
    List<String> constant = new ArrayList<>();
    int left = 0;
    for (Candidate candidate : Candidates.of(timeline, tail)) {
      Measured one = Measured.of(candidate, tail.seconds());
      if (one.intervals() == 0) {
        elsewhere.add(candidate.name());
      } else if (one.intervals() >= Correlation.FEWEST_PAIRS && one.pearson().isEmpty()) {
        constant.add(candidate.name());
      } else if (measured.size() == MOST_SERIES) {
        left++;
      } else {
        measured.add(one);
      }
    }
    note("nothing is known at the time of the tail of", elsewhere);
    note("left out because they do not vary:", constant);
    if (left > 0) {
      notes.add("left out: " + left + " series beyond the first " + MOST_SERIES + " of the inputs");
    }
    return measured;
  }

  /** All pairs are judged together: each endpoint with each series is a test of its own. */
  private List<OfEndpoint> ofEndpoints(Tail tail, List<Measured> measured) {
    Optional<RequestSeries> series =
        timeline.requestsByEndpoint().filter(one -> one.endpoints().size() > 1);
    if (series.isEmpty() || measured.isEmpty()) {
      return List.of();
    }
    Grid grid = tail.grid();
    List<Candidate> candidates = new ArrayList<>();
    candidates.add(new Candidate(tail.name(), tail.source(), tail.seconds()));
    measured.forEach(one -> candidates.add(one.candidate()));
    List<EndpointSeries> endpoints =
        series.get().endpoints().stream()
            .sorted(Comparator.comparingDouble(one -> -one.within(grid.whole()).latencySeconds()))
            .limit(MOST_ENDPOINTS)
            .toList();
    List<Measured> pairs = new ArrayList<>();
    for (EndpointSeries endpoint : endpoints) {
      double[] means = grid.means(endpoint, series.get().step());
      candidates.forEach(candidate -> pairs.add(Measured.of(candidate, means)));
    }
    List<Lead> leads = Leads.judged(pairs, grid);
    List<OfEndpoint> found = new ArrayList<>();
    for (int i = 0; i < endpoints.size(); i++) {
      found.add(
          new OfEndpoint(
              endpoints.get(i).endpoint(),
              series.get().source(),
              leads.subList(i * candidates.size(), (i + 1) * candidates.size()).stream()
                  .filter(Lead::moves)
                  .sorted(Leads.CLOSEST)
                  .toList()));
    }
    return found;
  }

  private void note(String what, List<String> names) {
    if (!names.isEmpty()) {
      notes.add(what + " " + CorrelationSummary.listed(names));
    }
  }

  private void otherViews(Tail tail) {
    long same =
        timeline.metrics().stream()
            .filter(series -> MetricCandidates.SAME_AS_TAIL.contains(series.meaning()))
            .count();
    boolean tailIsOneOfThem = tail.requests().isEmpty();
    if (same > (tailIsOneOfThem ? 1 : 0)) {
      notes.add(
          "latencies of the metric exports are not compared with the tail: they are the same");
    }
  }

  /** The correlated series, in one sentence. */
  private static final class CorrelationSummary {

    /** Names in one sentence. */
    private static final int MOST_NAMES = 8;

    static String of(Tail tail, List<Lead> leads) {
      int known = Grid.known(tail.seconds());
      if (known < Correlator.FEWEST_INTERVALS) {
        return "Not enough data: %s is known in %s%s%s, and at least %s are needed."
            .formatted(
                tail.name(),
                known,
                known == 1 ? " interval of " : " intervals of ",
                Durations.format(tail.grid().step()),
                Correlator.FEWEST_INTERVALS);
      }
      if (!Correlation.varies(tail.seconds())) {
        return tail.name() + " was constant: nothing can move with it.";
      }
      if (leads.isEmpty()) {
        return "There is nothing to compare " + tail.name() + " with.";
      }
      List<String> moving = names(leads, Verdict.MOVES);
      List<String> shifted = names(leads, Verdict.SHIFTED);
      String of = moving.size() + " of " + leads.size() + " series ";
      String answer =
          moving.isEmpty()
              ? "None of " + leads.size() + " series is shown to move with " + tail.name()
              : of
                  + (moving.size() == 1 ? "moves with " : "move with ")
                  + tail.name()
                  + ": "
                  + listed(moving);
      return answer
          + (shifted.isEmpty() ? "." : "; with a shift in time: " + listed(shifted) + ".");
    }

    private static List<String> names(List<Lead> leads, Verdict verdict) {
      return leads.stream()
          .filter(lead -> lead.verdict() == verdict)
          .map(
              lead ->
                  lead.name()
                      + " (r = "
                      + Numbers.decimals(
                          verdict == Verdict.SHIFTED
                              ? lead.shift().orElseThrow().pearson()
                              : lead.strength().orElseThrow().pearson(),
                          2)
                      + ")")
          .toList();
    }

    /** The first names and the number of the others. */
    static String listed(List<String> names) {
      int more = names.size() - MOST_NAMES;
      return String.join(", ", names.subList(0, Math.min(MOST_NAMES, names.size())))
          + (more > 0 ? " and " + more + " more" : "");
    }
  }

  /** Every series of the inputs, in the intervals of the tail. */
  private static final class Candidates {

    private final Timeline timeline;
    private final Tail tail;
    private final Grid grid;

    /** Intervals that the recording or log covers. */
    private final boolean[] recorded;

    private final List<Candidate> found = new ArrayList<>();

    private Candidates(Timeline timeline, Tail tail) {
      this.timeline = timeline;
      this.tail = tail;
      this.grid = tail.grid();
      this.recorded = grid.inside(timeline.span());
    }

    /** Those of recordings and logs first, then the load test's own, then metric exports. */
    static List<Candidate> of(Timeline timeline, Tail tail) {
      Candidates candidates = new Candidates(timeline, tail);
      candidates.pauses();
      candidates.cpu("CPU used by the JVM", CpuLoad::jvm);
      candidates.cpu("CPU used by other processes", load -> load.machineTotal() - load.jvm());
      candidates.cpu("CPU used on the machine", CpuLoad::machineTotal);
      candidates.waits(WaitKind.POOL, "threads waiting for a pooled connection");
      candidates.waits(WaitKind.DOWNSTREAM, "threads waiting for downstream calls");
      candidates.waits(WaitKind.LOCK, "threads waiting for locks");
      candidates.waits(WaitKind.FILE, "threads waiting for file I/O");
      candidates.heap();
      candidates.allocation();
      candidates.requests();
      candidates.found.addAll(MetricCandidates.of(timeline, tail));
      return List.copyOf(candidates.found);
    }

    /** What an operator would look at first and the inputs lack, and where to get it. */
    static Optional<String> missing(Timeline timeline) {
      List<String> missing = new ArrayList<>();
      if (timeline.stops().pausesByFile().isEmpty()
          && none(timeline, MetricMeaning.GC_PAUSE_SECONDS)) {
        missing.add("GC pauses (a GC log or a recording)");
      }
      if (timeline.cpu().isEmpty()
          && none(timeline, MetricMeaning.PROCESS_CPU)
          && none(timeline, MetricMeaning.PROCESS_CPU_SECONDS)
          && none(timeline, MetricMeaning.CONTAINER_CPU_SECONDS)
          && none(timeline, MetricMeaning.MACHINE_CPU)) {
        missing.add("CPU (a recording or process_cpu_usage)");
      }
      if (timeline.waits(WaitKind.POOL).isEmpty()
          && none(timeline, MetricMeaning.POOL_PENDING)
          && none(timeline, MetricMeaning.POOL_ACQUIRE_SECONDS)) {
        missing.add("waits for connections (a recording or the pool's meters)");
      }
      if (none(timeline, MetricMeaning.CACHE_MISSES)) {
        missing.add("cache misses (cache_gets_total)");
      }
      return missing.isEmpty()
          ? Optional.empty()
          : Optional.of("not in the files: " + String.join(", ", missing));
    }

    private static boolean none(Timeline timeline, MetricMeaning meaning) {
      return timeline.metrics(meaning).isEmpty();
    }

    private void add(String name, Source source, double[] values) {
      found.add(new Candidate(name, source, values));
    }

    /** One value for each interval that recording or log covers. */
    private double[] covered(IntToDoubleFunction value) {
      double[] values = new double[grid.count()];
      for (int i = 0; i < values.length; i++) {
        values[i] = recorded[i] ? value.applyAsDouble(i) : Double.NaN;
      }
      return values;
    }

    private void pauses() {
      if (timeline.stops().pausesByFile().isEmpty()) {
        return;
      }
      double[] stopped = new double[grid.count()];
      for (GcPause pause : timeline.pauses()) {
        grid.overlaps(pause.start(), pause.duration(), (index, inside) -> stopped[index] += inside);
      }
      add(
          "time stopped in GC pauses",
          new Source(String.join(", ", timeline.stops().pausesByFile().keySet()), ""),
          covered(i -> stopped[i]));
    }

    private void cpu(String name, ToDoubleFunction<CpuLoad> share) {
      List<Point> points =
          timeline.cpu().stream()
              .map(load -> new Point(load.at(), share.applyAsDouble(load)))
              .toList();
      if (points.isEmpty()) {
        return;
      }
      add(name, timeline.recorded("jdk.CPULoad"), grid.means(points));
    }

    private void waits(WaitKind kind, String name) {
      List<WaitSeries> series = UserWaits.of(timeline, kind);
      if (!series.isEmpty()) {
        double seconds = Durations.seconds(grid.step());
        add(
            name,
            series.get(0).source(),
            covered(i -> WaitSeries.seconds(series, grid.window(i)) / seconds));
      }
    }

    private void heap() {
      List<HeapSample> after =
          timeline.heap().stream()
              .filter(sample -> sample.moment() == HeapSample.Moment.AFTER_COLLECTION)
              .toList();
      if (!after.isEmpty()) {
        List<Point> used =
            after.stream().map(one -> new Point(one.at(), one.used().value())).toList();
        Source source = new Source(after.get(0).source().file(), "");
        add("heap after GC", source, grid.means(used, Duration.ZERO));
      }
    }

    private void allocation() {
      double[] rates = new double[grid.count()];
      Arrays.fill(rates, Double.NaN);
      Optional<Source> source = Optional.empty();
      for (int i = 0; i < rates.length; i++) {
        Optional<AllocationRate> rate =
            recorded[i] ? AllocationRate.of(timeline, grid.window(i)) : Optional.empty();
        if (rate.isPresent()) {
          rates[i] = rate.get().bytesPerSecond();
          source = Optional.of(rate.get().source());
        }
      }
      source.ifPresent(read -> add("bytes allocated per second", read, rates));
    }

    private double[] each(ToDoubleFunction<RequestInterval> value) {
      return tail.requests().stream().mapToDouble(value).toArray();
    }

    private void requests() {
      if (tail.requests().isEmpty()) {
        return;
      }
      double seconds = Durations.seconds(grid.step());
      add("requests per second", tail.source(), each(one -> one.requests() / seconds));
      add(
          "share of requests that failed",
          tail.source(),
          each(one -> one.requests() == 0 ? Double.NaN : (double) one.failed() / one.requests()));
    }
  }

  /** Judges relations together, because among more series more correlate by chance. */
  static final class Leads {

    /** A relation counts if its probability by chance is lower than this. */
    static final double SIGNIFICANT = 0.05;

    /** The strongest correlation first. */
    static final Comparator<Lead> CLOSEST =
        Comparator.comparingDouble(
                (Lead lead) -> -lead.strength().map(s -> Math.abs(s.pearson())).orElse(-1.0))
            .thenComparing(Lead::name);

    static List<Lead> of(List<Measured> measured, Grid grid) {
      List<Lead> leads = judged(measured, grid);
      leads.sort(CLOSEST);
      return leads;
    }

    /** In the order in which they were measured. */
    static List<Lead> judged(List<Measured> measured, Grid grid) {
      double[] values = corrected(measured, one -> one.pearson().orElseThrow().pValue());
      double[] ranks = corrected(measured, one -> one.spearman().orElseThrow().pValue());
      double[] shifts = corrected(measured, Measured::shiftChance);
      List<Lead> leads = new ArrayList<>();
      int tested = 0;
      for (Measured one : measured) {
        if (one.enough()) {
          leads.add(lead(one, values[tested], ranks[tested], shifts[tested], grid));
          tested++;
        } else {
          leads.add(
              new Lead(
                  one.candidate().name(),
                  one.candidate().source(),
                  one.intervals(),
                  Optional.empty(),
                  Optional.empty(),
                  Verdict.TOO_FEW));
        }
      }
      return leads;
    }

    private static double[] corrected(List<Measured> measured, ToDoubleFunction<Measured> chance) {
      return ManyTests.holm(
          measured.stream().filter(Measured::enough).mapToDouble(chance).toArray());
    }

    private static Lead lead(Measured one, double values, double ranks, double shift, Grid grid) {
      Correlation pearson = one.pearson().orElseThrow();
      Correlation spearman = one.spearman().orElseThrow();
      return new Lead(
          one.candidate().name(),
          one.candidate().source(),
          one.intervals(),
          Optional.of(
              new Strength(
                  pearson.r(),
                  pearson.low(),
                  pearson.high(),
                  spearman.r(),
                  pearson.effectiveCount(),
                  pearson.pValue(),
                  values)),
          one.shifted()
              .filter(s -> shift < SIGNIFICANT)
              .map(
                  s ->
                      new Shift(
                          s.by(), grid.step().multipliedBy(Math.abs(s.by())), s.pearson().r())),
          verdict(one.steady(), values < SIGNIFICANT, ranks < SIGNIFICANT, shift < SIGNIFICANT));
    }

    private static Verdict verdict(boolean steady, boolean values, boolean ranks, boolean shifted) {
      if (values && steady) {
        return Verdict.MOVES;
      }
      if (shifted) {
        return Verdict.SHIFTED;
      }
      if (values) {
        return Verdict.FEW_INTERVALS;
      }
      return ranks ? Verdict.RANKS : Verdict.NOT_SHOWN;
    }
  }

  /**
   * The series of metric exports: counters as growth per second, the summed time of a timer as its
   * mean, everything else as means.
   */
  private static final class MetricCandidates {

    /** Other measures of the tail itself, whose correlation means nothing. */
    static final Set<MetricMeaning> SAME_AS_TAIL =
        Set.of(MetricMeaning.LATENCY, MetricMeaning.REQUEST_SECONDS, MetricMeaning.REQUEST_BUCKET);

    /** Other measures of what the load test reports itself. */
    private static final Set<MetricMeaning> SAME_AS_LOAD =
        Set.of(MetricMeaning.REQUESTS, MetricMeaning.REQUESTS_FAILED, MetricMeaning.REQUEST_RATE);

    /** Timers that have no figure of their own: of these the mean is of interest, not the sum. */
    private static final Set<MetricMeaning> TIMERS =
        Set.of(MetricMeaning.OTHER, MetricMeaning.CALL_SECONDS);

    private static final String SUM = "_sum";

    /** Those whose meaning is known first. */
    static List<Candidate> of(Timeline timeline, Tail tail) {
      List<MetricSeries> series =
          timeline.metrics().stream()
              .filter(one -> !SAME_AS_TAIL.contains(one.meaning()))
              .filter(one -> tail.requests().isEmpty() || !SAME_AS_LOAD.contains(one.meaning()))
              .sorted(Comparator.comparing(MetricSeries::meaning))
              .toList();
      Map<String, Long> sameWords =
          series.stream()
              .map(one -> one.meaning().words())
              .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
      List<Candidate> candidates = new ArrayList<>();
      for (MetricSeries one : series) {
        String words = one.meaning().words();
        Optional<MetricSeries> count = count(one, timeline);
        String name =
            count.isPresent()
                ? "mean of " + timer(one) + labels(one)
                : words.isEmpty()
                    ? fullName(one)
                    : sameWords.get(words) > 1 ? words + ", " + fullName(one) : words;
        candidates.add(
            new Candidate(
                name,
                one.source(),
                count
                    .map(calls -> quotients(rates(one, tail), rates(calls, tail)))
                    .orElseGet(
                        () -> one.counter() ? rates(one, tail) : tail.grid().means(one.points()))));
      }
      return candidates;
    }

    private static double[] rates(MetricSeries counter, Tail tail) {
      return tail.grid().rates(counter.points());
    }

    /** Mean time of a call in each interval; unknown without calls. */
    private static double[] quotients(double[] seconds, double[] calls) {
      double[] means = new double[seconds.length];
      Arrays.setAll(means, i -> calls[i] > 0 ? seconds[i] / calls[i] : Double.NaN);
      return means;
    }

    /** Number of calls in a timer's sum; empty for other metrics. */
    private static Optional<MetricSeries> count(MetricSeries sum, Timeline timeline) {
      if (!TIMERS.contains(sum.meaning()) || !sum.counter() || !sum.name().endsWith(SUM)) {
        return Optional.empty();
      }
      String name = timer(sum) + "_count";
      return timeline.metrics().stream()
          .filter(one -> one.name().equals(name) && one.labels().equals(sum.labels()))
          .findFirst();
    }

    private static String timer(MetricSeries sum) {
      return sum.name().substring(0, sum.name().length() - SUM.length());
    }

    private static String fullName(MetricSeries series) {
      return series.name() + labels(series);
    }

    private static String labels(MetricSeries series) {
      return series.labels().isEmpty() ? "" : series.labels().toString();
    }
  }

  /**
   * A series against the tail.
   *
   * @param intervals in which both are known
   * @param pearson of the same intervals
   * @param spearman of the same intervals
   * @param steady whether Pearson's coefficient holds without the few intervals that make most of
   *     it
   * @param shifted where the two are closest if one is moved in time, and clearly closer
   */
  record Measured(
      Candidate candidate,
      int intervals,
      Optional<Correlation> pearson,
      Optional<Correlation> spearman,
      boolean steady,
      Optional<Moved> shifted) {

    /** A relation must not depend on this share of the intervals. */
    private static final double FEW = 0.05;

    /**
     * A shift must improve the correlation by this much; less happens by chance, because
     * neighbouring intervals are alike.
     */
    private static final double SHIFT_GAIN = 0.1;

    static Measured of(Candidate candidate, double[] tail) {
      double[] values = candidate.values();
      int known = 0;
      for (int i = 0; i < tail.length; i++) {
        known += Double.isNaN(tail[i]) || Double.isNaN(values[i]) ? 0 : 1;
      }
      Optional<Correlation> pearson = Correlation.pearson(values, tail);
      return new Measured(
          candidate,
          known,
          pearson,
          Correlation.spearman(values, tail),
          pearson.filter(r -> steady(values, tail, r)).isPresent(),
          pearson.flatMap(together -> Moved.closest(values, tail, Math.abs(together.r()))));
    }

    boolean enough() {
      return intervals >= Correlator.FEWEST_INTERVALS && pearson.isPresent();
    }

    /** Corrected for the shifts that were tried. */
    double shiftChance() {
      return shifted
          .filter(Moved::steady)
          .map(moved -> Math.min(1, 2 * Correlator.MOST_SHIFT * moved.pearson().pValue()))
          .orElse(1.0);
    }

    /** Whether the relation is significant even without its most influential intervals. */
    private static boolean steady(double[] values, double[] tail, Correlation relation) {
      double[] rest = values.clone();
      double meanValue = mean(values, tail);
      double meanTail = mean(tail, values);
      int few = (int) Math.ceil(FEW * relation.count());
      IntStream.range(0, rest.length)
          .filter(i -> !Double.isNaN(values[i]) && !Double.isNaN(tail[i]))
          .boxed()
          .sorted(
              Comparator.comparingDouble(
                  i -> -Math.signum(relation.r()) * (values[i] - meanValue) * (tail[i] - meanTail)))
          .limit(few)
          .forEach(i -> rest[i] = Double.NaN);
      return Correlation.pearson(rest, tail)
          .filter(r -> r.r() * relation.r() > 0 && r.pValue() < Correlator.Leads.SIGNIFICANT)
          .isPresent();
    }

    /** The mean of the values that are known together with the others. */
    private static double mean(double[] values, double[] others) {
      return IntStream.range(0, values.length)
          .filter(i -> !Double.isNaN(values[i]) && !Double.isNaN(others[i]))
          .mapToDouble(i -> values[i])
          .average()
          .orElse(0);
    }

    /**
     * A series against the tail at another time.
     *
     * @param by intervals that the series is ahead
     * @param steady whether it holds without the few intervals that make most of it
     */
    record Moved(int by, Correlation pearson, boolean steady) {

      static Optional<Moved> closest(double[] values, double[] tail, double together) {
        Optional<Moved> best = Optional.empty();
        double closest = together + SHIFT_GAIN;
        for (int by = -Correlator.MOST_SHIFT; by <= Correlator.MOST_SHIFT; by++) {
          double[] moved = moved(values, by);
          Optional<Correlation> pearson =
              Correlation.pearson(moved, tail)
                  .filter(p -> p.count() >= Correlator.FEWEST_INTERVALS);
          if (by != 0 && pearson.isPresent() && Math.abs(pearson.get().r()) > closest) {
            closest = Math.abs(pearson.get().r());
            best =
                Optional.of(
                    new Moved(by, pearson.get(), Measured.steady(moved, tail, pearson.get())));
          }
        }
        return best;
      }

      /** The series so many intervals earlier. */
      private static double[] moved(double[] values, int by) {
        double[] moved = new double[values.length];
        Arrays.setAll(
            moved, i -> i - by >= 0 && i - by < values.length ? values[i - by] : Double.NaN);
        return moved;
      }
    }
  }

  /**
   * A series to be compared with the latency tail.
   *
   * @param name what it measures, in words
   * @param source where it was read
   * @param values one for each interval, NaN where not known
   */
  private record Candidate(String name, Source source, double[] values) {}

  /**
   * What to correlate.
   *
   * @param percentile the percentile of the latency that is the tail
   * @param every length of the intervals, above 0; absent to choose it by what the files hold
   */
  public record CorrelationRequest(Percentile percentile, Optional<Duration> every) {

    public CorrelationRequest {
      if (every.filter(length -> length.isZero() || length.isNegative()).isPresent()) {
        throw new IllegalArgumentException("intervals must have a length");
      }
    }
  }
}
