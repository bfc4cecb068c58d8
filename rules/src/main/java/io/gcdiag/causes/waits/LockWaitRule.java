package io.gcdiag.causes.waits;

import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.waits.LockContentionCause.LockAdvice;
import io.gcdiag.causes.workers.ThreadsAtWork;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.CpuProfile;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSample.LockHold;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.CoreQueue;
import io.gcdiag.measures.EffectTimes;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.UnrecordedStops;
import io.gcdiag.measures.WaitEstimate.Relation;
import io.gcdiag.measures.jvm.DumpedCpu;
import io.gcdiag.measures.threads.DownstreamCalls;
import io.gcdiag.measures.threads.DumpTimes;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.Occupancy;
import io.gcdiag.measures.threads.StallCoincidence;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * Names the lock that request threads wait for most, by recorded waits, or by thread dumps if no
 * event shows it. Passes that waiting on to pauses and to what the lock's owners wait for.
 */
@Judges(
    value = {
      Hypothesis.LOCK_CONTENTION,
      Hypothesis.CPU_SATURATION,
      Hypothesis.SLOW_DISK,
      Hypothesis.SLOW_DOWNSTREAM
    },
    needs = Signal.MONITOR_WAITS,
    standIns = Signal.THREAD_DUMPS)
final class LockWaitRule implements Rule {

  /** Waits of an owner that are an effect of their own, even without the lock, and their words. */
  private record PassedOn(WaitKind kind, Effect effect, String words) {}

  private static final List<PassedOn> PASSED_ON =
      List.of(
          new PassedOn(WaitKind.FILE, Effect.FILE_WAIT, "is in file I/O"),
          new PassedOn(WaitKind.POOL, Effect.POOL_WAIT, "waits for a connection"),
          new PassedOn(WaitKind.LOG_QUEUE, Effect.LOG_WAIT, "waits for room in a log queue"),
          new PassedOn(
              WaitKind.DIRECT_MEMORY, Effect.DIRECT_MEMORY_WAIT, "waits for direct buffer memory"),
          new PassedOn(WaitKind.CLIENT, Effect.CLIENT_WAIT, "waits for a slow client"));

  private static final String EXPERIMENT =
      "read the machine's CPU use while requests wait: with all cores busy with what the lock"
          + " guards, threads wait for CPU, with the lock or without it";

  private static final String SHORT_FILE_CALLS =
      "record file I/O of any length (jdk.FileForce#threshold=0ms, jdk.FileWrite#threshold=0ms): if"
          + " it fills the time in which the lock is held, the disk is the cause";

  @Override
  public List<Finding> examine(MeasuredIncident incident) {
    List<Finding> queues =
        Stream.of(recorded(incident), dumped(incident)).flatMap(Optional::stream).toList();
    return queues.isEmpty() ? none(incident.timeline()).stream().toList() : queues;
  }

  private Optional<Finding> recorded(MeasuredIncident incident) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    List<WaitSeries> locks = UserWaits.of(timeline, WaitKind.LOCK);
    double waited = WaitSeries.seconds(locks, window);
    if (waited <= 0) {
      return Optional.empty();
    }
    WaitSeries top = WaitSeries.longest(locks, window).orElseThrow();
    WaitSeries.Totals totals = top.within(window);
    double stalls = StallCoincidence.fraction(locks, incident);
    Optional<OwnersTime> owners = OwnersTime.of(incident);
    List<Handed> handed =
        owners
            .map(own -> handed(own, incident))
            .orElseGet(() -> toFullCores(locks, waited, incident))
            .stream()
            .map(part -> part.times(1 - stalls))
            .toList();
    double own = 1 - stalls - sum(handed);
    String length = Durations.format(waited);
    FindingBuilder finding =
        Finding.of(
                id(),
                "request threads waited %s for locks, most %sat %s (%s)%s"
                    .formatted(
                        length,
                        top.site().isPlainObject() ? "" : "for " + top.site().name() + " ",
                        top.site().stack(),
                        Numbers.counted(totals.count(), "wait"),
                        owners.map(time -> "; " + time.statement()).orElse("")))
            .brief(
                "request threads waited "
                    + length
                    + " for locks"
                    + (stalls >= Policy.MAJORITY
                        ? "; " + new Ratio(stalls) + " of it coincides with pauses"
                        : own < Policy.MAJORITY && !handed.isEmpty()
                            ? owners.map(time -> " whose owners " + time.words()).orElse("")
                            : ""))
            .value("waitedSeconds", waited)
            .value("shareWithPauses", stalls)
            .from(top.source())
            .explains(Hypothesis.LOCK_CONTENTION, Effect.LOCK_WAIT, Math.max(0, own))
            .passes(
                Effect.LOCK_WAIT,
                Effect.STOPPED,
                stalls,
                new Ratio(stalls) + " of the waiting for locks coincides with pauses");
    figures(incident, owners, finding);
    finding.figure(
        "mean wait for the most contended lock",
        incident
            .baseline()
            .map(top::within)
            .filter(before -> before.count() > 0)
            .map(before -> Durations.format(before.mean())),
        Durations.format(totals.mean()));
    sums(incident, top, finding);
    // Each too short to be recorded, more of the same may fill the rest of the held time.
    if (owners.filter(time -> time.unseen() > Policy.MAJORITY).isPresent()
        && handed.stream().anyMatch(part -> part.to() == Effect.FILE_WAIT)
        && handed.stream().noneMatch(part -> part.to() == Effect.CPU_QUEUE)) {
      finding.inseparable(Hypothesis.LOCK_CONTENTION, Hypothesis.SLOW_DISK, SHORT_FILE_CALLS);
    }
    return Optional.of(handOn(finding, owners, handed, LockAdvice.of(owners, top.site().name())));
  }

  /**
   * The queue for a lock in thread dumps, if no event shows it, or as second evidence. A deadlock
   * is no queue.
   */
  private Optional<Finding> dumped(MeasuredIncident incident) {
    EffectTimes times = incident.effects();
    List<ThreadSnapshot> dumps = DumpTimes.during(incident);
    boolean circle = dumps.stream().anyMatch(dump -> dump.deadlocks().found());
    boolean counted = times.fromDumps().contains(Effect.LOCK_WAIT);
    boolean told = counted || times.relation(Effect.LOCK_WAIT) == Relation.AGREE;
    if (circle || !told || !isQueue(dumps)) {
      return Optional.empty();
    }
    boolean filesSeen = incident.timeline().sees(Signal.FILE_IO);
    Optional<OwnersTime> owners = OwnersTime.of(incident);
    List<Handed> handed =
        owners.map(time -> handed(time, incident)).orElse(List.of()).stream()
            .map(part -> filesSeen ? part : part.toDisk())
            .toList();
    // An owner that is stopped holds the lock all the same, and pauses may be in no file.
    double stopped =
        UnrecordedStops.of(incident)
            .map(stops -> Math.min(1, stops.cores()))
            .filter(share -> share >= Policy.NOTABLE)
            .orElse(0.0);
    double own = (1 - sum(handed)) * (1 - stopped);
    FindingBuilder finding =
        ThreadsAtWork.finding(
            id(),
            dumps,
            ThreadActivity.WAITING_FOR_LOCK,
            "wait for a lock",
            counted ? owners.map(time -> "; " + time.statement()).orElse("") : "");
    if (!counted) {
      return own < Policy.MAJORITY
          ? Optional.empty()
          : Optional.of(finding.supports(Hypothesis.LOCK_CONTENTION).build());
    }
    figures(incident, owners, finding);
    // Owners about which nothing is known, for example because they wait for another lock, may be
    // computing.
    boolean unknown = owners.filter(time -> time.share(WaitKind.LOCK) <= Policy.MAJORITY).isEmpty();
    if (unknown && DumpedCpu.areCoresInUse(incident, dumps) || takeTurns(incident, dumps)) {
      finding.explainsEither(
          Hypothesis.LOCK_CONTENTION, Hypothesis.CPU_SATURATION, Effect.LOCK_WAIT, own, EXPERIMENT);
    } else {
      finding.explains(Hypothesis.LOCK_CONTENTION, Effect.LOCK_WAIT, own);
    }
    return Optional.of(handOn(finding, owners, handed, LockAdvice.of(owners, "")));
  }

  /**
   * Whether the threads that wait for the lock computed on more than one core together from the
   * first dump to the last, most of them a fair part of it, while nothing shows how many cores
   * there are: under one lock only its owner computes, so most of the time they are past it, and
   * may be waiting for CPU. Where a few of them computed, the others stood in line all the time.
   */
  private static boolean takeTurns(MeasuredIncident incident, List<ThreadSnapshot> dumps) {
    if (incident.timeline().sees(Signal.CPU_LOAD) || incident.timeline().jvm().cpus().isPresent()) {
      return false;
    }
    double[] cores =
        DumpedCpu.each(dumps).stream()
            .filter(one -> one.thread().is(ThreadActivity.WAITING_FOR_LOCK))
            .mapToDouble(DumpedCpu.Computing::cores)
            .toArray();
    double all = DoubleStream.of(cores).sum();
    long turns =
        DoubleStream.of(cores).filter(one -> one >= Policy.MAJORITY * all / cores.length).count();
    return all >= Policy.CLEARLY_MORE && turns > Policy.MAJORITY * cores.length;
  }

  /** Other threads may wait for a connection that a thread in this queue holds. */
  private static boolean isQueue(List<ThreadSnapshot> dumps) {
    long queues =
        dumps.stream()
            .filter(
                dump ->
                    ThreadsAtWork.count(dump, ThreadActivity.WAITING_FOR_LOCK)
                        >= ThreadsAtWork.QUEUE)
            .count();
    return !ThreadsAtWork.mostly(dumps, ThreadActivity.WAITING_FOR_LOCK).isEmpty()
        || dumps.size() >= Policy.FEWEST_DUMPS && 2 * queues >= dumps.size();
  }

  private static double sum(List<Handed> parts) {
    return parts.stream().mapToDouble(Handed::share).sum();
  }

  private static Finding handOn(
      FindingBuilder finding,
      Optional<OwnersTime> owners,
      List<Handed> handed,
      Optional<String> advice) {
    advice.ifPresent(words -> finding.advises(Hypothesis.LOCK_CONTENTION, words));
    finding.from(owners.map(OwnersTime::sources).orElse(List.of()));
    owners.ifPresent(time -> finding.value("unseenOfOwners", time.unseen()));
    for (Handed part : handed) {
      finding.value("shareOfOwners." + part.to().id(), part.share());
      if (part.cause().isPresent()) {
        finding.explains(part.cause().get(), Effect.LOCK_WAIT, part.share());
      } else {
        finding.passes(Effect.LOCK_WAIT, part.to(), part.share(), part.how());
      }
    }
    if (1 - sum(handed) < Policy.NEGLIGIBLE) {
      finding.weakens(Hypothesis.LOCK_CONTENTION);
    }
    return finding.build();
  }

  /** The number of waiting threads, and the effect with most of the lost time. */
  private static void figures(
      MeasuredIncident incident, Optional<OwnersTime> owners, FindingBuilder finding) {
    EffectTimes times = incident.effects();
    finding.figure(
        "threads waiting for locks, mean",
        times.before(Effect.LOCK_WAIT),
        times.during(Effect.LOCK_WAIT));
    owners
        .flatMap(OwnersTime::most)
        .ifPresent(time -> finding.figure("hold time spent " + time.getKey(), time.getValue()));
  }

  /**
   * How the queue arises: the rate of holds and the length of each. Rate x length is the mean
   * number at a time (Little's law). Only holds that another thread waits for are recorded; a
   * number above 1 means several locks of one class.
   */
  private static void sums(Incident incident, WaitSeries lock, FindingBuilder finding) {
    String name = lock.site().name();
    String named = lock.site().isPlainObject() ? "the lock " + lock.site().label() : name;
    Occupancy.sum(
            incident,
            window -> {
              WaitSeries.Totals totals = lock.within(window);
              return Occupancy.of(totals.count(), Durations.seconds(totals.total()), window);
            },
            "waits for " + named,
            "threads waiting")
        .ifPresent(finding::sum);
    Occupancy.sum(
            incident,
            window -> holds(incident.timeline(), name, window),
            "holds of " + named + " while others wait",
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

  /** Without a recorded wait, unless a dump shows one. */
  private Optional<Finding> none(Timeline timeline) {
    if (timeline.dumps().stream()
        .anyMatch(dump -> dump.count(ThreadActivity.WAITING_FOR_LOCK) > 0)) {
      return Optional.empty();
    }
    return Optional.of(
        Finding.of(id(), "no lock wait" + timeline.coverage().of(Signal.MONITOR_WAITS).shortest())
            .value("waitedSeconds", 0)
            .from(timeline.recorded("jdk.JavaMonitorEnter"))
            .weakens(Hypothesis.LOCK_CONTENTION)
            .build());
  }

  /**
   * Waiting for the lock that is passed on, because its owner was waiting itself.
   *
   * @param cause what it goes to where nothing measures that effect
   */
  private record Handed(Effect to, double share, String how, Optional<Hypothesis> cause) {

    Handed(Effect to, double share, String how) {
      this(to, share, how, Optional.empty());
    }

    /** Only one thread at a time writes a file, even without the lock. */
    Handed toDisk() {
      return to == Effect.FILE_WAIT
          ? new Handed(to, share, how, Optional.of(Hypothesis.SLOW_DISK))
          : this;
    }

    /** Reads of random numbers that are too short to be recorded have no measured effect. */
    Handed toHost() {
      return new Handed(to, share, how, Optional.of(Hypothesis.SLOW_DOWNSTREAM));
    }

    Handed times(double factor) {
      return new Handed(to, share * factor, how, cause);
    }
  }

  /**
   * If nothing shows the owners, as for a semaphore, and the cores became full with the code in or
   * below the waiting method: requests wait for CPU, with or without the lock. Full cores do the
   * same work whatever queue is before them.
   */
  private static List<Handed> toFullCores(
      List<WaitSeries> locks, double waited, Incident incident) {
    Window window = incident.window();
    CpuProfile profile = incident.timeline().profiles().cpu();
    long samples = profile.within(window).java();
    if (samples < Policy.FEWEST_SAMPLES || !CoreQueue.becameContended(incident)) {
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
    if (share < Policy.NEGLIGIBLE) {
      return List.of();
    }
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
  private static List<Handed> handed(OwnersTime own, MeasuredIncident incident) {
    boolean becameFull = CoreQueue.becameContended(incident);
    String how = ": " + own.statement();
    Handed calls =
        handed(
            Effect.DOWNSTREAM_WAIT,
            own.shareOfSlowCalls(
                DownstreamCalls.areUsual(incident) ? DownstreamCalls.inflation(incident) : 1),
            "waits for a downstream call that takes longer than in the baseline" + how);
    return Stream.concat(
            PASSED_ON.stream()
                .map(wait -> handed(wait.effect(), own.share(wait.kind()), wait.words() + how)),
            Stream.of(
                own.random() > 0 && incident.effects().excessSeconds(Effect.DOWNSTREAM_WAIT) <= 0
                    ? calls.toHost()
                    : calls,
                new Handed(
                    Effect.CPU_QUEUE,
                    becameFull ? own.unseen() : 0,
                    "the cores are full: the lock's owner waits for CPU before it releases the"
                        + " lock")))
        .filter(part -> part.share() >= Policy.NEGLIGIBLE)
        .toList();
  }

  private static Handed handed(Effect effect, double share, String words) {
    return new Handed(effect, share, "the lock's owner " + words);
  }
}
