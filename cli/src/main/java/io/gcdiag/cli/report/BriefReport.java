package io.gcdiag.cli.report;

import io.gcdiag.books.Hypothesis;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.verdict.Conclusion;
import io.gcdiag.verdict.Diagnosis;
import io.gcdiag.verdict.Judgement;
import io.gcdiag.verdict.Verdict;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What fits on one screen: the answer, the hypotheses that matter, the course of events, the
 * windows, and what to record next time. Everything else is in the full report.
 */
final class BriefReport {

  private static final int MOST_RECORDED = 3;

  /** Where the rest of a shortened report is, in one line of 80 characters. */
  private static final String REST =
      "More: --verbose, --report report.html; words: gcdiag explain glossary";

  /** Two lines of a small screen. */
  private static final int TWO_LINES = 130;

  /**
   * How much of a fact a small screen keeps.
   *
   * @param lines its values
   * @param letters characters of each
   */
  private record Cut(String label, int lines, int letters) {
    Cut(String label, int lines) {
      this(label, lines, Integer.MAX_VALUE);
    }

    Fact of(Fact fact) {
      return fact.label().equals(label)
          ? new Fact(label, fact.values().stream().limit(lines).map(this::of).toList())
          : fact;
    }

    private Cell of(Cell value) {
      return value.text().length() <= letters
          ? value
          : new Cell(value.text().substring(0, letters) + " ...", value.tone());
    }
  }

  /** The first of {@link #CUTS}: a screen shows the sums rather than the five checks. */
  private static final int CHECKS = 1;

  /** And the sums after it: it shows the stations rather than these. */
  private static final int SUMS = 3;

  /** What a small screen does without, first to last. */
  private static final List<Cut> CUTS =
      List.of(
          new Cut("five checks", 0),
          new Cut(ChainSection.SUM, 0),
          new Cut(ChainSection.DELAYED, 0),
          new Cut("Promotion", 0),
          new Cut("Histogram", 0),
          new Cut("Confidence", 1),
          new Cut("Why", 2),
          new Cut("Expect", 0),
          new Cut("Why", 1),
          new Cut("User impact", 0),
          new Cut("Where", 1, TWO_LINES));

  static Report of(Diagnosis diagnosis, ZoneId zone) {
    List<Block> blocks = new ArrayList<>();
    Answer.summary(diagnosis).ifPresent(blocks::add);
    facts(blocks, Answer.facts(diagnosis));
    Shortlist shortlist = Shortlist.of(diagnosis);
    shortlist
        .table(DiagnosisDocument.primary(diagnosis).isPresent(), diagnosis.summary())
        .ifPresent(blocks::add);
    shortlist.rest().ifPresent(text -> blocks.add(Block.Paragraph.muted(text)));
    List<Fact> checks = new ArrayList<>();
    if (diagnosis.conclusion() != Conclusion.HEALTHY) {
      StationSection.brief(diagnosis)
          .ifPresent(
              table -> {
                blocks.add(new Block.Heading(StationSection.title(diagnosis)));
                blocks.add(table);
              });
      checks.addAll(ChainSection.brief(diagnosis));
      checks.addAll(FiveChecks.of(diagnosis));
    }
    checks.addAll(CollectionSection.brief(diagnosis));
    facts(blocks, checks);
    blocks.addAll(ChartSection.blocks(diagnosis, zone));
    facts(blocks, around(diagnosis, zone));
    return new Report(Opening.title(diagnosis), Answer.doubts(diagnosis), blocks);
  }

  /**
   * Shorter and shorter forms for a terminal: without the course of events and the windows, with
   * four rows in a line each, then with fewer facts. What users act on stays in all of them.
   */
  static List<Report> shorter(Diagnosis diagnosis) {
    List<Report> forms = new ArrayList<>();
    forms.add(shortened(diagnosis, List.of(), false, true));
    forms.add(shortened(diagnosis, CUTS.subList(0, CHECKS), false, true));
    List<Cut> sums = CUTS.subList(0, SUMS);
    forms.add(shortened(diagnosis, sums, false, true));
    forms.add(shortened(diagnosis, sums, true, true));
    forms.add(shortened(diagnosis, sums, false, false));
    for (int cuts = SUMS; cuts <= CUTS.size(); cuts++) {
      forms.add(shortened(diagnosis, CUTS.subList(0, cuts), true, false));
    }
    return forms;
  }

  private static Report shortened(
      Diagnosis diagnosis, List<Cut> cuts, boolean lines, boolean stations) {
    List<Block> blocks = new ArrayList<>();
    Answer.summary(diagnosis).ifPresent(blocks::add);
    List<Fact> facts = new ArrayList<>(Answer.facts(diagnosis));
    if (diagnosis.conclusion() != Conclusion.HEALTHY) {
      facts.addAll(ChainSection.brief(diagnosis));
      facts.addAll(cuts.isEmpty() ? FiveChecks.of(diagnosis) : List.of());
    }
    facts.addAll(CollectionSection.brief(diagnosis));
    for (Cut cut : cuts) {
      facts = facts.stream().map(cut::of).filter(fact -> !fact.values().isEmpty()).toList();
    }
    facts(blocks, facts);
    Shortlist.of(diagnosis)
        .few(DiagnosisDocument.primary(diagnosis).isPresent(), diagnosis.summary())
        .map(table -> lines ? table.lines() : table.open())
        .ifPresent(blocks::add);
    if (stations) {
      StationSection.brief(diagnosis).ifPresent(blocks::add);
    }
    blocks.add(Block.Paragraph.muted(REST));
    List<Cell> doubts = Answer.doubts(diagnosis);
    return new Report(
        Opening.title(diagnosis), doubts.subList(0, Math.min(1, doubts.size())), blocks);
  }

  private static void facts(List<Block> blocks, List<Fact> facts) {
    if (!facts.isEmpty()) {
      blocks.add(new Block.Facts(facts));
    }
  }

  /** Windows, JVM, inputs, what to record next time, and where to read more. */
  private static List<Fact> around(Diagnosis diagnosis, ZoneId zone) {
    List<Fact> facts = Opening.around(diagnosis, zone);
    List<String> nextTime = nextTime(diagnosis);
    if (!nextTime.isEmpty()) {
      facts.add(Fact.of("Next time", nextTime));
    }
    facts.add(
        Fact.of(
            "More",
            "--verbose, --report report.html; gcdiag explain "
                + toRead(diagnosis)
                    .map(cause -> cause.id() + " (or glossary)")
                    .orElse("glossary")));
    return facts;
  }

  /** The page of the suspect, or of the first lead. */
  private static Optional<Hypothesis> toRead(Diagnosis diagnosis) {
    return diagnosis.primarySuspect().or(() -> Answer.lead(diagnosis).map(Judgement::hypothesis));
  }

  /** Without a lead: what most of the causes lack that could not be judged, first. */
  private static List<Signal> mostMissed(Diagnosis diagnosis) {
    Map<Signal, Long> lacking = new EnumMap<>(Signal.class);
    diagnosis.judgements().stream()
        .filter(one -> one.verdict() == Verdict.NOT_ENOUGH_DATA)
        .flatMap(one -> one.missing().stream())
        .forEach(signal -> lacking.merge(signal, 1L, Long::sum));
    return lacking.keySet().stream()
        .sorted(Comparator.comparing((Signal signal) -> -lacking.get(signal)))
        .toList();
  }

  /** Recordings that could change the verdict, without the one that the confidence names. */
  static List<String> nextTime(Diagnosis diagnosis) {
    Set<Signal> missing = new LinkedHashSet<>();
    DiagnosisDocument.primary(diagnosis).ifPresent(one -> missing.addAll(one.missing()));
    diagnosis.judgements().stream()
        .filter(Judgement::isLead)
        .forEach(lead -> missing.addAll(lead.missing()));
    if (diagnosis.conclusion() == Conclusion.UNDECIDED && missing.isEmpty()) {
      missing.addAll(mostMissed(diagnosis));
    }
    String said =
        DiagnosisDocument.primary(diagnosis).map(primary -> primary.rating().surer()).orElse("");
    List<String> lines = new ArrayList<>();
    missing.stream()
        .filter(signal -> !signal.howToRecord().equals(said))
        .map(signal -> signal.description() + ": " + signal.howToRecord())
        .forEach(lines::add);
    if (diagnosis.conclusion() != Conclusion.HEALTHY
        && diagnosis.windows().baseline().isEmpty()
        && diagnosis.windows().dated()) {
      lines.add("a baseline: record from before the incident, or give --baseline FROM..TO");
    }
    return lines.stream().limit(MOST_RECORDED).toList();
  }
}
