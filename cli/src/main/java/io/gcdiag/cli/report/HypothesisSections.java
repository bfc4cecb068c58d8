package io.gcdiag.cli.report;

import io.gcdiag.books.Finding;
import io.gcdiag.cli.report.CauseSection.ToldLines;
import io.gcdiag.cli.report.Report.Section;
import io.gcdiag.verdict.Diagnosis;
import io.gcdiag.verdict.Judgement;
import io.gcdiag.verdict.Verdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The ranked root causes with their evidence. */
final class HypothesisSections {

  /** A share below this is not printed beside a name. */
  private static final double LEAST_TOLD = 0.01;

  private static final String EVIDENCE = "Evidence for";

  /** The rows of the short list with their evidence, then all others with one line each. */
  static Section ranked(Diagnosis diagnosis) {
    Shortlist shortlist = Shortlist.of(diagnosis);
    List<Block> blocks = new ArrayList<>();
    Told told = new Told(diagnosis);
    if (!shortlist.rows().isEmpty()) {
      blocks.add(table(diagnosis, told, shortlist.rows()));
    }
    fold(told, blocks, "Also ruled out", shortlist.others(), Verdict.RULED_OUT);
    fold(told, blocks, "Not enough data for", shortlist.others(), Verdict.NOT_ENOUGH_DATA);
    fold(told, blocks, "Checked, not indicated", shortlist.others(), Verdict.NOT_INDICATED);
    return new Section("Hypotheses, ranked by share of the lost time", blocks);
  }

  /**
   * Which findings are printed already, and by which row: one finding may be about several causes.
   */
  private static final class Told {

    private final Diagnosis diagnosis;
    private final ShareText shares;
    private final Map<Finding, String> where = new HashMap<>();
    private final ToldLines lines;

    Told(Diagnosis diagnosis) {
      this.diagnosis = diagnosis;
      this.shares = new ShareText(diagnosis.judgements());
      this.lines = ToldLines.of(diagnosis);
      diagnosis.primary().stream()
          .flatMap(primary -> primary.findings().stream())
          .forEach(finding -> where.put(finding, "the root cause"));
    }

    /** The evidence about a cause, or where it is printed above. */
    List<Block> evidence(Judgement judgement, String row) {
      List<Block> blocks = new ArrayList<>();
      for (Finding finding : judgement.findings()) {
        boolean inRow = finding.equals(judgement.findings().get(0));
        if (judgement.verdict().isCleared() && finding.onlyAccompanies(judgement.hypothesis())) {
          continue;
        }
        String above = where.putIfAbsent(finding, row);
        blocks.add(
            above == null || above.equals(row)
                ? inRow
                    ? CauseSection.evidenceBeyond(diagnosis, lines, finding)
                    : CauseSection.evidence(diagnosis, lines, finding)
                : Block.Paragraph.muted(
                    inRow ? "See " + above + "." : "See " + above + " (" + finding.rule() + ")."));
      }
      return blocks;
    }
  }

  private static void fold(
      Told told, List<Block> blocks, String title, List<Judgement> others, Verdict verdict) {
    List<Judgement> judgements =
        others.stream().filter(judgement -> judgement.verdict() == verdict).toList();
    if (judgements.isEmpty()) {
      return;
    }
    String all = title + ": " + names(judgements);
    List<Judgement> founded = judgements.stream().filter(HypothesisSections::isFounded).toList();
    blocks.add(
        founded.isEmpty()
            ? Block.Paragraph.muted(all)
            : new Block.Details(
                Cell.of(all),
                List.of(lines(told, founded)),
                true,
                unfolded(title, judgements, founded)));
  }

  /** Whether there is more to say of it than its name. */
  private static boolean isFounded(Judgement judgement) {
    return !judgement.missing().isEmpty()
        || judgement.findings().stream()
            .anyMatch(
                finding ->
                    !judgement.verdict().isCleared()
                        || !finding.onlyAccompanies(judgement.hypothesis()));
  }

  private static String names(List<Judgement> judgements) {
    return judgements.stream().map(HypothesisSections::named).collect(Collectors.joining(", "));
  }

  /** The title above the rows, without the names that they repeat. */
  private static String unfolded(
      String title, List<Judgement> judgements, List<Judgement> founded) {
    List<Judgement> others = new ArrayList<>(judgements);
    others.removeAll(founded);
    return others.isEmpty() ? title : title + ": " + names(others) + "; and";
  }

  private static Block lines(Told told, List<Judgement> judgements) {
    return new Columns<Judgement>()
        .add(
            Column.ids("Hypothesis"),
            one -> Cell.of(one.hypothesis().id()).at(ChartSection.anchor(one)))
        .add(ShareText.COLUMN, ShareText::isKnown, one -> Cell.of(ShareText.point(one)))
        .words("Key evidence", HypothesisSections::key)
        .of(judgements)
        .unfolding(
            EVIDENCE,
            judgements.stream().map(one -> told.evidence(one, one.hypothesis().id())).toList())
        .open()
        .filled();
  }

  /** Whether its share is large enough to be printed. */
  static boolean isNotable(Judgement judgement) {
    return judgement.share().explained().orElse(0) >= LEAST_TOLD;
  }

  /** The id, with its share if that is notable, so that no lost time is hidden in a fold. */
  private static String named(Judgement judgement) {
    String id = judgement.hypothesis().id();
    return isNotable(judgement)
        ? id + " (" + FigureText.share(judgement.share().explained()) + ")"
        : id;
  }

  /** The evidence about the primary suspect is in the section on the root cause. */
  private static Block table(Diagnosis diagnosis, Told told, List<Judgement> judgements) {
    List<List<Block>> folded = new ArrayList<>();
    Optional<Judgement> primary = diagnosis.primary();
    for (Judgement judgement : judgements) {
      folded.add(
          primary.filter(judgement::equals).isPresent()
              ? List.of()
              : told.evidence(judgement, "row " + (folded.size() + 1)));
    }
    return new Columns<Judgement>()
        .add(
            Column.numbers("#"),
            one -> new Cell(Integer.toString(judgements.indexOf(one) + 1), muted(one)))
        .add(Column.ids("Hypothesis"), HypothesisSections::name)
        .add(
            ShareText.COLUMN,
            ShareText::isKnown,
            one -> new Cell(told.shares.inFull(one), muted(one)))
        .add(
            Column.words("Verdict (confidence)"),
            one -> new Cell(one.verdict().title() + confidence(one), tone(one.verdict())))
        .add(Column.words("Key evidence"), one -> new Cell(key(one), muted(one)))
        .of(judgements)
        .unfolding(EVIDENCE, folded)
        .filled();
  }

  private static Tone muted(Judgement judgement) {
    return tone(judgement.verdict()) == Tone.MUTED ? Tone.MUTED : Tone.PLAIN;
  }

  private static Cell name(Judgement judgement) {
    String id = judgement.hypothesis().id();
    // The id alone leaves more width to the evidence.
    boolean suspect = !confidence(judgement).isEmpty();
    boolean primary = judgement.verdict() == Verdict.PRIMARY_SUSPECT;
    String name = suspect ? judgement.title() + " (" + id + ")" : id;
    return new Cell(name, primary ? Tone.STRONG : muted(judgement))
        .at(ChartSection.anchor(judgement));
  }

  /** The short form; the full evidence follows. */
  private static String key(Judgement judgement) {
    return judgement.findings().isEmpty() ? judgement.reason() : judgement.brief();
  }

  /** Of suspects alone: those are what a reader acts on. */
  private static String confidence(Judgement judgement) {
    return judgement
        .rating()
        .confidence()
        .filter(any -> judgement.verdict().isSuspect())
        .map(confidence -> " (" + confidence.id() + ")")
        .orElse("");
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
