package io.gcdiag.books;

import io.gcdiag.measures.MeasuredIncident;
import java.util.List;

/** A rule that answers one question from several kinds of evidence, with one sensor for each. */
public interface CombinedRule extends Rule {

  @Override
  List<Rule> sensors();

  @Override
  default List<Finding> examine(MeasuredIncident incident) {
    return sensors().stream().flatMap(sensor -> sensor.examine(incident).stream()).toList();
  }
}
