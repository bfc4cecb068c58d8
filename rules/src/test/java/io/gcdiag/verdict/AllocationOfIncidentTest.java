package io.gcdiag.verdict;

import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.jvm.AllocationSite;
import io.gcdiag.evidence.jvm.AllocationSite.Path;
import io.gcdiag.evidence.time.WindowRequest;
import io.gcdiag.units.Bytes;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AllocationOfIncidentTest {

  private static AllocationSite site(String root, Path path, long kibi) {
    return new AllocationSite(
        "byte[]", "Buffers.allocate", root, true, path, Bytes.ofKibi(kibi), 10, Optional.empty());
  }

  /** Half of the recording is before the incident; what it allocated most there is not shown. */
  @Test
  void theSitesAreThoseOfTheIncidentWindow() {
    Diagnosis diagnosis =
        Diagnoser.diagnose(
            incident()
                .allocationSite(site("Before.run", Path.SAMPLED, 900), 20)
                .allocationSite(site("During.run", Path.SAMPLED, 100), 80)
                .allocationSite(site("Before.large", Path.OUTSIDE_TLAB, 900), 20)
                .allocationSite(site("During.large", Path.OUTSIDE_TLAB, 100), 80)
                .build()
                .timeline(),
            Optional.of(WindowRequest.parse("60s..120s")),
            Optional.of(WindowRequest.parse("0s..60s")));
    assertEquals(List.of("During.run"), roots(diagnosis.figures().allocation().topSites()));
    assertEquals(List.of("During.large"), roots(diagnosis.figures().allocation().outsideTlabs()));
  }

  private static List<String> roots(List<AllocationSite> sites) {
    return sites.stream().map(AllocationSite::root).toList();
  }
}
