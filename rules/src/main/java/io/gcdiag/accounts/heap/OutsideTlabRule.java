package io.gcdiag.accounts.heap;

import io.gcdiag.causes.Finding;
import io.gcdiag.causes.FindingBuilder;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.causes.Judges;
import io.gcdiag.causes.Rule;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.heap.AllocationSite;
import io.gcdiag.evidence.source.Source;
import io.gcdiag.measures.Case;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Ratio;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * Names the sites that allocate most: outside thread-local buffers with their sizes where that was
 * recorded, else by sampled weight.
 */
@Judges({Hypothesis.ALLOCATION_CHURN, Hypothesis.HUMONGOUS_ALLOCATION})
public final class OutsideTlabRule implements Rule {

  /** The flag that a recording states in bytes, whatever chose it; of G1 alone above zero. */
  public static final String REGION_SIZE = "G1HeapRegionSize";

  @Override
  public List<Finding> examine(Case incident) {
    Timeline timeline = incident.timeline();
    Optional<Source> source = timeline.allocation().source();
    List<Finding> findings = new ArrayList<>();
    for (AllocationSite.Path path : AllocationSite.Path.values()) {
      List<AllocationSite> sites = timeline.allocation().sites().of(path).within(incident.window());
      if (!sites.isEmpty() && source.isPresent()) {
        FindingBuilder finding = name(sites, path, source.get());
        if (path == AllocationSite.Path.OUTSIDE_TLAB) {
          againstRegions(incident, sites, finding);
        }
        findings.add(finding.build());
      }
    }
    return findings;
  }

  /**
   * An object larger than half a region is humongous to G1 (G1CollectedHeap::is_humongous). Sampled
   * weights are no sizes: only objects outside TLABs can be held against it.
   */
  private static void againstRegions(
      Incident incident, List<AllocationSite> sites, FindingBuilder finding) {
    OptionalDouble region = incident.timeline().jvm().number(REGION_SIZE);
    if (region.isEmpty() || region.getAsDouble() <= 0) {
      return;
    }
    Bytes half = Bytes.of(Math.round(region.getAsDouble() / 2));
    List<AllocationSite> humongous =
        sites.stream()
            .filter(site -> site.typicalSize().filter(size -> size.compareTo(half) > 0).isPresent())
            .toList();
    boolean forced = HumongousRegionsRule.isForced(incident);
    if (humongous.isEmpty()) {
      finding.sum("objects larger than half a G1 region (" + half + "): none by typical size");
      if (!forced) {
        finding.weakens(Hypothesis.HUMONGOUS_ALLOCATION);
      }
      return;
    }
    finding.sum(
        "objects larger than half a G1 region ("
            + half
            + "): "
            + humongous.stream()
                .limit(Policy.MOST_NAMED)
                .map(
                    site ->
                        site.className()
                            + site.typicalSize().map(size -> " (" + size + ")").orElse("")
                            + " at "
                            + site.top())
                .collect(Collectors.joining(", ")));
    if (forced) {
      finding.supports(Hypothesis.HUMONGOUS_ALLOCATION);
    }
  }

  private FindingBuilder name(List<AllocationSite> sites, AllocationSite.Path path, Source source) {
    boolean outside = path == AllocationSite.Path.OUTSIDE_TLAB;
    long total = sites.stream().mapToLong(site -> site.bytes().value()).sum();
    AllocationSite top = sites.get(0);
    FindingBuilder finding =
        Finding.of(
                id(),
                "top allocator %s: %s%s under %s, %s of the recorded bytes"
                    .formatted(
                        outside ? "outside TLABs" : "by samples",
                        top.className(),
                        top.typicalSize().map(size -> " of about " + size).orElse(""),
                        top.root(),
                        share(top, total)))
            .value("recordedBytes", total)
            .from(
                new Source(
                    source.file(),
                    outside ? "jdk.ObjectAllocationOutsideTLAB" : "jdk.ObjectAllocationSample"));
    finding.sum(
        "%s  %s%s  at %s, from %s"
            .formatted(
                share(top, total),
                top.className(),
                top.typicalSize().map(size -> " (" + size + ")").orElse(""),
                top.top(),
                top.root()));
    return finding;
  }

  private static Ratio share(AllocationSite site, long total) {
    return total == 0 ? new Ratio(0) : site.bytes().shareOf(Bytes.of(total));
  }
}
