package io.gcdiag.read.jfr.reader;

import java.util.Arrays;
import java.util.Optional;

/** Which lanes get the events of which types in one chunk. */
final class Routes {

  /** Numbers of types below this are looked up in an array; few recordings have others. */
  private static final int COMMON = 1 << 14;

  private final Metadata types;

  /** The indexes of types of events by their numbers. */
  private final int[] common = new int[COMMON];

  /** By the index of the type. */
  private final boolean[] own;

  private final boolean[] beside;

  /**
   * Asks the lanes.
   *
   * @param ownLane gets what no other lane reads, too: the time of each event counts
   */
  Routes(Metadata types, LaneRun ownLane, Optional<LaneRun> laneBeside) {
    this.types = types;
    Arrays.fill(common, Type.NONE);
    own = new boolean[types.types().size()];
    beside = new boolean[own.length];
    for (Type type : types.types().values()) {
      if (type.isEvent()) {
        beside[type.index()] = laneBeside.isPresent() && laneBeside.get().wants(type);
        own[type.index()] = ownLane.wants(type) || !beside[type.index()];
        if (type.id() >= 0 && type.id() < COMMON) {
          common[(int) type.id()] = type.index();
        }
      }
    }
  }

  /** The index of the type of that number; {@link Type#NONE} if it is none of an event. */
  int find(long id) {
    if (id >= 0 && id < COMMON) {
      return common[(int) id];
    }
    Type type = types.types().get(id);
    return type != null && type.isEvent() ? type.index() : Type.NONE;
  }

  /** Whether the lane gets events that the thread which goes over the file serves. */
  boolean isOwn(int type) {
    return own[type];
  }

  /** Whether the other lane gets them. */
  boolean goesBeside(int type) {
    return beside[type];
  }
}
