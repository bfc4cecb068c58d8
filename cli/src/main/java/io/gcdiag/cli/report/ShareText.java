package io.gcdiag.cli.report;

import io.gcdiag.units.Estimate;
import io.gcdiag.units.Ratio;
import io.gcdiag.verdict.Judgement;
import io.gcdiag.verdict.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The shares of the causes in words that add up: every table and sum has the same figure, and only
 * its bounds are in brackets beside it.
 *
 * <p>The interval of each cause may include all of the unexplained part, which is there once. Only
 * a single primary suspect is printed with both ends; other suspects with what they explain at
 * least. The upper end of the suspect leaves to the others what they explain at least.
 */
record ShareText(List<Judgement> judgements) {

  static final Column COLUMN = Column.numbers("Explains");

  /** An interval that is wider gives its low end: it says little about the high one. */
  private static final double WIDE = 0.5;

  /** Percentages of intervals are whole: a share that is as close to the low end is the low end. */
  private static final double CLOSE = 0.05;

  static boolean isKnown(Judgement judgement) {
    return judgement.share().explained().isPresent();
  }

  String inFull(Judgement judgement) {
    double share = judgement.share().explained().orElse(0);
    return point(judgement)
        + judgement
            .share()
            .interval()
            .filter(any -> isAlone(judgement) || share - any.low() > CLOSE)
            // "36.5 % (at least 37 %)" says the same twice.
            .filter(
                any -> hasTwoEnds(judgement, joint(judgement, any)) || !isAlike(share, any.low()))
            .map(any -> " (" + beside(judgement, any) + ")")
            .orElse("");
  }

  /** A share that is the low end itself has only a high one beside it. */
  private String beside(Judgement judgement, Estimate interval) {
    Estimate joint = joint(judgement, interval);
    double share = judgement.share().explained().orElse(0);
    return hasTwoEnds(judgement, joint)
            && isAlike(share, joint.low())
            && !isAlike(joint.low(), joint.high())
        ? "up to " + Ratio.whole(joint.high())
        : ends(judgement, interval);
  }

  /** The share alone; "none" for zero. All shares and the unexplained part make 100 %. */
  static String point(Judgement judgement) {
    OptionalDouble share = judgement.share().explained();
    boolean none = share.isPresent() && FigureText.isNothing(share.getAsDouble());
    return none ? "none" : (isBound(judgement) ? "≤ " : "") + FigureText.share(share);
  }

  /** Whether the share is the most that it may be, and it may be nothing as well. */
  private static boolean isBound(Judgement judgement) {
    return judgement
        .share()
        .interval()
        .filter(any -> FigureText.isNothing(any.low()))
        .filter(any -> isAlike(any.high(), judgement.share().explained().orElse(0)))
        .isPresent();
  }

  /** Percentages of intervals are whole. */
  private static boolean isAlike(double share, double other) {
    return Ratio.whole(share).equals(Ratio.whole(other));
  }

  private String ends(Judgement judgement, Estimate interval) {
    Estimate joint = joint(judgement, interval);
    return hasTwoEnds(judgement, joint)
        ? Ratio.range(joint.low(), joint.high())
        // With the other shares it makes 100 %.
        : "at least " + FigureText.share(joint.low());
  }

  private boolean hasTwoEnds(Judgement judgement, Estimate joint) {
    return isAlone(judgement) && !(joint.high() - joint.low() > WIDE);
  }

  private boolean isAlone(Judgement judgement) {
    return judgement.verdict() == Verdict.PRIMARY_SUSPECT
        && judgements.stream().filter(one -> one.verdict() == judgement.verdict()).count() == 1;
  }

  /** Leaves room for what the others explain at least. */
  private Estimate joint(Judgement judgement, Estimate interval) {
    double others =
        judgements.stream().filter(other -> other != judgement).mapToDouble(ShareText::least).sum();
    double high = Math.min(interval.high(), 1 - others);
    return new Estimate(interval.low(), Math.max(interval.low(), high));
  }

  private static double least(Judgement judgement) {
    Optional<Double> low = judgement.share().interval().map(Estimate::low);
    return low.orElse(judgement.share().explained().orElse(0));
  }
}
