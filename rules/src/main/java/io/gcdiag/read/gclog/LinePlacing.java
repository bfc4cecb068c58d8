package io.gcdiag.read.gclog;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.jvm.GcSample.ConcurrentCycle;
import io.gcdiag.evidence.jvm.GcSample.HumongousRegions;
import io.gcdiag.evidence.jvm.GcSample.PausePhase;
import io.gcdiag.evidence.jvm.GcSample.StarvedAllocation;
import io.gcdiag.evidence.jvm.GcSample.YoungCollections;
import io.gcdiag.evidence.jvm.HeapSample;
import io.gcdiag.evidence.jvm.HeapSample.Moment;
import io.gcdiag.evidence.threads.AllocationStalls;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.threads.WaitSite;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.frames.FrameBook;
import io.gcdiag.read.gclog.GcLog.StarvedThread;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Nanos;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongPredicate;

/** Puts cycles, phases, waits for memory and humongous regions on the common clock. */
final class LinePlacing {

  private static final String REGION_SIZE = "G1HeapRegionSize";

  private final String file;
  private final Function<LogStamp, Optional<Instant>> clock;
  private final LongPredicate told;

  /**
   * For one log.
   *
   * @param clock converts a timestamp to the common clock
   * @param told tests whether an earlier log covers a time, in nanoseconds since 1970
   */
  LinePlacing(String file, Function<LogStamp, Optional<Instant>> clock, LongPredicate told) {
    this.file = file;
    this.clock = clock;
    this.told = told;
  }

  private Optional<Instant> at(LogStamp stamp) {
    return clock.apply(stamp).filter(instant -> !told.test(Nanos.since1970(instant)));
  }

  /**
   * Cycles. ZGC's lines do not state the committed size; if the heap has a fixed size, it is the
   * maximum.
   */
  void cycles(GcLog log, Optional<Bytes> fixedSize, TimelineBuilder timeline) {
    List<HeapSample> samples = new ArrayList<>();
    for (LoggedCycle cycle : log.concurrent().cycles()) {
      Optional<Instant> at = at(cycle.end());
      if (at.isPresent()) {
        Source source = Source.line(file, cycle.line());
        timeline.sampleOfLog(
            new ConcurrentCycle(at.get(), cycle.usedAfter(), cycle.whole(), source));
        fixedSize.ifPresent(
            size ->
                samples.add(
                    new HeapSample(
                        at.get(), Moment.AFTER_COLLECTION, cycle.usedAfter(), size, source)));
      }
    }
    timeline.heapOfLog(samples);
  }

  /** Humongous regions, which no recording has. */
  void humongous(GcLog log, TimelineBuilder timeline) {
    for (LoggedRegions regions : log.humongous()) {
      at(regions.end())
          .ifPresent(
              at ->
                  timeline.sample(
                      new HumongousRegions(
                          at,
                          regions.before(),
                          regions.after(),
                          Source.line(file, regions.line()))));
    }
  }

  /** Young collections; for G1 the log has to state the region size. */
  void young(GcLog log, TimelineBuilder timeline) {
    Optional<Bytes> region = LogFacts.size(log.origin().facts(), REGION_SIZE);
    for (LoggedYoung young : log.young()) {
      Optional<Bytes> step = young.inRegions() ? region : Optional.of(Bytes.of(1));
      Optional<Instant> at = at(young.stamp());
      if (step.isPresent() && at.isPresent()) {
        long unit = step.get().value();
        timeline.sample(
            new YoungCollections(
                at.get(),
                young.count(),
                Bytes.of(unit * young.before()),
                Bytes.of(unit * young.survived()),
                Bytes.of(unit * young.promoted()),
                step.get(),
                Source.line(file, young.line())));
      }
    }
  }

  /** Phases inside pauses; a recording of the same pauses has them as well. */
  void phases(GcLog log, TimelineBuilder timeline) {
    for (LoggedPhase phase : log.phases()) {
      at(phase.start())
          .ifPresent(
              at ->
                  timeline.sampleOfLog(
                      new PausePhase(
                          at,
                          phase.pause(),
                          phase.part(),
                          phase.duration(),
                          Source.line(file, phase.line()))));
    }
  }

  /** Allocations given up because of JNI critical sections. */
  void starved(GcLog log, TimelineBuilder timeline) {
    for (StarvedThread thread : log.starved()) {
      at(thread.at())
          .ifPresent(
              at ->
                  timeline.sample(
                      new StarvedAllocation(at, thread.name(), Source.line(file, thread.line()))));
    }
  }

  /** Waits, of request threads and of others, by thread name. */
  void waits(GcLog log, TimelineBuilder timeline, FrameBook frames) {
    Map<WaitSite, WaitSeries.Builder> series = new TreeMap<>();
    for (LoggedWait wait : log.concurrent().waits()) {
      Optional<Instant> end = at(wait.end());
      if (end.isPresent()) {
        boolean serving = frames.isRequestThread(wait.thread());
        WaitSite site =
            new WaitSite(
                WaitKind.ALLOCATION_STALL,
                wait.paced() ? AllocationStalls.PACING : AllocationStalls.COLLECTOR,
                serving,
                "");
        series
            .computeIfAbsent(
                site, key -> new WaitSeries.Builder(key, Source.line(file, wait.line())))
            .add(end.get().minus(wait.duration()), wait.duration());
      }
    }
    series.values().forEach(builder -> timeline.waitsOfLog(builder.build()));
  }
}
