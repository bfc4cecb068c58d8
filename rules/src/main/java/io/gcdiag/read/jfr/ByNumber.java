package io.gcdiag.read.jfr;

import io.gcdiag.evidence.time.RowIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.LongFunction;

/**
 * Objects by a number, such as that of a second, created on first access. Called for every event,
 * so it creates no other object, and the number of the previous call needs no lookup. Iterating in
 * order takes a sort.
 */
final class ByNumber<T> {

  private final LongFunction<T> make;
  private final RowIndex rows = new RowIndex();
  private final List<T> things = new ArrayList<>();

  /**
   * Empty.
   *
   * @param make creates the object of a number
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

  /** All numbers with an object, in order. */
  long[] numbers() {
    return rows.sorted();
  }

  /**
   * Merges the objects of each two numbers into one with half the number.
   *
   * @param add adds the second object to the first
   */
  ByNumber<T> halved(BiConsumer<T, T> add) {
    ByNumber<T> half = new ByNumber<>(make);
    for (long number : numbers()) {
      add.accept(half.at(Math.floorDiv(number, 2)), at(number));
    }
    return half;
  }
}
