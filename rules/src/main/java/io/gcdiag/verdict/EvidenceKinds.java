package io.gcdiag.verdict;

import io.gcdiag.books.Finding;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.Source;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Kinds of evidence: what a rule finds in dumps is another than what it finds by events. */
public final class EvidenceKinds {

  private EvidenceKinds() {}

  /** How many there are among the findings. */
  public static long count(List<Finding> findings, List<InputReport> inputs) {
    Map<String, String> formats = new HashMap<>();
    inputs.forEach(input -> formats.put(input.file(), input.format()));
    return findings.stream()
        .map(
            finding ->
                finding.sources().stream()
                    .map(source -> kind(source, formats.getOrDefault(source.file(), "")))
                    .collect(Collectors.toCollection(TreeSet::new))
                    .toString()
                    .concat(finding.rule()))
        .distinct()
        .count();
  }

  /** A recording holds several: dumps, and events of each type, whichever of these it is. */
  private static String kind(Source source, String format) {
    return format.equals("jfr") ? source.place().split(" ", 2)[0] : format;
  }
}
