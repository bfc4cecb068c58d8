package io.gcdiag.loadtests;

import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.units.Named;
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
 * @param endpoints what moves with the mean latency of each endpoint, those with most time first
 * @param splits timers of the service by the values of a label, over the same time
 * @param notes what was left out, what is missing and what weakens the figures
 */
public record Correlations(
    List<InputReport> inputs,
    Optional<Basis> basis,
    String summary,
    List<Lead> leads,
    List<OfEndpoint> endpoints,
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
    endpoints = List.copyOf(endpoints);
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

  /**
   * An endpoint.
   *
   * @param leads the tail of all requests, and the series, that move with its mean latency, the
   *     closest related first
   */
  public record OfEndpoint(String endpoint, Source source, List<Lead> leads) {

    public OfEndpoint {
      leads = List.copyOf(leads);
    }
  }

  /**
   * A series compared with the latency tail.
   *
   * @param source where it was read
   * @param intervals intervals in which both are known
   * @param strength how closely the two move together; absent with too few intervals
   * @param shift by how much one runs ahead of the other; absent if they are closest in the same
   *     interval, or if chance can bring them as close in another
   * @param verdict what to think of it
   */
  public record Lead(
      String name,
      Source source,
      int intervals,
      Optional<Strength> strength,
      Optional<Shift> shift,
      Verdict verdict) {

    /**
     * Correlation of two series.
     *
     * @param pearson Pearson's coefficient, -1 to 1
     * @param low lower end of its 95 % confidence interval
     * @param high upper end of it
     * @param spearman Spearman's coefficient, -1 to 1
     * @param effectiveIntervals independent intervals that they are worth
     * @param chance probability of such a Pearson's coefficient without any relation, 0 to 1
     * @param chanceCorrected the same, corrected for the number of series asked (Holm)
     */
    public record Strength(
        double pearson,
        double low,
        double high,
        double spearman,
        double effectiveIntervals,
        double chance,
        double chanceCorrected) {}

    /**
     * The shift in time with the strongest correlation.
     *
     * @param intervals how many intervals the series is ahead of the tail; negative if it is behind
     * @param by the same as a time, never negative
     * @param pearson Pearson's coefficient then
     */
    public record Shift(int intervals, Duration by, double pearson) {

      /** Whether the series moves before the tail does. */
      public boolean leads() {
        return intervals > 0;
      }
    }

    /** Whether the two move together by more than chance. */
    public boolean moves() {
      return verdict == Verdict.MOVES || verdict == Verdict.SHIFTED;
    }

    /** Assessment of a lead. */
    public enum Verdict implements Named {
      /** The two are related by more than chance, also without the intervals that count most. */
      MOVES("moves with it"),
      /** Related when one of them is shifted in time. */
      SHIFTED("moves with it, shifted"),
      /** Without the most influential twentieth of the intervals, chance can explain it. */
      FEW_INTERVALS("rests on a few intervals"),
      /**
       * The ranks correlate but the values do not: they move in the same direction, not in
       * proportion.
       */
      RANKS("by rank only"),
      /** Chance can explain it. */
      NOT_SHOWN("no relation shown"),
      TOO_FEW("too few intervals");

      private final String text;

      Verdict(String text) {
        this.text = text;
      }

      public String text() {
        return text;
      }
    }
  }
}
