package io.gcdiag.verdict;

import io.gcdiag.books.Rule;
import io.gcdiag.causes.calls.DownstreamTimeRule;
import io.gcdiag.causes.calls.LoggedErrorsRule;
import io.gcdiag.causes.cores.CodeCacheRule;
import io.gcdiag.causes.cores.CpuDemandRule;
import io.gcdiag.causes.cores.CpuLoadRule;
import io.gcdiag.causes.cores.CpuQuotaRule;
import io.gcdiag.causes.cores.ExceptionRateRule;
import io.gcdiag.causes.cores.LateWakesRule;
import io.gcdiag.causes.memory.AllocationPerRequestRule;
import io.gcdiag.causes.memory.AllocationStallRule;
import io.gcdiag.causes.memory.ClassMetadataRule;
import io.gcdiag.causes.memory.CollectingThreadsRule;
import io.gcdiag.causes.memory.CollectionCauseRule;
import io.gcdiag.causes.memory.CollectionFailureRule;
import io.gcdiag.causes.memory.DirectBuffersRule;
import io.gcdiag.causes.memory.FinalizerThreadRule;
import io.gcdiag.causes.memory.GcPauseGrowthRule;
import io.gcdiag.causes.memory.GrowingClassesRule;
import io.gcdiag.causes.memory.HeapFreeRatioRule;
import io.gcdiag.causes.memory.HeapResizeRule;
import io.gcdiag.causes.memory.HeldObjectsRule;
import io.gcdiag.causes.memory.HumongousRegionsRule;
import io.gcdiag.causes.memory.LiveSetGrowthRule;
import io.gcdiag.causes.memory.MemoryLimitRule;
import io.gcdiag.causes.memory.MeteredCollectionsRule;
import io.gcdiag.causes.memory.PauseCpuRule;
import io.gcdiag.causes.memory.SwapSpaceRule;
import io.gcdiag.causes.pool.PoolWaitRule;
import io.gcdiag.causes.stops.PausesAloneRule;
import io.gcdiag.causes.stops.SafepointTimeRule;
import io.gcdiag.causes.stops.StandstillQueueRule;
import io.gcdiag.causes.waits.ClientWaitRule;
import io.gcdiag.causes.waits.DeadlockedThreadsRule;
import io.gcdiag.causes.waits.FileTimeRule;
import io.gcdiag.causes.waits.LockWaitRule;
import io.gcdiag.causes.waits.LogQueueRule;
import io.gcdiag.causes.waits.SleepTimeRule;
import io.gcdiag.causes.waits.UnknownWaitsRule;
import io.gcdiag.causes.workers.AsyncQueueRule;
import io.gcdiag.causes.workers.BusyWorkersRule;
import io.gcdiag.causes.workers.PinnedCarriersRule;
import io.gcdiag.causes.workers.StuckThreadsRule;
import io.gcdiag.causes.workers.ThreadGrowthRule;
import io.gcdiag.causes.workers.WorkerQueueRule;
import java.util.List;

/** Every rule, by id. */
public final class RuleBook {

  private static final List<Rule> RULES =
      List.of(
          new AllocationPerRequestRule(),
          new AllocationStallRule(),
          new AsyncQueueRule(),
          new BusyWorkersRule(),
          new ClassMetadataRule(),
          new ClientWaitRule(),
          new CodeCacheRule(),
          new CollectingThreadsRule(),
          new CollectionCauseRule(),
          new CollectionFailureRule(),
          new CpuDemandRule(),
          new CpuLoadRule(),
          new CpuQuotaRule(),
          new DeadlockedThreadsRule(),
          new DirectBuffersRule(),
          new DownstreamTimeRule(),
          new ExceptionRateRule(),
          new FileTimeRule(),
          new FinalizerThreadRule(),
          new GcPauseGrowthRule(),
          new GrowingClassesRule(),
          new HeapFreeRatioRule(),
          new HeapResizeRule(),
          new HeldObjectsRule(),
          new HumongousRegionsRule(),
          new LateWakesRule(),
          new LiveSetGrowthRule(),
          new LockWaitRule(),
          new LogQueueRule(),
          new LoggedErrorsRule(),
          new MemoryLimitRule(),
          new MeteredCollectionsRule(),
          new PauseCpuRule(),
          new PausesAloneRule(),
          new PinnedCarriersRule(),
          new PoolWaitRule(),
          new SafepointTimeRule(),
          new SleepTimeRule(),
          new StandstillQueueRule(),
          new StuckThreadsRule(),
          new SwapSpaceRule(),
          new ThreadGrowthRule(),
          new UnknownWaitsRule(),
          new WorkerQueueRule());

  private RuleBook() {}

  /** All rules, sorted by id. */
  public static List<Rule> rules() {
    return RULES;
  }

  /** Their sensors, each with the id of its rule: what is asked one by one. */
  public static List<Rule> sensors() {
    return RULES.stream().flatMap(rule -> rule.sensors().stream()).toList();
  }
}
