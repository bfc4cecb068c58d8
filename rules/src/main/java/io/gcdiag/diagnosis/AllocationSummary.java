package io.gcdiag.diagnosis;

import io.gcdiag.evidence.AllocationSite;
import java.util.List;
import java.util.OptionalDouble;

/**
 * What was allocated, how fast and by whom.
 *
 * @param bytesPerSecond allocation rate in the incident window
 * @param bytesPerRequest the same per request, where the request rate is known
 * @param basis how the rate was measured, one sentence; empty when it is not known
 * @param topSites the sites that allocated most in the incident window, with their bytes in it
 * @param note what these figures leave out, one sentence; may be empty
 * @param stacks the whole stacks
 */
public record AllocationSummary(
    OptionalDouble bytesPerSecond,
    OptionalDouble bytesPerRequest,
    String basis,
    List<AllocationSite> topSites,
    String note,
    StackTree stacks) {

  /** Copies the list. */
  public AllocationSummary {
    topSites = List.copyOf(topSites);
  }
}
