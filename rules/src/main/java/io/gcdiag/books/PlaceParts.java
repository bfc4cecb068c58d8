package io.gcdiag.books;

import io.gcdiag.books.OwnPlaces.Seen;
import io.gcdiag.books.Place.Part;
import io.gcdiag.books.Place.Role;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.Case;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The parts of a place, as they are found, and where to look for them.
 *
 * @param window the incident's
 * @param own the service's own code
 */
public record PlaceParts(
    Case incident, Timeline timeline, Window window, OwnPlaces own, List<Part> parts) {

  public PlaceParts(Case incident) {
    this(
        incident,
        incident.timeline(),
        incident.window(),
        new OwnPlaces(incident),
        new ArrayList<>());
  }

  /** The waits in which most of the window's time was spent. */
  public Optional<WaitSeries> longest(List<WaitSeries> waits) {
    return waits.stream()
        .max(
            Comparator.comparingDouble((WaitSeries one) -> one.within(window).waitedSeconds())
                .thenComparing(WaitSeries::site));
  }

  public void add(Part part) {
    parts.add(part);
  }

  /** Adds code and its caller, if any was seen. */
  public void code(Optional<Seen> seen) {
    seen.ifPresent(
        at -> {
          parts.add(new Part(Role.CODE, at.place().toString(), at.source()));
          at.caller()
              .ifPresent(
                  caller -> parts.add(new Part(Role.CALLER, caller.toString(), at.source())));
        });
  }

  /** Adds that another process requested it, which is in no code. */
  public void outside(Source source) {
    parts.add(new Part(Role.MACHINE, "requested from outside the process", "jcmd, JMX", source));
  }

  /** All of it; empty if nothing was found. */
  public Optional<Place> place() {
    return parts.isEmpty() ? Optional.empty() : Optional.of(new Place(parts));
  }
}
