package io.gcdiag.read.gclog;

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

/** The safepoints of a log, in columns like its pauses. */
final class LoggedStalls {

  /** Timestamps are whole milliseconds, minus the length of the safepoint in nanoseconds. */
  private final LongColumn starts = new LongColumn(1);

  private final LongColumn uptimes = new LongColumn(1);
  private final LongColumn reaching = new LongColumn(1);
  private final LongColumn at = new LongColumn(1);

  /** Twice the number of the operation, plus one for a collection. */
  private final LongColumn operations = new LongColumn(1);

  private final LongColumn lines = new LongColumn(1);

  private final List<LongColumn> columns =
      List.of(starts, uptimes, reaching, at, operations, lines);

  private final List<String> names = new ArrayList<>();
  private final Map<String, Integer> numbers = new HashMap<>();
  private int size;

  /**
   * Adds a safepoint. For a collection, the time at the safepoint includes the pause that is
   * reported separately.
   *
   * @param start when the JVM began to stop the threads
   * @param toReach time until all had stopped; zero if not logged
   * @param there how long they were stopped after that
   * @param operation the JVM's name of the operation, such as {@code ThreadDump}; empty if not
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

  int size() {
    return size;
  }

  long line(int row) {
    return lines.get(row);
  }

  /** Length of one in nanoseconds; {@link Long#MAX_VALUE} on overflow. */
  long nanos(int row) {
    return Nanos.plus(reaching.get(row), at.get(row));
  }

  /**
   * Whether more time goes into reaching the safepoints than into their operations. If a log has no
   * collections, its safepoints may be theirs; the time to reach them is lost, whatever the
   * operation.
   */
  boolean areReachedMostly() {
    double difference = 0;
    for (int row = 0; row < size; row++) {
      difference += (double) reaching.get(row) - at.get(row);
    }
    return difference > 0;
  }

  /** The wall clock of one, or {@link Nanos#NO_TIME}; only until {@link #place} was called. */
  long wallClock(int row) {
    return starts.get(row);
  }

  /** The uptime of one, or {@link Nanos#NO_TIME}; only until {@link #place} was called. */
  long uptime(int row) {
    return uptimes.get(row);
  }

  /**
   * Start of one by the common clock, or {@link Nanos#NO_TIME}; only after {@link #place} was
   * called.
   */
  long start(int row) {
    return starts.get(row);
  }

  /**
   * Replaces the log's own times by the common clock.
   *
   * @param clock start of the safepoint in a row by that clock, or {@link Nanos#NO_TIME}
   */
  void place(IntToLongFunction clock) {
    starts.replaceAll(size, clock);
    uptimes.clear();
  }

  /** The safepoint as an object; its start is valid only after {@link #place} was called. */
  SafepointStop placed(int row, String file) {
    return new SafepointStop(
        Nanos.instant(start(row)),
        Duration.ofNanos(reaching.get(row)),
        Duration.ofNanos(at.get(row)),
        names.get((int) operations.get(row) >> 1),
        (operations.get(row) & 1) == 1,
        Source.line(file, line(row)));
  }

  /** Memory used, in bytes. */
  long bytes() {
    long bytes = 0;
    for (LongColumn column : columns) {
      bytes += column.bytes();
    }
    return bytes;
  }

  /** Drops the oldest; false if there are only a few. */
  boolean dropOldest() {
    if (size <= LongColumn.SEGMENT) {
      return false;
    }
    columns.forEach(LongColumn::dropSegment);
    size -= LongColumn.SEGMENT;
    return true;
  }
}
