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
import io.gcdiag.evidence.jvm.GcSample.StarvedAllocation;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.jvm.PauseType;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.threads.AllocationStalls;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.Windows.ChosenBy;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.UnrecordedStops;
import io.gcdiag.measures.jvm.CollectionTrigger;
import io.gcdiag.measures.jvm.CollectorMeters;
import io.gcdiag.measures.jvm.FullHeap;
import io.gcdiag.measures.jvm.HeapExpansion;
import io.gcdiag.measures.jvm.HeapHeadroom;
import io.gcdiag.measures.jvm.HeapRoom;
import io.gcdiag.measures.jvm.HeapRoom.Wanted;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.measures.jvm.PauseTotals;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Estimate;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import io.gcdiag.units.UtcText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The heap is too small for the live set and the allocation rate. */
public final class MemoryPressureCause extends Cause {

  /**
   * From this heap size on references take 8 bytes rather than 4, unless objects are aligned to 16
   * bytes rather than 8; then from twice this size (compressedOops).
   */
  private static final Bytes COMPRESSED_REFERENCES = Bytes.ofMebi(32 * 1024);

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
            new MeteredCollectionsRule()),
        Trait.BY_PAUSES,
        Trait.SEEN_IN_ALLOCATION);
    askedFirst(2);
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
  public List<Prediction> predictions(
      MeasuredIncident incident, List<Finding> findings, OptionalDouble share) {
    return new WantedHeap(incident).predictions(this);
  }

  /** The recommended heap size, and the predicted effect of it and of larger ones. */
  static final class WantedHeap {

    /** Also predicted: twice and four times the present heap. */
    private static final double[] LARGER = {2, 4};

    /** Share of the heap that should be free after a full GC: HotSpot's MinHeapFreeRatio. */
    private static final double FREE = 0.4;

    /** An increase by less than a quarter is not worth a restart. */
    private static final double STEP = 1.25;

    private static final double MEBI = 1 << 20;

    private final MeasuredIncident incident;
    private final Optional<HeapUse> use;

    WantedHeap(MeasuredIncident incident) {
      this.incident = incident;
      this.use = HeapUse.of(incident);
    }

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
     * one if the live set is unknown. Empty if the present size is unknown. It depends on the live
     * set only, because pause figures differ between kinds of files; their prediction is shown
     * beside it.
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
          .map(bytes -> Bytes.of(Math.round(Math.ceil(bytes / MEBI) * MEBI)));
    }
  }

  /**
   * Measures the CPU time of GC threads between thread dumps, if no pauses are recorded. A low
   * value bounds the time stopped; a high one is a lead to record the pauses. On full cores these
   * threads wait for CPU, and the application with them: a tenth of a core each is taken as the
   * least that they get, where nothing shows free cores.
   */
  @Judges(
      value = {Hypothesis.MEMORY_PRESSURE, Hypothesis.ALLOCATION_CHURN},
      needs = Signal.THREAD_DUMPS)
  static final class CollectingThreadsRule implements Rule {

    @Override
    public List<Finding> examine(MeasuredIncident incident) {
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
              stops,
              ": at most "
                  + new Ratio(stops.cores())
                  + " of the time was stopped for a GC, if they did not wait for CPU");
      boolean most =
          Durations.seconds(stops.covered()) >= Policy.MAJORITY * incident.window().seconds();
      Timeline timeline = incident.timeline();
      boolean coresFree =
          timeline.sees(Signal.CPU_LOAD) && !MachineLoad.isFull(timeline, incident.window());
      boolean sure = coresFree || stops.cores() < Policy.NOTABLE * Policy.TAIL;
      for (Hypothesis hypothesis :
          List.of(Hypothesis.MEMORY_PRESSURE, Hypothesis.ALLOCATION_CHURN)) {
        finding.contradicts(hypothesis, most && sure);
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
    public List<Finding> examine(MeasuredIncident incident) {
      return Stream.concat(inWindow(incident).stream(), full(incident).stream()).toList();
    }

    private Optional<Finding> inWindow(MeasuredIncident incident) {
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
     * Whether the heap was full at any time: the thread whose allocation failed may have ended and
     * released what it held. In a window chosen by the user, only that window counts.
     */
    private Optional<Finding> full(MeasuredIncident incident) {
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
    private static Pauses full(MeasuredIncident incident, Window window) {
      Set<GcPause> humongous = incident.heap(window).humongousFulls();
      Pauses ordinary =
          incident.timeline().pauses(window).ofType(CollectionTrigger::isOrdinaryFull);
      return ordinary.where(i -> !humongous.contains(ordinary.get(i)));
    }

    private static Pauses failed(MeasuredIncident incident, Window window) {
      return incident.timeline().pauses(window).ofType(CollectionTrigger::foundNoRoom);
    }
  }

  /**
   * Judges the collector by the service's own meters, if neither a recording nor a log has the
   * pauses. The old generation after collections shows whether the heap is short of room; number
   * and sum of the pauses bound their share of the delays.
   */
  @Judges({
    Hypothesis.MEMORY_PRESSURE,
    Hypothesis.EXPLICIT_GC,
    Hypothesis.DIRECT_MEMORY,
    Hypothesis.METASPACE_PRESSURE
  })
  static final class MeteredCollectionsRule implements Rule {

    /** A heap with as much free as HotSpot aims at is not short of memory. */
    private static final double ROOM = 1 - HeapRoom.DEFAULT_WANTED.value();

    @Override
    public List<Finding> examine(MeasuredIncident incident) {
      return CollectorMeters.of(incident.timeline()).map(meters -> judge(incident, meters)).stream()
          .toList();
    }

    private Finding judge(Incident incident, CollectorMeters meters) {
      Timeline timeline = incident.timeline();
      Window window = incident.window();
      PauseTotals totals = PauseTotals.of(timeline, window);
      OptionalDouble old = meters.oldInUse(window);
      Map<String, Double> full = meters.full(window);
      double fullShare = full.values().stream().mapToDouble(Double::doubleValue).sum();
      FindingBuilder finding =
          Finding.of(id(), statement(totals, old, fullShare))
              .figure(
                  "share of time in GC pauses",
                  incident,
                  one -> new Ratio(PauseTotals.of(timeline, one).shareStopped()).toString())
              .value("pausesPerMinute", totals.countPerMinute())
              .value("shareStopped", totals.shareStopped())
              .value("meanPauseSeconds", totals.meanSeconds())
              .sum(totals.shareSum())
              .from(meters.source());
      double forced = forced(incident, full, finding);
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
              finding.explains(Hypothesis.MEMORY_PRESSURE, Effect.STOPPED, Math.max(0, 1 - forced));
            } else if (share <= ROOM) {
              finding.refutes(Hypothesis.MEMORY_PRESSURE);
              if (fullShare - forced >= Policy.MAJORITY) {
                finding
                    .supports(Hypothesis.EXPLICIT_GC)
                    .advises(Hypothesis.EXPLICIT_GC, "take the causes: jstat -gccause -t PID 1000");
              }
            }
          });
      // Garbage fills a heap as well, but not while most of the time goes to collecting it.
      if (old.isEmpty() && totals.shareStopped() >= Policy.MAJORITY) {
        meters.heapInUse(window).stream()
            .filter(used -> used >= FullHeap.AT_CEILING)
            .forEach(
                used ->
                    finding
                        .figure("committed heap in use, mean", new Ratio(used).toString())
                        .supports(Hypothesis.MEMORY_PRESSURE));
      }
      return finding.build();
    }

    /** What full GCs with a root cause of their own explain; returns the share of these. */
    private static double forced(
        Incident incident, Map<String, Double> shares, FindingBuilder finding) {
      double forced = 0;
      for (Map.Entry<String, Double> full : shares.entrySet()) {
        PauseType type = new PauseType(PauseKind.FULL, full.getKey(), false);
        List<Hypothesis> causes =
            GcRequester.isCall(type)
                ? GcRequester.of(incident.timeline(), incident.window()).causes()
                : TriggerOwner.of(type).filter(TriggerOwner::isForced).stream().toList();
        for (Hypothesis cause : causes) {
          finding.explains(cause, Effect.STOPPED, full.getValue() / causes.size());
          finding.supports(cause, full.getValue() < Policy.NOTABLE);
          forced += full.getValue() / causes.size();
        }
        if (causes.size() > 1) {
          finding.inseparable(causes.get(0), causes.get(1), GcRequester.EXPERIMENT);
        }
        String cause = full.getKey().isEmpty() ? "" : " with the cause '" + full.getKey() + "'";
        finding.sum(
            "full GCs%s: %s of the time in pauses".formatted(cause, new Ratio(full.getValue())));
      }
      return forced;
    }

    private static String statement(PauseTotals totals, OptionalDouble old, double full) {
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
          + (full > 0 ? ", " + new Ratio(full) + " of that time in full GCs" : "")
          + (old.isEmpty()
              ? ""
              : "; after GC " + new Ratio(old.getAsDouble()) + " of the old generation is in use");
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
    public List<Finding> examine(MeasuredIncident incident) {
      return incident.heap(incident.window()).room().map(room -> judge(incident, room)).stream()
          .toList();
    }

    private Finding judge(MeasuredIncident incident, HeapRoom room) {
      Wanted wanted = Wanted.of(incident.timeline().jvm());
      HeapHeadroom judged = incident.heap().headroom();
      Optional<HeapExpansion> expansion = incident.heap().expansion();
      boolean low = room.freeRatio().compareTo(wanted.ratio()) < 0;
      boolean ranOut = !CollectionFailureRule.full(incident, incident.window()).isEmpty();
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
                                  + (low || ranOut ? "" : ": it does not fill up")))
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
      } else if ((low || ranOut || judged.failing()) && !judged.isGrowing()
          || !FullHeap.leftFull(incident.timeline()).isEmpty()) {
        // The live set is small, yet the heap is or was full: short-lived objects in use take the
        // room.
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

    /** A heap that can still expand does not need a larger maximum. */
    private static String ceiling(HeapHeadroom judged, HeapRoom room) {
      return judged.isGrowing()
          ? room.freeOfMax().map(free -> ", and " + free + " of the maximum heap").orElse("")
          : "";
    }
  }

  /**
   * Threads that waited inside an allocation, and for what: a concurrent collector that had no
   * memory left, or a JNI critical section that kept the collection from beginning.
   */
  // A ZGC log may have stalls and no pauses.
  @Judges({
    Hypothesis.MEMORY_PRESSURE,
    Hypothesis.MEMORY_LEAK,
    Hypothesis.FINALIZER_BACKLOG,
    Hypothesis.ALLOCATION_CHURN,
    Hypothesis.GC_LOCKER
  })
  static final class AllocationStallRule implements Rule {

    private static final String RETRY_MORE =
        "find the JNI critical callers (compression, array copies by native code); G1 of JDK 22 and"
            + " later pins regions instead, until then -XX:+UnlockDiagnosticVMOptions"
            + " -XX:GCLockerRetryAllocationCount=100 gives up later";

    @Override
    public List<Finding> examine(MeasuredIncident incident) {
      Window window = incident.window();
      List<WaitSeries> all = UserWaits.of(incident.timeline(), WaitKind.ALLOCATION_STALL);
      Map<String, List<WaitSeries>> byReason =
          all.stream()
              .filter(series -> series.within(window).waitedSeconds() > 0)
              .collect(
                  Collectors.groupingBy(
                      AllocationStallRule::reason, TreeMap::new, Collectors.toList()));
      double total = WaitSeries.seconds(all, window);
      List<Finding> findings = new ArrayList<>();
      byReason.forEach(
          (reason, series) -> {
            double share = WaitSeries.seconds(series, window) / total;
            findings.add(
                reason.equals(AllocationStalls.GC_LOCKER)
                    ? locker(incident, series, share)
                    : collector(incident, stalls(incident, series, why(reason)), share));
          });
      starved(incident).ifPresent(findings::add);
      return findings;
    }

    /**
     * A thread that gives up an allocation has waited for JNI critical sections, however full the
     * heap is.
     */
    private Optional<Finding> starved(MeasuredIncident incident) {
      List<StarvedAllocation> given =
          incident.timeline().samples(StarvedAllocation.class, incident.window());
      if (given.isEmpty()) {
        return Optional.empty();
      }
      long threads = given.stream().map(StarvedAllocation::thread).distinct().count();
      FindingBuilder finding =
          Finding.of(
                  id(),
                  "%s given up by %s, because JNI critical sections kept the heap from being collected ('Retried waiting for GCLocker too often')"
                      .formatted(
                          given.size() == 1
                              ? "1 allocation was"
                              : Numbers.count(given.size()) + " allocations were",
                          Numbers.counted((int) threads, "thread")))
              .figure(
                  "allocations given up because of JNI critical sections",
                  incident,
                  window ->
                      Numbers.count(
                          incident.timeline().samples(StarvedAllocation.class, window).size()))
              .value("starvedAllocations", given.size())
              .advises(Hypothesis.GC_LOCKER, RETRY_MORE)
              .from(given.get(0).source());
      return Optional.of(
          given.size() >= Policy.RECURRING
              ? finding.proves(Hypothesis.GC_LOCKER).build()
              : finding.supports(Hypothesis.GC_LOCKER).build());
    }

    private static String reason(WaitSeries series) {
      String name = series.site().name();
      return Set.of(AllocationStalls.GC_LOCKER, AllocationStalls.PACING).contains(name) ? name : "";
    }

    private static String why(String reason) {
      return reason.equals(AllocationStalls.PACING)
          ? "the collector freed memory more slowly than threads allocated, and delayed them"
              + " (pacing: one sum for each thread and GC cycle)"
          : "the collector had not freed enough memory yet";
    }

    private static Finding collector(
        MeasuredIncident incident, FindingBuilder finding, double share) {
      Hypothesis cause = whoLeftNoMemory(incident);
      return finding.explains(cause, Effect.ALLOCATION_STALL, share).supports(cause).build();
    }

    private Finding locker(Incident incident, List<WaitSeries> series, double share) {
      String holder =
          WaitSeries.longest(series, incident.window())
              .map(s -> s.site().stack())
              .filter(frame -> !frame.isEmpty())
              .map(frame -> ", most under " + frame)
              .orElse("");
      return stalls(incident, series, "a JNI critical section delayed the GC" + holder)
          .explains(Hypothesis.GC_LOCKER, Effect.ALLOCATION_STALL, share)
          .supports(Hypothesis.GC_LOCKER)
          .build();
    }

    /**
     * If the heap has room and the collector still falls behind, the allocation rate is too high.
     */
    private static Hypothesis whoLeftNoMemory(MeasuredIncident incident) {
      HeapHeadroom room = incident.heap().headroom();
      boolean roomy = room.live().isPresent() && !room.isShort();
      return roomy ? Hypothesis.ALLOCATION_CHURN : StoppedTimeSplit.whoFillsTheHeap(incident);
    }

    private FindingBuilder stalls(Incident incident, List<WaitSeries> series, String why) {
      WaitSeries.Totals totals = WaitSeries.totals(series, incident.window());
      return Finding.of(
              id(),
              "%s, %s in total, longest %s: %s"
                  .formatted(
                      Numbers.counted(totals.count(), "allocation stall"),
                      Durations.format(totals.waitedSeconds()),
                      Durations.format(totals.longest()),
                      why))
          .figure(
              "threads in allocation stalls, mean",
              incident,
              window -> Numbers.threeDigits(WaitSeries.threads(series, window)))
          .figure("longest allocation stall", Durations.format(totals.longest()))
          .value("stalls", totals.count())
          .value("stalledSeconds", totals.waitedSeconds())
          .value("longestStallSeconds", Durations.seconds(totals.longest()))
          .from(series.get(0).source());
    }
  }
}
