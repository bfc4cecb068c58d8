package io.gcdiag.causes.workers;

import io.gcdiag.books.CombinedRule;
import io.gcdiag.books.Rule;
import java.util.List;

/**
 * Asks whether a group of worker threads has no free thread: what waits for one stands in a queue
 * that no event and no stack shows.
 */
final class BusyWorkersRule implements CombinedRule {

  @Override
  public List<Rule> sensors() {
    return List.of(
        new JobBacklog(id()),
        new BusyLoops(id()),
        new BusyInDumps(id()),
        new NeverFreeWorkers(id()));
  }
}
