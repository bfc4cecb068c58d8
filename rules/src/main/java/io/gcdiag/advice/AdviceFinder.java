package io.gcdiag.advice;

import io.gcdiag.causes.Finding;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.measures.Case;
import java.util.List;
import java.util.Optional;

/** Finds where a suspect is and what to change. */
public final class AdviceFinder {

  private AdviceFinder() {}

  /**
   * Where a suspect is and what to change.
   *
   * @param about what was found about it
   * @param why the figures that show it
   */
  public static Advice of(Case incident, Hypothesis hypothesis, List<Finding> about, String why) {
    Optional<Place> place = PlaceFinder.of(incident, hypothesis);
    SuspectContext suspect = new SuspectContext(incident, hypothesis, about, place, why);
    return new Advice(SuspectTitle.of(suspect), place, EditFinder.of(suspect));
  }
}
