package io.gcdiag.ingest.gclog;

/** Safepoints of a log: five words each. */
final class PackedStalls extends PackedList<LoggedStall> {

  private static final int WORDS = 5;
  private static final int REACHING = 2;
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
