package io.gcdiag.loadtests;

import java.util.List;
import java.util.Optional;

/**
 * Comparison of two runs.
 *
 * @param before the first run
 * @param after the second run
 * @param span which part of the runs was compared, and why
 * @param summary the answer in one to three sentences
 * @param figures every figure that both runs have
 * @param changes what differs in its settings
 * @param stacks the service's own methods of which the share of stacks differs most
 * @param warnings what makes the comparison weaker than it looks
 * @param otherService the first of these where the runs are of different services
 */
public record Comparison(
    Run before,
    Run after,
    String span,
    String summary,
    List<ComparedFigure> figures,
    List<Change> changes,
    List<Change> stacks,
    List<String> warnings,
    Optional<String> otherService) {

  public Comparison {
    figures = List.copyOf(figures);
    changes = List.copyOf(changes);
    stacks = List.copyOf(stacks);
    warnings = List.copyOf(warnings);
  }
}
