package io.gcdiag.diagnosis;

import io.gcdiag.rules.Finding;
import io.gcdiag.rules.Finding.Inseparable;
import io.gcdiag.rules.Hypothesis;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Which suspects the inputs cannot tell apart, and the experiment that would. */
final class InseparableCauses {

  private InseparableCauses() {}

  /** What rules say of suspects, and each pair of suspects whose shares are alike. */
  static List<Inseparable> of(List<Judgement> judgements, List<Finding> findings) {
    Set<Hypothesis> primary = EnumSet.noneOf(Hypothesis.class);
    judgements.stream()
        .filter(judgement -> judgement.verdict() == Verdict.PRIMARY_SUSPECT)
        .forEach(judgement -> primary.add(judgement.hypothesis()));
    List<Inseparable> pairs = new ArrayList<>();
    for (Finding finding : findings) {
      finding.inseparable().stream()
          .filter(pair -> primary.contains(pair.one()) || primary.contains(pair.other()))
          .forEach(pairs::add);
    }
    List<Hypothesis> alike = List.copyOf(primary);
    for (int i = 0; i < alike.size(); i++) {
      for (Hypothesis other : alike.subList(i + 1, alike.size())) {
        Hypothesis one = alike.get(i);
        if (pairs.stream().noneMatch(pair -> isOf(pair, one, other))) {
          pairs.add(
              new Inseparable(
                  one, other, "change one thing alone and measure again: " + one.firstAction()));
        }
      }
    }
    return pairs;
  }

  private static boolean isOf(Inseparable pair, Hypothesis one, Hypothesis other) {
    return pair.one() == one && pair.other() == other || pair.one() == other && pair.other() == one;
  }
}
