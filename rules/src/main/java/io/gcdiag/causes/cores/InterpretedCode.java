package io.gcdiag.causes.cores;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.JvmSample.CodeCacheFull;
import io.gcdiag.evidence.jvm.JvmSample.CompilerCount;
import io.gcdiag.evidence.jvm.JvmSample.Deoptimized;
import io.gcdiag.evidence.time.SampleCounts;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.Ordered;
import io.gcdiag.units.Numbers;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * Whether the service interprets code that the JIT compilers should have compiled.
 *
 * @param full the first report of a full code cache before the incident's end
 * @param compiledAfter methods compiled from then to the end of the incident; empty if unknown
 * @param returned the method with the most deoptimizations, and their number
 * @param interpreted share of the samples in the incident that ran in the interpreter, 0 to 1
 * @param interpretedBefore the same in the baseline, or in the part of the incident with the least
 *     CPU use; empty if unknown
 * @param growth share of the growth in samples that is interpreted, 0 to 1
 */
record InterpretedCode(
    Optional<CodeCacheFull> full,
    OptionalDouble compiledAfter,
    Optional<Map.Entry<String, Long>> returned,
    double interpreted,
    OptionalDouble interpretedBefore,
    double growth) {

  /**
   * A method whose assumption turns out wrong is recompiled without it. This many deoptimizations
   * in one incident mean a deoptimization loop: HotSpot gives up on a method after some hundred
   * times ({@code PerMethodRecompilationCutoff}, {@code PerBytecodeTrapLimit} 4).
   */
  static final long STORM = 100;

  static InterpretedCode of(Incident incident) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    Optional<CodeCacheFull> full =
        timeline.samples(CodeCacheFull.class).stream()
            .filter(event -> event.at().isBefore(window.to()))
            .findFirst();
    SampleCounts during = timeline.profiles().cpu().within(window);
    Optional<SampleCounts> before =
        RuntimeWork.baseline(incident).map(baseline -> timeline.profiles().cpu().within(baseline));
    double scale =
        RuntimeWork.baseline(incident)
            .map(baseline -> window.seconds() / baseline.seconds())
            .orElse(0.0);
    double more = during.java() - scale * before.map(SampleCounts::java).orElse(0L);
    double moreInterpreted =
        during.interpreted() - scale * before.map(SampleCounts::interpreted).orElse(0L);
    boolean enough = during.java() >= Policy.FEWEST_SAMPLES && more > 0;
    return new InterpretedCode(
        full,
        full.map(event -> compiled(timeline, event.at(), window.to()))
            .orElse(OptionalDouble.empty()),
        mostReturned(timeline, window),
        during.java() >= Policy.FEWEST_SAMPLES ? during.interpreted() / (double) during.java() : 0,
        Numbers.of(
            before.filter(counts -> counts.java() >= Policy.FEWEST_SAMPLES),
            counts -> counts.interpreted() / (double) counts.java()),
        enough ? Math.max(0, Math.min(1, moreInterpreted / more)) : 0);
  }

  /** Whether something prevents compilation; warm-up after a start does not count. */
  boolean hasCause() {
    return full.isPresent() || isStorm();
  }

  boolean isStorm() {
    return returned.filter(method -> method.getValue() >= STORM).isPresent();
  }

  private static OptionalDouble compiled(Timeline timeline, Instant from, Instant to) {
    List<CompilerCount> counts =
        timeline.samples(CompilerCount.class).stream()
            .filter(count -> !count.at().isBefore(from) && count.at().isBefore(to))
            .toList();
    return counts.size() < 2
        ? OptionalDouble.empty()
        : OptionalDouble.of(
            counts.get(counts.size() - 1).compiled() - (double) counts.get(0).compiled());
  }

  private static Optional<Map.Entry<String, Long>> mostReturned(Timeline timeline, Window window) {
    Map<String, Long> returns =
        timeline.samples(Deoptimized.class, window).stream()
            .filter(event -> !event.method().equals(Deoptimized.OTHERS))
            .collect(
                Collectors.groupingBy(
                    event -> event.method() + " (" + event.reason() + ")",
                    Collectors.summingLong(Deoptimized::count)));
    return Ordered.largestFirst(returns).stream().findFirst();
  }
}
