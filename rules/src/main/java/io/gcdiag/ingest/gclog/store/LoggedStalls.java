package io.gcdiag.ingest.gclog.store;

import io.gcdiag.evidence.pauses.SafepointStop;
import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.time.LongColumn;
import io.gcdiag.ingest.gclog.text.LogStamp;
import io.gcdiag.units.Nanos;
import java.time.Duration;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.function.IntToLongFunction;

/** The safepoints of a log, in columns as its pauses are. */
public final class LoggedStalls extends AbstractList<LoggedStall> implements RandomAccess {

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

  @Override
  public boolean add(LoggedStall stall) {
    int row = size++;
    starts.set(row, stall.start().wallNanos());
    uptimes.set(row, stall.start().uptimeNanos());
    reaching.set(row, Nanos.of(stall.reaching()));
    at.set(row, Nanos.of(stall.at()));
    operations.set(row, 2L * number(stall.operation()) + (stall.collection() ? 1 : 0));
    lines.set(row, stall.line());
    return true;
  }

  private int number(String operation) {
    return numbers.computeIfAbsent(
        operation,
        name -> {
          names.add(name);
          return names.size() - 1;
        });
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public LoggedStall get(int index) {
    int row = Objects.checkIndex(index, size);
    return new LoggedStall(
        LogStamp.of(wallClock(row), uptime(row)),
        Duration.ofNanos(reaching.get(row)),
        Duration.ofNanos(at.get(row)),
        operation(row),
        isCollection(row),
        line(row));
  }

  private String operation(int row) {
    return names.get((int) operations.get(row) >> 1);
  }

  private boolean isCollection(int row) {
    return (operations.get(row) & 1) == 1;
  }

  long line(int row) {
    return lines.get(row);
  }

  /** How long one was, in nanoseconds; {@link Long#MAX_VALUE} if that is beyond all measure. */
  public long nanos(int row) {
    return Nanos.plus(reaching.get(row), at.get(row));
  }

  /** When one was by the wall clock, or {@link Nanos#NO_TIME}; until they are placed. */
  public long wallClock(int row) {
    return starts.get(row);
  }

  /** Its uptime, or {@link Nanos#NO_TIME}; until they are placed. */
  public long uptime(int row) {
    return uptimes.get(row);
  }

  /** When one begins by the common clock, or {@link Nanos#NO_TIME}; once they are placed. */
  public long start(int row) {
    return starts.get(row);
  }

  /**
   * Puts all of them on the common clock: the two times that the log gave are no longer there.
   *
   * @param clock when the safepoint of a row begins by it, or {@link Nanos#NO_TIME}
   */
  public void place(IntToLongFunction clock) {
    starts.replaceAll(size, clock);
    uptimes.clear();
  }

  /** The safepoint on the common clock, on which they were placed. */
  public SafepointStop placed(int row, String file) {
    return new SafepointStop(
        Nanos.instant(start(row)),
        Duration.ofNanos(reaching.get(row)),
        Duration.ofNanos(at.get(row)),
        operation(row),
        isCollection(row),
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

  /** Lets go of the oldest; returns how many. */
  int dropOldest() {
    if (size <= LongColumn.SEGMENT) {
      return 0;
    }
    columns.forEach(LongColumn::dropSegment);
    size -= LongColumn.SEGMENT;
    return LongColumn.SEGMENT;
  }
}
