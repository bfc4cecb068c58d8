package io.gcdiag.read.jfr;

import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.jvm.SafepointStop;
import io.gcdiag.evidence.threads.WaitSample.SlowRequests;
import io.gcdiag.evidence.threads.WaitSample.SlowRequests.Part;
import io.gcdiag.evidence.threads.WaitSample.SlowRequests.Side;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.frames.FrameBook;
import io.gcdiag.read.frames.StackKind;
import io.gcdiag.read.jfr.PoolHolds.Step;
import io.gcdiag.read.jfr.RequestEvents.Span;
import io.gcdiag.stats.Percentiles;
import io.gcdiag.units.Halving;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ObjDoubleConsumer;
import java.util.stream.IntStream;

/**
 * What threads did in the slowest tenth of the requests that events time, and in the others: their
 * time by what they did and by method of the service, and what they allocated.
 */
final class SlowParts {

  private static final String RUNNING = "running";

  /** What no event and no sample shows. */
  private static final String UNSEEN = "not recorded: waiting for CPU, or running unsampled";

  private static final String NO_METHOD = "no method of the service";

  private static final String ALL = "all methods";
  private static final String GC = "stopped for GC";

  /** A mean of fewer slow requests, or samples, is good to worse than a quarter: 1 / root(n). */
  private static final int FEWEST = 16;

  /** Requests that take hardly longer than others do nothing else. */
  private static final double MUCH_LONGER = 1.5;

  /** More rows are no profile. */
  private static final int MOST_PARTS = 12;

  /** Of the largest row; a smaller part of it is none. */
  private static final double LEAST_PART = 0.01;

  private static final double NANOS = 1e9;

  private final ThreadSpans<Step> steps;
  private final ThreadSpans<Allocated> allocations;
  private final List<Stop> stops;
  private final double sampleSeconds;
  private final FrameBook book;
  private final Map<StackKind, String> methods = new IdentityHashMap<>();
  private final Map<String, double[]> doing = new HashMap<>();
  private final Map<String, double[]> callers = new HashMap<>();
  private final Map<String, double[]> allocated = new HashMap<>();
  private int allocationSamples;

  /** An allocation that stands for so many bytes of its thread. */
  record Allocated(StackKind stack, long bytes) {}

  /** All threads were stopped; in nanoseconds since 1970. */
  record Stop(String why, long from, long to) {

    /** Pauses and other safepoints, which never overlap, by time. */
    static List<Stop> of(Pauses pauses, List<SafepointStop> safepoints) {
      List<Stop> stops = new ArrayList<>();
      for (int i = 0; i < pauses.size(); i++) {
        stops.add(new Stop(GC, pauses.startNanos(i), pauses.endNanos(i)));
      }
      for (SafepointStop any : safepoints) {
        SafepointStop stop = any.beside(pauses);
        long from = ThreadSpans.nanos(stop.start());
        String why = stop.operation().isEmpty() ? "" : ": " + stop.operation();
        stops.add(
            new Stop(
                stop.collection() ? GC : "stopped for a safepoint" + why,
                from,
                from + stop.lost().toNanos()));
      }
      stops.sort(Comparator.comparingLong(Stop::from));
      return stops;
    }
  }

  /**
   * Of a recording.
   *
   * @param steps what each thread did
   * @param allocations samples of what each thread allocated
   * @param sampleSeconds thread time per sample of a thread running Java code
   */
  SlowParts(
      ThreadSpans<Step> steps,
      ThreadSpans<Allocated> allocations,
      List<Stop> stops,
      double sampleSeconds,
      FrameBook book) {
    this.steps = steps;
    this.allocations = allocations;
    this.stops = stops;
    this.sampleSeconds = sampleSeconds;
    this.book = book;
  }

  /** The profile; empty if there are too few requests, or none much slower than the others. */
  Optional<SlowRequests> of(List<Span> all, Source source) {
    List<Span> requests =
        all.stream()
            .filter(span -> steps.keeps(span.start(), span.end()))
            .filter(span -> allocations.keeps(span.start(), span.end()))
            .toList();
    if (requests.size() * (1 - Percentiles.NINE_OF_TEN / Percentiles.WHOLE) < FEWEST) {
      return Optional.empty();
    }
    long[] lengths = requests.stream().mapToLong(Span::length).sorted().toArray();
    long least = lengths[(int) (lengths.length * Percentiles.NINE_OF_TEN / Percentiles.WHOLE)];
    List<Span> slow = requests.stream().filter(span -> span.length() >= least).toList();
    List<Span> others = requests.stream().filter(span -> span.length() < least).toList();
    if (others.isEmpty() || seconds(slow) < MUCH_LONGER * seconds(others)) {
      return Optional.empty();
    }
    slow.forEach(span -> add(span, 0));
    others.forEach(span -> add(span, 1));
    if (allocationSamples < FEWEST) {
      allocated.clear();
    }
    int[] counts = {slow.size(), others.size()};
    return Optional.of(
        new SlowRequests(
            Instant.ofEpochSecond(0, requests.get(0).start()),
            new Side(slow.size(), seconds(slow)),
            new Side(others.size(), seconds(others)),
            rows(doing, counts, Part::new),
            rows(callers, counts, Part::new),
            rows(allocated, counts, SlowRequests.Allocated::new),
            source));
  }

  private interface Row<R> {
    R of(String what, double slow, double other);
  }

  /**
   * The largest sums, as means of each side. Of a short request a sample can be more than its time.
   */
  private static <R> List<R> rows(Map<String, double[]> sums, int[] counts, Row<R> row) {
    double[] most = new double[2];
    sums.values().forEach(sum -> Arrays.setAll(most, side -> Math.max(most[side], sum[side])));
    return sums.entrySet().stream()
        .filter(
            one ->
                IntStream.of(0, 1).anyMatch(side -> one.getValue()[side] > LEAST_PART * most[side]))
        .sorted(
            Comparator.comparingDouble((Map.Entry<String, double[]> one) -> -one.getValue()[0])
                .thenComparing(Map.Entry::getKey))
        .limit(MOST_PARTS)
        .map(
            one ->
                row.of(
                    one.getKey(),
                    Math.max(0, one.getValue()[0] / counts[0]),
                    Math.max(0, one.getValue()[1] / counts[1])))
        .toList();
  }

  private static double seconds(List<Span> requests) {
    return requests.stream().mapToLong(Span::length).average().orElse(0) / NANOS;
  }

  /** A wait that contains a stop is shorter by it: the stop has a row of its own. */
  private void add(Span span, int side) {
    add(doing, UNSEEN, side, span.length() / NANOS);
    stopped(span.start(), span.end(), (why, seconds) -> seen(why, side, seconds));
    steps.within(
        span.thread(),
        span.start(),
        span.end(),
        (step, from, to) -> {
          if (to > from && step.waiting().isPresent()) {
            double[] seconds = {(to - from) / NANOS};
            stopped(from, to, (why, stop) -> seconds[0] -= stop);
            seen(WaitedCode.about(step.waiting().get(), step.what()), side, seconds[0]);
            add(callers, method(step.stack()), side, seconds[0]);
          } else if (step.waiting().isEmpty()) {
            String code = step.stack().top();
            seen(code.isEmpty() ? RUNNING : RUNNING + ": " + code, side, sampleSeconds);
            add(callers, method(step.stack()), side, sampleSeconds);
          }
        });
    allocations.within(
        span.thread(),
        span.start(),
        span.end(),
        (one, from, to) -> {
          allocationSamples++;
          add(allocated, method(one.stack()), side, one.bytes());
          add(allocated, ALL, side, one.bytes());
        });
  }

  /** The innermost method of the service's own on a stack. */
  private String method(StackKind stack) {
    return methods.computeIfAbsent(
        stack,
        any -> {
          int own = book.innermostOfApplication(stack.frames());
          return own < 0 ? NO_METHOD : stack.frames().get(own);
        });
  }

  private void seen(String what, int side, double seconds) {
    add(doing, what, side, seconds);
    add(doing, UNSEEN, side, -seconds);
  }

  private static void add(Map<String, double[]> sums, String what, int side, double more) {
    sums.computeIfAbsent(what, any -> new double[2])[side] += more;
  }

  private void stopped(long from, long to, ObjDoubleConsumer<String> sink) {
    int first = Halving.place(stops.size(), place -> stops.get((int) place).to() > from);
    for (int i = first; i < stops.size() && stops.get(i).from() < to; i++) {
      Stop stop = stops.get(i);
      long inside = Math.min(to, stop.to()) - Math.max(from, stop.from());
      sink.accept(stop.why(), Math.max(0, inside) / NANOS);
    }
  }
}
