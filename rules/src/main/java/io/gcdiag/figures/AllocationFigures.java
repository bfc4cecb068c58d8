package io.gcdiag.figures;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.AllocationSite;
import io.gcdiag.evidence.jvm.StackProfile;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.jvm.AllocationRate;
import io.gcdiag.units.Numbers;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Makes an {@link AllocationSummary}, which is handed out and knows no rule's measures. */
public final class AllocationFigures {

  private static final int TOP_SITES = 10;

  private AllocationFigures() {}

  /** What an incident says of it. */
  public static AllocationSummary of(MeasuredIncident incident) {
    Timeline timeline = incident.timeline();
    Optional<AllocationRate> rate = incident.allocation(incident.window());
    OptionalDouble perSecond = Numbers.of(rate, r -> r.bytesPerSecond());
    OptionalDouble perRequest = incident.allocatedPerRequest(incident.window());
    List<AllocationSite> sites = sites(incident, AllocationSite.Path.SAMPLED);
    List<AllocationSite> outside = sites(incident, AllocationSite.Path.OUTSIDE_TLAB);
    boolean sized = timeline.sees(Signal.OUTSIDE_TLAB);
    String note =
        sites.isEmpty() && outside.isEmpty()
            ? ""
            : sized
                ? "allocation inside TLABs is an estimate from sampled events"
                : "sampled: shares are estimates and object sizes are unknown; "
                    + Signal.OUTSIDE_TLAB.howToRecord();
    return new AllocationSummary(
        perSecond,
        perRequest,
        rate.map(AllocationRate::basis).orElse(""),
        sites.stream().limit(TOP_SITES).toList(),
        outside.stream().limit(TOP_SITES).toList(),
        ofApplication(outside),
        note,
        StackTree.of(
            timeline,
            incident.windows(),
            StackProfile.Kind.ALLOCATION,
            StackProfile.Kind.ALLOCATION_OUTSIDE_TLABS));
  }

  private static List<AllocationSite> sites(MeasuredIncident incident, AllocationSite.Path path) {
    return incident.timeline().profiles().allocation().sites().of(path).within(incident.window());
  }

  private static OptionalDouble ofApplication(List<AllocationSite> sites) {
    double all = sites.stream().mapToDouble(site -> site.bytes().value()).sum();
    double own =
        sites.stream()
            .filter(AllocationSite::ofApplication)
            .mapToDouble(site -> site.bytes().value())
            .sum();
    return all > 0 ? OptionalDouble.of(own / all) : OptionalDouble.empty();
  }
}
