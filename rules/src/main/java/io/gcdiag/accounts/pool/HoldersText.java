package io.gcdiag.accounts.pool;

import io.gcdiag.accounts.pool.LongerHolds.Cause;
import io.gcdiag.evidence.waits.PoolHold;
import io.gcdiag.evidence.waits.PoolHold.Kind;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What is said of those who hold connections. */
final class HoldersText {

  /** Smaller parts are not worth words. */
  private static final double WORTH_SAYING = 0.05;

  /** Of what is known. */
  private static final double MOSTLY = 0.5;

  private HoldersText() {}

  /** How the holders spent their time. */
  static String of(HoldersTime holders) {
    String parts =
        Stream.of(Kind.values())
            .filter(kind -> holders.share(kind) >= WORTH_SAYING)
            .sorted(Comparator.comparingDouble(holders::share).reversed())
            .map(
                kind ->
                    new Ratio(holders.share(kind))
                        + " "
                        + words(kind)
                        + holders.name(kind).map(name -> " (" + name + ")").orElse(""))
            .collect(Collectors.joining(", "));
    return "after "
        + Numbers.count(holders.holds())
        + " waits for one, connections of "
        + holders.pool()
        + " were held"
        + length(holders)
        + (parts.isEmpty() ? "; what for was not seen" : ": " + parts);
  }

  /**
   * Where holders' calls are too short for events, hardly any of a hold lies between two. A pool
   * that is not fair gives a thread several in turn without a wait, which are one hold then. Where
   * events are but samples, hardly any hold is seen whole: one call on a connection takes longer
   * than a hold seems to.
   */
  private static String length(HoldersTime holders) {
    double timed = holders.timed().values().stream().mapToDouble(PoolHold.Time::seconds).sum();
    return timed < MOSTLY * holders.heldSeconds()
            || holders.ownCallSeconds() > holders.heldSeconds()
        ? ""
        : " for at least "
            + Durations.format(Durations.ofSeconds(holders.heldSeconds()))
            + " on average until the next wait";
  }

  private static String words(Kind kind) {
    return switch (kind) {
      case OWN_CALL -> "in calls on them";
      case OTHER_CALL -> "in calls to others";
      case OTHER_POOL -> "waiting for another pool";
      case LOCK -> "waiting for a lock";
      case FILE -> "with files";
      case SLEEP -> "sleeping";
      case OTHER_WAIT -> "waiting for something else";
      case COMPUTING -> "computing";
    };
  }

  /** Names the cause after "is due". */
  static String account(Cause cause) {
    return switch (cause) {
      case ANSWERS -> "to slower or more calls";
      case LOCKS -> "to locks that holders wait for";
      case FILES -> "to files that holders are busy with";
      case COMPUTING -> "to what holders compute";
      case UNRELATED -> "to work that needs no connection";
    };
  }

  /** Why a part of the waiting is handed on. */
  static String longer(Cause cause, double share, Optional<HoldersTime> holders) {
    String does =
        switch (cause) {
          case ANSWERS -> "slower or more calls hold connections longer";
          case LOCKS -> "holders of connections wait for a lock";
          case FILES -> "holders of connections are busy with files";
          case COMPUTING -> "holders of connections compute";
          case UNRELATED -> "connections are held through work that needs none";
        };
    return does
        + ": "
        + new Ratio(share)
        + " of the waiting"
        + holders.map(time -> "; " + of(time)).orElse("");
  }

  /** What to change where connections come back, but are kept through work that needs none. */
  static String giveBackBefore(Optional<HoldersTime> holders) {
    return "give the connection back before the work that needs none"
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
