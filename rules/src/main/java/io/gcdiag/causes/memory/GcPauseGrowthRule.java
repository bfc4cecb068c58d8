package io.gcdiag.causes.memory;

import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.Flag;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.jvm.PausePhases;
import io.gcdiag.measures.jvm.PauseTotals;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.Growth;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Compares the growth of the total pause time with that of the number of pauses, and splits the
 * stopped time by cause (see {@link StoppedTimeSplit}). A total that outgrows the number means
 * longer pauses: less room, not more work.
 */
@Judges(
    value = {Hypothesis.MEMORY_PRESSURE, Hypothesis.MEMORY_LEAK, Hypothesis.FINALIZER_BACKLOG},
    needs = Signal.GC_PAUSES)
final class GcPauseGrowthRule implements Rule {

  /** The causes of a heap without room. */
  private static final List<Hypothesis> OF_A_SHORT_HEAP =
      List.of(Hypothesis.MEMORY_PRESSURE, Hypothesis.MEMORY_LEAK, Hypothesis.FINALIZER_BACKLOG);

  @Override
  public List<Finding> examine(MeasuredIncident incident) {
    Timeline timeline = incident.timeline();
    PauseTotals during = PauseTotals.of(timeline, incident.window());
    if (during.source().isEmpty()) {
      return List.of();
    }
    StoppedTimeSplit split = StoppedTimeSplit.of(incident);
    Optional<PauseTotals> before =
        incident.baseline().map(window -> PauseTotals.of(timeline, window));
    String sentence = before.map(totals -> growth(totals, during)).orElseGet(() -> level(during));
    PausePhases phases = PausePhases.of(timeline, incident.window());
    FindingBuilder finding =
        Finding.of(id(), sentence + phases.ofLongest().map(part -> " (" + part + ")").orElse(""))
            .figure(
                "GC pause time per minute",
                before.map(totals -> Durations.format(totals.sumPerMinute())),
                Durations.format(during.sumPerMinute()))
            .figure(
                "longest GC pause",
                before.map(totals -> Durations.format(totals.longest())),
                Durations.format(during.longest()))
            .value("pauseSumPerMinuteSeconds", Durations.seconds(during.sumPerMinute()))
            .value("pausesPerMinute", during.countPerMinute())
            .value("meanPauseSeconds", during.meanSeconds())
            .value("longestPauseSeconds", Durations.seconds(during.longest()))
            .value("shareStopped", during.shareStopped())
            .sum(during.shareSum())
            .from(during.source().get());
    before.ifPresent(
        totals ->
            finding
                .value("pauseSumGrowth", ofSum(totals, during))
                .value("pauseCountGrowth", ofCount(totals, during)));
    phases.lines().forEach(finding::sum);
    MarkingCycles.of(timeline, incident.window()).fruitless().ifPresent(finding::sum);
    threadsAgainst(timeline.jvm()).ifPresent(finding::sum);
    for (Hypothesis cause : OF_A_SHORT_HEAP) {
      finding.explains(cause, Effect.STOPPED, split.share(cause));
    }
    return List.of(finding.build());
  }

  /** The figures of the incident window alone, if there is no baseline. */
  private static String level(PauseTotals during) {
    String count = Numbers.threeDigits(during.countPerMinute());
    return ("GC paused the application %s of the time: %s per minute, mean %s, longest %s")
        .formatted(
            new Ratio(during.shareStopped()).share(),
            count + (count.equals("1") ? " pause" : " pauses"),
            Durations.format(during.meanSeconds()),
            Durations.format(during.longest()));
  }

  private static String growth(PauseTotals before, PauseTotals during) {
    if (before.count() == 0) {
      return level(during) + "; none before";
    }
    return ("GC pauses: count %s, total %s (%s -> %s per minute); mean %s -> %s, longest %s -> %s")
        .formatted(
            words(ofCount(before, during)),
            words(ofSum(before, during)),
            Durations.format(before.sumPerMinute()),
            Durations.format(during.sumPerMinute()),
            Durations.format(before.meanSeconds()),
            Durations.format(during.meanSeconds()),
            Durations.format(before.longest()),
            Durations.format(during.longest()));
  }

  private static OptionalDouble ofCount(PauseTotals before, PauseTotals during) {
    return new Growth(before.countPerMinute(), during.countPerMinute()).relative();
  }

  private static OptionalDouble ofSum(PauseTotals before, PauseTotals during) {
    return new Growth(
            Durations.seconds(before.sumPerMinute()), Durations.seconds(during.sumPerMinute()))
        .relative();
  }

  private static String words(OptionalDouble growth) {
    return growth.isPresent() ? new Ratio(growth.getAsDouble()).signed() : "from nothing";
  }

  /** A line if they are fewer or more than the CPUs; empty if they fit, or if it is not known. */
  private static Optional<String> threadsAgainst(JvmFacts jvm) {
    if (jvm.cpus().orElse(1) <= 1 || jvm.collector().isEmpty()) {
      return Optional.empty();
    }
    int cpus = jvm.cpus().getAsInt();
    if (jvm.collector().get().equals("Serial")) {
      return Optional.of(
          "Serial collects with one thread, and the JVM may use "
              + cpus
              + " CPUs (-XX:+UseParallelGC and -XX:+UseG1GC use them)"
              + byItself(jvm));
    }
    OptionalDouble threads = jvm.number("ParallelGCThreads");
    return threads.isPresent() && threads.getAsDouble() > cpus
        ? Optional.of(
            "%s GC threads share %s CPUs (-XX:ParallelGCThreads=%s)"
                .formatted((int) threads.getAsDouble(), cpus, cpus))
        : Optional.empty();
  }

  /** HotSpot selects Serial on machines with fewer than two CPUs or 1,792 MiB of memory. */
  private static String byItself(JvmFacts jvm) {
    return jvm.flag("UseSerialGC")
        .map(Flag::origin)
        .filter(List.of("Default", "Ergonomic")::contains)
        .map(origin -> "; the JVM chose it, as it does with less than 1,792 MiB of memory")
        .orElse("");
  }

  /**
   * What followed G1's concurrent cycles: mixed GCs, which free old regions, or nothing. A cycle
   * lasts from its Remark to the next one, or to a full GC, which makes its result worthless.
   *
   * @param ended cycles that came to an end in the window
   * @param withoutMixed of these, how many no mixed GC followed: HotSpot takes no old region then,
   *     because those that hold garbage enough (15 % of the region or more) hold less than
   *     G1HeapWastePercent (5 %) of the heap together (g1CollectionSetChooser.cpp): what fills the
   *     old generation lives, or marking begins too late (InitiatingHeapOccupancyPercent)
   * @param overtaken of these, how many a full GC ended
   */
  record MarkingCycles(int ended, int withoutMixed, int overtaken) {

    private static final Set<PauseKind> STEPS =
        EnumSet.of(PauseKind.REMARK, PauseKind.MIXED, PauseKind.FULL);

    /** Without the event that has G1's kinds, a mixed collection looks like a young one. */
    private static boolean showsMixed(Timeline timeline) {
      return timeline.inputs().stream().anyMatch(input -> input.format().equals("gc-log"))
          || !timeline.pauses().ofType(type -> type.kind() == PauseKind.MIXED).isEmpty();
    }

    static MarkingCycles of(Timeline timeline, Window window) {
      Pauses pauses =
          timeline.jvm().collector().filter("G1"::equals).isPresent() && showsMixed(timeline)
              ? timeline.pauses(window).ofType(type -> STEPS.contains(type.kind()))
              : Pauses.none();
      int ended = 0;
      int withoutMixed = 0;
      int overtaken = 0;
      boolean marked = false;
      boolean mixed = false;
      for (int i = 0; i < pauses.size(); i++) {
        PauseKind kind = pauses.kind(i);
        if (kind == PauseKind.MIXED) {
          mixed = true;
          continue;
        }
        boolean full = kind == PauseKind.FULL;
        if (marked) {
          ended++;
          overtaken += full ? 1 : 0;
          withoutMixed += !full && !mixed ? 1 : 0;
        }
        marked = !full;
        mixed = false;
      }
      return new MarkingCycles(ended, withoutMixed, overtaken);
    }

    /** A line where most cycles freed nothing or not enough; empty otherwise. */
    Optional<String> fruitless() {
      if (withoutMixed + overtaken < Policy.FEWEST_QUEUED
          || withoutMixed + overtaken <= Policy.MAJORITY * ended) {
        return Optional.empty();
      }
      return Optional.of(
          ("of %s marking cycles of G1, %s led to no mixed GC (old regions held less"
                  + " than G1HeapWastePercent of the heap in garbage) and %s were overtaken by a"
                  + " full GC")
              .formatted(
                  Numbers.count(ended), Numbers.count(withoutMixed), Numbers.count(overtaken)));
    }
  }
}
