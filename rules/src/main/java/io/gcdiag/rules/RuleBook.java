package io.gcdiag.rules;

import java.util.List;

/** Every rule, by id. */
public final class RuleBook {

  private static final List<Rule> RULES =
      List.of(
          new AllocationPerRequestRule(),
          new AllocationStallRule(),
          new AsyncQueueRule(),
          new AwaitedAnswersRule(),
          new BackgroundWorkersRule(),
          new BusyLoopsRule(),
          new BusyWorkersRule(),
          new CallerRunsRule(),
          new ClassMetadataRule(),
          new CodeCacheRule(),
          new CollectionCauseRule(),
          new CollectionFailureRule(),
          new CollectorStarvationRule(),
          new CpuDemandRule(),
          new CpuLoadRule(),
          new CpuQuotaRule(),
          new DeadlockedThreadsRule(),
          new DownstreamTimeRule(),
          new ExceptionRateRule(),
          new FileTimeRule(),
          new GcPauseGrowthRule(),
          new GrowingClassesRule(),
          new HeapFreeRatioRule(),
          new HeapResizeRule(),
          new HeldObjectsRule(),
          new HumongousRegionsRule(),
          new IdleConnectionsRule(),
          new KeptCarriersRule(),
          new KeptConnectionsRule(),
          new LateWakesRule(),
          new LittlesLawPoolRule(),
          new LiveSetGrowthRule(),
          new LockWaitRule(),
          new LockedThreadsRule(),
          new MeteredCollectionsRule(),
          new MeteredPoolRule(),
          new MovesWithTheTailRule(),
          new OutsideTlabRule(),
          new PauseCpuRule(),
          new PausesAloneRule(),
          new PinnedCarriersRule(),
          new PoolWaitRule(),
          new SafepointTimeRule(),
          new SleepTimeRule(),
          new SleepingThreadsRule(),
          new StandstillQueueRule(),
          new StarvedExecutorRule(),
          new StuckThreadsRule(),
          new SwapSpaceRule(),
          new ThreadDumpRule(),
          new ThreadGroupsRule(),
          new ThreadGrowthRule(),
          new ThreadsInCallsRule(),
          new ThreadsInFilesRule(),
          new ThreadsOnCoresRule(),
          new WorkerQueueRule(),
          new WorkersNeverFreeRule());

  private RuleBook() {}

  /** All rules, sorted by id. */
  public static List<Rule> rules() {
    return RULES;
  }
}
