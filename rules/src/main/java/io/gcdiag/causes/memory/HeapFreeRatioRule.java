package io.gcdiag.causes.memory;

import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.jvm.FullHeap;
import io.gcdiag.measures.jvm.HeapExpansion;
import io.gcdiag.measures.jvm.HeapHeadroom;
import io.gcdiag.measures.jvm.HeapRoom;
import io.gcdiag.measures.jvm.HeapRoom.Wanted;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Ratio;
import io.gcdiag.units.UtcText;
import java.util.List;
import java.util.Optional;

/**
 * Compares what the heap has free after collections with the {@code MinHeapFreeRatio} in force.
 * HotSpot acts on the flag after full GCs and at G1's remark; here it serves as the JVM's own
 * measure of enough room, whatever made the heap grow.
 */
@Judges(value = Hypothesis.MEMORY_PRESSURE, needs = Signal.HEAP_AROUND_GC)
final class HeapFreeRatioRule implements Rule {

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
