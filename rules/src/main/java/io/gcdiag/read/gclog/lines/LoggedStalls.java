package io.gcdiag.read.gclog.lines;

import io.gcdiag.evidence.jvm.SafepointStop;
import io.gcdiag.evidence.time.LongColumn;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.units.Nanos;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToLongFunction;

/** The safepoints of a log, in columns as its pauses are. */
public final class LoggedStalls {

  /** Stamps are whole milliseconds, less the length of the safepoint in nanoseconds. */
  private final LongColumn starts = new LongColumn(1);

  private final LongColumn uptimes = new LongColumn(1);
  private final LongColumn reaching = new LongColumn(1);
  private final LongColumn at = new LongColumn(1);

  /** Twice the number of the operation, and one for a collection. */
  private final LongColumn operations = new LongColumn(1);

  private final LongColumn lines = new LongColumn(1);

  private final List<LongColumn> columns =
      List.of(starts, uptimes, reaching, at, operations, lines);

  private final List<String> names = new ArrayList<>();
  private final Map<String, Integer> numbers = new HashMap<>();
  private int size;

  /**
   * Adds one: all application threads were brought to a stop, something was done, they went on. For
   * a collection the time at the safepoint holds the pause that is reported on its own.
   *
   * @param start when the JVM began to stop the threads
   * @param toReach how long it took until all had stopped; zero if not logged
   * @param there how long they stood
   * @param operation the JVM's name of what was done, such as {@code ThreadDump}; empty if not
   *     logged
   * @param collection whether it was (part of) a collection
   * @param line the line it was read from, counted from 1
   */
  void add(
      LogStamp start,
      Duration toReach,
      Duration there,
      String operation,
      boolean collection,
      long line) {
    int row = size++;
    starts.set(row, start.wallNanos());
    uptimes.set(row, start.uptimeNanos());
    reaching.set(row, Nanos.of(toReach));
    at.set(row, Nanos.of(there));
    operations.set(row, 2L * number(operation) + (collection ? 1 : 0));
    lines.set(row, line);
  }

  private int number(String operation) {
    return numbers.computeIfAbsent(
        operation,
        name -> {
          names.add(name);
          return names.size() - 1;
        });
  }

  /** How many there are. */
  public int size() {
    return size;
  }

  long line(int row) {
    return lines.get(row);
  }

  /** How long one was, in nanoseconds; {@link Long#MAX_VALUE} if that is beyond all measure. */
  long nanos(int row) {
    return Nanos.plus(reaching.get(row), at.get(row));
  }

  /**
   * Whether more of their time goes into reaching them than into what they are for. Where a log has
   * no collections its safepoints may be theirs; what it takes to reach them is lost on the way,
   * whatever they are for.
   */
  public boolean areReachedMostly() {
    double difference = 0;
    for (int row = 0; row < size; row++) {
      difference += (double) reaching.get(row) - at.get(row);
    }
    return difference > 0;
  }

  /** When one was by the wall clock, or {@link Nanos#NO_TIME}; until they are placed. */
  long wallClock(int row) {
    return starts.get(row);
  }

  /** Its uptime, or {@link Nanos#NO_TIME}; until they are placed. */
  public long uptime(int row) {
    return uptimes.get(row);
  }

  /** When one begins by the common clock, or {@link Nanos#NO_TIME}; once they are placed. */
  long start(int row) {
    return starts.get(row);
  }

  /**
   * Puts all of them on the common clock: the two times that the log gave are no longer there.
   *
   * @param clock when the safepoint of a row begins by it, or {@link Nanos#NO_TIME}
   */
  void place(IntToLongFunction clock) {
    starts.replaceAll(size, clock);
    uptimes.clear();
  }

  /** The safepoint; its start is by the common clock, once they are placed. */
  public SafepointStop placed(int row, String file) {
    return new SafepointStop(
        Nanos.instant(start(row)),
        Duration.ofNanos(reaching.get(row)),
        Duration.ofNanos(at.get(row)),
        names.get((int) operations.get(row) >> 1),
        (operations.get(row) & 1) == 1,
        Source.line(file, line(row)));
  }

  /** What they take, in bytes. */
  long bytes() {
    long bytes = 0;
    for (LongColumn column : columns) {
      bytes += column.bytes();
    }
    return bytes;
  }

  /** Lets go of the oldest; false if there are few. */
  boolean dropOldest() {
    if (size <= LongColumn.SEGMENT) {
      return false;
    }
    columns.forEach(LongColumn::dropSegment);
    size -= LongColumn.SEGMENT;
    return true;
  }
}
