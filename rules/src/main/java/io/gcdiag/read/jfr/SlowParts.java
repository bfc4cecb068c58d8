package io.gcdiag.read.jfr;

import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.threads.WaitSample.SlowRequests;
import io.gcdiag.evidence.threads.WaitSample.SlowRequests.Part;
import io.gcdiag.evidence.threads.WaitSample.SlowRequests.Side;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.jfr.PoolHolds.Step;
import io.gcdiag.read.jfr.RequestEvents.Span;
import io.gcdiag.stats.Percentiles;
import io.gcdiag.units.Halving;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What threads did in the slowest tenth of the requests that events time, and in the others. */
final class SlowParts {

  private static final String RUNNING = "running";

  /** What no event and no sample shows. */
  private static final String UNSEEN = "not recorded: waiting for CPU, or running unsampled";

  /** A mean of fewer slow requests is good to worse than a quarter: 1 / root(n). */
  private static final int FEWEST = 16;

  /** Requests that take hardly longer than others do nothing else. */
  private static final double MUCH_LONGER = 1.5;

  /** More rows are no profile. */
  private static final int MOST_PARTS = 12;

  private static final double NANOS = 1e9;

  private final ThreadSpans<Step> steps;
  private final Pauses pauses;
  private final double sampleSeconds;
  private final Map<String, double[]> sums = new HashMap<>();

  /**
   * Of a recording.
   *
   * @param steps what each thread did
   * @param sampleSeconds thread time per sample of a thread running Java code
   */
  SlowParts(ThreadSpans<Step> steps, Pauses pauses, double sampleSeconds) {
    this.steps = steps;
    this.pauses = pauses;
    this.sampleSeconds = sampleSeconds;
  }

  /** The profile; empty if there are too few requests, or none much slower than the others. */
  Optional<SlowRequests> of(List<Span> all, Source source) {
    List<Span> requests =
        all.stream().filter(span -> steps.keeps(span.start(), span.end())).toList();
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
    List<Part> parts = new ArrayList<>();
    // Of a short request one sample can be more than its length.
    sums.forEach(
        (doing, sum) ->
            parts.add(
                new Part(
                    doing,
                    Math.max(0, sum[0] / slow.size()),
                    Math.max(0, sum[1] / others.size()))));
    parts.sort(Comparator.comparingDouble(Part::slowSeconds).reversed().thenComparing(Part::doing));
    return Optional.of(
        new SlowRequests(
            Instant.ofEpochSecond(0, requests.get(0).start()),
            new Side(slow.size(), seconds(slow)),
            new Side(others.size(), seconds(others)),
            parts.subList(0, Math.min(MOST_PARTS, parts.size())),
            source));
  }

  private static double seconds(List<Span> requests) {
    return requests.stream().mapToLong(Span::length).average().orElse(0) / NANOS;
  }

  /** A wait that contains a stop is shorter by it: the stop has a row of its own. */
  private void add(Span span, int side) {
    double stopped = stopped(span.start(), span.end());
    if (stopped > 0) {
      add("stopped for GC", side, stopped);
    }
    add(UNSEEN, side, span.length() / NANOS - stopped);
    steps.within(
        span.thread(),
        span.start(),
        span.end(),
        (step, from, to) -> {
          if (to > from) {
            step.waiting()
                .ifPresent(
                    kind ->
                        seen(
                            WaitedCode.about(kind, step.what()),
                            side,
                            (to - from) / NANOS - stopped(from, to)));
          } else if (step.waiting().isEmpty()) {
            String code = step.stack().top();
            seen(code.isEmpty() ? RUNNING : RUNNING + ": " + code, side, sampleSeconds);
          }
        });
  }

  private void seen(String doing, int side, double seconds) {
    add(doing, side, seconds);
    add(UNSEEN, side, -seconds);
  }

  private void add(String doing, int side, double seconds) {
    sums.computeIfAbsent(doing, any -> new double[2])[side] += seconds;
  }

  private double stopped(long from, long to) {
    int first = Halving.place(pauses.size(), place -> pauses.endNanos((int) place) > from);
    long nanos = 0;
    for (int i = first; i < pauses.size() && pauses.startNanos(i) < to; i++) {
      nanos += Math.max(0, Math.min(to, pauses.endNanos(i)) - Math.max(from, pauses.startNanos(i)));
    }
    return nanos / NANOS;
  }
}
