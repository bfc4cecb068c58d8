package io.gcdiag.causes.memory;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.CauseRemoved;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.Prediction;
import io.gcdiag.books.Rule;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.evidence.jvm.Flag;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.Case;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

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
        Trait.BY_PAUSES,
        Trait.OF_COLLECTIONS,
        Trait.SEEN_IN_ALLOCATION);
  }

  @Override
  public List<Rule> rules() {
    return List.of(
        new AllocationStallRule(),
        new CollectingThreadsRule(),
        new CollectionFailureRule(),
        new GcPauseGrowthRule(),
        new HeapFreeRatioRule(),
        new MeteredCollectionsRule(),
        new PauseCpuRule());
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
}
