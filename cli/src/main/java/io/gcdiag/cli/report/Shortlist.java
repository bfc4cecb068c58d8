package io.gcdiag.cli.report;

import io.gcdiag.books.Bearing;
import io.gcdiag.books.Cause;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.causes.Causes;
import io.gcdiag.verdict.Conclusion;
import io.gcdiag.verdict.Diagnosis;
import io.gcdiag.verdict.Judgement;
import io.gcdiag.verdict.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The hypotheses with a row on the first screen: the suspects, then common ones that a figure
 * clears.
 *
 * @param rows in the order of the ranking, then in that of the questions
 * @param others the rest of the catalogue
 */
record Shortlist(List<Judgement> rows, List<Judgement> others) {

  private static final int MOST_ROWS = 6;

  /** With fewer rows, further causes that a figure clears are added. */
  static final int LEAST_ROWS = 4;

  private static final int MOST_NAMED = 3;

  /** A healthy run gets fewer rows. */
  private static final int MOST_ROWS_HEALTHY = 5;

  /** The most leads, so that causes which a figure clears have rows as well. */
  private static final int MOST_LEADS = 3;

  static Shortlist of(Diagnosis diagnosis) {
    Set<Judgement> rows = new LinkedHashSet<>();
    rows.addAll(diagnosis.with(Verdict.PRIMARY_SUSPECT));
    rows.addAll(diagnosis.with(Verdict.CONTRIBUTING));
    if (diagnosis.conclusion() == Conclusion.UNDECIDED) {
      diagnosis.judgements().stream()
          .filter(Judgement::isLead)
          .limit(MOST_LEADS)
          .forEach(rows::add);
    }
    int most = diagnosis.conclusion() == Conclusion.HEALTHY ? MOST_ROWS_HEALTHY : MOST_ROWS;
    add(rows, asked(diagnosis), most);
    add(rows, diagnosis.judgements().stream(), LEAST_ROWS);
    List<Judgement> others = new ArrayList<>(diagnosis.judgements());
    others.removeAll(rows);
    return new Shortlist(List.copyOf(rows), List.copyOf(others));
  }

  private static void add(Set<Judgement> rows, Stream<Judgement> candidates, int most) {
    candidates
        .filter(Shortlist::isCleared)
        .filter(judgement -> rows.size() < most)
        .filter(judgement -> rows.stream().noneMatch(row -> saysTheSame(row, judgement)))
        .forEachOrdered(rows::add);
  }

  private static int asked(Judgement judgement) {
    return Causes.of(judgement.hypothesis()).askedFirst();
  }

  /** Common causes: pool, database, GC, locks, CPU, threads, other processes. */
  private static Stream<Judgement> asked(Diagnosis diagnosis) {
    return diagnosis.judgements().stream()
        .filter(judgement -> asked(judgement) < Cause.NOT_ASKED_FIRST)
        .sorted(Comparator.comparingInt(Shortlist::asked));
  }

  /**
   * A figure that clears two causes gets one row. The primary suspect's figures are above the
   * table.
   */
  private static boolean saysTheSame(Judgement row, Judgement other) {
    return row == other
        || row.verdict() != Verdict.PRIMARY_SUSPECT && row.brief().equals(other.brief());
  }

  /** Whether a figure speaks against it or its share is small; "checked" alone would not help. */
  private static boolean isCleared(Judgement judgement) {
    return judgement.verdict().isCleared()
        && judgement.findings().stream()
            .limit(1)
            .flatMap(finding -> finding.on(judgement.hypothesis()))
            .anyMatch(
                bearing ->
                    bearing instanceof Bearing.Refutes
                        || bearing instanceof Bearing.Weakens
                        || bearing instanceof Bearing.Explains);
  }

  /**
   * The rows.
   *
   * @param most how many of them
   * @param told whether the figures of the first one stand above
   * @param above the causes whose reason the text above states
   */
  Optional<Block.Table> table(int most, boolean told, Set<Hypothesis> above) {
    return Optional.of(
            new Columns<Judgement>()
                .numbers("#", row -> Integer.toString(rows.indexOf(row) + 1))
                .add(Column.ids("Hypothesis"), Shortlist::name)
                .add(ShareText.COLUMN, ShareText::isKnown, row -> Cell.of(ShareText.point(row)))
                .add(Column.words("Verdict"), Shortlist::verdict)
                .words("Because", row -> because(row, told, above).orElseGet(row::brief))
                .of(rows.subList(0, Math.min(most, rows.size())))
                .open()
                .filled())
        .filter(any -> !rows.isEmpty());
  }

  /**
   * The same rows as sentences, which take the fewest lines: the share stands behind the name.
   *
   * @param letters what a row has room for, if that is limited: details of figures go first, and a
   *     reason that makes no sense in it has a line more
   */
  Optional<Block.Table> sentences(boolean told, Set<Hypothesis> above, OptionalInt letters) {
    return Optional.of(
            new Columns<Judgement>()
                .numbers("#", row -> Integer.toString(rows.indexOf(row) + 1))
                .words(
                    "Hypothesis, verdict: because",
                    // Behind its name is what it explains of the lost time.
                    row ->
                        sentence(
                            row, because(row, told, above).orElseGet(() -> row.brief("")), letters))
                .of(rows.subList(0, Math.min(LEAST_ROWS, rows.size())))
                .open())
        .filter(any -> !rows.isEmpty());
  }

  private static String sentence(Judgement row, String because, OptionalInt letters) {
    boolean shared =
        row.share().explained().stream().anyMatch(share -> !FigureText.isNothing(share));
    String share = shared ? " " + ShareText.point(row) : "";
    String head = row.hypothesis().id() + share + ", " + verdict(row).text() + ": ";
    Cell reason = Cell.of(because);
    int room = letters.orElse(Integer.MAX_VALUE) - head.length();
    return head
        + (letters.isEmpty()
            ? reason.text()
            : reason.clause(room).orElseGet(() -> reason.within(room + BriefReport.ROW)));
  }

  private static boolean isPrimary(Judgement row) {
    return row.verdict() == Verdict.PRIMARY_SUSPECT;
  }

  private static Cell name(Judgement row) {
    return new Cell(row.hypothesis().id(), isPrimary(row) ? Tone.STRONG : Tone.PLAIN);
  }

  private static Cell verdict(Judgement row) {
    String verdict = isPrimary(row) ? "PRIMARY" : row.verdict().title();
    return new Cell(verdict, HypothesisSections.tone(row.verdict()));
  }

  /** Where its reason stands, if not in its row. */
  private Optional<String> because(Judgement row, boolean told, Set<Hypothesis> above) {
    if (told && isPrimary(row) && row.equals(rows.get(0))) {
      return Optional.of("see Why above");
    }
    return row.isLead() && above.contains(row.hypothesis())
        ? Optional.of("see above")
        : Optional.empty();
  }

  /** All other causes in one sentence, each once: by name if their share is notable. */
  Optional<String> rest() {
    List<String> parts = new ArrayList<>();
    List<String> shares =
        others.stream()
            .filter(HypothesisSections::isNotable)
            .map(one -> one.hypothesis().id() + " " + FigureText.share(one.share().explained()))
            .toList();
    if (!shares.isEmpty()) {
      parts.add("further shares: " + String.join(", ", shares));
    }
    count(Verdict.RULED_OUT).ifPresent(count -> parts.add(count + " more ruled out by a figure"));
    count(Verdict.NOT_INDICATED)
        .ifPresent(count -> parts.add(count + " checked without a sign of them"));
    List<String> blind =
        withoutShare(Verdict.NOT_ENOUGH_DATA).map(one -> one.hypothesis().id()).toList();
    if (!blind.isEmpty()) {
      parts.add("not enough data for " + FigureText.some(blind, MOST_NAMED));
    }
    return parts.isEmpty()
        ? Optional.empty()
        : Optional.of(FigureText.sentence(String.join("; ", parts)));
  }

  private Optional<Long> count(Verdict verdict) {
    long count = withoutShare(verdict).count();
    return count == 0 ? Optional.empty() : Optional.of(count);
  }

  private Stream<Judgement> withoutShare(Verdict verdict) {
    return others.stream()
        .filter(one -> one.verdict() == verdict && !HypothesisSections.isNotable(one));
  }
}
