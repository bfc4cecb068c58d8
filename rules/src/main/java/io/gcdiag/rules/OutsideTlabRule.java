package io.gcdiag.rules;

import io.gcdiag.evidence.AllocationSite;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Signal;
import io.gcdiag.evidence.Source;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Ratio;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Names the sites that allocate most: outside thread-local buffers with their sizes where that was
 * recorded, else by sampled weight.
 */
public final class OutsideTlabRule implements Rule {

  private static final int NAMED = 3;

  @Override
  public String id() {
    return "outside-tlab";
  }

  @Override
  public Set<Signal> needs() {
    return Set.of();
  }

  @Override
  public Set<Hypothesis> judges() {
    return Set.of(Hypothesis.ALLOCATION_CHURN);
  }

  @Override
  public List<Finding> examine(Incident incident) {
    Timeline timeline = incident.timeline();
    Optional<Source> source = timeline.allocation().source();
    List<Finding> findings = new ArrayList<>();
    for (AllocationSite.Path path : AllocationSite.Path.values()) {
      List<AllocationSite> sites =
          timeline.allocation().sites().stream().filter(site -> site.path() == path).toList();
      if (!sites.isEmpty() && source.isPresent()) {
        findings.add(name(sites, path, source.get()));
      }
    }
    return findings;
  }

  private Finding name(List<AllocationSite> sites, AllocationSite.Path path, Source source) {
    boolean outside = path == AllocationSite.Path.OUTSIDE_TLAB;
    long total = sites.stream().mapToLong(site -> site.bytes().value()).sum();
    AllocationSite top = sites.get(0);
    FindingBuilder finding =
        Finding.of(
                id(),
                "top allocator "
                    + (outside ? "outside TLABs" : "by samples")
                    + ": "
                    + top.className()
                    + top.typicalSize().map(size -> " of about " + size).orElse("")
                    + " under "
                    + top.root()
                    + ", "
                    + share(top, total)
                    + " of what was recorded")
            .value("recordedBytes", total)
            .from(
                new Source(
                    source.file(),
                    outside ? "jdk.ObjectAllocationOutsideTLAB" : "jdk.ObjectAllocationSample"));
    sites.stream()
        .limit(NAMED)
        .forEach(
            site ->
                finding.sum(
                    share(site, total)
                        + "  "
                        + site.className()
                        + site.typicalSize().map(size -> " (" + size + ")").orElse("")
                        + "  at "
                        + site.top()
                        + ", from "
                        + site.root()));
    return finding.build();
  }

  private static Ratio share(AllocationSite site, long total) {
    return total == 0 ? new Ratio(0) : site.bytes().shareOf(Bytes.of(total));
  }
}
