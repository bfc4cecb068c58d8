package io.gcdiag.causes.waits;

import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.Deadlocks;
import io.gcdiag.evidence.threads.LockOwner;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadGroupSample.VirtualThreadUse;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.RequestDelays;
import io.gcdiag.measures.requests.LoadTestDelays;
import io.gcdiag.measures.threads.DumpTimes;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Looks for threads that wait for each other in a deadlock: those that the JVM itself found when it
 * wrote a dump, and those that the owners of their locks show.
 */
@Judges(value = Hypothesis.DEADLOCK, needs = Signal.THREAD_DUMPS)
public final class DeadlockedThreadsRule implements Rule {

  /** What has no owner that the JVM knows. */
  private static final Set<String> SHARED =
      Set.of(
          "java.util.concurrent.locks.ReentrantReadWriteLock",
          "java.util.concurrent.locks.StampedLock",
          "java.util.concurrent.Semaphore");

  /** What those wait in that a deadlock blocks. */
  private static final List<Effect> BLOCKED =
      List.of(Effect.LOCK_WAIT, Effect.POOL_WAIT, Effect.DOWNSTREAM_WAIT);

  /** The value of a finding that counts the threads in a deadlock. */
  public static final String DEADLOCKED = "deadlocked";

  @Override
  public List<Finding> examine(MeasuredIncident incident) {
    List<ThreadSnapshot> dumps = incident.timeline().dumps();
    if (dumps.isEmpty()) {
      return List.of();
    }
    // A deadlock does not end: one that is inferred and not in the last dump was a moment.
    boolean lasts = dumps.get(dumps.size() - 1).deadlocks().found();
    List<ThreadSnapshot> locked =
        dumps.stream()
            .filter(dump -> dump.deadlocks().found())
            .filter(dump -> lasts || !dump.deadlocks().kind().inferred())
            .toList();
    return List.of(
        locked.isEmpty()
            ? none(dumps, blindSpot(incident.timeline()))
            : describe(incident, dumps, locked));
  }

  private Finding none(List<ThreadSnapshot> dumps, Optional<String> blindSpot) {
    boolean one = dumps.size() == 1;
    FindingBuilder finding =
        Finding.of(
                id(),
                "no deadlock in "
                    + dumps.size()
                    + (one ? " thread dump" : " thread dumps")
                    + blindSpot
                        .map(what -> ", which " + (one ? "does" : "do") + " not show " + what)
                        .orElse(""))
            .value("dumps", dumps.size())
            .from(dumps.get(0).source());
    return finding.contradicts(Hypothesis.DEADLOCK, blindSpot.isEmpty()).build();
  }

  /** The part that the dumps do not show; a deadlock may be hidden there. */
  private static Optional<String> blindSpot(Timeline timeline) {
    List<ThreadSnapshot> complete =
        timeline.dumps().stream().filter(dump -> dump.deadlocks().complete()).toList();
    if (complete.isEmpty()) {
      return Optional.of(
          timeline.dumps().stream()
              .flatMap(dump -> dump.deadlocks().links().stream())
              .findFirst()
              .orElse("the owners of all locks"));
    }
    boolean shown = complete.stream().anyMatch(DeadlockedThreadsRule::hasVirtual);
    boolean virtual =
        timeline.dumps().stream().anyMatch(DeadlockedThreadsRule::hasVirtual)
            || timeline.samples(VirtualThreadUse.class).stream()
                .anyMatch(use -> use.share() >= Policy.NOTABLE);
    if (virtual && !shown) {
      return Optional.of("the locks that virtual threads hold");
    }
    return timeline.dumps().stream().anyMatch(DeadlockedThreadsRule::waitsForShared)
        ? Optional.of("the holders of read locks and permits")
        : Optional.empty();
  }

  /** Whether a thread waits for what several may hold: the JVM looks for locks of one owner. */
  private static boolean waitsForShared(ThreadSnapshot dump) {
    return dump.threads().stream()
        .filter(thread -> thread.is(ThreadActivity.WAITING_FOR_LOCK))
        .anyMatch(thread -> SHARED.stream().anyMatch(thread.subject()::startsWith));
  }

  private static boolean hasVirtual(ThreadSnapshot dump) {
    return dump.threads().stream().anyMatch(ThreadState::virtual);
  }

  private Finding describe(
      MeasuredIncident incident, List<ThreadSnapshot> dumps, List<ThreadSnapshot> locked) {
    ThreadSnapshot worst =
        locked.stream().max(Comparator.comparingLong(DeadlockedThreadsRule::waiting)).orElseThrow();
    List<String> names = worst.deadlocks().threads();
    boolean inTheWay = isInTheWay(incident, worst);
    boolean ofLocks = worst.deadlocks().kind() == Deadlocks.Kind.LOCKS;
    List<String> links = worst.deadlocks().links().stream().limit(Policy.MOST_NAMED).toList();
    String shown = String.join(", ", names.stream().limit(Policy.MOST_NAMED).toList());
    FindingBuilder finding =
        Finding.of(
            id(),
            "deadlock of %s (%s%s) in %s of %s dumps; %s%s"
                .formatted(
                    Numbers.counted(names.size(), "thread"),
                    shown,
                    names.size() > Policy.MOST_NAMED ? ", ..." : "",
                    locked.size(),
                    dumps.size(),
                    links.isEmpty()
                        ? waiting(worst) + " threads wait for locks"
                        : String.join("; ", links),
                    inTheWay ? "" : aside(worst)));
    finding
        .figure("threads in a deadlock", Integer.toString(names.size()))
        .figure(
            ofLocks
                ? "threads waiting for locks, in a dump"
                : "threads that cannot go on, in a dump",
            Long.toString(ofLocks ? waiting(worst) : worst.deadlocks().stuck()))
        .value(DEADLOCKED, names.size())
        .value("waitingForLocks", waiting(worst))
        .value("dumps", dumps.size())
        .from(locked.stream().map(ThreadSnapshot::source).toList());
    if (!links.isEmpty()) {
      finding.figure("in the deadlock", String.join("; ", links));
    }
    if (!inTheWay) {
      return finding.supports(Hypothesis.DEADLOCK).build();
    }
    if (worst.deadlocks().kind().inferred()) {
      finding.supports(Hypothesis.DEADLOCK, true);
    } else {
      finding.proves(Hypothesis.DEADLOCK);
      // Where the threads that take requests cannot go on, no thread waits for those that fail.
      RequestDelays.mostFailed(incident)
          .ifPresent(
              share ->
                  finding.passes(
                      Effect.UNACCOUNTED,
                      Effect.LOCK_WAIT,
                      share,
                      0,
                      new Ratio(share) + " of the requests fail, and a deadlock does not end"));
    }
    for (Effect effect : BLOCKED) {
      finding.explains(
          Hypothesis.DEADLOCK,
          effect,
          incident.effects().fromDumps().contains(effect) ? behind(worst, effect) : 0);
    }
    return finding.build();
  }

  /**
   * Whether requests wait for it: a request thread is in it, or other threads wait for it, or for
   * locks, which may be those of the deadlocked. Threads that only wait for each other are a defect
   * that delays no request; but if none is known to serve requests, they may do so, and are the
   * cause where requests lost time that nothing else accounts for, unless each request ended.
   */
  private static boolean isInTheWay(MeasuredIncident incident, ThreadSnapshot dump) {
    Set<String> deadlocked = Set.copyOf(dump.deadlocks().threads());
    return Math.max(waiting(dump), dump.deadlocks().stuck()) > deadlocked.size()
        || dump.threads().stream()
            .anyMatch(thread -> thread.requestThread() && deadlocked.contains(thread.name()))
        || !dump.showsRequests()
            && !LoadTestDelays.haveAllEnded(incident.timeline())
            && incident.effects().excessSeconds(Effect.UNACCOUNTED) > 0;
  }

  private static String aside(ThreadSnapshot dump) {
    return ", those in it alone" + (dump.showsRequests() ? ", and no request thread is in it" : "");
  }

  /**
   * Of the threads that wait for locks, the share that waits for one of a deadlocked thread, or of
   * one that waits for these: no event records such a wait, as it never ends.
   */
  private static double behind(ThreadSnapshot dump, Effect effect) {
    ThreadActivity activity = DumpTimes.activity(effect).orElseThrow();
    int stuck = dump.deadlocks().behind().getOrDefault(activity, 0);
    double known = stuck == 0 ? 0 : stuck / (double) dump.count(activity);
    return effect == Effect.LOCK_WAIT ? Math.max(known, behindLocks(dump)) : known;
  }

  private static double behindLocks(ThreadSnapshot dump) {
    Set<String> deadlocked = Set.copyOf(dump.deadlocks().threads());
    double behind =
        dump.lockOwners().stream()
            .filter(
                lock ->
                    deadlocked.contains(lock.owner())
                        || lock.doing().filter(WaitKind.LOCK::equals).isPresent())
            .mapToInt(LockOwner::waiting)
            .sum();
    return behind == 0 ? 0 : Math.min(1, behind / waiting(dump));
  }

  private static long waiting(ThreadSnapshot dump) {
    return dump.count(ThreadActivity.WAITING_FOR_LOCK);
  }
}
