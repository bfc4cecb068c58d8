package io.gcdiag.causes.memory;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.waits.WaitFinding;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.GcSample.ExplicitCollection;
import io.gcdiag.evidence.jvm.MemorySample.DirectBuffers;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Numbers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Asks whether direct buffers reach their limit, whether collections are made for them, and whether
 * requests wait for some to be freed.
 */
@Judges(Hypothesis.DIRECT_MEMORY)
final class DirectBuffersRule implements Rule {

  @Override
  public List<Finding> examine(Case incident) {
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
