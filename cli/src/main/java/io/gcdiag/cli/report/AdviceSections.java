package io.gcdiag.cli.report;

import io.gcdiag.cli.report.Report.Section;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.verdict.Diagnosis;
import io.gcdiag.verdict.Judgement;
import io.gcdiag.verdict.Verdict;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What to change, and what to record next time. */
final class AdviceSections {

  /** The most causes that are named per missing signal, in ranked order. */
  private static final int MOST_NAMED = 4;

  static Section changes(Diagnosis diagnosis) {
    List<String> items =
        Stream.of(Verdict.PRIMARY_SUSPECT, Verdict.CONTRIBUTING)
            .flatMap(verdict -> DiagnosisDocument.withVerdict(diagnosis, verdict).stream())
            .flatMap(
                judgement ->
                    judgement.actions().stream()
                        .map(action -> judgement.hypothesis().id() + ": " + action))
            .toList();
    return new Section(
        "What to change", items.isEmpty() ? List.of() : List.of(Block.Bullets.of(items)));
  }

  /** What the files do not contain. */
  static Section limits(Diagnosis diagnosis) {
    List<Block> blocks = new ArrayList<>();
    if (!diagnosis.limits().isEmpty()) {
      blocks.add(Block.Bullets.of(diagnosis.limits()));
    }
    Map<Signal, List<String>> missing = missing(diagnosis.judgements());
    // The limits above name most of them.
    missing.keySet().removeIf(signal -> isNamed(signal, diagnosis.limits()));
    if (!missing.isEmpty()) {
      blocks.add(Block.Paragraph.of("Not in these files:"));
      blocks.add(
          Block.Bullets.of(
              missing.entrySet().stream()
                  .map(entry -> line(entry.getKey(), entry.getValue()))
                  .toList()));
    }
    return new Section("What could not be seen, and how to record it next time", blocks);
  }

  private static boolean isNamed(Signal signal, List<String> limits) {
    return limits.stream().anyMatch(limit -> limit.startsWith(signal.description()));
  }

  private static String line(Signal signal, List<String> hypotheses) {
    String whom = FigureText.some(hypotheses, MOST_NAMED);
    return signal.description() + " (to judge " + whom + "): " + signal.howToRecord();
  }

  private static Map<Signal, List<String>> missing(List<Judgement> judgements) {
    Map<Signal, List<String>> missing = new EnumMap<>(Signal.class);
    for (Judgement judgement : judgements) {
      for (Signal signal : judgement.missing()) {
        missing.computeIfAbsent(signal, s -> new ArrayList<>()).add(judgement.hypothesis().id());
      }
    }
    return missing;
  }
}
