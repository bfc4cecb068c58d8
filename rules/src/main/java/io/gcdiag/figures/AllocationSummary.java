package io.gcdiag.figures;

import io.gcdiag.evidence.jvm.AllocationSite;
import java.util.List;
import java.util.OptionalDouble;

/**
 * What was allocated, how fast and by which code.
 *
 * @param bytesPerSecond allocation rate in the incident window
 * @param bytesPerRequest the same per request, where the request rate is known
 * @param basis how the rate was measured, one sentence; empty when it is not known
 * @param topSites the sites that allocated most in the incident window by samples, with their bytes
 *     in it
 * @param outsideTlabs the sites whose objects outside thread-local buffers were largest together in
 *     the incident window, with the size of such an object; empty if they were not recorded
 * @param ofApplication share of all bytes outside thread-local buffers of the window in whose
 *     stacks the service's own code is, 0 to 1; absent if there are none
 * @param note what these figures leave out, one sentence; may be empty
 */
public record AllocationSummary(
    OptionalDouble bytesPerSecond,
    OptionalDouble bytesPerRequest,
    String basis,
    List<AllocationSite> topSites,
    List<AllocationSite> outsideTlabs,
    OptionalDouble ofApplication,
    String note,
    StackTree stacks) {

  public AllocationSummary {
    topSites = List.copyOf(topSites);
    outsideTlabs = List.copyOf(outsideTlabs);
  }
}
