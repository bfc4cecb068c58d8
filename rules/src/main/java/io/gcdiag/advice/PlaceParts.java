package io.gcdiag.advice;

import io.gcdiag.advice.OwnPlaces.Seen;
import io.gcdiag.advice.Place.Part;
import io.gcdiag.advice.Place.Role;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.Case;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The parts of a place, as they are found, and where to look for them. */
final class PlaceParts {

  private final Case incident;
  private final OwnPlaces own;
  private final List<Part> parts = new ArrayList<>();

  PlaceParts(Case incident) {
    this.incident = incident;
    this.own = new OwnPlaces(incident);
  }

  Case incident() {
    return incident;
  }

  Timeline timeline() {
    return incident.timeline();
  }

  /** The incident's. */
  Window window() {
    return incident.window();
  }

  /** The service's own code. */
  OwnPlaces own() {
    return own;
  }

  void add(Part part) {
    parts.add(part);
  }

  /** Adds code and its caller, if any was seen. */
  void code(Optional<Seen> seen) {
    seen.ifPresent(
        at -> {
          parts.add(new Part(Role.CODE, at.place().toString(), at.source()));
          at.caller()
              .ifPresent(
                  caller -> parts.add(new Part(Role.CALLER, caller.toString(), at.source())));
        });
  }

  /** All of it; empty if nothing was found. */
  Optional<Place> place() {
    return parts.isEmpty() ? Optional.empty() : Optional.of(new Place(parts));
  }
}
