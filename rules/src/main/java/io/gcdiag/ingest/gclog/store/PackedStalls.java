package io.gcdiag.ingest.gclog.store;

import io.gcdiag.evidence.pauses.SafepointStop;
import io.gcdiag.evidence.source.Source;
import io.gcdiag.ingest.gclog.text.LogStamp;
import io.gcdiag.ingest.gclog.text.PackedWords;
import io.gcdiag.units.Nanos;
import java.time.Instant;

/** Safepoints of a log: five words each. */
public final class PackedStalls extends PackedEvents<LoggedStall> {

  private static final int WORDS = 5;
  private static final int REACHING = STAMP_WORDS;
  private static final int AT = 3;
  private static final int LINE = 4;

  private final PackedWords.Words<String> operations = new PackedWords.Words<>();

  PackedStalls() {
    super(WORDS);
  }

  @Override
  boolean pack(LoggedStall stall, long[] to, int at) {
    to[at + REACHING] = PackedWords.timed(stall.reaching(), operations.number(stall.operation()));
    to[at + AT] = PackedWords.timed(stall.at(), stall.collection() ? 1 : 0);
    to[at + LINE] = stall.line();
    return PackedWords.stamp(stall.start(), to, at)
        && to[at + REACHING] != PackedWords.NO_TIME
        && to[at + AT] != PackedWords.NO_TIME;
  }

  @Override
  LogStamp stamp(LoggedStall stall) {
    return stall.start();
  }

  @Override
  public long nanos(int index) {
    return isOdd(index)
        ? PackedWords.nanos(get(index).reaching().plus(get(index).at()))
        : (word(index, REACHING) & PackedWords.TIME_MASK)
            + (word(index, AT) & PackedWords.TIME_MASK);
  }

  /** The safepoint on the common clock, on which they were placed. */
  public SafepointStop placed(int index, String file) {
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
        PackedWords.duration(words[at + REACHING]),
        PackedWords.duration(words[at + AT]),
        operations.of(PackedWords.number(words[at + REACHING])),
        PackedWords.number(words[at + AT]) == 1,
        Source.line(file, words[at + LINE]));
  }

  @Override
  LoggedStall unpack(long[] from, int at) {
    return new LoggedStall(
        PackedWords.stamp(from, at),
        PackedWords.duration(from[at + REACHING]),
        PackedWords.duration(from[at + AT]),
        operations.of(PackedWords.number(from[at + REACHING])),
        PackedWords.number(from[at + AT]) == 1,
        from[at + LINE]);
  }
}
