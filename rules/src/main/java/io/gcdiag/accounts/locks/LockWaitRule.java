package io.gcdiag.accounts.locks;

import io.gcdiag.accounts.stops.StallCoincidence;
import io.gcdiag.causes.Finding;
import io.gcdiag.causes.FindingBuilder;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.causes.Rule;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.profile.CpuProfile;
import io.gcdiag.evidence.source.Signal;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.waits.LockHold;
import io.gcdiag.evidence.waits.WaitKind;
import io.gcdiag.evidence.waits.WaitSeries;
import io.gcdiag.measures.calls.DownstreamCalls;
import io.gcdiag.measures.cores.MachineLoad;
import io.gcdiag.measures.effects.EffectTimes;
import io.gcdiag.measures.waits.Effect;
import io.gcdiag.measures.waits.Occupancy;
import io.gcdiag.measures.waits.UserWaits;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Names the lock that request threads wait for most, and says how much of that waiting goes with
 * pauses and how much with what the lock's owners wait for themselves.
 */
public final class LockWaitRule implements Rule {

  @Override
  public Set<Signal> needs() {
    return Set.of(Signal.MONITOR_WAITS);
  }

  @Override
  public Set<Hypothesis> judges() {
    return Set.of(Hypothesis.LOCK_CONTENTION);
  }

  @Override
  public List<Finding> examine(Incident incident) {
    Timeline timeline = incident.timeline();
    Window window = incident.windows().incident();
    List<WaitSeries> locks = UserWaits.of(timeline, WaitKind.LOCK);
    double waited = locks.stream().mapToDouble(s -> s.within(window).waitedSeconds()).sum();
    if (waited <= 0) {
      return areSeenInDumps(timeline) ? List.of() : List.of(none(timeline));
    }
    WaitSeries top =
        locks.stream()
            .max(Comparator.comparingDouble(s -> s.within(window).waitedSeconds()))
            .orElseThrow();
    WaitSeries.Totals totals = top.within(window);
    double stalls = StallCoincidence.fraction(locks, timeline.pauses(window), window);
    Optional<OwnersTime> owners = OwnersTime.of(incident);
    List<Handed> handed =
        owners
            .map(own -> handed(own, incident))
            .orElseGet(() -> toFullCores(locks, waited, incident))
            .stream()
            .map(part -> part.times(1 - stalls))
            .filter(part -> part.share() >= Policy.NEGLIGIBLE)
            .toList();
    double own = 1 - stalls - handed.stream().mapToDouble(Handed::share).sum();
    FindingBuilder finding =
        Finding.of(
                id(),
                "request threads waited "
                    + Durations.format(Durations.ofSeconds(waited))
                    + " for locks, most for "
                    + top.site().name()
                    + " at "
                    + top.site().stack()
                    + " ("
                    + Numbers.count(totals.count())
                    + (totals.count() == 1 ? " wait)" : " waits)")
                    + owners.map(time -> "; " + time.statement()).orElse(""))
            .brief(
                "request threads waited "
                    + Durations.format(Durations.ofSeconds(waited))
                    + " for locks"
                    + (own < Policy.MAJORITY && !handed.isEmpty()
                        ? owners.map(time -> "; the owners " + time.words()).orElse("")
                        : ""))
            .figure(
                "threads waiting for locks, mean",
                EffectTimes.of(incident).before(Effect.LOCK_WAIT),
                EffectTimes.of(incident).during(Effect.LOCK_WAIT),
                Numbers::threeDigits)
            .value("waitedSeconds", waited)
            .value("shareWithPauses", stalls)
            .from(top.source())
            .from(owners.map(OwnersTime::sources).orElse(List.of()))
            .explains(Hypothesis.LOCK_CONTENTION, Effect.LOCK_WAIT, Math.max(0, own))
            .passes(
                Effect.LOCK_WAIT,
                Effect.STOPPED,
                stalls,
                new Ratio(stalls) + " of the waiting for locks coincides with pauses");
    LockAdvice.of(owners, top.site().name(), top.site().stack())
        .ifPresent(advice -> finding.advises(Hypothesis.LOCK_CONTENTION, advice));
    figures(incident, top, owners, finding);
    sums(incident, top, finding);
    for (Handed part : handed) {
      finding
          .value("shareOfOwners." + part.to().id(), part.share())
          .passes(Effect.LOCK_WAIT, part.to(), part.share(), part.how());
    }
    if (own < Policy.NEGLIGIBLE && !handed.isEmpty()) {
      finding.weakens(Hypothesis.LOCK_CONTENTION);
    }
    return List.of(finding.build());
  }

  /** How long one waits for the lock that most time is lost at, and what its owners do. */
  private static void figures(
      Incident incident, WaitSeries lock, Optional<OwnersTime> owners, FindingBuilder finding) {
    owners
        .flatMap(OwnersTime::most)
        .ifPresent(
            time -> finding.figure("hold time spent " + time.getKey(), time.getValue().toString()));
    finding.figure(
        "mean wait for the most contended lock",
        incident
            .windows()
            .baseline()
            .map(lock::within)
            .filter(before -> before.count() > 0)
            .map(LockWaitRule::mean),
        mean(lock.within(incident.windows().incident())));
  }

  /** How the queue comes about: how often the lock is asked for, and how much of the time held. */
  private static void sums(Incident incident, WaitSeries lock, FindingBuilder finding) {
    String name = lock.site().name();
    Occupancy.sum(
            incident,
            window -> {
              WaitSeries.Totals totals = lock.within(window);
              return Occupancy.of(totals.count(), Durations.seconds(totals.total()), window);
            },
            "waits for " + name,
            "threads waiting")
        .ifPresent(finding::sum);
    Occupancy.sum(
            incident,
            window -> holds(incident.timeline(), name, window),
            "holds of " + name + " while others wait",
            "held at a time")
        .ifPresent(finding::sum);
  }

  private static Optional<Occupancy> holds(Timeline timeline, String lock, Window window) {
    List<LockHold> holds =
        timeline.samples(LockHold.class, window).stream()
            .filter(hold -> hold.lock().equals(lock))
            .toList();
    return Occupancy.of(
        holds.stream().mapToLong(LockHold::holds).sum(),
        holds.stream().mapToDouble(LockHold::heldSeconds).sum(),
        window);
  }

  private static String mean(WaitSeries.Totals totals) {
    return Durations.format(totals.total().dividedBy(Math.max(1, totals.count())));
  }

  private static boolean areSeenInDumps(Timeline timeline) {
    return timeline.dumps().stream()
        .anyMatch(dump -> dump.count(ThreadActivity.WAITING_FOR_LOCK) > 0);
  }

  private Finding none(Timeline timeline) {
    String limit =
        timeline
            .coverage()
            .of(Signal.MONITOR_WAITS)
            .threshold()
            .map(least -> " " + Durations.format(least) + " or longer")
            .orElse("");
    return Finding.of(id(), "no lock wait" + (limit.isEmpty() ? "" : " of" + limit))
        .value("waitedSeconds", 0)
        .from(timeline.recorded("jdk.JavaMonitorEnter"))
        .weakens(Hypothesis.LOCK_CONTENTION)
        .build();
  }

  /** Waiting for the lock that is handed on, because its owner waited for something itself. */
  private record Handed(Effect to, double share, String how) {
    Handed times(double factor) {
      return new Handed(to, share * factor, how);
    }
  }

  /**
   * Where nothing shows the owners, as of a semaphore: if the cores became full with the code in or
   * below the method that waits for it, requests wait for CPU, with the lock or without it. Full
   * cores do as much work whatever is in front of them.
   */
  private static List<Handed> toFullCores(
      List<WaitSeries> locks, double waited, Incident incident) {
    Window window = incident.windows().incident();
    CpuProfile profile = incident.timeline().cpuProfile();
    long samples = profile.within(window).java();
    if (samples < Policy.FEWEST_SAMPLES || !MachineLoad.becameFull(incident)) {
      return List.of();
    }
    Map<String, Long> methods = profile.methods(window);
    double guarded =
        locks.stream()
            .mapToDouble(
                lock ->
                    lock.within(window).waitedSeconds()
                        * methods.getOrDefault(lock.site().stack(), 0L)
                        / samples)
            .sum();
    double share = guarded / waited;
    return List.of(
        new Handed(
            Effect.CPU_QUEUE,
            share,
            "the cores are full, and "
                + new Ratio(share)
                + " of the CPU samples are in or below the method that waits for the lock"));
  }

  /**
   * A file is written by one thread at a time, with the lock or without it, so that the disk is
   * what the owner's time in it comes from; and a connection that the owner cannot get, others
   * cannot either. A remote host answers many at once: only where it answers slower than in the
   * baseline is it the cause, else it is the lock that sends the calls one after the other. An
   * owner that runs keeps one core busy; if all became full, it is there that it has to wait.
   */
  private static List<Handed> handed(OwnersTime own, Incident incident) {
    boolean becameFull = MachineLoad.becameFull(incident);
    double unseen = 1 - Stream.of(WaitKind.values()).mapToDouble(own::share).sum();
    String how = ": " + own.statement();
    return List.of(
        new Handed(
            Effect.FILE_WAIT, own.share(WaitKind.FILE), "the lock's owner is in file I/O" + how),
        new Handed(
            Effect.POOL_WAIT,
            own.share(WaitKind.POOL),
            "the lock's owner waits for a connection" + how),
        new Handed(
            Effect.LOG_WAIT,
            own.share(WaitKind.LOG_QUEUE),
            "the lock's owner waits for room in a log queue" + how),
        new Handed(
            Effect.DIRECT_MEMORY_WAIT,
            own.share(WaitKind.DIRECT_MEMORY),
            "the lock's owner waits for direct buffer memory" + how),
        new Handed(
            Effect.CLIENT_WAIT,
            own.share(WaitKind.CLIENT),
            "the lock's owner waits for a slow client" + how),
        new Handed(
            Effect.DOWNSTREAM_WAIT,
            own.shareOfSlowCalls(DownstreamCalls.inflation(incident)),
            "the lock's owner waits for a downstream call that takes longer than in the baseline"
                + how),
        new Handed(
            Effect.CPU_QUEUE,
            becameFull ? unseen : 0,
            "the cores are full: the lock's owner waits for CPU before it releases the lock"));
  }
}
