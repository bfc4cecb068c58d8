package io.gcdiag.causes.memory;

import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.jvm.GcSample.HumongousRegions;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.jvm.CollectionTrigger;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** How much of G1's heap large objects hold when collections come. */
@Judges(value = Hypothesis.HUMONGOUS_ALLOCATION, needs = Signal.GC_PAUSES)
public final class HumongousRegionsRule implements Rule {

  /** The flag that a recording states in bytes, whatever chose it; of G1 alone above zero. */
  public static final String REGION_SIZE = "G1HeapRegionSize";

  @Override
  public List<Finding> examine(Case incident) {
    List<HumongousRegions> met =
        incident.timeline().samples(HumongousRegions.class, incident.window());
    return met.stream()
        .max(Comparator.comparingInt(HumongousRegions::before))
        .map(most -> judge(incident, met, most))
        .stream()
        .toList();
  }

  private Finding judge(Incident incident, List<HumongousRegions> met, HumongousRegions most) {
    Optional<Ratio> share = shareOfHeap(incident.timeline().jvm(), most);
    FindingBuilder finding =
        Finding.of(
                id(),
                "humongous objects hold up to "
                    + Numbers.counted(most.before(), "region")
                    + " before a GC"
                    + share.map(part -> ", " + part + " of the heap").orElse(""))
            .value("mostRegions", most.before())
            .sum(
                "after that GC: %s; GCs with such regions: in %s"
                    .formatted(Numbers.count(most.after()), Numbers.counted(met.size(), "second")))
            .from(most.source());
    share.ifPresent(
        part ->
            finding
                .value("shareOfHeap", part.value())
                .figure("heap in humongous regions, peak", part.toString()));
    if (share.filter(part -> part.value() < Policy.NEGLIGIBLE).isPresent()) {
      finding.weakens(Hypothesis.HUMONGOUS_ALLOCATION);
    } else if (share.filter(part -> part.value() >= Policy.NOTABLE).isPresent()
        && isForced(incident)) {
      finding.supports(Hypothesis.HUMONGOUS_ALLOCATION);
    }
    return finding.build();
  }

  private static Optional<Ratio> shareOfHeap(JvmFacts jvm, HumongousRegions most) {
    OptionalDouble region = jvm.number(REGION_SIZE);
    return jvm.maxHeap()
        .map(Bytes::value)
        .filter(heap -> heap > 0 && region.isPresent() && region.getAsDouble() > 0)
        .map(heap -> new Ratio(most.before() * region.getAsDouble() / heap));
  }

  /** Whether humongous allocations made the JVM collect. */
  static boolean isForced(Incident incident) {
    return incident
        .timeline()
        .pauses(incident.window())
        .anyOfType(type -> CollectionTrigger.of(type) == CollectionTrigger.HUMONGOUS);
  }
}
