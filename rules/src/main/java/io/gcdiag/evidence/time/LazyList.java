package io.gcdiag.evidence.time;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.function.IntFunction;

/**
 * A list too long to keep as objects: an element is created on each access. A log of a gigabyte has
 * a million pauses of some hundred bytes each, and the rules go through them one by one.
 */
public final class LazyList<T> extends AbstractList<T> implements TimeOrdered, RandomAccess {

  /** Memory of a pause with its heap sample, CPU time and safepoint. */
  private static final long BYTES_EACH = 700;

  /**
   * Shorter lists are kept as objects, which is faster, as long as they take no more than half of
   * the heap.
   */
  public static final int WORTH_IT =
      (int) Math.min(Integer.MAX_VALUE / 2, Runtime.getRuntime().maxMemory() / 2 / BYTES_EACH);

  private final int size;
  private final IntFunction<T> element;

  private LazyList(int size, IntFunction<T> element) {
    this.size = size;
    this.element = element;
  }

  /**
   * A list of that many elements.
   *
   * @param element creates the element at an index, always an equal one
   */
  public static <T> List<T> of(int size, IntFunction<T> element) {
    if (size > WORTH_IT) {
      return new LazyList<>(size, element);
    }
    List<T> elements = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      elements.add(element.apply(i));
    }
    return Collections.unmodifiableList(elements);
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public T get(int index) {
    return element.apply(index);
  }

  /** A part is such a list as well, because the list is immutable. */
  @Override
  public List<T> subList(int from, int to) {
    Objects.checkFromToIndex(from, to, size);
    return from == 0 && to == size ? this : new LazyList<>(to - from, i -> element.apply(from + i));
  }
}
