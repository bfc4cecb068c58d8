package io.gcdiag.causes.pool;

import io.gcdiag.books.CombinedRule;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.measures.Case;
import java.util.List;

/**
 * Finds the cause of waiting for pooled connections. One source measures the waiting (the pool's
 * meters, thread dumps or events) and attributes its time. The other sources, the demand and the
 * pool size give supporting evidence.
 */
final class PoolWaitRule implements CombinedRule {

  @Override
  public List<Rule> sensors() {
    return List.of(
        new Figures(id()),
        new Meters(id()),
        new Dumps(id()),
        new PoolInEvents(id()),
        new CappedCalls(id()));
  }

  @Judges(Hypothesis.CONNECTION_POOL_UNDERSIZED)
  private record Figures(String id) implements Rule {
    @Override
    public List<Finding> examine(Case incident) {
      return new PoolByFigures(id, incident).finding().stream().toList();
    }
  }

  @Judges({
    Hypothesis.CONNECTION_POOL_UNDERSIZED,
    Hypothesis.SLOW_DOWNSTREAM,
    Hypothesis.CONNECTION_LEAK
  })
  private record Meters(String id) implements Rule {
    @Override
    public List<Finding> examine(Case incident) {
      return new PoolByMeters(id, incident).finding().stream().toList();
    }
  }

  @Judges(
      value = {
        Hypothesis.CONNECTION_LEAK,
        Hypothesis.CONNECTION_POOL_UNDERSIZED,
        Hypothesis.SLOW_DOWNSTREAM
      },
      needs = Signal.THREAD_DUMPS)
  private record Dumps(String id) implements Rule {
    @Override
    public List<Finding> examine(Case incident) {
      return new PoolInDumps(id, incident).finding().stream().toList();
    }
  }
}
