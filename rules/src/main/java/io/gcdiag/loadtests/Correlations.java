package io.gcdiag.loadtests;

import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Series that correlate with the latency tail.
 *
 * @param inputs what became of each input
 * @param basis what the series were held against; absent if the files hold no latency over time
 * @param summary the answer in a sentence or two
 * @param leads the series, the closest related first, those with too few intervals last
 * @param splits timers of the service by the values of a label, over the same time
 * @param notes what was left out, what is missing and what weakens the figures
 */
public record Correlations(
    List<InputReport> inputs,
    Optional<Basis> basis,
    String summary,
    List<Lead> leads,
    List<TimerSplit> splits,
    List<String> notes) {

  /** Caveats that apply to each of the figures. */
  public static final String CAUTION =
      "Correlation ranks leads; it proves nothing: two series move together because one of them"
          + " causes the other, in either direction, because something else, such as the load,"
          + " moves both, or by chance.";

  public Correlations {
    inputs = List.copyOf(inputs);
    leads = List.copyOf(leads);
    splits = List.copyOf(splits);
    notes = List.copyOf(notes);
  }

  /**
   * What the series were compared with.
   *
   * @param name its name, such as {@code P95}
   * @param source where it was read
   * @param interval length of the intervals
   * @param intervalReason why this length
   * @param span from the start of the first interval to the end of the last
   * @param intervals how many
   * @param intervalsKnown intervals in which the tail is known
   */
  public record Basis(
      String name,
      Source source,
      Duration interval,
      String intervalReason,
      Window span,
      int intervals,
      int intervalsKnown) {}
}
