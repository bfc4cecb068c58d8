package io.gcdiag.books;

import io.gcdiag.books.OwnPlaces.Seen;
import io.gcdiag.books.Place.Part;
import io.gcdiag.books.Place.Role;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.CallPart;
import io.gcdiag.evidence.threads.HostService;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.threads.WaitSite;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.MeasuredIncident;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Collects the parts of a place.
 *
 * @param own code locations of the service
 */
public record PlaceParts(
    MeasuredIncident incident, Timeline timeline, Window window, OwnPlaces own, List<Part> parts) {

  public PlaceParts(MeasuredIncident incident) {
    this(
        incident,
        incident.timeline(),
        incident.window(),
        new OwnPlaces(incident),
        new ArrayList<>());
  }

  /** The series with most waiting time in the incident window. */
  public Optional<WaitSeries> longest(List<WaitSeries> waits) {
    return waits.stream()
        .max(
            Comparator.comparingDouble((WaitSeries one) -> one.within(window).waitedSeconds())
                .thenComparing(WaitSeries::site));
  }

  public void add(Part part) {
    parts.add(part);
  }

  /** Adds a code location and its caller, if there is one. */
  public void code(Optional<Seen> seen) {
    seen.ifPresent(
        at -> {
          parts.add(new Part(Role.CODE, at.place().toString(), at.source()));
          at.caller()
              .ifPresent(
                  caller -> parts.add(new Part(Role.CALLER, caller.toString(), at.source())));
        });
  }

  /** The remote host of calls, or the machine if that looks up names. */
  public static Part host(WaitSeries series) {
    WaitSite site = series.site();
    return HostService.isLookup(site.label())
        ? new Part(Role.MACHINE, site.label(), series.source())
        : new Part(
            Role.HOST,
            CallPart.client(site.name().isEmpty() ? site.client() : site.name()),
            site.client().equals(site.name()) ? "" : CallPart.client(site.client()),
            series.source());
  }

  /** Adds that another process requested it, so that there is no code location. */
  public void outside(Source source) {
    parts.add(new Part(Role.MACHINE, "requested from outside the process", "jcmd, JMX", source));
  }

  public Optional<Place> place() {
    return parts.isEmpty() ? Optional.empty() : Optional.of(new Place(parts));
  }
}
