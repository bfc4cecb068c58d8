package io.gcdiag.causes.memory;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
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
}
