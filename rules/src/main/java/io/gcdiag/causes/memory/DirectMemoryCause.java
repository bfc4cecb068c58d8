package io.gcdiag.causes.memory;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.OwnPlaces.Seen;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.Prediction;
import io.gcdiag.books.Rule;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.evidence.jvm.MemorySample.DirectBuffers;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.measures.Case;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** The memory for direct buffers is full. */
public final class DirectMemoryCause extends Cause {
  public DirectMemoryCause() {
    super(
        Hypothesis.DIRECT_MEMORY,
        "Direct buffer memory is full",
        "find the code that keeps or leaks direct buffers (Netty: "
            + "-Dio.netty.leakDetection.level=paranoid), or raise "
            + "-XX:MaxDirectMemorySize within the container's limit",
        Trait.OF_COLLECTIONS,
        Trait.REQUESTS_COLLECTIONS,
        Trait.SEEN_IN_WAITS);
  }

  @Override
  public List<Rule> rules() {
    return List.of(new DirectBuffersRule());
  }

  /** Code that allocates direct buffers at their limit. */
  @Override
  public void place(PlaceParts found) {
    boolean collects =
        GcRequester.of(found.timeline(), found.window()) == GcRequester.DIRECT_BUFFERS;
    found.code(
        (collects ? found.own().mostOfAll(Activity.COLLECTING) : Optional.<Seen>empty())
            .or(
                () ->
                    found
                        .own()
                        .inDumps(thread -> thread.is(ThreadActivity.WAITING_FOR_DIRECT_MEMORY))));
  }

  /**
   * Twice the limit, as requests wait at it and how much they would take is not recorded; and the
   * code that fills it, which a limit alone only delays.
   */
  @Override
  public List<Edit> edits(SuspectContext suspect) {
    List<Edit> edits = new ArrayList<>();
    suspect.timeline().samples(DirectBuffers.class).stream()
        .map(DirectBuffers::limit)
        .max(Comparator.naturalOrder())
        .ifPresent(
            limit ->
                edits.add(
                    Edit.flag(
                        "-XX:MaxDirectMemorySize",
                        Optional.of(FlagSize.of(limit)),
                        FlagSize.of(limit.plus(limit)),
                        suspect.why())));
    edits.addAll(
        suspect.code(
            edits.isEmpty()
                ? "reuse direct buffers, or raise -XX:MaxDirectMemorySize"
                : "reuse direct buffers: a GC alone frees those that are dropped"));
    return edits;
  }

  /** Where buffers are Netty's own, nothing is collected for them. */
  @Override
  public List<Prediction> predictions(Case incident, List<Finding> findings, OptionalDouble share) {
    return StoppedTimeSplit.of(incident).byCause().containsKey(hypothesis())
        ? CollectionsRemoved.andLatency(incident, this, share)
        : super.predictions(incident, findings, share);
  }

  @Override
  public Map<String, String> chartLines() {
    return Map.of("for direct memory", "Direct memory waits");
  }
}
