package io.gcdiag.causes.waits;

import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.IncidentBuilder.millis;
import static io.gcdiag.sketches.PauseSketch.young;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.jvm.CodeSite;
import io.gcdiag.evidence.jvm.CpuProfile;
import io.gcdiag.evidence.threads.LockOwner;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSample.LateWakes;
import io.gcdiag.evidence.threads.WaitSample.LockHold;
import io.gcdiag.evidence.threads.WaitSample.LockHold.Doing;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LockWaitRuleTest {

  private final Rule rule = new LockWaitRule();

  @Test
  void waitsThatHaveNothingToDoWithPausesAreTheLocks() {
    // 30 x 500 ms = 15 s.
    Finding finding =
        only(rule, incident().waits(30, 60, 120, WaitKind.LOCK, "com.shop.Cart", 500));
    assertEquals(
        "request threads waited 15 s for locks, most for com.shop.Cart at Shop.order (30 waits)",
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.LOCK_CONTENTION, Effect.LOCK_WAIT), 1e-9);
  }

  @Test
  void waitsInTheWakeOfPausesAreHandedToThem() {
    // Every 2 s a pause of 100 ms; at its end, and only then, ten threads wait for 200 ms.
    IncidentBuilder builder = incident().pauses(30, 60, 120, young(0, 100));
    for (int i = 0; i < 10; i++) {
      builder.waits(30, 60.1, 120.1, WaitKind.LOCK, "com.shop.Cart", 200);
    }
    Finding finding = only(rule, builder);
    assertEquals(1, passes(finding, Effect.LOCK_WAIT, Effect.STOPPED), 1e-9);
    // 10 x 30 x 200 ms = 60 s.
    assertEquals(
        "request threads waited 60 s for locks; 100.0 % of it coincides with pauses",
        finding.brief(Hypothesis.LOCK_CONTENTION));
    assertEquals(0, explains(finding, Hypothesis.LOCK_CONTENTION, Effect.LOCK_WAIT), 1e-9);
  }

  /** Each second ten holds of 90 ms in all, so much of it in one kind of wait. */
  private static IncidentBuilder holds(WaitKind kind, double seconds) {
    return holds(kind, "cart.log", seconds);
  }

  private static IncidentBuilder holds(WaitKind kind, String what, double seconds) {
    Doing doing = new Doing(kind, what);
    return holds(Map.of(doing, seconds), Map.of());
  }

  private static IncidentBuilder holds(Map<Doing, Double> timed, Map<Doing, Double> sampled) {
    IncidentBuilder builder = incident().waits(60, 60, 120, WaitKind.LOCK, "com.shop.Cart", 500);
    for (int second = 60; second < 120; second++) {
      builder.sample(
          new LockHold(
              at(second),
              "com.shop.Cart",
              10,
              0.9,
              timed,
              sampled,
              new Source("recording.jfr", "jdk.JavaMonitorEnter")));
    }
    return builder;
  }

  @Test
  void whatTheOwnerSpendsInAFileIsTheFilesDoing() {
    Finding finding = only(rule, holds(WaitKind.FILE, 0.6));
    // 0.6 of 0.9 s.
    assertEquals(2.0 / 3, passes(finding, Effect.LOCK_WAIT, Effect.FILE_WAIT), 1e-9);
    assertEquals(1.0 / 3, explains(finding, Hypothesis.LOCK_CONTENTION, Effect.LOCK_WAIT), 1e-9);
    assertTrue(
        finding
            .statement()
            .endsWith(
                "; in 600 contended holds the owners were in file I/O"
                    + " (cart.log) 66.7 % of the time"),
        finding::statement);
  }

  /** One wait of 20 s for an owner, and what the owner's own events show of it. */
  @Test
  void oneHoldThatTheOwnersOwnWaitFillsNeedsNoOthers() {
    for (double waited : List.of(19.0, 10.0)) {
      IncidentBuilder builder =
          incident()
              .waits(1, 80, 100, WaitKind.LOCK, "com.shop.Cart", 20_000)
              .sample(
                  new LockHold(
                      at(80),
                      "com.shop.Cart",
                      1,
                      20,
                      Map.of(new Doing(WaitKind.POOL, "HikariCP"), waited),
                      Map.of(),
                      new Source("recording.jfr", "jdk.JavaMonitorEnter")));
      // 19 of 20 s are the hold; of half of it nothing is known, and there are no other holds.
      assertEquals(
          waited == 19 ? 0.95 : 0,
          passes(only(rule, builder), Effect.LOCK_WAIT, Effect.POOL_WAIT),
          1e-9);
    }
  }

  @Test
  void aFileThatFillsALittleOfTheHeldTimeMayFillAllOfItInShorterCalls() {
    // 0.3 of 0.9 s in the file; for the other 0.6 s nothing is recorded.
    Finding little = only(rule, holds(WaitKind.FILE, 0.3));
    assertEquals(Hypothesis.LOCK_CONTENTION, little.inseparable().get(0).one());
    assertEquals(Hypothesis.SLOW_DISK, little.inseparable().get(0).other());
    assertEquals(List.of(), only(rule, holds(WaitKind.FILE, 0.6)).inseparable());
    // Owners that only compute wait for no file.
    assertEquals(List.of(), only(rule, holds(WaitKind.SLEEP, 0.3)).inseparable());
  }

  /** Of each second's 0.9 s of holds 0.6 s by events, which leave calls out, and all by samples. */
  @Test
  void aFigureOfTheEventsIsPrintedAsThatOfTheRows() {
    Doing call = new Doing(WaitKind.DOWNSTREAM, "till:80");
    Finding most = only(rule, holds(Map.of(call, 0.6), Map.of(call, 0.9)));
    assertEquals("hold time spent in downstream calls (till:80): at least 66.7 %", figure(most));
    // Events show less than half of it: only samples tell how much.
    Finding few = only(rule, holds(Map.of(call, 0.1), Map.of(call, 0.9)));
    assertEquals("hold time spent in downstream calls (till:80): by samples 100.0 %", figure(few));
  }

  private static String figure(Finding finding) {
    return finding.figures().stream()
        .map(Object::toString)
        .filter(text -> text.contains("hold time"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void ownersOfALockThatHardlyAnyThreadWaitsForSayNothingOfAnother() {
    IncidentBuilder builder = holds(WaitKind.FILE, 0.9);
    // 60 waits of 500 ms for the cart, 600 of 500 ms for rows of the table.
    builder.waits(600, 60, 120, WaitKind.LOCK, "H2 (lock of a row or table)", 500);
    Finding finding = only(rule, builder);
    assertEquals(0, passes(finding, Effect.LOCK_WAIT, Effect.FILE_WAIT), 1e-9);
    assertEquals(1, explains(finding, Hypothesis.LOCK_CONTENTION, Effect.LOCK_WAIT), 1e-9);
  }

  @Test
  void theQueueHasItsSums() {
    // 60 waits of 500 ms in a minute; each second ten holds of 90 ms each: 0.9 s in all.
    assertEquals(
        List.of(
            "waits for com.shop.Cart: none -> 1/s x 500 ms = 0.5 threads waiting",
            "holds of com.shop.Cart while others wait: none -> 10/s x 90 ms = 0.9 held at a time"),
        only(rule, holds(WaitKind.FILE, 0.6)).arithmetic());
  }

  @Test
  void anAnswerThatTakesAsLongAsEverIsTheLocksDoing() {
    IncidentBuilder builder = holds(WaitKind.DOWNSTREAM, 0.9);
    builder.waits(60, 0, 60, WaitKind.DOWNSTREAM, "db:5432", 30);
    builder.waits(60, 60, 120, WaitKind.DOWNSTREAM, "db:5432", 30);
    Finding finding = only(rule, builder);
    assertEquals(0, passes(finding, Effect.LOCK_WAIT, Effect.DOWNSTREAM_WAIT), 1e-9);
    assertEquals(1, explains(finding, Hypothesis.LOCK_CONTENTION, Effect.LOCK_WAIT), 1e-9);
  }

  @Test
  void anAnswerThatTakesLongerHoldsTheLockLonger() {
    IncidentBuilder builder = holds(WaitKind.DOWNSTREAM, 0.9);
    builder.waits(60, 0, 60, WaitKind.DOWNSTREAM, "db:5432", 30);
    builder.waits(60, 60, 120, WaitKind.DOWNSTREAM, "db:5432", 120);
    Finding finding = only(rule, builder);
    // 30 of 120 ms were there before.
    assertEquals(0.75, passes(finding, Effect.LOCK_WAIT, Effect.DOWNSTREAM_WAIT), 1e-9);
    assertEquals(0.25, explains(finding, Hypothesis.LOCK_CONTENTION, Effect.LOCK_WAIT), 1e-9);
  }

  @Test
  void anAnswerOfWhichNothingIsKnownFromBeforeIsNotCalledSlower() {
    // Calls of less than 20 ms would not have been recorded before.
    IncidentBuilder builder = holds(WaitKind.DOWNSTREAM, 0.9).recorded(Signal.SOCKET_READS, 20);
    builder.waits(60, 60, 120, WaitKind.DOWNSTREAM, "gold:80", 120);
    Finding finding = only(rule, builder);
    assertEquals(0, passes(finding, Effect.LOCK_WAIT, Effect.DOWNSTREAM_WAIT), 1e-9);
    assertEquals(1, explains(finding, Hypothesis.LOCK_CONTENTION, Effect.LOCK_WAIT), 1e-9);
  }

  @Test
  void randomNumbersThatComeInReadsTooShortToBeRecordedAreTheHostsDoing() {
    IncidentBuilder builder =
        holds(WaitKind.DOWNSTREAM, "entropy (/dev/random)", 0.9).recorded(Signal.SOCKET_READS, 20);
    Finding finding = only(rule, builder);
    assertEquals(1, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.LOCK_WAIT), 1e-9);
    assertEquals(0, explains(finding, Hypothesis.LOCK_CONTENTION, Effect.LOCK_WAIT), 1e-9);
    assertTrue(
        new DownstreamTimeRule()
            .examine(builder.build()).stream()
                .noneMatch(call -> refutes(call, Hypothesis.SLOW_DOWNSTREAM)));
  }

  @Test
  void callsInsideTheLockAreToBeMadeOutsideOfIt() {
    IncidentBuilder builder = holds(WaitKind.DOWNSTREAM, 0.9);
    builder.waits(60, 0, 60, WaitKind.DOWNSTREAM, "db:5432", 30);
    builder.waits(60, 60, 120, WaitKind.DOWNSTREAM, "db:5432", 30);
    assertEquals(
        "move the downstream call (cart.log) out of the lock",
        only(rule, builder).actions().get(Hypothesis.LOCK_CONTENTION));
  }

  @Test
  void whatAConcurrentMapLocksIsSaid() {
    Finding finding =
        only(
            rule,
            incident()
                .waits(
                    30,
                    60,
                    120,
                    WaitKind.LOCK,
                    "java.util.concurrent.ConcurrentHashMap$Node",
                    500));
    assertEquals(
        "do less inside the lock, or hold one lock per key; a ConcurrentHashMap locks a key, and"
            + " those in the same bin, while the function given to compute, computeIfAbsent or merge runs",
        finding.actions().get(Hypothesis.LOCK_CONTENTION));
  }

  @Test
  void withNothingKnownOfTheOwnerTheGeneralAdviceIsLeft() {
    Finding finding =
        only(rule, incident().waits(30, 60, 120, WaitKind.LOCK, "com.shop.Cart", 500));
    assertTrue(finding.actions().isEmpty());
  }

  @Test
  void anOwnerThatRunsWaitsForACoreIfAllBecameFull() {
    // A third of the held time is a file's, the rest was not seen: it goes to the cores.
    Finding finding = only(rule, holds(WaitKind.FILE, 0.3).cpu(30, 0.2, 0.3).cpu(90, 0.95, 0.99));
    assertEquals(1.0 / 3, passes(finding, Effect.LOCK_WAIT, Effect.FILE_WAIT), 1e-9);
    assertEquals(2.0 / 3, passes(finding, Effect.LOCK_WAIT, Effect.CPU_QUEUE), 1e-9);
    assertEquals(0, explains(finding, Hypothesis.LOCK_CONTENTION, Effect.LOCK_WAIT), 1e-9);
  }

  @Test
  void coresThatAreFullInMostSecondsAreFull() {
    // 40 of 60 seconds at 99 %, the others at 60 %: 86 % on average; then 20 of 60.
    assertEquals(2.0 / 3, passes(fullFrom(80), Effect.LOCK_WAIT, Effect.CPU_QUEUE), 1e-9);
    assertEquals(0, passes(fullFrom(100), Effect.LOCK_WAIT, Effect.CPU_QUEUE), 1e-9);
  }

  private Finding fullFrom(int start) {
    IncidentBuilder builder = holds(WaitKind.FILE, 0.3);
    for (int second = 0; second < 120; second++) {
      builder.cpu(second, 0.5, second < start ? 0.6 : 0.99);
    }
    return only(rule, builder);
  }

  private static IncidentBuilder givingWay() {
    return holds(WaitKind.FILE, 0.3).cpu(30, 0.2, 0.99).cpu(90, 0.3, 0.99);
  }

  @Test
  void coresThatWereFullOfWorkThatGaveWayAreFullOnceThreadsGetOneLate() {
    // 20 timed waits end 5 ms late each, by a scheduler that let the JVM's threads go first before.
    Finding inTime = only(rule, givingWay());
    assertEquals(0, passes(inTime, Effect.LOCK_WAIT, Effect.CPU_QUEUE), 1e-9);
    Source source = new Source("recording.jfr", "jdk.ThreadSleep");
    Finding late =
        only(
            rule,
            givingWay()
                .sample(new LateWakes(at(90), millis(100), 20, millis(100), millis(5), source)));
    assertEquals(2.0 / 3, passes(late, Effect.LOCK_WAIT, Effect.CPU_QUEUE), 1e-9);
  }

  @Test
  void aThreadDumpNamesTheOwnerWhereTheRecordingDoesNot() {
    IncidentBuilder builder = incident().waits(60, 60, 120, WaitKind.LOCK, "com.shop.Cart", 500);
    builder.lockOwner(
        90,
        new LockOwner(
            12, "http-1", Optional.of(WaitKind.FILE), "file", Optional.empty(), Optional.empty()));
    Finding finding = only(rule, builder);
    assertEquals(1, passes(finding, Effect.LOCK_WAIT, Effect.FILE_WAIT), 1e-9);
    assertTrue(weakens(finding, Hypothesis.LOCK_CONTENTION));
  }

  @Test
  void withoutAWaitForALockItIsNoLock() {
    Finding finding = only(rule, incident().waits(30, 60, 120, WaitKind.POOL, "HikariCP", 500));
    assertEquals("no lock wait", finding.statement());
    assertEquals("no lock wait", finding.brief());
    assertTrue(weakens(finding, Hypothesis.LOCK_CONTENTION));
  }

  /** Waits for a semaphore in Shop.order, and samples of the CPU: so many of 60 below it. */
  private static IncidentBuilder guarded(int samples) {
    CpuProfile.Builder profile = new CpuProfile.Builder();
    for (int i = 0; i < 60; i++) {
      String method = i < samples ? "Shop.order" : "Shop.show";
      CodeSite site = new CodeSite("shop.Hash.of", method, true, false);
      profile.add(at(60 + i), site, Set.of(method), false, false);
    }
    return incident()
        .waits(60, 60, 120, WaitKind.LOCK, "java.util.concurrent.Semaphore", 500)
        .profile(profile.build());
  }

  @Test
  void fullCoresThatComputeWhatASemaphoreGuardsAreWhatIsWaitedFor() {
    // 54 of 60 samples = 90 %.
    Finding finding = only(rule, guarded(54).cpu(30, 0.2, 0.3).cpu(90, 0.95, 0.99));
    assertEquals(0.9, passes(finding, Effect.LOCK_WAIT, Effect.CPU_QUEUE), 1e-9);
    assertEquals(0.1, explains(finding, Hypothesis.LOCK_CONTENTION, Effect.LOCK_WAIT), 1e-9);
  }

  @Test
  void withFreeCoresTheSemaphoreItselfKeepsOthersWaiting() {
    Finding finding = only(rule, guarded(54).cpu(30, 0.2, 0.3).cpu(90, 0.5, 0.6));
    assertEquals(1, explains(finding, Hypothesis.LOCK_CONTENTION, Effect.LOCK_WAIT), 1e-9);
  }
}
