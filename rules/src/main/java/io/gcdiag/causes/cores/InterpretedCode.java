package io.gcdiag.causes.cores;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.CpuProfile;
import io.gcdiag.evidence.jvm.JvmSample.CodeCacheFull;
import io.gcdiag.evidence.jvm.JvmSample.CompilerCount;
import io.gcdiag.evidence.jvm.JvmSample.Deoptimized;
import io.gcdiag.evidence.time.SampleCounts;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.Ordered;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.time.Duration;
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
 * @param tooLarge the method that holds most of the growth in samples, is interpreted to the end of
 *     the incident, and is larger than HotSpot compiles
 * @param interpreted share of the samples in the incident that ran in the interpreter, 0 to 1
 * @param interpretedBefore the same in the baseline, or in the part of the incident with the least
 *     CPU use; empty if unknown
 * @param growth share of the growth in samples that is interpreted, 0 to 1
 * @param warmedUp whether the incident lasts after the first minute of the JVM
 */
record InterpretedCode(
    Optional<CodeCacheFull> full,
    OptionalDouble compiledAfter,
    Optional<Map.Entry<String, Long>> returned,
    Optional<String> tooLarge,
    double interpreted,
    OptionalDouble interpretedBefore,
    double growth,
    boolean warmedUp) {

  /**
   * A method whose assumption turns out wrong is recompiled without it. This many deoptimizations
   * in one incident mean a deoptimization loop: HotSpot gives up on a method after some hundred
   * times ({@code PerMethodRecompilationCutoff}, {@code PerBytecodeTrapLimit} 4).
   */
  static final long STORM = 100;

  /** In this time after its start a JVM runs code that it has not compiled yet. */
  private static final Duration WARM_UP = Duration.ofMinutes(1);

  private static final double PRACTICALLY_ALL = 1 - Policy.NEGLIGIBLE;

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
    boolean warmedUp =
        window.length().compareTo(Policy.SUSTAINED) >= 0
            && timeline
                .jvm()
                .start()
                .filter(start -> start.plus(WARM_UP).isAfter(last(window).from()))
                .isEmpty();
    boolean enough = during.java() >= Policy.FEWEST_SAMPLES && more > 0;
    double share =
        during.java() >= Policy.FEWEST_SAMPLES ? during.interpreted() / (double) during.java() : 0;
    OptionalDouble shareBefore =
        Numbers.of(
            before.filter(counts -> counts.java() >= Policy.FEWEST_SAMPLES),
            counts -> counts.interpreted() / (double) counts.java());
    boolean rose = share - shareBefore.orElse(0) >= Policy.NOTABLE;
    return new InterpretedCode(
        full,
        full.map(event -> compiled(timeline, event.at(), window.to()))
            .orElse(OptionalDouble.empty()),
        mostReturned(timeline, window),
        warmedUp && rose ? tooLarge(incident) : Optional.empty(),
        share,
        shareBefore,
        enough ? Math.max(0, Math.min(1, moreInterpreted / more)) : 0,
        warmedUp);
  }

  /** Whether something prevents compilation; warm-up after a start does not count. */
  boolean hasCause() {
    return full.isPresent() || isStorm() || tooLarge.isPresent();
  }

  /** Whether most of the code is interpreted that was not before, and nothing shows why. */
  boolean isUnexplained() {
    return !hasCause()
        && warmedUp
        && interpretedBefore.isPresent()
        && interpreted - interpretedBefore.getAsDouble() > Policy.MAJORITY;
  }

  String shares() {
    return new Ratio(interpreted).share()
        + " of the samples are interpreted code"
        + (interpretedBefore.isPresent()
            ? " (before: " + new Ratio(interpretedBefore.getAsDouble()).share() + ")"
            : "");
  }

  boolean isStorm() {
    return returned.filter(method -> method.getValue() >= STORM).isPresent();
  }

  private static Window last(Window window) {
    return new Window(window.to().minus(Policy.SUSTAINED), window.to());
  }

  private static Optional<String> tooLarge(Incident incident) {
    boolean compiled =
        incident
            .timeline()
            .jvm()
            .flag("DontCompileHugeMethods")
            .filter(flag -> flag.value().equals("false"))
            .isPresent();
    return incident.timeline().profiles().cpu().tooLarge().stream()
        .filter(method -> !compiled)
        .filter(method -> isMostOfGrowth(incident, method, incident.window()))
        .filter(method -> isMostOfGrowth(incident, method, last(incident.window())))
        .findFirst();
  }

  /** Whether a part of the incident has more samples than before because of that method. */
  private static boolean isMostOfGrowth(Incident incident, String method, Window part) {
    CpuProfile profile = incident.timeline().profiles().cpu();
    Optional<Window> before = RuntimeWork.baseline(incident);
    double scale = before.map(usual -> part.seconds() / usual.seconds()).orElse(0.0);
    long inside = profile.inside(method, part);
    double more =
        profile.within(part).java()
            - scale * before.map(usual -> profile.within(usual).java()).orElse(0L);
    double moreInside =
        inside - scale * before.map(usual -> profile.inside(method, usual)).orElse(0L);
    return inside >= Policy.FEWEST_FOR_A_MEAN
        && more > 0
        && moreInside > Policy.MAJORITY * more
        && profile.interpreted(method, part) >= PRACTICALLY_ALL * inside;
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
