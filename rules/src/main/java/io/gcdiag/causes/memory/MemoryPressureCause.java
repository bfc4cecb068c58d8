package io.gcdiag.causes.memory;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.CauseRemoved;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.Prediction;
import io.gcdiag.books.Rule;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.Flag;
import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.Windows.ChosenBy;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.UnrecordedStops;
import io.gcdiag.measures.jvm.CollectionTrigger;
import io.gcdiag.measures.jvm.CollectorMeters;
import io.gcdiag.measures.jvm.CollectorTimes;
import io.gcdiag.measures.jvm.FullHeap;
import io.gcdiag.measures.jvm.HeapExpansion;
import io.gcdiag.measures.jvm.HeapHeadroom;
import io.gcdiag.measures.jvm.HeapRoom;
import io.gcdiag.measures.jvm.HeapRoom.Wanted;
import io.gcdiag.measures.jvm.PauseTotals;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Estimate;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import io.gcdiag.units.UtcText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;

/** The heap is too small for the live set and the allocation rate. */
public final class MemoryPressureCause extends Cause {

  /**
   * From here on references take 8 bytes in place of 4, unless objects are aligned to 16 bytes in
   * place of 8; then from twice that (compressedOops).
   */
  private static final Bytes COMPRESSED_REFERENCES = Bytes.ofMebi(32 * 1024);

  /** A heap after GC this many times as large exceeds the normal variation of a working set. */
  private static final double FAR_MORE_ALIVE = 1.25;

  public MemoryPressureCause() {
    super(
        Hypothesis.MEMORY_PRESSURE,
        "Memory pressure: heap too small for its live set",
        "raise -Xms and -Xmx to one size that leaves 40 % of the heap free after a "
            + "full GC; then measure again",
        List.of(
            new AllocationStallRule(),
            new CollectingThreadsRule(),
            new CollectionFailureRule(),
            new GcPauseGrowthRule(),
            new HeapFreeRatioRule(),
            new MeteredCollectionsRule(),
            new PauseCpuRule()),
        Trait.BY_PAUSES,
        Trait.OF_COLLECTIONS,
        Trait.SEEN_IN_ALLOCATION);
  }

  @Override
  public void place(PlaceParts found) {
    HeapSettings.place(found);
  }

  @Override
  public List<Edit> edits(SuspectContext suspect) {
    return new WantedHeap(suspect.incident())
        .bytes()
        .map(to -> heapWithRoom(suspect, to))
        .orElse(List.of());
  }

  /**
   * The heap, the memory limit that it needs, and the alignment that keeps references at 4 bytes.
   */
  private static List<Edit> heapWithRoom(SuspectContext suspect, Bytes to) {
    List<Edit> edits = new ArrayList<>(MemoryLimits.roomFor(suspect, to));
    edits.addAll(HeapSettings.edits(suspect, to));
    JvmFacts jvm = suspect.timeline().jvm();
    boolean small =
        jvm.maxHeap().filter(now -> now.compareTo(COMPRESSED_REFERENCES) < 0).isPresent();
    boolean compressed =
        jvm.flag("UseCompressedOops")
            .map(Flag::value)
            .or(() -> jvm.collector().filter("ZGC"::equals).map(z -> "false"))
            .filter("false"::equals)
            .isEmpty();
    if (small
        && compressed
        && to.compareTo(COMPRESSED_REFERENCES) >= 0
        && to.compareTo(COMPRESSED_REFERENCES.plus(COMPRESSED_REFERENCES)) < 0) {
      edits.add(Edit.flag("-XX:ObjectAlignmentInBytes", Optional.of("8"), "16", suspect.why()));
    }
    return edits;
  }

  @Override
  public List<Prediction> predictions(Case incident, List<Finding> findings, OptionalDouble share) {
    return new WantedHeap(incident).predictions(this);
  }

  @Override
  public boolean mayStay(Case incident) {
    OptionalDouble now = used(incident, incident.window());
    OptionalDouble before = incident.baseline().map(one -> used(incident, one)).orElse(now);
    return now.orElse(0) > FAR_MORE_ALIVE * before.orElse(Double.MAX_VALUE);
  }

  private static OptionalDouble used(Case incident, Window window) {
    return Numbers.of(incident.heap(window).room(), room -> room.typical().used().value());
  }

  @Override
  public int askedFirst() {
    return 2;
  }

  /** The size of the heap that a service wants, and what that and larger ones would bring. */
  static final class WantedHeap {

    /** Heaps worth trying beside the one that is wanted: twice and four times as large. */
    private static final double[] LARGER = {2, 4};

    /** After a full GC that much of the heap is to be free: HotSpot's MinHeapFreeRatio. */
    private static final double FREE = 0.4;

    /** A larger heap is worth a restart if it is larger by a quarter at least. */
    private static final double STEP = 1.25;

    private static final double MEBI = 1 << 20;

    private final Case incident;
    private final Optional<HeapUse> use;

    WantedHeap(Case incident) {
      this.incident = incident;
      this.use = HeapUse.of(incident);
    }

    /** Predicts the one that is wanted, and larger ones. */
    List<Prediction> predictions(Cause cause) {
      if (use.isEmpty()) {
        return List.of(
            new CauseRemoved(incident, cause)
                .refused("these files show no live set: twice the heap is a first step"));
      }
      double now =
          incident
              .timeline()
              .jvm()
              .maxHeap()
              .map(Bytes::value)
              .orElse(Math.round(use.get().heapBytes()));
      List<Prediction> predictions = new ArrayList<>();
      Optional<Bytes> wanted = bytes();
      wanted.ifPresent(heap -> predictions.addAll(larger(cause, now, heap)));
      for (double factor : LARGER) {
        Bytes heap = Bytes.of(Math.round(now * factor));
        if (wanted.filter(smaller -> smaller.compareTo(heap) >= 0).isEmpty()) {
          predictions.addAll(larger(cause, now, heap));
        }
      }
      return predictions;
    }

    private List<Prediction> larger(Cause cause, double now, Bytes heap) {
      return new HeapSizes(incident, cause.hypothesis(), use)
          .at("heap x " + Numbers.threeDigits(heap.value() / now) + " = " + heap, heap);
    }

    /**
     * The smallest heap, in whole MiB, that leaves enough free after a full GC; twice the present
     * one if no file shows what lives. Empty if the present one is not known. It follows from the
     * live set and from nothing else: what pauses would cost rests on figures of pauses that differ
     * from file to file, and is predicted beside it.
     */
    Optional<Bytes> bytes() {
      return incident
          .timeline()
          .jvm()
          .maxHeap()
          .map(max -> (double) max.value())
          .map(
              now ->
                  use.map(known -> Math.max(known.heapWithFree(FREE), STEP * now)).orElse(2 * now))
          .map(WantedHeap::mebis);
    }

    private static Bytes mebis(double bytes) {
      return Bytes.of(Math.round(Math.ceil(bytes / MEBI) * MEBI));
    }
  }

  /**
   * Reads from thread dumps how much the GC threads worked, where no pause is recorded. Little work
   * bounds the time stopped; much is a lead to record the pauses.
   */
  @Judges(
      value = {Hypothesis.MEMORY_PRESSURE, Hypothesis.ALLOCATION_CHURN},
      needs = Signal.THREAD_DUMPS)
  static final class CollectingThreadsRule implements Rule {

    @Override
    public List<Finding> examine(Case incident) {
      return UnrecordedStops.of(incident)
          .filter(known -> known.cores() >= Policy.NOTABLE || known.cores() < Policy.TAIL)
          .map(known -> known.cores() >= Policy.NOTABLE ? lead(known) : bound(incident, known))
          .stream()
          .toList();
    }

    private Finding lead(UnrecordedStops stops) {
      return finding(stops, "; their pauses are in no file, log them with -Xlog:gc*,safepoint")
          .supports(Hypothesis.MEMORY_PRESSURE)
          .supports(Hypothesis.ALLOCATION_CHURN)
          .build();
    }

    private Finding bound(Incident incident, UnrecordedStops stops) {
      FindingBuilder finding =
          finding(
              stops, ": at most " + new Ratio(stops.cores()) + " of the time was stopped for a GC");
      boolean most =
          Durations.seconds(stops.covered()) >= Policy.MAJORITY * incident.window().seconds();
      for (Hypothesis hypothesis :
          List.of(Hypothesis.MEMORY_PRESSURE, Hypothesis.ALLOCATION_CHURN)) {
        finding.contradicts(hypothesis, most);
      }
      return finding.build();
    }

    private FindingBuilder finding(UnrecordedStops stops, String so) {
      return Finding.of(
              id(),
              "GC and VM threads used %s of CPU time in the %s between thread dumps%s"
                  .formatted(
                      Durations.format(stops.cores() * Durations.seconds(stops.covered())),
                      Durations.format(stops.covered()),
                      so))
          .value("collectorCores", stops.cores())
          .from(stops.dumps().stream().map(ThreadSnapshot::source).toList());
    }
  }

  /** Full GCs and evacuation failures: the plain signs of a heap that has run out of room. */
  @Judges(
      value = {Hypothesis.MEMORY_PRESSURE, Hypothesis.MEMORY_LEAK, Hypothesis.FINALIZER_BACKLOG},
      needs = Signal.GC_PAUSES)
  static final class CollectionFailureRule implements Rule {

    @Override
    public List<Finding> examine(Case incident) {
      return Stream.concat(inWindow(incident).stream(), full(incident).stream()).toList();
    }

    private Optional<Finding> inWindow(Case incident) {
      Pauses full = full(incident, incident.window());
      Pauses failed = failed(incident, incident.window());
      if (full.isEmpty() && failed.isEmpty()) {
        return Optional.empty();
      }
      List<String> parts = new ArrayList<>();
      if (!full.isEmpty()) {
        parts.add(
            "%s (%s in total, longest %s)"
                .formatted(
                    Numbers.counted(full.size(), "full GC"),
                    Durations.format(full.sum()),
                    Durations.format(full.longest())));
      }
      if (!failed.isEmpty()) {
        parts.add(Numbers.counted(failed.size(), "evacuation failure"));
      }
      return Optional.of(
          Finding.of(id(), String.join(" and ", parts) + " in the window")
              .figure(
                  (full.isEmpty() ? "evacuation failures" : "full GCs") + " per minute",
                  incident,
                  one ->
                      CollectionCauseRule.perMinute(
                          full.isEmpty() ? failed(incident, one) : full(incident, one), one))
              .value("fullCollections", full.size())
              .value("evacuationFailures", failed.size())
              .from((full.isEmpty() ? failed : full).get(0).source())
              .supports(Hypothesis.MEMORY_PRESSURE)
              .build());
    }

    /**
     * A heap that was full, at any time: the thread that got no memory may have ended, and what it
     * held with it. In a window that the user chose, what lies outside of it decides nothing.
     */
    private Optional<Finding> full(Case incident) {
      Pauses full = FullHeap.leftFull(incident.timeline());
      if (full.isEmpty()) {
        return Optional.empty();
      }
      int last = full.size() - 1;
      boolean inside = !full.within(incident.window()).isEmpty();
      String left = new Ratio((double) full.usedAfter(last) / full.committedAfter(last)).toString();
      String when =
          "at "
              + UtcText.span(full.start(0), full.start(last))
              + (inside ? "" : ", outside the window");
      String what = "the heap was full %s: full GCs one after the other left %s of it in use";
      return Optional.of(
          Finding.of(id(), what.formatted(when, left))
              .figure("heap in use after full GCs " + when, left)
              .value("fullCollectionsLeftFull", full.size())
              .from(full.get(0).source())
              .supports(
                  StoppedTimeSplit.whoFillsTheHeap(incident),
                  inside || incident.windows().chosenBy() != ChosenBy.USER)
              .build());
    }

    /**
     * Full GCs because memory ran out. Full GCs forced by large objects alone are another cause.
     */
    private static Pauses full(Case incident, Window window) {
      Set<GcPause> humongous = incident.heap(window).humongousFulls();
      Pauses ordinary =
          incident.timeline().pauses(window).ofType(CollectionTrigger::isOrdinaryFull);
      return ordinary.where(i -> !humongous.contains(ordinary.get(i)));
    }

    private static Pauses failed(Case incident, Window window) {
      return incident.timeline().pauses(window).ofType(CollectionTrigger::foundNoRoom);
    }
  }

  /**
   * Judges the collector by the service's own meters, where neither a recording nor a log has its
   * pauses. What is left in the old generation after collections says whether the heap is short of
   * room; how much of the delays the pauses account for follows from their number and sum within
   * bounds.
   */
  @Judges(Hypothesis.MEMORY_PRESSURE)
  static final class MeteredCollectionsRule implements Rule {

    /** A heap that has as much free as HotSpot itself wants is not short of memory. */
    private static final double ROOM = 1 - HeapRoom.DEFAULT_WANTED.value();

    @Override
    public List<Finding> examine(Case incident) {
      return CollectorMeters.of(incident.timeline()).map(meters -> judge(incident, meters)).stream()
          .toList();
    }

    private Finding judge(Incident incident, CollectorMeters meters) {
      Timeline timeline = incident.timeline();
      Window window = incident.window();
      PauseTotals totals = PauseTotals.of(timeline, window);
      OptionalDouble old = meters.oldInUse(window);
      FindingBuilder finding =
          Finding.of(id(), statement(totals, old))
              .figure(
                  "share of time in GC pauses",
                  incident,
                  one -> new Ratio(PauseTotals.of(timeline, one).shareStopped()).toString())
              .value("pausesPerMinute", totals.countPerMinute())
              .value("shareStopped", totals.shareStopped())
              .value("meanPauseSeconds", totals.meanSeconds())
              .sum(totals.shareSum())
              .from(meters.source());
      if (totals.count() > 0) {
        Estimate lost = meters.lost(incident);
        finding
            .value("lostAtLeastSeconds", lost.low())
            .value("lostAtMostSeconds", lost.high())
            .sum(
                ("request time that the pauses delayed: %s if they were as equal as the meters"
                        + " allow, up to %s if as unequal; the lower figure is used")
                    .formatted(Durations.format(lost.low()), Durations.format(lost.high())));
      }
      old.ifPresent(
          share -> {
            finding.value("oldInUse", share);
            if (share >= FullHeap.AT_CEILING) {
              finding.explains(Hypothesis.MEMORY_PRESSURE, Effect.STOPPED, 1);
            } else if (share <= ROOM) {
              finding.refutes(Hypothesis.MEMORY_PRESSURE);
            }
          });
      return finding.build();
    }

    private static String statement(PauseTotals totals, OptionalDouble old) {
      return "by the service's own meters GC paused it "
          + new Ratio(totals.shareStopped())
          + " of the time"
          + (totals.count() == 0
              ? ""
              : ": %s pauses per minute, mean %s, longest at least %s"
                  .formatted(
                      Numbers.threeDigits(totals.countPerMinute()),
                      Durations.format(totals.meanSeconds()),
                      Durations.format(totals.longest())))
          + (old.isEmpty()
              ? ""
              : "; after GC "
                  + new Ratio(old.getAsDouble())
                  + " of the old generation's maximum size is in use");
    }
  }

  /**
   * Compares what the heap has free after collections with the {@code MinHeapFreeRatio} in force.
   * HotSpot acts on the flag after full GCs and at G1's remark; here it serves as the JVM's own
   * measure of enough room, whatever made the heap grow.
   */
  @Judges(value = Hypothesis.MEMORY_PRESSURE, needs = Signal.HEAP_AROUND_GC)
  static final class HeapFreeRatioRule implements Rule {

    @Override
    public List<Finding> examine(Case incident) {
      return incident.heap(incident.window()).room().map(room -> judge(incident, room)).stream()
          .toList();
    }

    private Finding judge(Case incident, HeapRoom room) {
      Wanted wanted = Wanted.of(incident.timeline().jvm());
      HeapHeadroom judged = incident.heap().headroom();
      Optional<HeapExpansion> expansion = incident.heap().expansion();
      boolean low = room.freeRatio().compareTo(wanted.ratio()) < 0;
      String relation = low ? ", below " : ", above ";
      Optional<Window> baseline = incident.baseline();
      Optional<Ratio> before =
          baseline.flatMap(window -> incident.heap(window).room()).map(HeapRoom::freeRatio);
      FindingBuilder finding =
          Finding.of(
                  id(),
                  "%s%s of the committed heap is free after GC%s%s%s%s"
                      .formatted(
                          expansion.map(one -> words(one, wanted) + "; since then ").orElse(""),
                          room.freeRatio(),
                          relation,
                          wanted.text(),
                          before.map(ratio -> " (before: " + ratio + ")").orElse(""),
                          ceiling(judged, room)))
              .brief(
                  expansion
                      .map(
                          one ->
                              one.freeBefore()
                                  + " of the heap free before it was expanded at "
                                  + UtcText.span(one.at(), one.at()))
                      .orElseGet(
                          () ->
                              before.map(ratio -> ratio + " -> ").orElse("")
                                  + room.freeRatio()
                                  + " of the heap free after GC"
                                  + (low ? "" : ": it does not fill up")))
              .figure(
                  expansion
                      .map(
                          one ->
                              "heap free before it was expanded at "
                                  + UtcText.span(one.at(), one.at()))
                      .orElse("heap free after GC"),
                  before.map(Ratio::toString),
                  expansion.map(HeapExpansion::freeBefore).orElse(room.freeRatio()).toString())
              .sum(room.arithmetic() + relation + wanted.text())
              .value("freeRatio", room.freeRatio().value())
              .value("minHeapFreeRatio", wanted.ratio().value())
              .value("usedBytes", room.typical().used().value())
              .value("committedBytes", room.typical().committed().value())
              .value("collections", room.samples())
              .from(room.typical().source());
      expansion.ifPresent(
          one ->
              finding
                  .sum(
                      "free ratio before the expansion = (%s - %s) / %s = %s"
                          .formatted(one.before(), one.used(), one.before(), one.freeBefore()))
                  .value("freeRatioBeforeExpansion", one.freeBefore().value())
                  .from(one.source()));
      wanted.source().ifPresent(finding::from);
      room.freeOfMax()
          .ifPresent(
              ofMax -> {
                finding.value("freeOfMaxHeap", ofMax.value());
                incident
                    .timeline()
                    .jvm()
                    .maxHeap()
                    .ifPresent(
                        max -> finding.sum("free of the maximum heap of " + max + " = " + ofMax));
              });
      judged
          .live()
          .ifPresent(
              live ->
                  finding
                      .value("liveBytes", live)
                      .sum(
                          "live set after full GCs or concurrent cycles: %s, %s free"
                              .formatted(
                                  Bytes.of(Math.round(live)), new Ratio(judged.free().orElse(0)))));
      if (judged.isShort()) {
        finding.supports(Hypothesis.MEMORY_PRESSURE);
      } else if ((low || judged.failing()) && !judged.isGrowing()
          || !FullHeap.leftFull(incident.timeline()).isEmpty()) {
        // Little lives, and still there is no room, or was none: what is in flight takes it.
        finding.weakens(Hypothesis.MEMORY_PRESSURE);
      } else {
        finding.refutes(Hypothesis.MEMORY_PRESSURE);
      }
      return finding.build();
    }

    private static String words(HeapExpansion expansion, Wanted wanted) {
      return "%s of the heap was free when the JVM expanded it from %s to %s at %s, below %s"
          .formatted(
              expansion.freeBefore(),
              expansion.before(),
              expansion.after(),
              UtcText.span(expansion.at(), expansion.at()),
              wanted.text());
    }

    /** A heap that is growing is not short for want of a larger maximum size. */
    private static String ceiling(HeapHeadroom judged, HeapRoom room) {
      return judged.isGrowing()
          ? room.freeOfMax().map(free -> ", and " + free + " of the maximum heap").orElse("")
          : "";
    }
  }

  /**
   * Asks what the CPU times of the pauses say: whether the GC threads got the cores, by the load of
   * the machine or, where that is not known, by themselves, and whether the kernel did most of the
   * work.
   */
  @Judges(
      value = {Hypothesis.HOST_CPU_CONTENTION, Hypothesis.CPU_THROTTLING, Hypothesis.SWAPPING},
      needs = Signal.GC_PAUSES)
  static final class PauseCpuRule implements Rule {

    @Override
    public List<Finding> examine(Case incident) {
      CollectorTimes times = incident.collectorTimes(incident.window());
      double waiting = StoppedTimeSplit.of(incident).share(Hypothesis.HOST_CPU_CONTENTION);
      boolean kept =
          CollectorTimes.areAllThereIs(incident)
              ? times.starved() > 0
              : waiting >= Policy.NEGLIGIBLE && times.pauses() > 0;
      List<Finding> findings = new ArrayList<>();
      if (kept && CollectorTimes.areAllThereIs(incident)) {
        findings.add(waited(incident, times));
      } else if (kept) {
        findings.add(kept(incident, times, waiting));
      }
      if (times.kernel() > 0) {
        findings.add(kernel(times));
      }
      return findings;
    }

    /** Other processes kept the threads from running. */
    private Finding kept(Case incident, CollectorTimes times, double share) {
      return measured(
              times,
              "the GC threads got %s cores on average during pauses while other processes used the CPU: %s of the growth in pause time is waiting for CPU"
                  .formatted(Numbers.threeDigits(times.cores()), new Ratio(share)))
          .figure(
              "cores that GC threads get in a pause",
              incident
                  .baseline()
                  .map(incident::collectorTimes)
                  .filter(before -> before.pauses() > 0)
                  .map(before -> Numbers.threeDigits(before.cores())),
              Numbers.threeDigits(times.cores()))
          .sum(
              "cores in pauses = CPU time / elapsed time = %s / %s"
                  .formatted(
                      Durations.format(times.cpuSeconds()), Durations.format(times.realSeconds())))
          .explains(Hypothesis.HOST_CPU_CONTENTION, Effect.STOPPED, share)
          .brief(new Ratio(share) + " of the pause growth is waiting for CPU")
          .build();
    }

    /**
     * The JVM waited, and not the collector: no setting of it helps. The log alone does not say for
     * what.
     */
    private Finding waited(Case incident, CollectorTimes times) {
      boolean swap = mayBeSwapped(incident.timeline().jvm());
      boolean all = times.waits().pauses() == 0;
      String pauses =
          all
              ? "in %s (%s)"
                  .formatted(
                      Numbers.counted(times.pauses(), "pause"),
                      Durations.format(times.realSeconds()))
              : "in %s of %s (%s of %s)"
                  .formatted(
                      Numbers.count(times.waits().pauses()),
                      Numbers.counted(times.pauses(), "pause"),
                      Durations.format(times.waits().realSeconds()),
                      Durations.format(times.realSeconds()));
      FindingBuilder finding =
          measured(
                  times,
                  ("%s the GC threads ran for %s only: the JVM waited, not the"
                          + " collector; not separable: other processes, a CPU quota, %sa slow disk"
                          + " that the log (-Xlog:async) or the JVM's counters"
                          + " (-XX:+PerfDisableSharedMem) are written to")
                      .formatted(
                          pauses,
                          Durations.format(all ? times.cpuSeconds() : times.waits().cpuSeconds()),
                          swap ? "swapped-out memory, " : ""))
              .figure(
                  "time in pauses without a running GC thread",
                  incident,
                  window ->
                      Durations.format(
                          CollectorTimes.of(incident.timeline(), window).waits().seconds()))
              .value("waitedSeconds", times.waits().seconds())
              .supports(Hypothesis.HOST_CPU_CONTENTION)
              .supports(Hypothesis.CPU_THROTTLING);
      return swap ? finding.supports(Hypothesis.SWAPPING).build() : finding.build();
    }

    /** A log of JDK 8 begins with the machine's swap space: {@code swap 0k(0k free)} is none. */
    private static boolean mayBeSwapped(JvmFacts jvm) {
      return jvm.flag("Memory")
          .map(Flag::value)
          .filter(memory -> memory.contains("swap 0k"))
          .isEmpty();
    }

    private Finding kernel(CollectorTimes times) {
      return measured(
              times,
              new Ratio(times.kernel())
                  + " of the CPU time of pauses is kernel time: the collector waits for pages that"
                  + " are swapped in, touched for the first time (see -XX:+AlwaysPreTouch) or merged"
                  + " into huge pages")
          .figure("kernel share of the CPU time of GC pauses", new Ratio(times.kernel()).toString())
          .supports(Hypothesis.SWAPPING)
          .build();
    }

    private FindingBuilder measured(CollectorTimes times, String statement) {
      return Finding.of(id(), statement)
          .value("coresInPauses", times.cores())
          .value("userSeconds", times.userSeconds())
          .value("systemSeconds", times.cpuSeconds() - times.userSeconds())
          .value("elapsedSeconds", times.realSeconds())
          .from(new Source(times.file(), "CPU time of collections"));
    }
  }
}
