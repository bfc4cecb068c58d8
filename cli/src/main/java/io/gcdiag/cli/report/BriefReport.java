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
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What fits on one screen: the answer, the hypotheses that matter, the course of events, the
 * windows, and what to record next time.
 */
final class BriefReport {

  private static final int MOST_RECORDED = 3;

  /** Charts of a terminal that has lines to spare, and of one that has few. */
  private static final int MOST_CHARTS = 3;

  private static final int FEW_CHARTS = 2;

  /** Where the rest of a shortened report is, in one line of 80 characters. */
  private static final String REST = "--verbose, --report report.html; gcdiag explain glossary";

  private static final int WIDTH = 80;

  /** What a line of 80 characters holds beside the longest label. */
  private static final int LINE = 67;

  /** The same in two lines, of which the first is shorter where a word does not fit. */
  private static final int TWO_LINES = 2 * LINE - 8;

  /** What a line of 80 characters holds beside the number of a row. */
  static final int ROW = 77;

  private static final int THREE_LINES = 3 * LINE - 8;

  /** Of a summary, which has no label beside it. */
  private static final int FIVE_LINES = 5 * WIDTH - 8;

  /** Only the first item of a text remains. */
  private static final int FIRST = 0;

  /** More than any text has: only details in brackets are left out. */
  private static final int BARE = 10_000;

  /**
   * How much of a fact a small screen keeps.
   *
   * @param letters characters of each
   */
  private record Cut(String label, int lines, int letters) {
    Cut(String label, int lines) {
      this(label, lines, Integer.MAX_VALUE);
    }

    Fact of(Fact fact, Diagnosis diagnosis) {
      return fact.label().equals(label)
          ? new Fact(
              label, fact.values().stream().limit(lines).map(one -> of(one, diagnosis)).toList())
          : fact;
    }

    private Cell of(Cell value, Diagnosis diagnosis) {
      if (value.text().length() <= letters) {
        return value;
      }
      String brief =
          letters == FIRST
              ? value.text().split(", ", 2)[0]
              : switch (label) {
                case WHY -> value.within(letters);
                case EXPLAINS -> Answer.explains(diagnosis, true);
                default -> value.brief(letters).orElse(value.text());
              };
      return new Cell(brief, value.tone());
    }
  }

  /** The first of {@link #CUTS}: a screen shows the stations rather than these facts. */
  private static final int DETAILS = 10;

  static final String CHECKS = "Checks";
  static final String EXPLAINS = "Explains";
  private static final String WHY = "Why";

  /** Without a line of its own it is in the title, or where that is too long in the last line. */
  private static final String INCIDENT = "Incident";

  private static final String ROWS = "Rows";

  /** The text of an answer without a suspect. */
  private static final String SUMMARY = "Summary";

  /** What a small screen does without, first to last. */
  private static final List<Cut> CUTS =
      List.of(
          new Cut(ChainSection.SUM, 0),
          new Cut(ChainSection.DELAYED, 0),
          new Cut("Promotion", 0),
          new Cut("Histogram", 0),
          new Cut("Confidence", 1),
          new Cut("Where", 1, TWO_LINES),
          new Cut("Confidence", 1, LINE),
          new Cut("Where", 1, LINE),
          new Cut(WHY, 2),
          new Cut(Answer.ENDPOINT, 0),
          new Cut(ROWS, 1, BARE),
          new Cut(ROWS, 1, ROW),
          new Cut(EXPLAINS, 1, LINE),
          new Cut(INCIDENT, 0),
          new Cut("Causes", 0),
          new Cut("Lengths", 1, LINE),
          new Cut(WHY, 1),
          new Cut(CHECKS, 1, LINE),
          new Cut(SUMMARY, 1, FIVE_LINES),
          new Cut(WHY, 1, THREE_LINES),
          new Cut("User impact", 1, LINE),
          new Cut("Where", 1, FIRST),
          new Cut(WHY, 1, TWO_LINES),
          new Cut(CHECKS, 0),
          new Cut("Expect", 0),
          new Cut("User impact", 0),
          new Cut(WHY, 1, LINE),
          new Cut(ROWS, 1, 0));

  static Report of(Diagnosis diagnosis, ZoneId zone) {
    List<Block> blocks = new ArrayList<>();
    Answer.summary(diagnosis).ifPresent(blocks::add);
    facts(blocks, Answer.facts(diagnosis));
    Shortlist shortlist = Shortlist.of(diagnosis);
    shortlist
        .table(Integer.MAX_VALUE, diagnosis.primary().isPresent(), diagnosis.told().stated())
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
   * the checks in a paragraph, without sums or stations, then with fewer facts. What users act on
   * stays in all of them; reasons of the four rows end at a clause before the user impact goes.
   */
  static List<Report> shorter(Diagnosis diagnosis, ZoneId zone) {
    Shortlist shortlist = Shortlist.of(diagnosis);
    boolean told = diagnosis.primary().isPresent();
    Diagnosis.Told above = diagnosis.told();
    Optional<Block.Table> table = shortlist.table(Shortlist.LEAST_ROWS, told, above.stated());
    List<Report> forms = new ArrayList<>();
    Report full = shortened(diagnosis, zone, List.of(), FiveChecks.of(diagnosis), table, true);
    ChartSection.blocks(diagnosis, zone).stream()
        .flatMap(block -> block instanceof Block.Charts charts ? Stream.of(charts) : Stream.of())
        .flatMap(charts -> Stream.of(MOST_CHARTS, FEW_CHARTS).map(charts::first))
        .forEach(charts -> forms.add(with(full, charts)));
    forms.add(full);
    List<Fact> checks = FiveChecks.brief(diagnosis);
    for (boolean stations : List.of(true, false)) {
      for (int count = 0; count <= (stations ? DETAILS : CUTS.size()); count++) {
        List<Cut> cuts = CUTS.subList(0, count);
        int stated =
            summary(diagnosis, cuts).map(one -> one.text().text()).orElse(above.words()).length();
        Optional<Block.Table> rows =
            shortlist.sentences(told, above.stated(stated), letters(cuts, ROWS));
        forms.add(shortened(diagnosis, zone, cuts, checks, table, stations));
        forms.add(shortened(diagnosis, zone, cuts, checks, rows, stations));
      }
    }
    return forms;
  }

  /** Before the last line, which says where the rest is. */
  private static Report with(Report report, Block block) {
    List<Block> blocks = new ArrayList<>(report.blocks());
    blocks.add(blocks.size() - 1, block);
    return new Report(report.title(), report.doubts(), blocks);
  }

  private static Optional<Block.Paragraph> summary(Diagnosis diagnosis, List<Cut> cuts) {
    int most = letters(cuts, SUMMARY).orElse(Integer.MAX_VALUE);
    return Answer.summary(diagnosis).map(summary -> summary.sentences(most));
  }

  /** How many characters the last of the cuts with that label leaves. */
  private static OptionalInt letters(List<Cut> cuts, String label) {
    return cuts.stream()
        .filter(cut -> cut.label().equals(label))
        .mapToInt(Cut::letters)
        .reduce((one, later) -> later);
  }

  private static Report shortened(
      Diagnosis diagnosis,
      ZoneId zone,
      List<Cut> cuts,
      List<Fact> checks,
      Optional<Block.Table> rows,
      boolean stations) {
    List<Block> blocks = new ArrayList<>();
    summary(diagnosis, cuts).ifPresent(blocks::add);
    List<Fact> facts = new ArrayList<>(Answer.facts(diagnosis));
    if (diagnosis.conclusion() != Conclusion.HEALTHY) {
      facts.addAll(ChainSection.brief(diagnosis));
      facts.addAll(checks);
    }
    facts.addAll(CollectionSection.brief(diagnosis));
    if (Opening.isIncident(diagnosis) && diagnosis.windows().dated()) {
      facts.add(Fact.of(INCIDENT, FigureText.compared(diagnosis.windows(), zone)));
    }
    for (Cut cut : cuts) {
      facts =
          facts.stream()
              .map(fact -> cut.of(fact, diagnosis))
              .filter(fact -> !fact.values().isEmpty())
              .toList();
    }
    facts(blocks, facts);
    rows.map(Block.Table::open).ifPresent(blocks::add);
    if (stations) {
      StationSection.brief(diagnosis).ifPresent(blocks::add);
    }
    boolean cut =
        diagnosis.conclusion() != Conclusion.HEALTHY
            && !checks.isEmpty()
            && !facts.containsAll(FiveChecks.of(diagnosis));
    Cell title = Opening.title(diagnosis);
    String more = cut ? "All checks, more: " + REST : "More: " + REST;
    boolean timed = facts.stream().anyMatch(fact -> fact.label().equals(INCIDENT));
    if (!timed && diagnosis.windows().dated() && diagnosis.conclusion() != Conclusion.HEALTHY) {
      String when = FigureText.window(diagnosis.windows().incident(), zone);
      String both = title.text() + ", " + when;
      String label = Opening.isIncident(diagnosis) ? INCIDENT : "Analyzed";
      more = both.length() > WIDTH ? label + " " + when + "; more: --verbose" : more;
      title = new Cell(both.length() > WIDTH ? title.text() : both, title.tone());
    }
    blocks.add(Block.Paragraph.muted(more));
    return new Report(title, Answer.doubts(diagnosis).stream().limit(1).toList(), blocks);
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

  /**
   * Without a lead: what most of the causes lack that could not be judged, first. A leak delays
   * nothing before the heap is full, and in a heap with room no object has to be counted.
   */
  private static List<Signal> mostMissed(Diagnosis diagnosis) {
    Map<Signal, Long> lacking = new EnumMap<>(Signal.class);
    boolean hasRoom =
        diagnosis.with(Verdict.RULED_OUT).stream()
            .anyMatch(one -> one.hypothesis() == Hypothesis.MEMORY_PRESSURE);
    diagnosis.judgements().stream()
        .filter(one -> one.verdict() == Verdict.NOT_ENOUGH_DATA)
        .filter(one -> one.hypothesis() != Hypothesis.MEMORY_LEAK || !hasRoom)
        .flatMap(one -> one.missing().stream())
        .forEach(signal -> lacking.merge(signal, 1L, Long::sum));
    return lacking.keySet().stream()
        .sorted(Comparator.comparing((Signal signal) -> -lacking.get(signal)))
        .toList();
  }

  /** Recordings that could change the verdict, without the one that the confidence names. */
  static List<String> nextTime(Diagnosis diagnosis) {
    Set<Signal> missing = new LinkedHashSet<>();
    diagnosis.primary().ifPresent(one -> missing.addAll(one.missing()));
    diagnosis.judgements().stream()
        .filter(Judgement::isLead)
        .forEach(lead -> missing.addAll(lead.missing()));
    if (diagnosis.conclusion() == Conclusion.UNDECIDED && missing.isEmpty()) {
      missing.addAll(mostMissed(diagnosis));
    }
    String said = diagnosis.primary().map(primary -> primary.rating().surer()).orElse("");
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
