package io.gcdiag.evidence;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The type of each pause of a long list as a small number, found in one pass. Rules ask for the
 * pauses of some type a dozen times, and mostly all or none of them are meant.
 */
final class PauseTypes {

  private final List<PauseType> all = new ArrayList<>();
  private final int[] numbers;

  /** Looks at every pause. */
  PauseTypes(PauseColumns columns) {
    numbers = new int[columns.size()];
    ByType<Integer> number =
        new ByType<>(
            type -> {
              all.add(type);
              return all.size() - 1;
            });
    for (int place = 0; place < numbers.length; place++) {
      numbers[place] = number.of(columns.type(place));
    }
  }

  /** The type of the pause at that place. */
  PauseType of(int place) {
    return all.get(numbers[place]);
  }

  /** Its number. */
  int number(int place) {
    return numbers[place];
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
