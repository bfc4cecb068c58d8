package io.gcdiag.ingest.gclog;

import io.gcdiag.evidence.GcPause;
import io.gcdiag.evidence.HeapChange;
import io.gcdiag.evidence.PauseType;
import io.gcdiag.evidence.Source;
import io.gcdiag.units.Bytes;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** Pauses of a log: seven words each. */
final class PackedPauses extends PackedList<LoggedPause> {

  private static final int WORDS = 7;
  private static final int TIME = 2;
  private static final int PLACE = 3;
  private static final int HEAP = 4;
  private static final int CPU = 6;

  /** The number of the collection plus one; the line is in the bits above. */
  private static final int ID_BITS = 28;

  private static final long ID_MASK = (1L << ID_BITS) - 1;

  private static final int LINE_BITS = 35;

  /** Three sizes of so many bits, up to 4 TiB, fill two words. */
  private static final int SIZE_BITS = 42;

  private static final int UPPER_BITS = 64 - SIZE_BITS;
  private static final int LOWER_BITS = SIZE_BITS - UPPER_BITS;

  /** CPU times are printed in steps of 10 ms; three of so many bits fill a word. */
  private static final long CPU_STEP_NANOS = 10_000_000;

  private static final int CPU_BITS = 21;
  private static final long NO_CPU = -1;

  private record Word(PauseType type, boolean heap) {}

  private final Packing.Words<Word> known = new Packing.Words<>();

  PackedPauses() {
    super(WORDS);
  }

  @Override
  boolean pack(LoggedPause pause, long[] to, int at) {
    LoggedHeap heap = pause.heap();
    int word =
        known.number(
            new Word(
                new PauseType(pause.kind(), pause.cause(), heap.evacuationFailure()),
                heap.whole().isPresent()));
    to[at + TIME] = Packing.timed(pause.duration(), word);
    long id = pause.gcId().orElse(-1) + 1;
    to[at + PLACE] = pause.line() << ID_BITS | id;
    return Packing.stamp(pause.start(), to, at)
        && to[at + TIME] != Packing.NO_TIME
        && id >>> ID_BITS == 0
        && pause.line() >>> LINE_BITS == 0
        && heap(heap.whole(), to, at + HEAP)
        && cpu(pause.cpu(), to, at + CPU);
  }

  @Override
  LoggedPause unpack(long[] from, int at) {
    Word word = known.of(Packing.number(from[at + TIME]));
    return new LoggedPause(
        Packing.stamp(from, at),
        Packing.duration(from[at + TIME]),
        word.type().kind(),
        word.type().cause(),
        new LoggedHeap(
            word.heap() ? Optional.of(heap(from, at + HEAP)) : Optional.empty(),
            word.type().evacuationFailure()),
        cpu(from[at + CPU]),
        id(from[at + PLACE]),
        from[at + PLACE] >>> ID_BITS);
  }

  /** When it was by the wall clock, in nanoseconds since 1970, or {@link Packing#NO_TIME}. */
  long wallClock(int index) {
    return isOdd(index) ? Packing.wallClock(get(index).start()) : word(index, 0);
  }

  /** Its uptime in nanoseconds, or {@link Packing#NO_TIME}. */
  long uptime(int index) {
    return isOdd(index) ? Packing.uptime(get(index).start()) : word(index, 1);
  }

  /** How long it was, in nanoseconds; {@link Long#MAX_VALUE} if that is beyond all measure. */
  long nanos(int index) {
    return isOdd(index)
        ? Packing.nanos(get(index).duration())
        : word(index, TIME) & Packing.TIME_MASK;
  }

  /** The number of the collection, or -1. */
  long gcId(int index) {
    return isOdd(index) ? get(index).gcId().orElse(-1) : (word(index, PLACE) & ID_MASK) - 1;
  }

  /** Whether the log tells of the heap around it. */
  boolean tellsHeap(int index) {
    return isOdd(index)
        ? get(index).heap().whole().isPresent()
        : known.of(Packing.number(word(index, TIME))).heap();
  }

  /** What pauses like it have in common. */
  PauseType type(int index) {
    if (isOdd(index)) {
      LoggedPause pause = get(index);
      return new PauseType(pause.kind(), pause.cause(), pause.heap().evacuationFailure());
    }
    return known.of(Packing.number(word(index, TIME))).type();
  }

  /** The line on which it is closed. */
  long line(int index) {
    return isOdd(index) ? get(index).line() : word(index, PLACE) >>> ID_BITS;
  }

  /** Bytes in use when it began; only where the log tells of the heap. */
  long usedBefore(int index) {
    return isOdd(index) ? oddHeap(index).usedBefore().value() : word(index, HEAP) >>> UPPER_BITS;
  }

  /** Bytes in use when it ended; only where the log tells of the heap. */
  long usedAfter(int index) {
    return isOdd(index) ? oddHeap(index).usedAfter().value() : word(index, HEAP + 1) >>> UPPER_BITS;
  }

  /** Bytes committed when it ended; only where the log tells of the heap. */
  long committedAfter(int index) {
    return isOdd(index)
        ? oddHeap(index).committedAfter().value()
        : committed(segment(index), offset(index) + HEAP);
  }

  private HeapChange oddHeap(int index) {
    return get(index).heap().whole().orElseThrow();
  }

  /** Whether the log tells its CPU times. */
  boolean tellsCpu(int index) {
    return isOdd(index) ? get(index).cpu().isPresent() : word(index, CPU) != NO_CPU;
  }

  /** The pause on the common clock, where it begins at that many nanoseconds since 1970. */
  GcPause placed(int index, long start, String file) {
    if (isOdd(index)) {
      LoggedPause pause = get(index);
      return new GcPause(
          Packing.instant(start),
          pause.duration(),
          type(index),
          pause.gcId(),
          pause.heap().whole(),
          Source.line(file, pause.line()));
    }
    long[] words = segment(index);
    int at = offset(index);
    Word word = known.of(Packing.number(words[at + TIME]));
    return new GcPause(
        Packing.instant(start),
        Packing.duration(words[at + TIME]),
        word.type(),
        id(words[at + PLACE]),
        word.heap() ? Optional.of(heap(words, at + HEAP)) : Optional.empty(),
        Source.line(file, words[at + PLACE] >>> ID_BITS));
  }

  private static OptionalLong id(long place) {
    long id = place & ID_MASK;
    return id == 0 ? OptionalLong.empty() : OptionalLong.of(id - 1);
  }

  private static boolean heap(Optional<HeapChange> heap, long[] to, int at) {
    if (heap.isEmpty()) {
      return true;
    }
    long before = heap.get().usedBefore().value();
    long after = heap.get().usedAfter().value();
    long committed = heap.get().committedAfter().value();
    to[at] = before << UPPER_BITS | committed >>> LOWER_BITS;
    to[at + 1] = after << UPPER_BITS | committed & (1L << LOWER_BITS) - 1;
    return (before | after | committed) >>> SIZE_BITS == 0;
  }

  private static HeapChange heap(long[] from, int at) {
    return new HeapChange(
        Bytes.of(from[at] >>> UPPER_BITS),
        Bytes.of(from[at + 1] >>> UPPER_BITS),
        Bytes.of(committed(from, at)));
  }

  private static long committed(long[] from, int at) {
    long upper = from[at] & (1L << UPPER_BITS) - 1;
    long lower = from[at + 1] & (1L << UPPER_BITS) - 1;
    return upper << LOWER_BITS | lower;
  }

  private static boolean cpu(Optional<CpuTimes> cpu, long[] to, int at) {
    to[at] = NO_CPU;
    if (cpu.isEmpty()) {
      return true;
    }
    long word = 0;
    for (Duration time : new Duration[] {cpu.get().user(), cpu.get().system(), cpu.get().real()}) {
      long steps = time.toNanos() / CPU_STEP_NANOS;
      if (steps * CPU_STEP_NANOS != time.toNanos() || steps >>> CPU_BITS != 0) {
        return false;
      }
      word = word << CPU_BITS | steps;
    }
    to[at] = word;
    return true;
  }

  private static Optional<CpuTimes> cpu(long word) {
    return word == NO_CPU
        ? Optional.empty()
        : Optional.of(
            new CpuTimes(time(word >>> 2 * CPU_BITS), time(word >>> CPU_BITS), time(word)));
  }

  private static Duration time(long steps) {
    return Duration.ofNanos((steps & (1L << CPU_BITS) - 1) * CPU_STEP_NANOS);
  }
}
