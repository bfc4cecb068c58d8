package io.gcdiag.causes.memory;

import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.Flag;
import io.gcdiag.evidence.jvm.GcSample.PausePhase;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.jvm.PauseTotals;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.stats.Growth;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Holds the growth of the pauses' sum against the growth of their count, and splits the stopped
 * time among its causes (see {@link StoppedTimeSplit}). A sum that outgrows the count means longer
 * pauses: less room, not more work.
 */
@Judges(
    value = {Hypothesis.MEMORY_PRESSURE, Hypothesis.MEMORY_LEAK, Hypothesis.FINALIZER_BACKLOG},
    needs = Signal.GC_PAUSES)
final class GcPauseGrowthRule implements Rule {

  /** What a heap without room can come from. */
  private static final List<Hypothesis> OF_A_SHORT_HEAP =
      List.of(Hypothesis.MEMORY_PRESSURE, Hypothesis.MEMORY_LEAK, Hypothesis.FINALIZER_BACKLOG);

  @Override
  public List<Finding> examine(Case incident) {
    Timeline timeline = incident.timeline();
    PauseTotals during = PauseTotals.of(timeline, incident.window());
    if (during.source().isEmpty()) {
      return List.of();
    }
    StoppedTimeSplit split = StoppedTimeSplit.of(incident);
    Optional<PauseTotals> before =
        incident.baseline().map(window -> PauseTotals.of(timeline, window));
    String sentence = before.map(totals -> growth(totals, during)).orElseGet(() -> level(during));
    LongPhases phases =
        new LongPhases(timeline.samples(PausePhase.class, incident.window()), during);
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
    phases.sums().forEach(finding::sum);
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

  private static final String SERIAL = "Serial";

  /** A line if they are fewer or more than the CPUs; empty if they fit, or if it is not known. */
  private static Optional<String> threadsAgainst(JvmFacts jvm) {
    if (jvm.cpus().orElse(1) <= 1 || jvm.collector().isEmpty()) {
      return Optional.empty();
    }
    int cpus = jvm.cpus().getAsInt();
    if (jvm.collector().get().equals(SERIAL)) {
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

  /** HotSpot takes Serial where it finds less than two CPUs or 1,792 MiB of memory. */
  private static String byItself(JvmFacts jvm) {
    return jvm.flag("UseSerialGC")
        .map(Flag::origin)
        .filter(List.of("Default", "Ergonomic")::contains)
        .map(origin -> "; the JVM chose it, as it does with less than 1,792 MiB of memory")
        .orElse("");
  }
}
