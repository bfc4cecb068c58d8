package io.gcdiag.causes.pool;

import io.gcdiag.causes.pool.LongerHolds.Cause;
import io.gcdiag.evidence.threads.WaitSample.PoolHold;
import io.gcdiag.evidence.threads.WaitSample.PoolHold.Kind;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What is said of those who hold connections. */
final class HoldersText {

  static String of(HoldersTime holders) {
    String parts =
        Stream.of(Kind.values())
            .filter(kind -> holders.share(kind) >= Policy.NEGLIGIBLE)
            .sorted(Comparator.comparingDouble(holders::share).reversed())
            .map(
                kind ->
                    new Ratio(holders.share(kind))
                        + " "
                        + words(kind)
                        + holders.name(kind).map(name -> " (" + name + ")").orElse(""))
            .collect(Collectors.joining(", "));
    return Numbers.count(holders.holds())
        + " holds of "
        + holders.pool()
        + " connections, each after a wait"
        + length(holders)
        + (parts.isEmpty() ? ": use not recorded" : ": " + parts);
  }

  private static String words(Kind kind) {
    return switch (kind) {
      case OWN_CALL -> "in calls on them";
      case OTHER_CALL -> "in other downstream calls";
      case OTHER_POOL -> "waiting for another pool";
      case LOCK -> "waiting for a lock";
      case FILE -> "in file I/O";
      case SLEEP -> "sleeping";
      case OTHER_WAIT -> "waiting for something else";
      case COMPUTING -> "computing";
    };
  }

  /**
   * Where holders' calls are too short for events, hardly any of a hold lies between two. A pool
   * that is not fair gives a thread several in turn without a wait, which are one hold then. Where
   * events are but samples, hardly any hold is seen whole: one call on a connection takes longer
   * than a hold seems to.
   */
  private static String length(HoldersTime holders) {
    double timed = holders.timed().values().stream().mapToDouble(PoolHold.Time::seconds).sum();
    return timed < Policy.MAJORITY * holders.heldSeconds()
            || holders.ownCallSeconds() > holders.heldSeconds()
        ? ""
        : ", of at least " + Durations.format(holders.heldSeconds()) + " on average";
  }

  /** Why a part of the waiting is handed on. */
  static String longer(Cause cause, double share, Optional<HoldersTime> holders) {
    return "%s: %s of the waiting%s"
        .formatted(
            cause.reason(), new Ratio(share), holders.map(time -> "; " + of(time)).orElse(""));
  }

  /** What to change where connections come back, but are kept through work that needs none. */
  static String giveBackBefore(Optional<HoldersTime> holders) {
    return "return the connection before the work that needs none"
        + holders.map(HoldersText::longestElsewhere).orElse("")
        + ", or acquire it after that: end the transaction or the block that spans both";
  }

  private static String longestElsewhere(HoldersTime holders) {
    return holders.timed().entrySet().stream()
        .filter(one -> one.getKey().kind() == Kind.OTHER_CALL && !one.getKey().what().isEmpty())
        .max(Comparator.comparingDouble(one -> one.getValue().seconds()))
        .map(one -> " (most of it calls to " + one.getKey().what() + ")")
        .orElse("");
  }
}
