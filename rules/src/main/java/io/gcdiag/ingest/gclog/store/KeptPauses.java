package io.gcdiag.ingest.gclog.store;

import io.gcdiag.evidence.pauses.PauseKind;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The pauses and safepoints of a log while it is read: all of them up to a bound, beyond which the
 * oldest are only counted.
 */
final class KeptPauses {

  /**
   * Words of memory for both: 72 MB. They hold 1.3 million pauses of a log without safepoints, or
   * 750,000 of one with a safepoint for each: a log of a gigabyte with details.
   */
  private static final long MOST_WORDS = 9_000_000;

  /** CPU times follow their pause, with a few lines and at most a pause or two between them. */
  private static final int RECENT = 4;

  private final PackedPauses pauses = new PackedPauses();
  private final PackedStalls stalls = new PackedStalls();
  private final long mostWords;
  private long forgotten;
  private Duration forgottenTime = Duration.ZERO;
  private Duration longest = Duration.ZERO;
  private long longestLine;

  KeptPauses() {
    this(MOST_WORDS);
  }

  KeptPauses(long mostWords) {
    this.mostWords = mostWords;
  }

  void add(LoggedPause pause) {
    pauses.add(pause);
    makeRoom();
  }

  void add(PauseFigures pause) {
    pauses.add(pause);
    makeRoom();
  }

  boolean lastIsFull() {
    return !pauses.isEmpty() && pauses.type(pauses.size() - 1).kind() == PauseKind.FULL;
  }

  void add(LoggedStall stall) {
    stalls.add(stall);
    makeRoom();
  }

  private void makeRoom() {
    if (pauses.words() + stalls.words() <= mostWords) {
      return;
    }
    boolean stallsFirst =
        !stalls.isEmpty() && (pauses.isEmpty() || stalls.get(0).line() < pauses.get(0).line());
    if (stallsFirst && stalls.dropOldest() > 0) {
      return;
    }
    List<LoggedPause> oldest =
        List.copyOf(pauses.subList(0, Math.min(pauses.size(), PackedList.SEGMENT)));
    int dropped = pauses.dropOldest();
    oldest.subList(0, dropped).forEach(this::count);
    forgotten += dropped;
  }

  private void count(LoggedPause pause) {
    forgottenTime = forgottenTime.plus(pause.duration());
    if (pause.duration().compareTo(longest) > 0) {
      longest = pause.duration();
      longestLine = pause.line();
    }
  }

  /** How many pauses there were until now. */
  long count() {
    return forgotten + pauses.size();
  }

  Optional<LoggedPause> last() {
    return pauses.isEmpty() ? Optional.empty() : Optional.of(pauses.get(pauses.size() - 1));
  }

  void replaceLast(LoggedPause pause) {
    pauses.set(pauses.size() - 1, pause);
  }

  /** Takes away the pauses from the one with that number on. */
  List<LoggedPause> takeFrom(long number) {
    int index = (int) Math.max(0, number - forgotten);
    List<LoggedPause> taken = new ArrayList<>(pauses.subList(index, pauses.size()));
    pauses.cut(index);
    return taken;
  }

  /** Gives CPU times to the latest pause of that collection, if it has none yet. */
  void cpu(long gcId, CpuTimes times) {
    for (int i = pauses.size() - 1; i >= Math.max(0, pauses.size() - RECENT); i--) {
      if (pauses.gcId(i) == gcId) {
        setCpu(i, times);
        return;
      }
    }
  }

  /** Gives CPU times to the last pause; false if there is none, or it has some already. */
  boolean cpuOfLast(CpuTimes times) {
    return !pauses.isEmpty() && setCpu(pauses.size() - 1, times);
  }

  private boolean setCpu(int index, CpuTimes times) {
    if (pauses.tellsCpu(index)) {
      return false;
    }
    pauses.setCpu(index, times);
    return true;
  }

  PackedPauses pauses() {
    return pauses;
  }

  PackedStalls stalls() {
    return stalls;
  }

  /** What is no longer there, in a sentence, if anything is missing. */
  Optional<String> forgotten() {
    if (forgotten == 0) {
      return Optional.empty();
    }
    return Optional.of(
        "the log has "
            + Numbers.count(count())
            + " pauses; the first "
            + Numbers.count(forgotten)
            + " of them, "
            + Durations.format(forgottenTime)
            + " in all, the longest "
            + Durations.format(longest)
            + " at line "
            + longestLine
            + ", are counted and not analysed: cut out the part of the log that is in question");
  }
}
