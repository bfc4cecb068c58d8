package io.gcdiag.cli.report;

import io.gcdiag.cli.report.Report.Section;
import io.gcdiag.diagnosis.Conclusion;
import io.gcdiag.diagnosis.Confidence;
import io.gcdiag.diagnosis.Diagnosis;
import io.gcdiag.diagnosis.Judgement;
import io.gcdiag.diagnosis.Verdict;
import io.gcdiag.units.Ratio;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What could have caused it, ranked. */
final class HypothesisSections {

  /** One in a hundred. */
  private static final double LEAST_TOLD = 0.01;

  private HypothesisSections() {}

  static Section ranked(Diagnosis diagnosis) {
    List<Judgement> judged = new ArrayList<>(diagnosis.judgements());
    boolean undecided = diagnosis.conclusion() == Conclusion.UNDECIDED;
    // Where nothing is decided, what something speaks for is the first to look at.
    List<Judgement> blind =
        DiagnosisDocument.withVerdict(diagnosis, Verdict.NOT_ENOUGH_DATA).stream()
            .filter(judgement -> !(undecided && judgement.isLead()))
            .toList();
    List<Judgement> others = DiagnosisDocument.withVerdict(diagnosis, Verdict.NOT_INDICATED);
    judged.removeAll(blind);
    judged.removeAll(others);
    List<Block> blocks = new ArrayList<>();
    if (!judged.isEmpty()) {
      blocks.add(table(diagnosis, judged, 1));
    }
    int next = judged.size() + 1;
    fold(blocks, diagnosis, "Not enough data for: ", blind, next);
    next += blind.size();
    fold(blocks, diagnosis, "Checked, not indicated: ", others, next);
    return new Section("Hypotheses, ranked by share of the lost time", blocks);
  }

  private static void fold(
      List<Block> blocks,
      Diagnosis diagnosis,
      String title,
      List<Judgement> judgements,
      int firstNumber) {
    if (!judgements.isEmpty()) {
      String ids =
          judgements.stream().map(HypothesisSections::named).collect(Collectors.joining(", "));
      blocks.add(
          new Block.Details(
              Cell.of(title + ids), List.of(table(diagnosis, judgements, firstNumber))));
    }
  }

  /** Whether it explains enough for a figure. */
  static boolean isNotable(Judgement judgement) {
    return judgement.explainedShare().orElse(0) >= LEAST_TOLD;
  }

  /** Its share or where that lies; a share of nothing in a word. */
  static String explains(Judgement judgement) {
    if (judgement.explainedShare().isEmpty()) {
      return FigureText.NONE;
    }
    String share = FigureText.share(judgement.explainedShare());
    return judgement
        .shareInterval()
        .map(range -> Ratio.range(range.low(), range.high()))
        .orElse(share.equals(FigureText.share(0)) ? "none" : share);
  }

  /** With its share, if it has one worth a figure: nothing that was lost is hidden in a fold. */
  private static String named(Judgement judgement) {
    String id = judgement.hypothesis().id();
    return isNotable(judgement)
        ? id + " (" + FigureText.share(judgement.explainedShare()) + ")"
        : id;
  }

  /** Numbered in the order shown: a number left out would look like a row left out. */
  private static Block table(Diagnosis diagnosis, List<Judgement> judgements, int firstNumber) {
    List<List<Cell>> rows = new ArrayList<>();
    List<List<Block>> folded = new ArrayList<>();
    for (Judgement judgement : judgements) {
      rows.add(row(firstNumber + rows.size(), judgement));
      folded.add(
          judgement.findings().stream()
              .map(finding -> CauseSection.evidence(diagnosis, finding))
              .toList());
    }
    return new Block.Table(
        List.of(
            Column.numbers("#"),
            Column.ids("Hypothesis"),
            Column.numbers("Explains"),
            Column.words("Verdict (confidence)"),
            Column.words("Key evidence")),
        rows,
        folded);
  }

  private static List<Cell> row(int number, Judgement judgement) {
    Tone tone = tone(judgement.verdict());
    Tone text = tone == Tone.MUTED ? Tone.MUTED : Tone.PLAIN;
    String id = judgement.hypothesis().id();
    // The more room for what speaks against a cause, the fewer lines: its id names it well enough.
    boolean suspect = !confidence(judgement).isEmpty();
    String name = suspect ? judgement.hypothesis().title() + " (" + id + ")" : id;
    return List.of(
        new Cell(Integer.toString(number), text),
        new Cell(name, judgement.verdict() == Verdict.PRIMARY_SUSPECT ? Tone.STRONG : text)
            .at(ChartSection.anchor(judgement)),
        new Cell(share(judgement), text),
        new Cell(judgement.verdict().title() + confidence(judgement), tone),
        new Cell(judgement.reason(), text));
  }

  private static String share(Judgement judgement) {
    return FigureText.share(judgement.explainedShare())
        + judgement
            .shareInterval()
            .map(share -> " (" + Ratio.range(share.low(), share.high()) + ")")
            .orElse("");
  }

  /** How far to rely on it matters for what one is asked to act on. */
  private static String confidence(Judgement judgement) {
    boolean suspect =
        judgement.verdict() == Verdict.PRIMARY_SUSPECT
            || judgement.verdict() == Verdict.CONTRIBUTING;
    if (!suspect) {
      return "";
    }
    return judgement.confidence().map(Confidence::id).map(c -> " (" + c + ")").orElse("");
  }

  static Tone tone(Verdict verdict) {
    return switch (verdict) {
      case PRIMARY_SUSPECT -> Tone.BAD;
      case CONTRIBUTING, NOT_ENOUGH_DATA -> Tone.WARNING;
      case RULED_OUT -> Tone.GOOD;
      case NOT_INDICATED -> Tone.MUTED;
    };
  }
}
