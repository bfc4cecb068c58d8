package io.gcdiag.cli.report;

import io.gcdiag.books.Finding;
import io.gcdiag.verdict.Diagnosis;
import io.gcdiag.verdict.Judgement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The arithmetic of each finding without the lines of another one: several rules state the same
 * profile or the same sizes. The primary suspect's findings keep all of theirs.
 */
final class ToldLines {

  private final Map<Finding, List<String>> lines = new HashMap<>();

  private ToldLines() {}

  static ToldLines of(Diagnosis diagnosis) {
    ToldLines told = new ToldLines();
    Set<String> before = new HashSet<>();
    Stream.concat(
            DiagnosisDocument.primary(diagnosis).stream(),
            Stream.concat(Shortlist.of(diagnosis).rows().stream(), diagnosis.judgements().stream()))
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
