package io.gcdiag.books;

import io.gcdiag.accounts.calls.DownstreamTimeRule;
import io.gcdiag.accounts.collections.AllocationPerRequestRule;
import io.gcdiag.accounts.collections.AllocationStallRule;
import io.gcdiag.accounts.collections.CollectingThreadsRule;
import io.gcdiag.accounts.collections.CollectionCauseRule;
import io.gcdiag.accounts.collections.CollectionFailureRule;
import io.gcdiag.accounts.collections.GcPauseGrowthRule;
import io.gcdiag.accounts.collections.HeapResizeRule;
import io.gcdiag.accounts.collections.MeteredCollectionsRule;
import io.gcdiag.accounts.collections.PauseCpuRule;
import io.gcdiag.accounts.collections.SwapSpaceRule;
import io.gcdiag.accounts.cores.CodeCacheRule;
import io.gcdiag.accounts.cores.CpuDemandRule;
import io.gcdiag.accounts.cores.CpuLoadRule;
import io.gcdiag.accounts.cores.CpuQuotaRule;
import io.gcdiag.accounts.cores.ExceptionRateRule;
import io.gcdiag.accounts.cores.LateWakesRule;
import io.gcdiag.accounts.files.FileTimeRule;
import io.gcdiag.accounts.heap.ClassMetadataRule;
import io.gcdiag.accounts.heap.DirectBuffersRule;
import io.gcdiag.accounts.heap.FinalizerThreadRule;
import io.gcdiag.accounts.heap.GrowingClassesRule;
import io.gcdiag.accounts.heap.HeapFreeRatioRule;
import io.gcdiag.accounts.heap.HeldObjectsRule;
import io.gcdiag.accounts.heap.HumongousRegionsRule;
import io.gcdiag.accounts.heap.LiveSetGrowthRule;
import io.gcdiag.accounts.heap.MemoryLimitRule;
import io.gcdiag.accounts.locks.DeadlockedThreadsRule;
import io.gcdiag.accounts.locks.LockWaitRule;
import io.gcdiag.accounts.pool.PoolWaitRule;
import io.gcdiag.accounts.requests.LoggedErrorsRule;
import io.gcdiag.accounts.sleep.SleepTimeRule;
import io.gcdiag.accounts.stops.PausesAloneRule;
import io.gcdiag.accounts.stops.SafepointTimeRule;
import io.gcdiag.accounts.stops.StandstillQueueRule;
import io.gcdiag.accounts.waits.ClientWaitRule;
import io.gcdiag.accounts.waits.LogQueueRule;
import io.gcdiag.accounts.waits.UnknownWaitsRule;
import io.gcdiag.accounts.workers.AsyncQueueRule;
import io.gcdiag.accounts.workers.BusyWorkersRule;
import io.gcdiag.accounts.workers.PinnedCarriersRule;
import io.gcdiag.accounts.workers.StuckThreadsRule;
import io.gcdiag.accounts.workers.ThreadGrowthRule;
import io.gcdiag.accounts.workers.WorkerQueueRule;
import io.gcdiag.causes.Rule;
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
