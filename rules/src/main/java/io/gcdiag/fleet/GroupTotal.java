package io.gcdiag.fleet;

import io.gcdiag.books.Hypothesis;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The cases of one group, such as a service.
 *
 * @param name of the group
 * @param cases its cases, by time
 * @param lostSeconds request time lost; absent if no case measured any
 * @param cause the root cause that it loses most to, or that most cases name
 * @param since when the longest present run of cases with a primary suspect began on one host of a
 *     service; absent if the last judged case of each has none
 */
public record GroupTotal(
    String name,
    List<CaseFigures> cases,
    OptionalDouble lostSeconds,
    Optional<Hypothesis> cause,
    Optional<Instant> since) {

  public GroupTotal {
    cases = List.copyOf(cases);
  }

  /** The number of cases with that outcome. */
  public int count(CaseOutcome outcome) {
    return (int) cases.stream().filter(row -> row.outcome() == outcome).count();
  }

  /**
   * The case to look at first: of those with a primary suspect, or else of the undecided ones, the
   * one that lost most, or else the last.
   */
  public Optional<CaseFigures> worst() {
    return worst(CaseOutcome.PRIMARY_SUSPECT).or(() -> worst(CaseOutcome.UNDECIDED));
  }

  private Optional<CaseFigures> worst(CaseOutcome outcome) {
    return cases.stream()
        .filter(row -> row.outcome() == outcome)
        .reduce(
            (one, other) ->
                other.lostSeconds().orElse(0) >= one.lostSeconds().orElse(0) ? other : one);
  }

  /**
   * The outcomes in the order of time, the most severe of several where there are more cases than
   * places.
   *
   * @param places how many at most
   */
  public List<CaseOutcome> trail(int places) {
    int slots = Math.min(places, cases.size());
    CaseOutcome[] trail = new CaseOutcome[slots];
    for (int i = 0; i < cases.size(); i++) {
      int slot = (int) ((long) i * slots / cases.size());
      CaseOutcome outcome = cases.get(i).outcome();
      trail[slot] =
          trail[slot] == null || outcome.compareTo(trail[slot]) < 0 ? outcome : trail[slot];
    }
    return List.of(trail);
  }
}
