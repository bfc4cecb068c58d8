package io.gcdiag.books;

import io.gcdiag.measures.Case;
import java.util.List;

/** A rule that asks one question of several kinds of evidence, each by a sensor of its own. */
public interface CombinedRule extends Rule {

  @Override
  List<Rule> sensors();

  @Override
  default List<Finding> examine(Case incident) {
    return sensors().stream().flatMap(sensor -> sensor.examine(incident).stream()).toList();
  }
}
