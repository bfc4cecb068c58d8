package io.gcdiag.cli.report;

import io.gcdiag.cli.report.Report.Section;
import io.gcdiag.diagnosis.Confidence;
import io.gcdiag.diagnosis.Diagnosis;
import io.gcdiag.diagnosis.Judgement;
import io.gcdiag.diagnosis.Metric;
import io.gcdiag.diagnosis.Verdict;
import java.util.ArrayList;
import java.util.List;

/** What changed, and what could have caused it: the two tables of the first page. */
final class HypothesisSections {

  private HypothesisSections() {}

  static Section problem(Diagnosis diagnosis) {
    List<List<Cell>> rows = diagnosis.metrics().stream().map(HypothesisSections::row).toList();
    return new Section(
        "Problem",
        rows.isEmpty()
            ? List.of()
            : List.of(
                new Block.Table(
                    List.of(
                        Column.words("Metric"),
                        Column.numbers("Before"),
                        Column.numbers("During"),
                        Column.numbers("Change"),
                        Column.words("Source")),
                    rows)));
  }

  private static List<Cell> row(Metric metric) {
    String change = Figures.change(metric);
    boolean changed = !change.equals("unchanged") && !change.equals(Figures.NONE);
    return List.of(
        Cell.of(metric.title()),
        Cell.of(Figures.before(metric)),
        Cell.of(Figures.during(metric)),
        new Cell(change, changed ? Tone.STRONG : Tone.MUTED),
        new Cell(metric.source(), Tone.MUTED));
  }

  static Section ranked(Diagnosis diagnosis) {
    List<List<Cell>> rows = new ArrayList<>();
    for (Judgement judgement : diagnosis.judgements()) {
      rows.add(row(rows.size() + 1, judgement));
    }
    return new Section(
        "Hypotheses, ranked by how much of the trouble they explain",
        List.of(
            new Block.Table(
                List.of(
                    Column.numbers("#"),
                    Column.words("Hypothesis"),
                    Column.numbers("Explains"),
                    Column.words("Verdict (confidence)"),
                    Column.words("Key evidence")),
                rows)));
  }

  private static List<Cell> row(int rank, Judgement judgement) {
    Tone tone = tone(judgement.verdict());
    Tone text = tone == Tone.MUTED ? Tone.MUTED : Tone.PLAIN;
    String id = judgement.hypothesis().id();
    // Thirteen causes on one screen: what nothing speaks for gets a single line.
    String name = tone == Tone.MUTED ? id : judgement.hypothesis().title() + " (" + id + ")";
    return List.of(
        new Cell(Integer.toString(rank), text),
        new Cell(name, judgement.verdict() == Verdict.PRIMARY_SUSPECT ? Tone.STRONG : text),
        new Cell(Figures.share(judgement.explainedShare()), text),
        new Cell(judgement.verdict().title() + confidence(judgement), tone),
        new Cell(judgement.reason(), text));
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

  private static Tone tone(Verdict verdict) {
    return switch (verdict) {
      case PRIMARY_SUSPECT -> Tone.BAD;
      case CONTRIBUTING, NOT_ENOUGH_DATA -> Tone.WARNING;
      case RULED_OUT -> Tone.GOOD;
      case NOT_INDICATED -> Tone.MUTED;
    };
  }
}
