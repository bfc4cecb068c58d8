package io.gcdiag.advice;

import io.gcdiag.causes.Finding;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.evidence.Incident;
import java.util.List;
import java.util.Optional;

/**
 * What to say of a suspect beside that it is one.
 *
 * @param place where it is; empty if the files do not show it
 * @param edits what to change, exact; empty if nothing exact can be said
 */
public record Advice(Optional<Place> place, List<Edit> edits) {

  /** Nothing is known. */
  public static final Advice NONE = new Advice(Optional.empty(), List.of());

  /** Copies the edits. */
  public Advice {
    edits = List.copyOf(edits);
  }

  /**
   * Where a suspect is and what to change.
   *
   * @param about what was found about it
   * @param why the figures that show it
   */
  public static Advice of(
      Incident incident, Hypothesis hypothesis, List<Finding> about, String why) {
    Optional<Place> place = PlaceFinder.of(incident, hypothesis);
    return new Advice(place, EditFinder.of(incident, hypothesis, about, place, why));
  }
}
