package io.gcdiag.evidence.pauses;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The type of each pause of a long list as a small number, found in one pass. Rules ask for the
 * pauses of some type a dozen times, and mostly all or none of them are meant.
 */
final class PauseTypes {

  /** Collectors have some dozens of types; only a log made up for it has more than this. */
  private static final int FEW = 1 << Byte.SIZE;

  private final List<PauseType> all = new ArrayList<>();

  /** The lower eight bits of each number, and the rest where there are more types than that. */
  private final byte[] low;

  private int[] high = {};

  /** Looks at every pause. */
  PauseTypes(PauseColumns columns) {
    low = new byte[columns.size()];
    PauseTypeProperty<Integer> number =
        new PauseTypeProperty<>(
            type -> {
              all.add(type);
              return all.size() - 1;
            });
    for (int place = 0; place < low.length; place++) {
      set(place, number.of(columns.type(place)));
    }
  }

  private void set(int place, int number) {
    low[place] = (byte) number;
    if (number >= FEW) {
      if (high.length == 0) {
        high = new int[low.length];
      }
      high[place] = number / FEW;
    }
  }

  /** The type of the pause at that place. */
  PauseType of(int place) {
    return all.get(number(place));
  }

  /** Its number. */
  int number(int place) {
    return (high.length == 0 ? 0 : high[place] * FEW) + Byte.toUnsignedInt(low[place]);
  }

  /** All types that there are. */
  List<PauseType> all() {
    return all;
  }

  /** Which types, by their numbers, meet the condition. */
  boolean[] met(Predicate<PauseType> condition) {
    boolean[] met = new boolean[all.size()];
    for (int i = 0; i < met.length; i++) {
      met[i] = condition.test(all.get(i));
    }
    return met;
  }
}
