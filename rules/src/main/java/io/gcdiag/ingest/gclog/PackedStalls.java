package io.gcdiag.ingest.gclog;

import io.gcdiag.evidence.SafepointStop;
import io.gcdiag.evidence.Source;
import io.gcdiag.units.Nanos;
import java.time.Instant;

/** Safepoints of a log: five words each. */
final class PackedStalls extends PackedEvents<LoggedStall> {

  private static final int WORDS = 5;
  private static final int REACHING = STAMP_WORDS;
  private static final int AT = 3;
  private static final int LINE = 4;

  private final Packing.Words<String> operations = new Packing.Words<>();

  PackedStalls() {
    super(WORDS);
  }

  @Override
  boolean pack(LoggedStall stall, long[] to, int at) {
    to[at + REACHING] = Packing.timed(stall.reaching(), operations.number(stall.operation()));
    to[at + AT] = Packing.timed(stall.at(), stall.collection() ? 1 : 0);
    to[at + LINE] = stall.line();
    return Packing.stamp(stall.start(), to, at)
        && to[at + REACHING] != Packing.NO_TIME
        && to[at + AT] != Packing.NO_TIME;
  }

  @Override
  LogStamp stamp(LoggedStall stall) {
    return stall.start();
  }

  @Override
  long nanos(int index) {
    return isOdd(index)
        ? Packing.nanos(get(index).reaching().plus(get(index).at()))
        : (word(index, REACHING) & Packing.TIME_MASK) + (word(index, AT) & Packing.TIME_MASK);
  }

  /** The safepoint on the common clock, on which they were placed. */
  SafepointStop placed(int index, String file) {
    Instant start = Nanos.instant(start(index));
    LoggedStall odd = isOdd(index) ? get(index) : null;
    if (odd != null) {
      return new SafepointStop(
          start,
          odd.reaching(),
          odd.at(),
          odd.operation(),
          odd.collection(),
          Source.line(file, odd.line()));
    }
    long[] words = segment(index);
    int at = offset(index);
    return new SafepointStop(
        start,
        Packing.duration(words[at + REACHING]),
        Packing.duration(words[at + AT]),
        operations.of(Packing.number(words[at + REACHING])),
        Packing.number(words[at + AT]) == 1,
        Source.line(file, words[at + LINE]));
  }

  @Override
  LoggedStall unpack(long[] from, int at) {
    return new LoggedStall(
        Packing.stamp(from, at),
        Packing.duration(from[at + REACHING]),
        Packing.duration(from[at + AT]),
        operations.of(Packing.number(from[at + REACHING])),
        Packing.number(from[at + AT]) == 1,
        from[at + LINE]);
  }
}
