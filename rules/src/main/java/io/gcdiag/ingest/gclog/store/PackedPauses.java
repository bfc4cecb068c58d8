package io.gcdiag.ingest.gclog.store;

import io.gcdiag.evidence.heap.HeapChange;
import io.gcdiag.evidence.pauses.GcPause;
import io.gcdiag.evidence.pauses.PauseType;
import io.gcdiag.evidence.pauses.PauseTypeProperty;
import io.gcdiag.evidence.source.Source;
import io.gcdiag.ingest.gclog.text.LogStamp;
import io.gcdiag.ingest.gclog.text.PackedWords;
import io.gcdiag.ingest.gclog.text.SizeText;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Nanos;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/** Pauses of a log: seven words each. */
public final class PackedPauses extends PackedEvents<LoggedPause> {

  private static final int WORDS = 7;
  private static final int TIME = STAMP_WORDS;
  private static final int PLACE = 3;
  private static final int HEAP = 4;
  private static final int CPU = 6;

  /** The number of the collection plus one; the line is in the bits above. */
  private static final int ID_BITS = 28;

  private static final long ID_MASK = (1L << ID_BITS) - 1;

  private static final int LINE_BITS = 35;

  private record Word(PauseType type, boolean heap) {}

  private final PackedWords.Words<Word> known = new PackedWords.Words<>();

  /** The numbers of words by type, of those without and of those with a heap. */
  private final PauseTypeProperty<Integer> bare =
      new PauseTypeProperty<>(type -> known.number(new Word(type, false)));

  private final PauseTypeProperty<Integer> withHeap =
      new PauseTypeProperty<>(type -> known.number(new Word(type, true)));

  PackedPauses() {
    super(WORDS);
  }

  @Override
  boolean pack(LoggedPause pause, long[] to, int at) {
    LoggedHeap heap = pause.heap();
    PauseType type = new PauseType(pause.kind(), pause.cause(), heap.evacuationFailure());
    to[at + TIME] = PackedWords.timed(pause.duration(), number(type, heap.whole().isPresent()));
    long id = pause.gcId().orElse(-1) + 1;
    to[at + PLACE] = pause.line() << ID_BITS | id;
    return PackedWords.stamp(pause.start(), to, at)
        && to[at + TIME] != PackedWords.NO_TIME
        && id >>> ID_BITS == 0
        && pause.line() >>> LINE_BITS == 0
        && PackedSizes.pack(heap.whole(), to, at + HEAP)
        && PackedCpu.pack(pause.cpu(), to, at + CPU);
  }

  /** Adds a pause that is no object yet. */
  void add(PauseFigures pause) {
    makeRoom();
    int index = size() - 1;
    if (!pack(pause, segment(index), offset(index))) {
      set(index, pause.pause());
    }
  }

  private boolean pack(PauseFigures pause, long[] to, int at) {
    SizeText sizes = pause.sizes;
    long id = Math.max(-1, pause.gcId) + 1;
    to[at] = pause.wallClock;
    to[at + 1] = pause.uptime;
    to[at + TIME] = PackedWords.timed(pause.nanos, number(pause.type, pause.tellsHeap));
    to[at + PLACE] = pause.line << ID_BITS | id;
    to[at + CPU] = PackedCpu.NONE;
    return (!pause.tellsCpu || PackedCpu.pack(pause.user, pause.system, pause.real, to, at + CPU))
        && to[at + TIME] != PackedWords.NO_TIME
        && id >>> ID_BITS == 0
        && pause.line >>> LINE_BITS == 0
        && (!pause.tellsHeap
            || PackedSizes.pack(sizes.before(), sizes.after(), sizes.committed(), to, at + HEAP));
  }

  private int number(PauseType type, boolean heap) {
    return heap ? withHeap.of(type) : bare.of(type);
  }

  @Override
  LoggedPause unpack(long[] from, int at) {
    Word word = known.of(PackedWords.number(from[at + TIME]));
    return new LoggedPause(
        PackedWords.stamp(from, at),
        PackedWords.duration(from[at + TIME]),
        word.type().kind(),
        word.type().cause(),
        new LoggedHeap(
            word.heap() ? Optional.of(PackedSizes.unpack(from, at + HEAP)) : Optional.empty(),
            word.type().evacuationFailure()),
        PackedCpu.unpack(from[at + CPU]),
        id(from[at + PLACE]),
        from[at + PLACE] >>> ID_BITS);
  }

  @Override
  LogStamp stamp(LoggedPause pause) {
    return pause.start();
  }

  @Override
  public long nanos(int index) {
    return isOdd(index)
        ? PackedWords.nanos(get(index).duration())
        : word(index, TIME) & PackedWords.TIME_MASK;
  }

  /** The number of the collection, or -1. */
  public long gcId(int index) {
    return isOdd(index) ? get(index).gcId().orElse(-1) : (word(index, PLACE) & ID_MASK) - 1;
  }

  /** Whether the log has the heap around it. */
  public boolean tellsHeap(int index) {
    return isOdd(index)
        ? get(index).heap().whole().isPresent()
        : known.of(PackedWords.number(word(index, TIME))).heap();
  }

  /** What pauses like it have in common. */
  public PauseType type(int index) {
    if (isOdd(index)) {
      LoggedPause pause = get(index);
      return new PauseType(pause.kind(), pause.cause(), pause.heap().evacuationFailure());
    }
    return known.of(PackedWords.number(word(index, TIME))).type();
  }

  /** The line on which it is closed. */
  public long line(int index) {
    return isOdd(index) ? get(index).line() : word(index, PLACE) >>> ID_BITS;
  }

  /** Bytes in use when it began; only where the log has the heap. */
  public long usedBefore(int index) {
    return isOdd(index)
        ? oddHeap(index).usedBefore().value()
        : PackedSizes.before(segment(index), offset(index) + HEAP);
  }

  /** Bytes in use when it ended; only where the log has the heap. */
  public long usedAfter(int index) {
    return isOdd(index)
        ? oddHeap(index).usedAfter().value()
        : PackedSizes.after(segment(index), offset(index) + HEAP);
  }

  /** Bytes committed when it ended; only where the log has the heap. */
  public long committedAfter(int index) {
    return isOdd(index)
        ? oddHeap(index).committedAfter().value()
        : PackedSizes.committed(segment(index), offset(index) + HEAP);
  }

  private HeapChange oddHeap(int index) {
    return get(index).heap().whole().orElseThrow();
  }

  /** Whether the log tells its CPU times. */
  public boolean tellsCpu(int index) {
    return isOdd(index) ? get(index).cpu().isPresent() : word(index, CPU) != PackedCpu.NONE;
  }

  /** Gives a pause its CPU times, which stand behind it in the log. */
  void setCpu(int index, CpuTimes times) {
    boolean fits =
        !isOdd(index) && PackedCpu.pack(Optional.of(times), segment(index), offset(index) + CPU);
    if (!fits) {
      set(index, get(index).withCpu(times));
    }
  }

  /** Its CPU times, if the log tells them. */
  public Optional<CpuTimes> cpu(int index) {
    return isOdd(index) ? get(index).cpu() : PackedCpu.unpack(word(index, CPU));
  }

  /** The pause on the common clock, on which they were placed. */
  public GcPause placed(int index, String file) {
    Instant start = Nanos.instant(start(index));
    if (isOdd(index)) {
      LoggedPause pause = get(index);
      return new GcPause(
          start,
          pause.duration(),
          type(index),
          pause.gcId(),
          pause.heap().whole(),
          Source.line(file, pause.line()));
    }
    long[] words = segment(index);
    int at = offset(index);
    Word word = known.of(PackedWords.number(words[at + TIME]));
    return new GcPause(
        start,
        PackedWords.duration(words[at + TIME]),
        word.type(),
        id(words[at + PLACE]),
        word.heap() ? Optional.of(PackedSizes.unpack(words, at + HEAP)) : Optional.empty(),
        Source.line(file, words[at + PLACE] >>> ID_BITS));
  }

  private static OptionalLong id(long place) {
    long id = place & ID_MASK;
    return id == 0 ? OptionalLong.empty() : OptionalLong.of(id - 1);
  }

  /** How the three sizes of a heap around a collection, up to 4 TiB each, fill two words. */
  private static final class PackedSizes {

    private static final int SIZE_BITS = 42;
    private static final int UPPER_BITS = 64 - SIZE_BITS;
    private static final int LOWER_BITS = SIZE_BITS - UPPER_BITS;

    private PackedSizes() {}

    /** Writes the sizes, if there are any; false if they do not fit. */
    static boolean pack(Optional<HeapChange> heap, long[] to, int at) {
      return heap.isEmpty()
          || pack(
              heap.get().usedBefore().value(),
              heap.get().usedAfter().value(),
              heap.get().committedAfter().value(),
              to,
              at);
    }

    /** The same of numbers of bytes. */
    static boolean pack(long before, long after, long committed, long[] to, int at) {
      to[at] = before << UPPER_BITS | committed >>> LOWER_BITS;
      to[at + 1] = after << UPPER_BITS | committed & (1L << LOWER_BITS) - 1;
      return (before | after | committed) >>> SIZE_BITS == 0;
    }

    /** The sizes that were written there. */
    static HeapChange unpack(long[] from, int at) {
      return new HeapChange(
          Bytes.of(before(from, at)), Bytes.of(after(from, at)), Bytes.of(committed(from, at)));
    }

    static long before(long[] from, int at) {
      return from[at] >>> UPPER_BITS;
    }

    static long after(long[] from, int at) {
      return from[at + 1] >>> UPPER_BITS;
    }

    static long committed(long[] from, int at) {
      long upper = from[at] & (1L << UPPER_BITS) - 1;
      long lower = from[at + 1] & (1L << UPPER_BITS) - 1;
      return upper << LOWER_BITS | lower;
    }
  }

  /** How the CPU times of a pause, which are printed in steps of 10 ms, fill a word. */
  private static final class PackedCpu {

    /** The word of a pause without. */
    static final long NONE = -1;

    private static final long STEP_NANOS = 10_000_000;

    /** Three times of so many bits fill a word. */
    private static final int BITS = 21;

    private PackedCpu() {}

    /** Writes the times, if there are any; false if they do not fit. */
    static boolean pack(Optional<CpuTimes> cpu, long[] to, int at) {
      to[at] = NONE;
      if (cpu.isEmpty()) {
        return true;
      }
      CpuTimes times = cpu.get();
      return pack(times.user().toNanos(), times.system().toNanos(), times.real().toNanos(), to, at);
    }

    /** The same of times in nanoseconds. */
    static boolean pack(long user, long system, long real, long[] to, int at) {
      long userSteps = user / STEP_NANOS;
      long systemSteps = system / STEP_NANOS;
      long realSteps = real / STEP_NANOS;
      boolean whole =
          userSteps * STEP_NANOS == user
              && systemSteps * STEP_NANOS == system
              && realSteps * STEP_NANOS == real;
      if (!whole || (userSteps | systemSteps | realSteps) >>> BITS != 0) {
        return false;
      }
      to[at] = (userSteps << BITS | systemSteps) << BITS | realSteps;
      return true;
    }

    /** The times of a word. */
    static Optional<CpuTimes> unpack(long word) {
      return word == NONE
          ? Optional.empty()
          : Optional.of(new CpuTimes(time(word >>> 2 * BITS), time(word >>> BITS), time(word)));
    }

    private static Duration time(long steps) {
      return Duration.ofNanos((steps & (1L << BITS) - 1) * STEP_NANOS);
    }
  }
}
