package io.gcdiag.evidence.jvm;

import io.gcdiag.evidence.jvm.PauseType.PauseTypeProperty;
import io.gcdiag.evidence.time.LongColumn;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Nanos;
import io.gcdiag.units.Numbers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.IntToLongFunction;

/**
 * The pauses of one file in columns, because rules go through all pauses some forty times, and a
 * gigabyte of log has a million. Readers fill it in file order; it is read through {@link Pauses},
 * and from then on it is immutable.
 *
 * <p>All times are nanoseconds since 1970, all lengths nanoseconds, all sizes bytes.
 */
public final class PauseStore {

  /** Timestamps are whole milliseconds. */
  private static final long STAMP_STEP = 1_000_000;

  /** JDK 8 prints lengths with seven decimals of a second, later ones whole microseconds. */
  private static final long LENGTH_STEP = 100;

  /** Logs print whole KiB. */
  private static final long SIZE_STEP = 1 << 10;

  /** CPU times are printed in steps of 10 ms. */
  private static final long CPU_STEP = 10_000_000;

  private final LongColumn starts = new LongColumn(STAMP_STEP);

  /** Uptimes of a log, until its pauses are put on the common clock. */
  private final LongColumn uptimes = new LongColumn(STAMP_STEP);

  private final LongColumn lengths = new LongColumn(LENGTH_STEP);
  private final LongColumn types = new LongColumn(1);
  private final LongColumn gcIds = new LongColumn(1);

  /** The line of each pause; for a pause without a line, see {@link #placeOf}. */
  private final LongColumn lines = new LongColumn(1);

  private final LongColumn before = new LongColumn(SIZE_STEP);
  private final LongColumn after = new LongColumn(SIZE_STEP);
  private final LongColumn committed = new LongColumn(SIZE_STEP);
  private final LongColumn user = new LongColumn(CPU_STEP);
  private final LongColumn system = new LongColumn(CPU_STEP);
  private final LongColumn real = new LongColumn(CPU_STEP);

  private final List<LongColumn> columns =
      List.of(
          starts, uptimes, lengths, types, gcIds, lines, before, after, committed, user, system,
          real);

  private final List<PauseType> knownTypes = new ArrayList<>();

  private final PauseTypeProperty<Integer> numberOfType =
      new PauseTypeProperty<>(
          type -> {
            knownTypes.add(type);
            return knownTypes.size() - 1;
          });

  /** Sources of pauses that were not read in a line. */
  private final List<Source> sources = new ArrayList<>();

  private int size;
  private boolean closed;
  private long forgotten;
  private long forgottenNanos;
  private long longestForgotten;
  private long lineOfLongest;

  /**
   * Adds a pause of a log.
   *
   * @param start when it began by the wall clock, or {@link Nanos#NO_TIME}
   * @param uptime when it began since the JVM's start, or {@link Nanos#NO_TIME}
   * @param nanos its length, at least 0
   * @param gcId the JVM's number of the collection; negative if it has none
   * @param line the line where it was read, counted from 1
   * @return its row
   */
  public int add(long start, long uptime, long nanos, PauseType type, long gcId, long line) {
    checkOpen();
    int row = size++;
    starts.set(row, start);
    uptimes.set(row, uptime);
    lengths.set(row, nanos);
    types.set(row, numberOfType.of(type));
    gcIds.set(row, gcId < 0 ? LongColumn.NONE : gcId);
    lines.set(row, line);
    return row;
  }

  /** Adds a pause that exists as an object. */
  public void add(GcPause pause) {
    sources.add(pause.source());
    int row =
        add(
            Nanos.since1970(pause.start()),
            Nanos.NO_TIME,
            Nanos.of(pause.duration()),
            pause.type(),
            pause.gcId().orElse(-1),
            placeOf(sources.size() - 1));
    pause.heap().ifPresent(heap -> heap(row, heap));
  }

  private static long placeOf(int source) {
    return -1L - source;
  }

  /** Sets the heap sizes around a pause. */
  public void heap(int row, HeapChange heap) {
    checkOpen();
    before.set(row, heap.usedBefore().value());
    after.set(row, heap.usedAfter().value());
    committed.set(row, heap.committedAfter().value());
  }

  /**
   * Sets the CPU times of a pause (user and system over all threads, and elapsed), unless it has
   * some already or one of them is negative, as unreadable ones are.
   *
   * @return whether they were set
   */
  public boolean cpu(int row, long ofUser, long ofSystem, long elapsed) {
    checkOpen();
    if (ofUser < 0 || ofSystem < 0 || elapsed < 0 || tellsCpu(row)) {
      return false;
    }
    user.set(row, ofUser);
    system.set(row, ofSystem);
    real.set(row, elapsed);
    return true;
  }

  public void type(int row, PauseType type) {
    checkOpen();
    types.set(row, numberOfType.of(type));
  }

  /** Overwrites a pause with another one. */
  public void move(int from, int to) {
    checkOpen();
    for (LongColumn column : columns) {
      column.set(to, column.get(from));
    }
  }

  /** Removes all pauses from that row on. */
  public void cut(int row) {
    checkOpen();
    for (int i = row; i < size; i++) {
      for (LongColumn column : columns) {
        column.set(i, LongColumn.NONE);
      }
    }
    size = row;
  }

  /** Drops the oldest segment of rows and counts its pauses; false if there is none. */
  public boolean dropOldest() {
    checkOpen();
    if (size <= LongColumn.SEGMENT) {
      return false;
    }
    for (int row = 0; row < LongColumn.SEGMENT; row++) {
      forgottenNanos = Nanos.plus(forgottenNanos, nanos(row));
      if (nanos(row) > longestForgotten) {
        longestForgotten = nanos(row);
        lineOfLongest = line(row);
      }
    }
    columns.forEach(LongColumn::dropSegment);
    size -= LongColumn.SEGMENT;
    forgotten += LongColumn.SEGMENT;
    return true;
  }

  /** A sentence about dropped pauses; empty if none were dropped. */
  public Optional<String> forgotten() {
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
                Durations.format(Duration.ofNanos(longestForgotten)),
                lineOfLongest));
  }

  /** Number of pauses so far, including dropped ones. */
  public long count() {
    return forgotten + size;
  }

  /**
   * Replaces the log's own times by the common clock.
   *
   * @param clock start of the pause in a row by that clock, or {@link Nanos#NO_TIME}
   */
  public void place(IntToLongFunction clock) {
    checkOpen();
    starts.replaceAll(size, clock);
    uptimes.clear();
  }

  void close() {
    closed = true;
  }

  private void checkOpen() {
    if (closed) {
      throw new UnsupportedOperationException("the file is read");
    }
  }

  /** Memory used, in bytes. */
  public long bytes() {
    long bytes = 0;
    for (LongColumn column : columns) {
      bytes += column.bytes();
    }
    return bytes;
  }

  public int size() {
    return size;
  }

  /** The row of the latest pause; -1 without one. */
  public int last() {
    return size - 1;
  }

  /**
   * When a pause begins, or {@link Nanos#NO_TIME}; by the log's wall clock until {@link #place} was
   * called.
   */
  public long start(int row) {
    return starts.get(row);
  }

  /**
   * The same since the JVM's start, or {@link Nanos#NO_TIME}; only until {@link #place} was called.
   */
  public long uptime(int row) {
    return uptimes.get(row);
  }

  /** Whether any of them has a time. */
  public boolean areTimed() {
    for (int row = 0; row < size; row++) {
      if (start(row) != Nanos.NO_TIME || uptime(row) != Nanos.NO_TIME) {
        return true;
      }
    }
    return false;
  }

  /** How long it lasts, at least 0. */
  public long nanos(int row) {
    return lengths.get(row);
  }

  /** When it ends, or {@link Nanos#NO_TIME}. */
  public long end(int row) {
    long start = start(row);
    return start == Nanos.NO_TIME ? start : start + nanos(row);
  }

  /** Its type; pauses of the file with equal types share one object. */
  public PauseType type(int row) {
    return knownTypes.get(typeNumber(row));
  }

  int typeNumber(int row) {
    return (int) types.get(row);
  }

  List<PauseType> types() {
    return knownTypes;
  }

  /** The JVM's number of the collection, or -1. */
  public long gcId(int row) {
    long id = gcIds.get(row);
    return id == LongColumn.NONE ? -1 : id;
  }

  /** Whether the heap sizes around it are known; if not, they must not be read. */
  public boolean tellsHeap(int row) {
    return before.get(row) != LongColumn.NONE;
  }

  /** Bytes in use when it began. */
  public long usedBefore(int row) {
    return before.get(row);
  }

  /** Bytes in use when it ended. */
  public long usedAfter(int row) {
    return after.get(row);
  }

  /** Bytes committed when it ended. */
  public long committedAfter(int row) {
    return committed.get(row);
  }

  /** Whether its CPU times are known; if not, they must not be read. */
  public boolean tellsCpu(int row) {
    return user.get(row) != LongColumn.NONE;
  }

  /** Its CPU times as an object, with the name of the file. */
  public GcCpu cpu(int row, String file) {
    return new GcCpu(
        Nanos.instant(end(row)),
        Duration.ofNanos(user.get(row)),
        Duration.ofNanos(system.get(row)),
        Duration.ofNanos(real.get(row)),
        file);
  }

  Source source(int row, String file) {
    long line = lines.get(row);
    return line < 0 ? sources.get((int) placeOf((int) line)) : Source.line(file, line);
  }

  /** The line where it was read; {@link Source#NO_LINE} if there is none. */
  public long line(int row) {
    long line = lines.get(row);
    return line < 0 ? source(row, "").line().orElse(Source.NO_LINE) : line;
  }

  /** The heap around it, if known. */
  public Optional<HeapChange> heap(int row) {
    return tellsHeap(row)
        ? Optional.of(
            new HeapChange(
                Bytes.of(usedBefore(row)), Bytes.of(usedAfter(row)), Bytes.of(committedAfter(row))))
        : Optional.empty();
  }

  GcPause get(int row, String file) {
    long id = gcId(row);
    return new GcPause(
        Nanos.instant(start(row)),
        Duration.ofNanos(nanos(row)),
        type(row),
        id < 0 ? OptionalLong.empty() : OptionalLong.of(id),
        heap(row),
        source(row, file));
  }
}
