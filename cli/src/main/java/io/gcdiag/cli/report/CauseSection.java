package io.gcdiag.cli.report;

import io.gcdiag.books.Bearing;
import io.gcdiag.books.Finding;
import io.gcdiag.cli.report.Report.Section;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.verdict.Diagnosis;
import io.gcdiag.verdict.Judgement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The evidence for the primary suspect with its arithmetic, and the evidence against it. */
final class CauseSection {

  /** The most sources that are named; the JSON report has all. */
  private static final int MOST_SOURCES = 4;

  static Section of(Diagnosis diagnosis) {
    Optional<Judgement> primary = diagnosis.primary();
    List<Block> blocks = new ArrayList<>();
    ToldLines told = ToldLines.of(diagnosis);
    primary.ifPresent(judgement -> addPrimary(blocks, diagnosis, told, judgement));
    diagnosis.inseparable().forEach(pair -> blocks.add(Block.Paragraph.of(apart(pair))));
    return new Section("Root cause", blocks);
  }

  private static void addPrimary(
      List<Block> blocks, Diagnosis diagnosis, ToldLines told, Judgement judgement) {
    List<Finding> against =
        judgement.findings().stream()
            .filter(finding -> speaks(finding, judgement, true))
            .filter(finding -> !speaks(finding, judgement, false))
            .toList();
    judgement.findings().stream()
        .filter(finding -> !against.contains(finding))
        .forEach(finding -> blocks.add(evidence(diagnosis, told, finding)));
    if (!against.isEmpty()) {
      blocks.add(Block.Paragraph.of("Evidence against it:"));
      against.forEach(finding -> blocks.add(evidence(diagnosis, told, finding)));
    }
  }

  private static String apart(Finding.Inseparable pair) {
    return "These inputs cannot separate %s from %s. This would: %s."
        .formatted(pair.one().id(), pair.other().id(), pair.experiment());
  }

  static Block evidence(Diagnosis diagnosis, ToldLines told, Finding finding) {
    return evidence(diagnosis, told, finding, FigureText.sentence(finding.statement()));
  }

  /** The same without the part that its row has. */
  static Block evidenceBeyond(Diagnosis diagnosis, ToldLines told, Finding finding) {
    return evidence(diagnosis, told, finding, FigureText.sentence(finding.beyond()));
  }

  private static Block evidence(
      Diagnosis diagnosis, ToldLines told, Finding finding, String statement) {
    List<Source> named = finding.sources().stream().limit(MOST_SOURCES).toList();
    List<Cell> sources = new ArrayList<>();
    List<String> origin = new ArrayList<>();
    Optional<Source> before = Optional.empty();
    for (Source source : named) {
      boolean sameFile = before.filter(one -> areEventsOfOneFile(one, source)).isPresent();
      sources.add(InputSection.cell(diagnosis, source));
      origin.add(sameFile ? source.place() : source.toString());
      before = Optional.of(source);
    }
    int more = finding.sources().size() - MOST_SOURCES;
    if (more > 0) {
      sources.add(Cell.of(more + " more"));
      origin.add(more + " more");
    }
    return new Block.Evidence(
        statement,
        told.of(finding),
        finding.rule(),
        "(%s: %s)".formatted(finding.rule(), String.join(", ", origin)),
        sources,
        ChartSection.showing(diagnosis, finding.sources()));
  }

  private static boolean areEventsOfOneFile(Source one, Source other) {
    return one.file().equals(other.file())
        && Stream.of(one, other).noneMatch(any -> any.isLine() || any.place().isEmpty());
  }

  private static boolean speaks(Finding finding, Judgement judgement, boolean against) {
    return finding
        .on(judgement.hypothesis())
        .anyMatch(bearing -> speaksAgainst(bearing) == against);
  }

  private static boolean speaksAgainst(Bearing bearing) {
    return bearing instanceof Bearing.Refutes || bearing instanceof Bearing.Weakens;
  }

  static String sources(List<Source> sources) {
    return FigureText.some(sources.stream().map(Source::toString).toList(), MOST_SOURCES);
  }

  /**
   * The arithmetic of each finding without the lines of another one: several rules state the same
   * profile or the same sizes. The primary suspect's findings keep all of theirs.
   */
  static final class ToldLines {

    private final Map<Finding, List<String>> lines = new HashMap<>();

    private ToldLines() {}

    static ToldLines of(Diagnosis diagnosis) {
      ToldLines told = new ToldLines();
      Set<String> before = new HashSet<>();
      Stream.concat(
              diagnosis.primary().stream(),
              Stream.concat(
                  Shortlist.of(diagnosis).rows().stream(), diagnosis.judgements().stream()))
          .map(Judgement::findings)
          .flatMap(List::stream)
          .distinct()
          .forEach(
              finding ->
                  told.lines.put(
                      finding, finding.arithmetic().stream().filter(before::add).toList()));
      return told;
    }

    List<String> of(Finding finding) {
      return lines.getOrDefault(finding, finding.arithmetic());
    }
  }
}
