package io.gcdiag.read.jfr.events;

import io.gcdiag.evidence.time.RowIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.LongFunction;

/**
 * Things by a number, such as that of a second, made when they are first asked for. Asked with
 * every event, so that it takes no object and, for the number asked for last, no search; going
 * through them in order takes a sort.
 */
final class ByNumber<T> {

  private final LongFunction<T> make;
  private final RowIndex rows = new RowIndex();
  private final List<T> things = new ArrayList<>();

  /**
   * None yet.
   *
   * @param make makes the one of a number
   */
  ByNumber(LongFunction<T> make) {
    this.make = make;
  }

  T at(long number) {
    int row = rows.row(number);
    if (row == things.size()) {
      things.add(make.apply(number));
    }
    return things.get(row);
  }

  int size() {
    return things.size();
  }

  /** All numbers that there is one of, in order. */
  long[] numbers() {
    return rows.sorted();
  }

  /**
   * The same with one in the place of each two: the number is half of theirs.
   *
   * @param add adds the second to the first
   */
  ByNumber<T> halved(BiConsumer<T, T> add) {
    ByNumber<T> half = new ByNumber<>(make);
    for (long number : numbers()) {
      add.accept(half.at(Math.floorDiv(number, 2)), at(number));
    }
    return half;
  }
}
