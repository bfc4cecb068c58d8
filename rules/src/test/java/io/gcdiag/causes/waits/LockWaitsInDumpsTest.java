package io.gcdiag.causes.waits;

import static io.gcdiag.sketches.Findings.assertSilent;
import static io.gcdiag.sketches.Findings.explains;
import static io.gcdiag.sketches.Findings.only;
import static io.gcdiag.sketches.Findings.passes;
import static io.gcdiag.sketches.Findings.supports;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.Threads.thread;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.Made;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.threads.LockOwner;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadPosition;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LockWaitsInDumpsTest {

  private final Rule rule = new LockWaitRule();

  /** Request threads: so many wait for a lock, run, and have no work. */
  private static List<ThreadState> threads(int locked, int running, int idle) {
    List<ThreadState> threads = new ArrayList<>();
    add(threads, locked, ThreadActivity.WAITING_FOR_LOCK, "com.shop.Cart");
    add(threads, running, ThreadActivity.RUNNING, "");
    add(threads, idle, ThreadActivity.IDLE, "");
    return threads;
  }

  private static void add(List<ThreadState> to, int count, ThreadActivity activity, String at) {
    for (int i = 0; i < count; i++) {
      to.add(thread("dw-" + to.size(), "RUNNABLE", activity, at, true));
    }
  }

  @Test
  void mostOfTheThreadsAtWorkInTwoDumpsWaitForTheLock() {
    Finding finding =
        only(rule, incident().dump(70, threads(56, 2, 40)).dump(100, threads(30, 4, 10)));
    assertEquals(
        "56 of 58 threads at work wait for a lock (com.shop.Cart), in 2 of 2 dumps",
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.LOCK_CONTENTION, Effect.LOCK_WAIT), 1e-9);
  }

  @Test
  void oneDumpMayBeChance() {
    assertSilent(rule, incident().dump(70, threads(56, 2, 40)));
  }

  @Test
  void aLongQueueInOneOfTwoDumpsIsNoChance() {
    Finding finding =
        only(rule, incident().dump(70, threads(0, 2, 40)).dump(100, threads(25, 1, 10)));
    assertTrue(finding.statement().endsWith("in 1 of 2 dumps"), finding::statement);
    assertSilent(rule, incident().dump(70, threads(0, 2, 40)).dump(100, threads(4, 1, 10)));
  }

  @Test
  void aFewOfManyAtWorkMayAlwaysWait() {
    assertSilent(rule, incident().dump(70, threads(6, 20, 0)).dump(100, threads(7, 20, 0)));
  }

  @Test
  void aCircleIsNoQueue() {
    assertSilent(
        rule, incident().dump(70, threads(56, 2, 0), "dw-1", "dw-2").dump(100, threads(56, 2, 0)));
  }

  @Test
  void dumpsOfWaitsThatTheRecordingShowsAreEvidenceOfTheirOwn() {
    // 6,000 x 0.5 s in the minute are 50 threads, of 58 that the dumps have 56 waiting in.
    List<Finding> findings =
        rule.examine(
            incident()
                .waits(6000, 60, 120, WaitKind.LOCK, "com.shop.Cart", 500)
                .dump(70, threads(56, 2, 0))
                .dump(100, threads(56, 2, 0))
                .build());
    assertEquals(2, findings.size(), findings::toString);
    Finding byEvents = findings.get(0);
    assertTrue(byEvents.statement().endsWith("(6,000 waits)"), byEvents::statement);
    assertEquals(1, explains(byEvents, Hypothesis.LOCK_CONTENTION, Effect.LOCK_WAIT), 1e-9);
    assertTrue(supports(findings.get(1), Hypothesis.LOCK_CONTENTION));
  }

  private static IncidentBuilder owned(WaitKind doing) {
    return owned(doing, "it");
  }

  private static IncidentBuilder owned(WaitKind doing, String what) {
    LockOwner owner =
        new LockOwner(12, "dw-99", Optional.of(doing), what, Optional.empty(), Optional.empty());
    return incident()
        .dump(70, threads(12, 1, 0))
        .dump(100, threads(12, 1, 0))
        .lockOwner(80, owner)
        .lockOwner(110, owner);
  }

  @Test
  void anOwnerThatWritesAFileMakesItTheDisk() {
    Finding finding = only(rule, owned(WaitKind.FILE));
    assertEquals(1, explains(finding, Hypothesis.SLOW_DISK, Effect.LOCK_WAIT), 1e-9);
    assertEquals(0, explains(finding, Hypothesis.LOCK_CONTENTION, Effect.LOCK_WAIT), 1e-9);
  }

  /** No call is in a recording, so that nothing says that a partner answers more slowly. */
  @Test
  void anOwnerThatWaitsForThePartnerKeepsTheOthersWaiting() {
    Finding finding = only(rule, owned(WaitKind.DOWNSTREAM));
    assertEquals(1, explains(finding, Hypothesis.LOCK_CONTENTION, Effect.LOCK_WAIT), 1e-9);
  }

  @Test
  void anOwnerThatReadsRandomNumbersOfTheHostMakesItTheHost() {
    Finding finding = only(rule, owned(WaitKind.DOWNSTREAM, "entropy (/dev/random)"));
    assertEquals(1, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.LOCK_WAIT), 1e-9);
    assertEquals(0, explains(finding, Hypothesis.LOCK_CONTENTION, Effect.LOCK_WAIT), 1e-9);
  }

  @Test
  void anOwnerThatWaitsForAConnectionHandsItOn() {
    assertEquals(
        1, passes(only(rule, owned(WaitKind.POOL)), Effect.LOCK_WAIT, Effect.POOL_WAIT), 1e-9);
  }

  /** Forty that wait for a lock of unknown owners, and two that run; CPU used by each so far. */
  private static List<ThreadState> limited(double cpuSeconds) {
    List<ThreadState> threads = threads(40, 0, 0);
    for (int i = 0; i < 2; i++) {
      ThreadPosition standing = Made.position(1, "Hash.of", (long) (cpuSeconds * 1e9));
      threads.add(thread("run-" + i, "RUNNABLE", ThreadActivity.RUNNING, "", true, standing));
    }
    return threads;
  }

  @Test
  void unknownOwnersThatMayComputeOnFullCoresAreNotToldFromTheLock() {
    // 2 x 7.5 s in 10 s: 1.5 of 2 cores.
    Finding finding = only(rule, incident().cpus(2).dump(70, limited(10)).dump(80, limited(17.5)));
    assertEquals(0.5, explains(finding, Hypothesis.LOCK_CONTENTION, Effect.LOCK_WAIT), 1e-9);
    assertEquals(0.5, explains(finding, Hypothesis.CPU_SATURATION, Effect.LOCK_WAIT), 1e-9);
    // 2 x 5 s in 10 s: half of the cores are free.
    Finding idle = only(rule, incident().cpus(2).dump(70, limited(10)).dump(80, limited(15)));
    assertEquals(1, explains(idle, Hypothesis.LOCK_CONTENTION, Effect.LOCK_WAIT), 1e-9);
  }

  @Test
  void anOwnerThatWaitsForOneMoreLockIsNotTheLastOfThem() {
    LockOwner owner =
        new LockOwner(
            12, "dw-99", Optional.of(WaitKind.LOCK), "", Optional.empty(), Optional.empty());
    IncidentBuilder full = incident().cpus(2).dump(70, limited(10)).dump(80, limited(17.5));
    Finding finding = only(rule, full.lockOwner(65, owner));
    assertEquals(0.5, explains(finding, Hypothesis.CPU_SATURATION, Effect.LOCK_WAIT), 1e-9);
  }

  /** Forty that wait for the lock; each has used so much CPU time. */
  private static List<ThreadState> waiters(double cpuSeconds) {
    List<ThreadState> threads = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      ThreadPosition standing = Made.position(1, "Cache.get", (long) (cpuSeconds * 1e9));
      threads.add(
          thread("dw-" + i, "BLOCKED", ThreadActivity.WAITING_FOR_LOCK, "Cache", true, standing));
    }
    return threads;
  }

  @Test
  void waitersThatAllComputeOnMoreThanOneCoreTogetherArePastTheLockMostOfTheTime() {
    // 40 x 0.4 s in 10 s: 1.6 cores, and nothing shows how many there are.
    Finding finding = only(rule, incident().dump(70, waiters(1)).dump(80, waiters(1.4)));
    assertEquals(0.5, explains(finding, Hypothesis.LOCK_CONTENTION, Effect.LOCK_WAIT), 1e-9);
    assertEquals(0.5, explains(finding, Hypothesis.CPU_SATURATION, Effect.LOCK_WAIT), 1e-9);
    // An owner that computes holds the lock on one core only.
    LockOwner owner =
        new LockOwner(39, "dw-39", Optional.empty(), "", Optional.empty(), Optional.empty());
    IncidentBuilder owned = incident().dump(70, waiters(1)).dump(80, waiters(1.4));
    Finding known = only(rule, owned.lockOwner(72, owner).lockOwner(75, owner));
    assertEquals(0.5, explains(known, Hypothesis.CPU_SATURATION, Effect.LOCK_WAIT), 1e-9);
    // 40 x 0.2 s in 10 s: 0.8 cores, which one owner after another can use.
    Finding one = only(rule, incident().dump(70, waiters(1)).dump(80, waiters(1.2)));
    assertEquals(1, explains(one, Hypothesis.LOCK_CONTENTION, Effect.LOCK_WAIT), 1e-9);
    // Of 4 cores 2.4 are free.
    Finding free = only(rule, incident().cpus(4).dump(70, waiters(1)).dump(80, waiters(1.4)));
    assertEquals(1, explains(free, Hypothesis.LOCK_CONTENTION, Effect.LOCK_WAIT), 1e-9);
  }

  @Test
  void whereFewOfTheWaitersComputeTheOthersStandInLineForTheLock() {
    // Four computed 5 s each in 10 s, 2 cores together; 36 computed nothing.
    List<ThreadState> later = new ArrayList<>(waiters(6).subList(0, 4));
    later.addAll(waiters(1).subList(4, 40));
    Finding finding = only(rule, incident().dump(70, waiters(1)).dump(80, later));
    assertEquals(1, explains(finding, Hypothesis.LOCK_CONTENTION, Effect.LOCK_WAIT), 1e-9);
  }

  @Test
  void anOwnerThatIsStoppedHoldsTheLockAllTheSame() {
    // GC threads use 8 s of CPU in 10 s, and no file has a pause: stopped up to 80 % of the time.
    Finding finding = only(rule, incident().dump(70, waiters(1), 1).dump(80, waiters(1), 9));
    assertEquals(0.2, explains(finding, Hypothesis.LOCK_CONTENTION, Effect.LOCK_WAIT), 1e-9);
  }
}
