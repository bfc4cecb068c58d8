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

  /** Where the words of the report are explained. */
  private static final String WORDS = "; words: gcdiag explain glossary";

  private BriefReport() {}

  static Report of(Diagnosis diagnosis, ZoneId zone) {
    List<Block> blocks = new ArrayList<>();
    Answer.summary(diagnosis).ifPresent(blocks::add);
    facts(blocks, Answer.facts(diagnosis));
    Shortlist shortlist = Shortlist.of(diagnosis);
    shortlist
        .table(DiagnosisDocument.primary(diagnosis).isPresent(), diagnosis.summary())
        .ifPresent(blocks::add);
    shortlist.rest().ifPresent(text -> blocks.add(Block.Paragraph.muted(text)));
    blocks.addAll(ChartSection.blocks(diagnosis, zone));
    facts(blocks, around(diagnosis, zone));
    return new Report(Opening.title(diagnosis), Answer.doubts(diagnosis), blocks);
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
            "--verbose, or --report report.html"
                + toRead(diagnosis).map(cause -> "; gcdiag explain " + cause.id()).orElse("")
                + WORDS));
    return facts;
  }

  /** The page of the suspect, or of the first lead. */
  private static Optional<Hypothesis> toRead(Diagnosis diagnosis) {
    return diagnosis
        .primarySuspect()
        .or(
            () ->
                diagnosis.judgements().stream()
                    .filter(one -> diagnosis.conclusion() == Conclusion.UNDECIDED && one.isLead())
                    .map(Judgement::hypothesis)
                    .findFirst());
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
  private static List<String> nextTime(Diagnosis diagnosis) {
    Set<Signal> missing = new LinkedHashSet<>();
    DiagnosisDocument.primary(diagnosis).ifPresent(one -> missing.addAll(one.missing()));
    diagnosis.judgements().stream()
        .filter(Judgement::isLead)
        .forEach(lead -> missing.addAll(lead.missing()));
    if (diagnosis.conclusion() == Conclusion.UNDECIDED && missing.isEmpty()) {
      missing.addAll(mostMissed(diagnosis));
    }
    String said = DiagnosisDocument.primary(diagnosis).map(Judgement::surer).orElse("");
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
