package io.gcdiag.fleet;

import io.gcdiag.books.Hypothesis;
import io.gcdiag.evidence.time.Window;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The answer to one case, as short as a fleet of them needs it.
 *
 * @param key what it is the answer to
 * @param origin service, host, version
 * @param time the time that the files cover; absent if they are not dated
 * @param suspects primary suspects, then contributing causes, in the order of the ranking
 * @param lostSeconds request time lost in the incident window, over all requests; absent if it was
 *     not measured
 * @param notes files that were not read, or not all of them, a line each
 * @param error why there is no answer; empty if there is one
 * @param report where the report is, relative to the rows; empty if there is none
 */
public record CaseRow(
    CaseKey key,
    CaseOrigin origin,
    Optional<Window> time,
    CaseOutcome outcome,
    List<Suspect> suspects,
    OptionalDouble lostSeconds,
    List<String> notes,
    String error,
    String report) {

  public CaseRow {
    suspects = List.copyOf(suspects);
    notes = List.copyOf(notes);
  }

  /** One that could not be analysed. */
  public static CaseRow failed(
      CaseKey key, CaseOrigin origin, Optional<Window> time, String error) {
    return new CaseRow(
        key,
        origin,
        time,
        CaseOutcome.FAILED,
        List.of(),
        OptionalDouble.empty(),
        List.of(),
        error,
        "");
  }

  /** The same of another service, host or version. */
  public CaseRow from(CaseOrigin other) {
    return new CaseRow(key, other, time, outcome, suspects, lostSeconds, notes, error, report);
  }

  /** The same of a case that has another name now. */
  public CaseRow under(CaseKey other) {
    return new CaseRow(other, origin, time, outcome, suspects, lostSeconds, notes, error, report);
  }

  public CaseRow reported(String path) {
    return new CaseRow(key, origin, time, outcome, suspects, lostSeconds, notes, error, path);
  }

  /** The root cause that explains most, if one stands out. */
  public Optional<Hypothesis> primary() {
    return outcome == CaseOutcome.PRIMARY_SUSPECT
        ? suspects.stream().map(Suspect::cause).findFirst()
        : Optional.empty();
  }

  /** Whether the files said anything. */
  public boolean isJudged() {
    return outcome != CaseOutcome.FAILED;
  }
}
