package io.gcdiag.read.jfr.reader;

/** The values of one event after another of a type. */
final class EventValues extends Values {

  private static final ChunkBytes NOTHING = new ChunkBytes(new byte[0], true);

  /** What each field referred to last: who needs a constant of an event asks several times. */
  private final Constant[] latest;

  private final long[] latestKeys;

  EventValues(Type type, Constants constants, ChunkClock clock) {
    super(type, NOTHING, constants, clock);
    latest = new Constant[type.fields().length];
    latestKeys = new long[latest.length];
  }

  @Override
  Constant constant(int place) {
    if (place == Type.NONE) {
      return Constant.ABSENT;
    }
    long key = value(place);
    if (latest[place] == null || latestKeys[place] != key) {
      latest[place] = super.constant(place);
      latestKeys[place] = key;
    }
    return latest[place];
  }
}
