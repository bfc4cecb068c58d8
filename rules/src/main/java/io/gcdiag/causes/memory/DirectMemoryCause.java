package io.gcdiag.causes.memory;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.OwnPlaces.Seen;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.Prediction;
import io.gcdiag.books.Rule;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.causes.waits.WaitFinding;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.GcSample.ExplicitCollection;
import io.gcdiag.evidence.jvm.MemorySample.DirectBuffers;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Numbers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
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
        List.of(new DirectBuffersRule()),
        Trait.REQUESTS_COLLECTIONS,
        Trait.SEEN_IN_WAITS);
    chartLine("for direct memory", "Direct memory waits");
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
   * Twice the limit, because nothing records how much waiting requests would allocate; and the code
   * that fills it, because a higher limit alone only delays the problem.
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

  /** Netty frees its own buffers; the JVM requests no collection for them. */
  @Override
  public List<Prediction> predictions(
      MeasuredIncident incident, List<Finding> findings, OptionalDouble share) {
    return StoppedTimeSplit.of(incident).byCause().containsKey(hypothesis())
        ? CollectionsRemoved.andLatency(incident, this, share)
        : super.predictions(incident, findings, share);
  }

  /**
   * Asks whether direct buffers reach their limit, whether collections are made for them, and
   * whether requests wait for some to be freed.
   */
  @Judges(Hypothesis.DIRECT_MEMORY)
  static final class DirectBuffersRule implements Rule {

    @Override
    public List<Finding> examine(MeasuredIncident incident) {
      Timeline timeline = incident.timeline();
      Window window = incident.window();
      Optional<DirectBuffers> most = most(timeline, window);
      Optional<DirectBuffers> before =
          incident.baseline().flatMap(baseline -> most(timeline, baseline));
      long collections =
          timeline.samples(ExplicitCollection.class, window).stream()
              .filter(ExplicitCollection::forDirectBuffers)
              .count();
      boolean filled =
          most.filter(GcRequester::isFull).isPresent()
              && before.filter(GcRequester::isFull).isEmpty();
      List<Finding> findings = new ArrayList<>();
      if (most.isPresent() && (filled || collections > 0)) {
        findings.add(finding(before, most.get(), collections));
      }
      // Requests that allocate a buffer at the limit wait for others to be freed.
      findings.addAll(
          new WaitFinding(id(), Effect.DIRECT_MEMORY_WAIT, Hypothesis.DIRECT_MEMORY)
              .findings(incident, "", Optional.empty()));
      return findings;
    }

    private static Optional<DirectBuffers> most(Timeline timeline, Window window) {
      return timeline.samples(DirectBuffers.class, window).stream()
          .max(Comparator.comparing(DirectBuffers::inUse));
    }

    private Finding finding(Optional<DirectBuffers> before, DirectBuffers most, long collections) {
      return Finding.of(
              id(),
              "%s %s %s, %s of their limit (%s)%s"
                  .formatted(
                      Numbers.counted(most.count(), "direct buffer"),
                      most.count() == 1 ? "takes" : "take",
                      most.inUse(),
                      most.inUse().shareOf(most.limit()),
                      most.limit(),
                      requested(collections)))
          .figure(
              "direct buffers, at most",
              before.map(DirectBuffers::inUse).map(Bytes::toString),
              most.inUse().toString())
          .figure("limit of direct buffers", most.limit().toString())
          .value("directBufferBytes", most.inUse().value())
          .value("directBufferLimitBytes", most.limit().value())
          .value("collectionsForDirectBuffers", collections)
          .from(most.source())
          .supports(Hypothesis.DIRECT_MEMORY)
          .build();
    }

    private static String requested(long collections) {
      return collections == 0
          ? ""
          : "; the JDK requested " + Numbers.counted(collections, "GC") + " to free some";
    }
  }
}
