package io.gcdiag.ingest.gclog.store;

import io.gcdiag.evidence.heap.HeapChange;
import io.gcdiag.evidence.pauses.PauseKind;
import io.gcdiag.evidence.pauses.PauseStore;
import io.gcdiag.evidence.time.LongColumn;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Nanos;
import io.gcdiag.units.Numbers;
import java.time.Duration;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.RandomAccess;
import java.util.function.IntToLongFunction;

/**
 * The pauses of a log: all of them up to a bound, beyond which the oldest are only counted. They
 * lie in a store by the wall clock, and beside it are their uptimes, until both are known as one.
 */
public final class LoggedPauses extends AbstractList<LoggedPause> implements RandomAccess {

  /** Of a log without safepoints. What the rules find in them takes a few bytes more for each. */
  private static final int MOST = 1_285_000;

  /**
   * Bytes for pauses and safepoints: 750,000 pauses with a safepoint for each, as a log of a
   * gigabyte with details has.
   */
  private static final long MOST_BYTES = 60_000_000;

  /** CPU times follow their pause, with a few lines and at most a pause or two between them. */
  private static final int RECENT = 4;

  private static final long STAMP_STEP = 1_000_000;

  private final PauseStore store = new PauseStore();
  private final LongColumn uptimes = new LongColumn(STAMP_STEP);
  private final StampOrder order = new StampOrder();
  private final LoggedStalls stalls;
  private final long mostBytes;
  private long found;
  private long forgotten;
  private long forgottenNanos;
  private long longest;
  private long longestLine;

  /**
   * Without a pause yet.
   *
   * @param stalls the safepoints, which share the bound
   */
  LoggedPauses(LoggedStalls stalls) {
    this(stalls, MOST_BYTES);
  }

  LoggedPauses(LoggedStalls stalls, long mostBytes) {
    this.stalls = stalls;
    this.mostBytes = mostBytes;
  }

  /** Adds a pause that a parser found, which is copied. */
  @Override
  public boolean add(LoggedPause pause) {
    order.see(pause.wallClock, pause.uptime, pause.line);
    found++;
    putBack(pause);
    return true;
  }

  /** Adds one that was taken away, see {@link #takeFrom}. */
  public void putBack(LoggedPause pause) {
    int row = store.add(pause.wallClock, pause.nanos, pause.type, pause.gcId, pause.line);
    uptimes.set(row, pause.uptime);
    if (pause.tellsHeap) {
      store.heap(row, pause.usedBefore, pause.usedAfter, pause.committedAfter);
    }
    if (pause.tellsCpu) {
      store.cpu(row, pause.user, pause.system, pause.real);
    }
    if (row % LongColumn.SEGMENT == 0) {
      makeRoom();
    }
  }

  /** In which order their times come. */
  StampOrder order() {
    return order;
  }

  /** How many pauses parsers found, also those that are part of others. */
  long found() {
    return found;
  }

  /** Lets go of the oldest pauses and safepoints as long as there are too many. */
  void makeRoom() {
    while (size() > MOST || store.bytes() + uptimes.bytes() + stalls.bytes() > mostBytes) {
      boolean stallsFirst = stalls.size() > 0 && (isEmpty() || stalls.line(0) < store.line(0));
      if (stallsFirst && stalls.dropOldest() > 0) {
        continue;
      }
      int oldest = Math.min(size() - 1, LongColumn.SEGMENT);
      if (oldest < LongColumn.SEGMENT) {
        return;
      }
      for (int row = 0; row < oldest; row++) {
        count(row);
      }
      forgotten += store.dropOldest();
      uptimes.dropSegment();
    }
  }

  private void count(int row) {
    forgottenNanos = Nanos.plus(forgottenNanos, store.nanos(row));
    if (store.nanos(row) > longest) {
      longest = store.nanos(row);
      longestLine = store.line(row);
    }
  }

  @Override
  public int size() {
    return store.size();
  }

  /** A copy of a pause. */
  @Override
  public LoggedPause get(int index) {
    int row = Objects.checkIndex(index, size());
    LoggedPause pause = new LoggedPause();
    pause.wallClock = wallClock(row);
    pause.uptime = uptime(row);
    pause.nanos = store.nanos(row);
    pause.type = store.type(row);
    pause.gcId = store.gcId(row);
    pause.line = store.line(row);
    store.heap(row).ifPresent(pause::heap);
    pause.tellsCpu = store.tellsCpu(row);
    if (pause.tellsCpu) {
      pause.user = store.user(row);
      pause.system = store.system(row);
      pause.real = store.real(row);
    }
    return pause;
  }

  /** How many pauses there were until now. */
  public long count() {
    return forgotten + size();
  }

  /** The latest. */
  public Optional<LoggedPause> last() {
    return isEmpty() ? Optional.empty() : Optional.of(get(size() - 1));
  }

  /** Whether the latest is a full GC. */
  public boolean lastIsFull() {
    return !isEmpty() && store.type(size() - 1).kind() == PauseKind.FULL;
  }

  /** Takes away the pauses from that number on: they were part of the one about to be added. */
  public List<LoggedPause> takeFrom(long number) {
    int row = (int) Math.max(0, number - forgotten);
    List<LoggedPause> taken = new ArrayList<>(subList(row, size()));
    for (int i = row; i < size(); i++) {
      uptimes.set(i, Nanos.NO_TIME);
    }
    store.cut(row);
    return taken;
  }

  /** Gives CPU times to the latest pause of that collection, if it has none yet. */
  public void cpu(long gcId, CpuTimes times) {
    for (int i = size() - 1; i >= Math.max(0, size() - RECENT); i--) {
      if (store.gcId(i) == gcId) {
        setCpu(i, times);
        return;
      }
    }
  }

  /** Gives CPU times to the last pause; false if there is none, or it has some already. */
  public boolean cpuOfLast(CpuTimes times) {
    return !isEmpty() && setCpu(size() - 1, times);
  }

  private boolean setCpu(int row, CpuTimes times) {
    if (store.tellsCpu(row)) {
      return false;
    }
    store.cpu(row, Nanos.of(times.user()), Nanos.of(times.system()), Nanos.of(times.real()));
    return true;
  }

  /** Gives the last pause the sizes of the heap around it. */
  public void heapOfLast(HeapChange heap) {
    if (!isEmpty()) {
      store.heap(
          size() - 1,
          heap.usedBefore().value(),
          heap.usedAfter().value(),
          heap.committedAfter().value());
    }
  }

  /** When one was by the wall clock, or {@link Nanos#NO_TIME}; until they are placed. */
  public long wallClock(int row) {
    return store.start(row);
  }

  /** Its uptime, or {@link Nanos#NO_TIME}; until they are placed. */
  public long uptime(int row) {
    return uptimes.get(row);
  }

  /** Whether the log gave one of them a time. */
  public boolean areTimed() {
    for (int i = 0; i < size(); i++) {
      if (wallClock(i) != Nanos.NO_TIME || uptime(i) != Nanos.NO_TIME) {
        return true;
      }
    }
    return false;
  }

  /**
   * Puts all of them on the common clock: the two times that the log gave are no longer there.
   *
   * @param clock when the pause of a row begins by it, or {@link Nanos#NO_TIME}
   */
  public void place(IntToLongFunction clock) {
    store.place(clock);
    uptimes.clear();
  }

  /** Where they lie. */
  public PauseStore store() {
    return store;
  }

  /** What is no longer there, in a sentence, if anything is missing. */
  Optional<String> forgotten() {
    if (forgotten == 0) {
      return Optional.empty();
    }
    return Optional.of(
        ("the log has %s pauses; the first %s of them, %s in all, the longest %s at"
                + " line %s, are counted and not analysed: cut out the part of the log that is"
                + " in question")
            .formatted(
                Numbers.count(count()),
                Numbers.count(forgotten),
                Durations.format(Duration.ofNanos(forgottenNanos)),
                Durations.format(Duration.ofNanos(longest)),
                longestLine));
  }
}
