package io.gcdiag.books;

import io.gcdiag.books.Place.Part;
import io.gcdiag.books.Place.Role;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.units.Bytes;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The suspect for which edits are made.
 *
 * @param place where it is; empty if the files do not show it
 * @param why the figures that show it
 */
public record SuspectContext(
    MeasuredIncident incident, List<Finding> about, Optional<Place> place, String why) {

  public Timeline timeline() {
    return incident.timeline();
  }

  /** Whether a finding about it contains that name. */
  public boolean says(String name) {
    return about.stream().anyMatch(finding -> finding.statement().contains(name));
  }

  /** The part of its place with that role. */
  public Optional<Part> at(Role role) {
    return place.flatMap(one -> one.part(role));
  }

  /** Edits that rest on the maximum heap; none if it is not known. */
  public List<Edit> ofMaxHeap(Function<Bytes, List<Edit>> edits) {
    return timeline().jvm().maxHeap().map(edits).orElse(List.of());
  }

  /** An edit outside of the service's code and settings. */
  public List<Edit> infrastructure(String name, String to) {
    return List.of(Edit.infrastructure(name, Optional.empty(), to, why));
  }

  /** An edit at its code location; none if that is unknown. */
  public List<Edit> code(String to) {
    return at(Role.CODE).map(part -> List.of(Edit.code(part.name(), to, why))).orElse(List.of());
  }
}
