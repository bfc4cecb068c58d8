package io.gcdiag.causes.waits;

import static io.gcdiag.sketches.Findings.only;
import static io.gcdiag.sketches.Findings.refutes;
import static io.gcdiag.sketches.Findings.weakens;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Hypothesis;
import io.gcdiag.evidence.threads.LockOwner;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSample.LockHold;
import io.gcdiag.evidence.threads.WaitSample.LockHold.Doing;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.sketches.IncidentBuilder;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What owners of contended locks do while others wait, in shares of the held time. */
class OwnersTimeTest {

  private static final Doing CALL = new Doing(WaitKind.DOWNSTREAM, "db:5432");
  private static final Doing FILE = new Doing(WaitKind.FILE, "orders.log");

  /** 100 holds of 20 s in all, while others wait 40 s for the lock. */
  private static IncidentBuilder held(Map<Doing, Double> timed, Map<Doing, Double> sampled) {
    return incident()
        .waits(100, 60, 120, WaitKind.LOCK, "shop.Stock", 400)
        .sample(
            new LockHold(
                at(90),
                "shop.Stock",
                100,
                20,
                timed,
                sampled,
                new Source(IncidentBuilder.RECORDING, "jdk.JavaMonitorEnter")));
  }

  private static Optional<OwnersTime> of(IncidentBuilder incident) {
    return OwnersTime.of(incident.build());
  }

  @Test
  void samplesSeeMoreThanEvents() {
    // Of 20 s 6 s by events and 10 s by samples in calls, 4 s by events in files.
    OwnersTime owners =
        of(held(
                Map.of(CALL, 6.0, FILE, 4.0),
                Map.of(new Doing(WaitKind.DOWNSTREAM, "PostgreSQL"), 10.0)))
            .orElseThrow();
    assertEquals(0.5, owners.share(WaitKind.DOWNSTREAM), 1e-9);
    assertEquals(0.2, owners.share(WaitKind.FILE), 1e-9);
    assertEquals(0.3, owners.unseen(), 1e-9);
    String waits =
        "waited for a downstream call (db:5432) at least 30.0 % of the time,"
            + " were in file I/O (orders.log) 20.0 % of the time";
    assertEquals(waits, owners.words());
    assertEquals("in 100 contended holds the owners " + waits, owners.statement());
    assertEquals(
        Optional.of(Map.entry("in downstream calls (db:5432)", "at least 30.0 %")), owners.most());
    // Calls that take twice as long as before add half of the time in them.
    assertEquals(0.25, owners.shareOfSlowCalls(2), 1e-9);
  }

  @Test
  void whatMostlySamplesShowIsSaidToBeByThem() {
    OwnersTime owners =
        of(held(Map.of(CALL, 6.0), Map.of(new Doing(WaitKind.DOWNSTREAM, "PostgreSQL"), 14.0)))
            .orElseThrow();
    assertEquals(
        "waited for a downstream call (db:5432) by samples 70.0 % of the time", owners.words());
  }

  @Test
  void randomNumbersOfTheHostCountInFull() {
    // 8 of 20 s in calls, 2 s of these for random numbers: 0.1 + (0.4 - 0.1) / 2.
    OwnersTime owners =
        of(held(Map.of(CALL, 6.0, new Doing(WaitKind.DOWNSTREAM, "/dev/random"), 2.0), Map.of()))
            .orElseThrow();
    assertEquals(0.25, owners.shareOfSlowCalls(2), 1e-9);
  }

  @Test
  void ownersOfALockThatFewWaitForSayNothingOfAnother() {
    // 40 s for the one whose owners are known, and 60 s for another one.
    IncidentBuilder other = held(Map.of(CALL, 6.0), Map.of());
    assertEquals(Optional.empty(), of(other.waits(100, 60, 120, WaitKind.LOCK, "shop.Cart", 600)));
    IncidentBuilder less = held(Map.of(CALL, 6.0), Map.of());
    assertEquals(
        0.3,
        of(less.waits(100, 60, 120, WaitKind.LOCK, "shop.Cart", 300))
            .orElseThrow()
            .share(WaitKind.DOWNSTREAM),
        1e-9);
  }

  @Test
  void dumpsCountTheThreadsThatWaitForEachOwner() {
    IncidentBuilder incident =
        incident()
            .lockOwner(70, owner(12, Optional.of(WaitKind.DOWNSTREAM)))
            .lockOwner(100, owner(4, Optional.empty()))
            // One thread that waits is no queue.
            .lockOwner(110, owner(1, Optional.of(WaitKind.FILE)));
    OwnersTime owners = of(incident).orElseThrow();
    assertEquals(
        "in 2 thread dumps 16 threads wait for locks whose owners"
            + " waited for a downstream call (db:5432) 75.0 % of the time",
        owners.statement());
    assertEquals(0.75, owners.share(WaitKind.DOWNSTREAM), 1e-9);
    assertEquals(2, owners.sources().size());
  }

  private static LockOwner owner(int waiting, Optional<WaitKind> doing) {
    return new LockOwner(waiting, "exec-1", doing, "db:5432", Optional.empty(), Optional.empty());
  }

  /** A sender may sleep until the other side has taken what it sent, and no call is recorded. */
  @Test
  void absentCallsRuleNoServiceOutWhereAnOwnerSleeps() {
    DownstreamTimeRule rule = new DownstreamTimeRule();
    IncidentBuilder asleep =
        held(Map.of(new Doing(WaitKind.SLEEP, "Sender.write"), 19.0), Map.of());
    assertTrue(
        weakens(only(rule, asleep.recorded(Signal.SOCKET_READS, 10)), Hypothesis.SLOW_DOWNSTREAM));
    assertTrue(
        refutes(
            only(rule, held(Map.of(FILE, 19.0), Map.of()).recorded(Signal.SOCKET_READS, 10)),
            Hypothesis.SLOW_DOWNSTREAM));
  }
}
