package io.gcdiag.causes.memory;

import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.GcSample.OldObjects;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.jvm.LiveSetTrend;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Ratio;
import java.util.Comparator;
import java.util.List;

/**
 * Names what is still held at the recording's end, once the live set is known to grow without end.
 * Every service holds old objects: that there are some shows nothing.
 */
@Judges(
    value = {Hypothesis.MEMORY_LEAK, Hypothesis.FINALIZER_BACKLOG},
    needs = Signal.HEAP_AROUND_GC)
final class HeldObjectsRule implements Rule {

  @Override
  public List<Finding> examine(Case incident) {
    Timeline timeline = incident.timeline();
    List<OldObjects> held =
        timeline.samples(OldObjects.class, timeline.span()).stream()
            .sorted(
                Comparator.comparingLong(OldObjects::count)
                    .reversed()
                    .thenComparing(OldObjects::className)
                    .thenComparing(OldObjects::allocatedAt)
                    .thenComparing(OldObjects::holders))
            .toList();
    boolean leaks = incident.liveSetTrend().filter(LiveSetTrend::growsWithoutBound).isPresent();
    return held.isEmpty() || !leaks ? List.of() : List.of(name(incident, held));
  }

  private Finding name(Case incident, List<OldObjects> held) {
    long all = held.stream().mapToLong(OldObjects::count).sum();
    OldObjects most = held.get(0);
    FindingBuilder finding =
        Finding.of(
                id(),
                "of %s sampled objects that are still held, %s are %s"
                    .formatted(all, share(most, all), words(most)))
            .figure("sampled live objects of type " + most.className(), share(most, all).toString())
            .value("heldObjects", all)
            .from(most.source())
            .supports(FinalizerBacklog.growth(incident));
    held.stream()
        .limit(Policy.MOST_NAMED)
        .forEach(
            objects ->
                finding.sum(
                    "%s  %s, %s to %s old"
                        .formatted(
                            share(objects, all),
                            words(objects),
                            Durations.format(objects.youngest()),
                            Durations.format(objects.oldest()))));
    return finding.build();
  }

  private static Ratio share(OldObjects objects, long all) {
    return new Ratio((double) objects.count() / all);
  }

  private static String words(OldObjects objects) {
    return objects.className()
        + (objects.allocatedAt().isEmpty() ? "" : " allocated at " + objects.allocatedAt())
        + (objects.holders().isEmpty() ? "" : ", held by " + objects.holders());
  }
}
