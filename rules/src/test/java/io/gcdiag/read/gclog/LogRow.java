package io.gcdiag.read.gclog;

import io.gcdiag.evidence.jvm.HeapChange;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.jvm.PauseStore;
import io.gcdiag.evidence.jvm.PauseType;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** All that the columns of a log say of a pause that is not placed yet. */
public record LogRow(
    LogStamp start,
    Duration duration,
    PauseType type,
    long gcId,
    long line,
    Optional<HeapChange> heap,
    Optional<Cpu> cpu) {

  /** Its CPU times. */
  public record Cpu(Duration user, Duration system, Duration real) {}

  /** The pauses of a log. */
  public static List<LogRow> of(GcLog log) {
    return IntStream.range(0, log.pauses.size()).mapToObj(row -> of(log, row)).toList();
  }

  /** One of them. */
  public static LogRow of(GcLog log, int row) {
    PauseStore pauses = log.pauses;
    return new LogRow(
        LogStamp.of(pauses, row),
        Duration.ofNanos(pauses.nanos(row)),
        pauses.type(row),
        pauses.gcId(row),
        pauses.line(row),
        pauses.heap(row),
        pauses.tellsCpu(row)
            ? Optional.of(pauses.cpu(row, ""))
                .map(cpu -> new Cpu(cpu.user(), cpu.system(), cpu.real()))
            : Optional.empty());
  }

  /** The same read on that line. */
  public LogRow onLine(long other) {
    return new LogRow(start, duration, type, gcId, other, heap, cpu);
  }

  /** What it was for. */
  public PauseKind kind() {
    return type.kind();
  }
}
