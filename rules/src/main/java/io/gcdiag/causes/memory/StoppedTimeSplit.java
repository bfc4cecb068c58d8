package io.gcdiag.causes.memory;

import io.gcdiag.books.Hypothesis;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.jvm.GcSample.YoungCollections;
import io.gcdiag.evidence.jvm.HeapSample;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.jvm.AllocationRate;
import io.gcdiag.measures.jvm.CollectionTrigger;
import io.gcdiag.measures.jvm.CollectorTimes;
import io.gcdiag.measures.jvm.FullHeap;
import io.gcdiag.measures.jvm.HeapFigures;
import io.gcdiag.measures.jvm.HeapHeadroom;
import io.gcdiag.measures.jvm.LiveSetTrend;
import io.gcdiag.measures.jvm.PausePhases;
import io.gcdiag.measures.jvm.PauseTotals;
import io.gcdiag.measures.jvm.ResizingCost;
import io.gcdiag.measures.requests.RequestExcess;
import io.gcdiag.measures.requests.ServedRequests;
import io.gcdiag.measures.threads.OccupiedWorkers;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Splits the growth of GC pause time by root cause. Each second counts once: the steps run in this
 * order, and each takes its part of what the earlier ones left.
 *
 * <ol>
 *   <li>Pauses with a cause of their own (System.gc(), GCLocker, humongous allocation, metaspace)
 *       belong to it: wholly if it forced the collection, else by what they took longer than
 *       others. {@link GcRequester} finds the caller of System.gc(). Full GCs that a humongous
 *       allocation led to belong to it ({@link HeapFigures#humongousFulls()}).
 *   <li>Pauses that were long because collector threads waited for CPU: {@link
 *       CollectorStarvation}.
 *   <li>If nothing else is known of the machine, pauses with less than one core are split equally
 *       between other processes and a quota. If other pauses had their cores, no cause gets them.
 *   <li>If memory is swapped out, time waiting for pages and system time are swapping: {@link
 *       SwappedPages}.
 *   <li>Pauses that a heap of its largest size from the start would not have had are resizing:
 *       {@link ResizingCost}.
 *   <li>System time, if it is more than half, belongs to no cause: page faults of unknown origin.
 *   <li>If the heap has room and most of the growth is in references, classes, code and roots, that
 *       part belongs to no cause: {@link PausePhases}.
 *   <li>If the heap ran out although the live set is small, the time that enough room would have
 *       saved is memory pressure: {@link HeapFigures#shortSeconds()}.
 *   <li>Growth of the allocation rate is churn: {@link ChurnCost}.
 *   <li>If the heap is short, the rest is memory pressure, because collections are more frequent
 *       and longer. It is a leak if the live set keeps growing, or a finalizer backlog if
 *       finalizers do not keep up ({@link FinalizerBacklog}). If the heap is not short, the rest is
 *       unexplained.
 * </ol>
 *
 * @param byCause share of the growth by root cause, 0 to 1 each, at most 1 together
 * @param room the heap's room in the incident window
 * @param resizing the heap's changes of size in it
 * @param churnPerMinuteSeconds what the allocation alone would have added, in seconds a minute
 */
public record StoppedTimeSplit(
    Map<Hypothesis, Double> byCause,
    HeapHeadroom room,
    ResizingCost resizing,
    double churnPerMinuteSeconds) {

  public static StoppedTimeSplit of(MeasuredIncident incident) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    HeapHeadroom room = incident.heap().headroom();
    ResizingCost resizing = incident.heap().resizing();
    PauseTotals during = PauseTotals.of(timeline, window);
    double before =
        incident
            .baseline()
            .map(baseline -> PauseTotals.of(timeline, baseline).shareStopped())
            .orElse(0.0);
    double churn = ChurnCost.seconds(incident, room, during);
    // All in seconds over the incident window.
    Shares shares = new Shares(Durations.seconds(during.sum()) - before * window.seconds());
    Hypothesis filler = whoFillsTheHeap(incident);
    takeOwn(incident, filler, shares);
    double starved = CollectorStarvation.share(incident);
    shares.take(Hypothesis.HOST_CPU_CONTENTION, starved * shares.left());
    CollectorTimes cpu = incident.collectorTimes(window);
    if (CollectorTimes.areAllThereIs(incident)) {
      // These files do not tell what kept the collector from running.
      shares.lose(cpu.starved() * shares.left());
    }
    double swapped = SwappedPages.of(incident).map(SwappedPages::shareOfPauses).orElse(0.0);
    shares.take(Hypothesis.SWAPPING, swapped * shares.left());
    // Resizing lengthens pauses of a growing heap as much as others.
    shares.take(Hypothesis.HEAP_RESIZING, (1 - starved) * (1 - swapped) * resizing.seconds());
    if (swapped == 0) {
      shares.lose(cpu.kernel() * shares.left());
    }
    double phases = ofPhases(incident);
    if (!room.isShort() && phases > Policy.MAJORITY * shares.left()) {
      shares.lose(phases);
    }
    if (room.ranOutThoughLittleLives()) {
      shares.take(filler, incident.heap().shortSeconds());
    }
    shares.take(Hypothesis.ALLOCATION_CHURN, churn);
    if (room.isShort()) {
      shares.take(filler, shares.left());
    }
    return new StoppedTimeSplit(
        shares.byCause(), room, resizing, churn / window.seconds() * Durations.SECONDS_PER_MINUTE);
  }

  /** How much longer than in the baseline pauses took for phases that room does not make long. */
  private static double ofPhases(MeasuredIncident incident) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    double before =
        incident
            .baseline()
            .map(one -> PausePhases.of(timeline, one).ownSeconds() / one.seconds())
            .orElse(0.0);
    return PausePhases.of(timeline, window).ownSeconds() - before * window.seconds();
  }

  /** Shares of a growth that are taken one after the other. */
  private static final class Shares {
    private final Map<Hypothesis, Double> byCause = new EnumMap<>(Hypothesis.class);
    private final double growth;
    private double left;

    Shares(double growth) {
      this.growth = growth;
      this.left = Math.max(0, growth);
    }

    double left() {
      return left;
    }

    /** Books at most what is left. */
    void take(Hypothesis hypothesis, double seconds) {
      double taken = Math.max(0, Math.min(seconds, left));
      if (taken > 0) {
        byCause.merge(hypothesis, taken / growth, Double::sum);
        left -= taken;
      }
    }

    /** Causes that the files do not separate get equal parts. */
    void takeAlike(List<Hypothesis> hypotheses, double seconds) {
      double each = Math.min(seconds, left) / hypotheses.size();
      hypotheses.forEach(hypothesis -> take(hypothesis, each));
    }

    /** Belongs to no cause: room and allocation do not cause these pauses. */
    void lose(double seconds) {
      left -= Math.max(0, Math.min(seconds, left));
    }

    Map<Hypothesis, Double> byCause() {
      return Collections.unmodifiableMap(new LinkedHashMap<>(byCause));
    }
  }

  public double share(Hypothesis hypothesis) {
    return Math.max(0, Math.min(1, byCause.getOrDefault(hypothesis, 0.0)));
  }

  /** A leak also leaves no space for large objects; in that case the objects are not the cause. */
  private static void takeOwn(MeasuredIncident incident, Hypothesis filler, Shares shares) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    Pauses pauses = timeline.pauses(window);
    Map<PauseKind, Double> ordinary =
        pauses.anyOfType(type -> !CollectionTrigger.isOrdinary(type))
            ? incident.heap().ordinarySeconds()
            : Map.of();
    Set<GcPause> humongousFulls =
        filler == Hypothesis.MEMORY_PRESSURE ? incident.heap().humongousFulls() : Set.of();
    // Only full GCs can follow a failed humongous allocation.
    Pauses special =
        pauses.ofType(type -> type.kind() == PauseKind.FULL || !CollectionTrigger.isOrdinary(type));
    List<Hypothesis> requesters =
        special.anyOfType(GcRequester::isCall)
            ? GcRequester.of(timeline, window).causes()
            : List.of();
    for (GcPause pause : special) {
      Optional<Hypothesis> own = TriggerOwner.of(pause.type());
      if (own.isPresent() && GcRequester.isCall(pause.type())) {
        shares.takeAlike(requesters, Durations.seconds(pause.duration()));
      } else if (own.isPresent()) {
        shares.take(own.get(), TriggerOwner.ownSeconds(pause, own.get(), ordinary));
      } else if (humongousFulls.contains(pause)) {
        shares.take(Hypothesis.HUMONGOUS_ALLOCATION, Durations.seconds(pause.duration()));
      }
    }
  }

  /**
   * What has taken the room: growing data, or what the service needs. A heap filled behind a
   * blocked finalizer no longer grows once it is full.
   */
  static Hypothesis whoFillsTheHeap(MeasuredIncident incident) {
    boolean grows = incident.liveSetTrend().filter(LiveSetTrend::growsWithoutBound).isPresent();
    Hypothesis growth = FinalizerBacklog.growth(incident);
    boolean filled =
        growth == Hypothesis.FINALIZER_BACKLOG
            && !FullHeap.leftFull(incident.timeline()).isEmpty()
            && FullHeap.rise(incident).isSeveralfold();
    return grows || filled ? growth : Hypothesis.MEMORY_PRESSURE;
  }

  /** What allocation alone adds to the stopped time. */
  private static final class ChurnCost {

    /**
     * From one collection per second on, most requests in progress are hit by a collection, which
     * copies the objects they hold. This is the cost of fast allocation.
     */
    private static final double FREQUENT_PER_MINUTE = 60;

    /** An unknown rate is taken as unchanged. */
    private static final double UNKNOWN = 1;

    /**
     * In seconds over the incident window; asked only if the heap's room is known, because without
     * it more collections may as well come from less room.
     *
     * <p>A heap short of memory is collected more often at any rate of allocation, so only the
     * growth of that rate counts, at the baseline's cost; not that of full GCs, which come for lack
     * of room, and no more than the others take now. A heap with room is collected as often as
     * allocation fills it: every collection counts, at the baseline's mean pause, and so does what
     * pauses took longer because more was in progress, which grows with the rate of allocation as
     * well, unless collections keep more than requests in progress can have allocated. Full GCs
     * free all that fills up such a heap, so those above the baseline's come as often as more is
     * allocated, if there are enough for a rate. No more counts than fewer collections would save
     * at the baseline's rate, where both rates are known.
     */
    static double seconds(MeasuredIncident incident, HeapHeadroom room, PauseTotals during) {
      Timeline timeline = incident.timeline();
      Window window = incident.window();
      Optional<Window> baseline = incident.baseline();
      if (!room.isKnown()) {
        return 0;
      }
      if (baseline.isEmpty()) {
        return room.isShort() || during.countPerMinute() < FREQUENT_PER_MINUTE
            ? 0
            : Durations.seconds(during.sum());
      }
      PauseTotals before = PauseTotals.of(timeline, baseline.get());
      double factor = incident.allocationGrowth();
      if (room.isShort()) {
        double atItsRate =
            secondsInOthersThanFull(timeline, baseline.get())
                / baseline.get().seconds()
                * window.seconds();
        return Math.min(
            Math.max(0, atItsRate * (factor - 1)), secondsInOthersThanFull(timeline, window));
      }
      Pauses full = full(timeline, window);
      // Fewer give no rate, and count as all others do.
      full = full.size() >= Policy.FEWEST_COUNTED ? full : full.ofType(any -> false);
      double ofFull = Durations.seconds(full.sum());
      int others = during.count() - full.size();
      double mean = others == 0 ? 0 : (Durations.seconds(during.sum()) - ofFull) / others;
      double usualOfFull =
          full.isEmpty()
              ? 0
              : secondsInFull(timeline, baseline.get())
                  / baseline.get().seconds()
                  * window.seconds();
      double usual = before.shareStopped() * window.seconds() - usualOfFull;
      double pause =
          before.count() == 0
              ? mean
              : Math.min(
                  before.meanSeconds() * (keepsMore(incident) ? 1 : Math.max(1, factor)), mean);
      double more =
          Math.max(0, others * pause - usual)
              + Math.max(0, ofFull - usualOfFull) * Math.max(0, 1 - 1 / factor);
      return factor == UNKNOWN ? more : Math.min(more, avoidable(during, factor));
    }

    /**
     * Upper bound of the saving at the baseline's allocation rate: fewer collections by that
     * factor, each with less work in progress by that factor.
     */
    private static double avoidable(PauseTotals during, double factor) {
      return Durations.seconds(during.sum()) * Math.max(0, 1 - 1 / (factor * factor));
    }

    /**
     * Whether most of what young collections keep is not of requests in progress: all of these
     * together have allocated at most the mean of a request each (Little's law), and the one whose
     * allocation begins the collection as well, which an average over time leaves out. The rest is
     * data that is kept, and copying it is no cost of the rate of allocation. Of a recording alone
     * the workers' rounds are the requests.
     */
    private static boolean keepsMore(MeasuredIncident incident) {
      Window window = incident.window();
      Timeline timeline = incident.timeline();
      double rounds = ServedRequests.uncountedPerSecond(timeline, window);
      double all =
          incident.allocation(window).map(AllocationRate::bytesPerSecond).orElse(Double.NaN);
      double each = incident.allocatedPerRequest(window).orElse(all / rounds);
      double inSystem =
          incident
              .requests()
              .filter(RequestExcess::compared)
              .map(RequestExcess::inSystem)
              .orElse(
                  rounds > 0 ? rounds * OccupiedWorkers.meanRound(timeline, window) : Double.NaN);
      return (1 + inSystem) * each < Policy.MAJORITY * kept(timeline, window);
    }

    /**
     * What a young collection keeps, in bytes on average; else at least what more is in use after
     * it than after the one before. Not a number if neither is known.
     */
    private static double kept(Timeline timeline, Window window) {
      List<YoungCollections> young = timeline.samples(YoungCollections.class, window);
      if (!young.isEmpty()) {
        double survived = young.stream().mapToLong(one -> one.survived().value()).sum();
        return survived / young.stream().mapToInt(YoungCollections::count).sum();
      }
      double[] left =
          timeline.heap(window).stream()
              .filter(sample -> sample.moment() == HeapSample.Moment.AFTER_COLLECTION)
              .mapToDouble(sample -> sample.used().value())
              .toArray();
      return IntStream.range(1, left.length)
          .mapToDouble(i -> Math.max(0, left[i] - left[i - 1]))
          .average()
          .orElse(Double.NaN);
    }

    private static double secondsInOthersThanFull(Timeline timeline, Window window) {
      return Durations.seconds(timeline.pauses(window).sum()) - secondsInFull(timeline, window);
    }

    private static double secondsInFull(Timeline timeline, Window window) {
      return Durations.seconds(full(timeline, window).sum());
    }

    private static Pauses full(Timeline timeline, Window window) {
      return timeline.pauses(window).ofType(type -> type.kind() == PauseKind.FULL);
    }
  }
}
