package io.gcdiag.verdict;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Finding.Inseparable;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.causes.Causes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Which suspects the inputs cannot tell apart, and the experiment that would. */
final class InseparableCauses {

  private InseparableCauses() {}

  /**
   * What rules say of suspects, or of leads where there is none, and of pairs that both contribute;
   * and each pair of suspects whose shares are alike.
   */
  static List<Inseparable> of(List<Judgement> judgements, List<Finding> findings) {
    Set<Hypothesis> primary = having(judgements, one -> one.verdict() == Verdict.PRIMARY_SUSPECT);
    Set<Hypothesis> contributing = having(judgements, one -> one.verdict() == Verdict.CONTRIBUTING);
    Set<Hypothesis> foremost = primary.isEmpty() ? having(judgements, Judgement::isLead) : primary;
    List<Inseparable> pairs = new ArrayList<>();
    for (Finding finding : findings) {
      finding.inseparable().stream()
          .filter(
              pair ->
                  foremost.contains(pair.one())
                      || foremost.contains(pair.other())
                      || contributing.containsAll(List.of(pair.one(), pair.other())))
          .forEach(pairs::add);
    }
    List<Hypothesis> alike = List.copyOf(primary);
    for (int i = 0; i < alike.size(); i++) {
      for (Hypothesis other : alike.subList(i + 1, alike.size())) {
        Hypothesis one = alike.get(i);
        if (pairs.stream().noneMatch(pair -> isOf(pair, one, other))) {
          pairs.add(
              new Inseparable(
                  one,
                  other,
                  "change one thing alone and measure again: " + Causes.of(one).firstAction()));
        }
      }
    }
    return pairs;
  }

  private static Set<Hypothesis> having(List<Judgement> judgements, Predicate<Judgement> what) {
    Set<Hypothesis> having = EnumSet.noneOf(Hypothesis.class);
    judgements.stream().filter(what).forEach(one -> having.add(one.hypothesis()));
    return having;
  }

  private static boolean isOf(Inseparable pair, Hypothesis one, Hypothesis other) {
    return pair.one() == one && pair.other() == other || pair.one() == other && pair.other() == one;
  }
}
