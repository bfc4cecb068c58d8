package io.gcdiag.causes.workers;

import io.gcdiag.books.CombinedRule;
import io.gcdiag.books.Rule;
import java.util.List;

/**
 * Asks what becomes of work that finds no free thread: it queues, it waits behind tasks that wait
 * for it, or its caller does it.
 */
public final class WorkerQueueRule implements CombinedRule {

  @Override
  public List<Rule> sensors() {
    return List.of(new QueuedWork(id()), new StarvedExecutor(id()), new CallerRuns(id()));
  }
}
