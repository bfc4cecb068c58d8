package io.gcdiag.verdict;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Prediction;
import io.gcdiag.books.Prediction.Quantity;
import io.gcdiag.books.Prediction.Range;
import io.gcdiag.causes.memory.CauseRemoved;
import io.gcdiag.causes.memory.CollectionCount;
import io.gcdiag.causes.memory.HeapSizes;
import io.gcdiag.causes.memory.HeapUse;
import io.gcdiag.causes.memory.StoppedTimeSplit;
import io.gcdiag.causes.workers.ScarceServers;
import io.gcdiag.causes.workers.ServerCounts;
import io.gcdiag.evidence.time.Lazy;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.jvm.PauseTotals;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** What would happen if the suspects were dealt with, each as one deals with it. */
public final class Predictor {

  /** Heaps worth trying beside the one that is wanted: twice and four times as large. */
  private static final double[] LARGER = {2, 4};

  /** After a full GC that much of the heap is to be free: HotSpot's MinHeapFreeRatio. */
  private static final double FREE = 0.4;

  /** A larger heap is worth a restart if it is larger by a quarter at least. */
  private static final double STEP = 1.25;

  private static final double MEBI = 1 << 20;

  /** Allocation that one can hope to save by dealing with the sites that allocate most. */
  private static final double HALF = 0.5;

  /** How far such a share is from being kept in proportion. */
  private static final double HALF_WITHIN = 0.1;

  private final Case incident;
  private final List<Finding> findings;
  private final Lazy<Optional<HeapUse>> heapUse;

  /** Predicts for an incident, of which the rules have found something. */
  public Predictor(Case incident, List<Finding> findings) {
    this.incident = incident;
    this.findings = List.copyOf(findings);
    heapUse = new Lazy<>(() -> HeapUse.of(incident));
  }

  /**
   * A suspected cause.
   *
   * @param hypothesis the cause
   * @param share how much of what was lost it explains, 0 to 1, if that is known
   */
  public record Suspect(Hypothesis hypothesis, OptionalDouble share) {}

  /** What to expect of dealing with each of the suspects, in their order. */
  public List<Prediction> suspects(List<Suspect> suspects) {
    List<Prediction> predictions = new ArrayList<>();
    suspects.forEach(suspect -> predictions.addAll(suspect(suspect)));
    return predictions;
  }

  private List<Prediction> suspect(Suspect suspect) {
    return switch (suspect.hypothesis()) {
      case MEMORY_PRESSURE -> larger();
      case HEAP_RESIZING -> fullFromTheStart();
      case ALLOCATION_CHURN -> halved();
      case CONNECTION_POOL_UNDERSIZED, THREAD_POOL_EXHAUSTED -> enough(suspect.hypothesis());
      case EXPLICIT_GC, HUMONGOUS_ALLOCATION, METASPACE_PRESSURE, MEMORY_LEAK, FINALIZER_BACKLOG ->
          withoutPauses(suspect);
      // Where buffers are Netty's own, nothing is collected for them.
      case DIRECT_MEMORY ->
          StoppedTimeSplit.of(incident).byCause().containsKey(Hypothesis.DIRECT_MEMORY)
              ? withoutPauses(suspect)
              : List.of(removed(suspect.hypothesis()).latency(suspect.share()));
      default -> List.of(removed(suspect.hypothesis()).latency(suspect.share()));
    };
  }

  /** Causes that act by pauses leave those that come without them. */
  private List<Prediction> withoutPauses(Suspect suspect) {
    CauseRemoved without = removed(suspect.hypothesis());
    List<Prediction> predictions = new ArrayList<>(without.collections());
    predictions.add(without.latency(suspect.share()));
    return predictions;
  }

  private List<Prediction> larger() {
    List<Prediction> predictions = new ArrayList<>();
    Optional<HeapUse> use = heapUse.get();
    if (use.isEmpty()) {
      return List.of(
          removed(Hypothesis.MEMORY_PRESSURE)
              .refused("these files show the heap around too few GCs"));
    }
    double now =
        incident
            .timeline()
            .jvm()
            .maxHeap()
            .map(Bytes::value)
            .orElse(Math.round(use.get().heapBytes()));
    Optional<Bytes> wanted = heapWanted();
    wanted.ifPresent(heap -> predictions.addAll(larger(now, heap)));
    for (double factor : LARGER) {
      Bytes heap = Bytes.of(Math.round(now * factor));
      if (wanted.filter(smaller -> smaller.compareTo(heap) >= 0).isEmpty()) {
        predictions.addAll(larger(now, heap));
      }
    }
    return predictions;
  }

  private List<Prediction> larger(double now, Bytes heap) {
    return heap(
        Hypothesis.MEMORY_PRESSURE,
        "heap x " + Numbers.threeDigits(heap.value() / now) + " = " + heap,
        heap);
  }

  /**
   * The smallest heap, in whole MiB, that leaves enough free after a full GC; twice the present one
   * if no file shows what lives. Empty if the present one is not known. It follows from the live
   * set and from nothing else: what pauses would cost rests on figures of pauses that differ from
   * file to file, and is predicted beside it.
   */
  public Optional<Bytes> heapWanted() {
    return incident
        .timeline()
        .jvm()
        .maxHeap()
        .map(max -> (double) max.value())
        .map(
            now ->
                heapUse
                    .get()
                    .map(use -> Math.max(use.heapWithFree(FREE), STEP * now))
                    .orElse(2 * now))
        .map(Predictor::mebis);
  }

  private static Bytes mebis(double bytes) {
    return Bytes.of(Math.round(Math.ceil(bytes / MEBI) * MEBI));
  }

  private List<Prediction> fullFromTheStart() {
    return incident
        .timeline()
        .jvm()
        .maxHeap()
        .map(max -> heap(Hypothesis.HEAP_RESIZING, "initial heap = maximum = " + max, max))
        .orElse(
            List.of(
                removed(Hypothesis.HEAP_RESIZING)
                    .refused("the maximum heap size is not in these files")));
  }

  /** A heap of so many bytes from the start. */
  public List<Prediction> heap(Hypothesis hypothesis, String change, Bytes heap) {
    return new HeapSizes(incident, hypothesis, heapUse.get()).at(change, heap);
  }

  /** Collections follow allocation in proportion, as long as what survives does not change. */
  private List<Prediction> halved() {
    CollectionCount now = CollectionCount.of(incident.timeline(), incident.window());
    double stopped = PauseTotals.of(incident.timeline(), incident.window()).shareStopped();
    List<Prediction> predictions = new ArrayList<>();
    if (now.count() > 0) {
      predictions.add(half(Quantity.COLLECTIONS, now.perMinute()));
      predictions.add(half(Quantity.STOPPED, stopped));
    }
    predictions.add(removed(Hypothesis.ALLOCATION_CHURN).latency());
    return predictions;
  }

  private static Prediction half(Quantity quantity, double now) {
    return new Prediction(
        Hypothesis.ALLOCATION_CHURN,
        "half the allocation",
        quantity,
        OptionalDouble.of(now),
        Optional.of(new Range((HALF - HALF_WITHIN) * now, (HALF + HALF_WITHIN) * now)),
        "young GCs run when the young generation is full, so their number follows the allocation rate",
        List.of("the allocation that is saved is short-lived", "the heap keeps its size"));
  }

  private List<Prediction> enough(Hypothesis hypothesis) {
    return counts(hypothesis)
        .map(
            counts ->
                counts
                    .refutation()
                    .map(why -> List.of(removed(hypothesis).refused(why)))
                    .orElseGet(() -> counts.at(counts.wanted())))
        .orElse(List.of(removed(hypothesis).latency()));
  }

  /** So many connections or threads; empty if rate, hold or their number now are not known. */
  public List<Prediction> servers(Hypothesis hypothesis, int count) {
    return counts(hypothesis).map(counts -> counts.at(count)).orElse(List.of());
  }

  /**
   * The number wanted of what is scarce; empty if rate, hold or their number are not known, or the
   * model of these does not reproduce how many wait now.
   */
  Optional<ServerCounts.Wanted> wanted(Hypothesis hypothesis) {
    return counts(hypothesis)
        .filter(counts -> counts.refutation().isEmpty())
        .map(ServerCounts::wantedNumber);
  }

  private Optional<ServerCounts> counts(Hypothesis hypothesis) {
    Optional<ScarceServers> servers =
        hypothesis == Hypothesis.THREAD_POOL_EXHAUSTED
            ? ScarceServers.threads(incident, findings)
            : ScarceServers.connections(incident);
    return servers.map(some -> new ServerCounts(incident, hypothesis, some));
  }

  /** The cause gone, whatever was done about it: latency, collections, share of time stopped. */
  public List<Prediction> withoutCause(Hypothesis hypothesis) {
    List<Prediction> predictions = new ArrayList<>(removed(hypothesis).collections());
    predictions.add(removed(hypothesis).latency());
    return predictions;
  }

  private CauseRemoved removed(Hypothesis hypothesis) {
    return new CauseRemoved(incident, hypothesis);
  }
}
