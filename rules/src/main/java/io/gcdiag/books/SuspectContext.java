package io.gcdiag.books;

import io.gcdiag.books.Place.Part;
import io.gcdiag.books.Place.Role;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.units.Bytes;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

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

  /** What that rule finds about it. */
  public Stream<Finding> by(String rule) {
    return about.stream().filter(finding -> finding.rule().equals(rule));
  }

  /** Whether that rule advises what to change, in place of what is advised of any such cause. */
  public boolean isAdvised(String rule, Hypothesis cause) {
    return by(rule).anyMatch(finding -> finding.actions().containsKey(cause));
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
