package io.gcdiag.cli.report;

import io.gcdiag.causes.Bearing;
import io.gcdiag.causes.Finding;
import io.gcdiag.cli.report.Report.Section;
import io.gcdiag.diagnosis.Diagnosis;
import io.gcdiag.diagnosis.Judgement;
import io.gcdiag.diagnosis.Verdict;
import io.gcdiag.evidence.source.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Why it is this cause, with the sums spelled out, and why it is not the others. */
final class CauseSection {

  /** So many places are named; whoever needs all of them finds them in the JSON output. */
  private static final int MOST_SOURCES = 4;

  private CauseSection() {}

  static Section of(Diagnosis diagnosis) {
    Optional<Judgement> primary = DiagnosisDocument.primary(diagnosis);
    List<Block> blocks = new ArrayList<>();
    primary.ifPresent(judgement -> addPrimary(blocks, diagnosis, judgement));
    diagnosis.inseparable().forEach(pair -> blocks.add(Block.Paragraph.of(apart(pair))));
    addOthers(blocks, diagnosis, primary.isPresent());
    return new Section(
        primary.isPresent() ? "Root cause" : "Evidence for and against each", blocks);
  }

  private static void addPrimary(List<Block> blocks, Diagnosis diagnosis, Judgement judgement) {
    List<Finding> against =
        judgement.findings().stream()
            .filter(finding -> speaks(finding, judgement, true))
            .filter(finding -> !speaks(finding, judgement, false))
            .toList();
    judgement.findings().stream()
        .filter(finding -> !against.contains(finding))
        .forEach(finding -> blocks.add(evidence(diagnosis, finding)));
    if (!against.isEmpty()) {
      blocks.add(Block.Paragraph.of("Evidence against it:"));
      against.forEach(finding -> blocks.add(evidence(diagnosis, finding)));
    }
  }

  private static String apart(Finding.Inseparable pair) {
    return "These inputs cannot separate "
        + pair.one().id()
        + " from "
        + pair.other().id()
        + ". This would: "
        + pair.experiment()
        + ".";
  }

  /** A finding with the places that show it. */
  static Block evidence(Diagnosis diagnosis, Finding finding) {
    List<Cell> sources = new ArrayList<>();
    finding.sources().stream()
        .limit(MOST_SOURCES)
        .forEach(source -> sources.add(InputSection.cell(diagnosis, source)));
    int more = finding.sources().size() - MOST_SOURCES;
    if (more > 0) {
      sources.add(Cell.of(more + " more"));
    }
    return new Block.Evidence(
        FigureText.sentence(finding.statement()),
        finding.arithmetic(),
        finding.rule(),
        sources,
        ChartSection.showing(diagnosis, finding.sources()));
  }

  private static void addOthers(List<Block> blocks, Diagnosis diagnosis, boolean hasPrimary) {
    List<Cell> contributing = lines(diagnosis, Verdict.CONTRIBUTING);
    if (!contributing.isEmpty()) {
      if (hasPrimary) {
        blocks.add(Block.Paragraph.of("Also involved:"));
      }
      blocks.add(new Block.Bullets(contributing));
    }
    List<Cell> others = lines(diagnosis, Verdict.RULED_OUT, Verdict.NOT_ENOUGH_DATA);
    if (!others.isEmpty()) {
      // The ranked table has the statements; this adds the sums and where the figures stand.
      blocks.add(
          new Block.Details(
              Cell.of(
                  hasPrimary ? "Why not the others, with the sums" : "The others, with the sums"),
              List.of(new Block.Bullets(others))));
    }
  }

  private static List<Cell> lines(Diagnosis diagnosis, Verdict... verdicts) {
    return Stream.of(verdicts)
        .flatMap(verdict -> DiagnosisDocument.withVerdict(diagnosis, verdict).stream())
        .flatMap(judgement -> oneLine(judgement).stream())
        .toList();
  }

  /** Empty without a finding: a line would only repeat the ranked table. */
  private static Optional<Cell> oneLine(Judgement judgement) {
    String name = judgement.hypothesis().id() + ", " + judgement.verdict().title() + ": ";
    return deciding(judgement)
        .map(f -> Cell.of(name + f.statement() + firstSum(f) + " [" + sources(f.sources()) + "]"));
  }

  /** The sum that decides, so that one can check it without the JSON output. */
  private static String firstSum(Finding finding) {
    return finding.arithmetic().stream().findFirst().map(sum -> "; " + sum).orElse("");
  }

  /** What speaks against a cause that is ruled out, and for one that is not. */
  private static Optional<Finding> deciding(Judgement judgement) {
    boolean against = judgement.verdict() == Verdict.RULED_OUT;
    return judgement.findings().stream()
        .filter(finding -> speaks(finding, judgement, against))
        .findFirst();
  }

  private static boolean speaks(Finding finding, Judgement judgement, boolean against) {
    return finding.bearings().stream()
        .filter(bearing -> bearing.hypothesis() == judgement.hypothesis())
        .anyMatch(bearing -> speaksAgainst(bearing) == against);
  }

  private static boolean speaksAgainst(Bearing bearing) {
    return bearing instanceof Bearing.Refutes || bearing instanceof Bearing.Weakens;
  }

  static String sources(List<Source> sources) {
    String named =
        sources.stream()
            .limit(MOST_SOURCES)
            .map(Source::toString)
            .collect(Collectors.joining(", "));
    int more = sources.size() - MOST_SOURCES;
    return more > 0 ? named + " and " + more + " more" : named;
  }
}
