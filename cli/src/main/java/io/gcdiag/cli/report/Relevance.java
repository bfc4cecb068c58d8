package io.gcdiag.cli.report;

import io.gcdiag.books.Hypothesis;
import io.gcdiag.verdict.Conclusion;
import io.gcdiag.verdict.Diagnosis;
import io.gcdiag.verdict.Judgement;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Which profiles matter for a cause: an allocation profile does not help with a lock. */
final class Relevance {

  private static final Set<Hypothesis> OF_ALLOCATION =
      EnumSet.of(
          Hypothesis.MEMORY_PRESSURE,
          Hypothesis.HEAP_RESIZING,
          Hypothesis.MEMORY_LEAK,
          Hypothesis.ALLOCATION_CHURN,
          Hypothesis.HUMONGOUS_ALLOCATION,
          Hypothesis.GC_LOCKER,
          Hypothesis.METASPACE_PRESSURE);

  private static final Set<Hypothesis> OF_CODE =
      EnumSet.of(
          Hypothesis.CPU_SATURATION,
          Hypothesis.CPU_THROTTLING,
          Hypothesis.SAFEPOINT_STALL,
          Hypothesis.JIT_PRESSURE,
          Hypothesis.EXCEPTION_STORM);

  private static final Set<Hypothesis> OF_WAITING =
      EnumSet.of(
          Hypothesis.CONNECTION_POOL_UNDERSIZED,
          Hypothesis.CONNECTION_LEAK,
          Hypothesis.SLOW_DOWNSTREAM,
          Hypothesis.LOCK_CONTENTION,
          Hypothesis.DEADLOCK,
          Hypothesis.LOG_QUEUE_FULL,
          Hypothesis.DIRECT_MEMORY,
          Hypothesis.SLOW_CLIENTS,
          Hypothesis.SLOW_DISK,
          Hypothesis.REQUESTS_SLEEP,
          Hypothesis.THREAD_POOL_EXHAUSTED,
          Hypothesis.VIRTUAL_THREAD_PINNING);

  private Relevance() {}

  static boolean ofAllocation(Diagnosis diagnosis) {
    return matters(diagnosis, OF_ALLOCATION);
  }

  /** Workers that no stack shows waiting may all be busy computing. */
  static boolean ofCode(Diagnosis diagnosis) {
    return matters(diagnosis, OF_CODE)
        || diagnosis.waiting().kind().isEmpty()
            && matters(diagnosis, EnumSet.of(Hypothesis.THREAD_POOL_EXHAUSTED));
  }

  static boolean ofWaiting(Diagnosis diagnosis) {
    return matters(diagnosis, OF_WAITING);
  }

  /** If nothing is decided and there is no lead, any profile may help. */
  private static boolean matters(Diagnosis diagnosis, Set<Hypothesis> causes) {
    boolean open = diagnosis.conclusion() == Conclusion.UNDECIDED;
    List<Judgement> followed =
        diagnosis.judgements().stream()
            .filter(judgement -> judgement.verdict().isSuspect() || open && judgement.isLead())
            .toList();
    return open && followed.isEmpty()
        || followed.stream().anyMatch(judgement -> causes.contains(judgement.hypothesis()));
  }
}
