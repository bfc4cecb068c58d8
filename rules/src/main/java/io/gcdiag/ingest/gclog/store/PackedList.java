package io.gcdiag.ingest.gclog.store;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.RandomAccess;

/**
 * A list that keeps each of its elements as a few numbers, and makes the element anew when it is
 * asked for: a log of a gigabyte has a million pauses, each of which would be twenty objects. What
 * does not fit into the numbers is kept as it is, so nothing is ever rounded.
 *
 * <p>The oldest elements can be let go of, in whole segments.
 */
abstract class PackedList<T> extends AbstractList<T> implements RandomAccess {

  /** Elements of a segment. */
  static final int SEGMENT = 1 << 10;

  /** Elements that there is room for at first: a folder may hold ten thousand short logs. */
  private static final int FEW = 4;

  private final int words;
  private final Map<Integer, T> odd = new HashMap<>();
  private long[][] segments = new long[1][];
  private int filled;
  private boolean anyOdd;
  private int size;
  private long kept;
  private boolean closed;

  /** A list whose elements take so many words each. */
  PackedList(int words) {
    this.words = words;
  }

  /** From now on the elements are as they are. */
  void close() {
    closed = true;
  }

  private void checkOpen() {
    if (closed) {
      throw new UnsupportedOperationException("the log is read");
    }
  }

  /** Whether that element did not fit into its words, and only {@link #get} has it. */
  boolean isOdd(int index) {
    return anyOdd && odd.containsKey(index);
  }

  /** The words among which those of an element are. */
  long[] segment(int index) {
    return segments[index / SEGMENT];
  }

  /** Where they begin there. */
  int offset(int index) {
    return index % SEGMENT * words;
  }

  /** One of the words of an element that is not odd. */
  long word(int index, int word) {
    return segment(index)[offset(index) + word];
  }

  /** Writes an element to the words from there on; false if it does not fit. */
  abstract boolean pack(T element, long[] to, int at);

  /** Makes the element of the words from there on. */
  abstract T unpack(long[] from, int at);

  @Override
  public int size() {
    return size;
  }

  @Override
  public T get(int index) {
    check(index);
    T whole = anyOdd ? odd.get(index) : null;
    return whole == null ? unpack(segment(index), offset(index)) : whole;
  }

  @Override
  public boolean add(T element) {
    makeRoom();
    set(size - 1, element);
    return true;
  }

  /** Makes the list longer by one, whose words are still to be written. */
  final void makeRoom() {
    checkOpen();
    if (size / SEGMENT == filled) {
      int room = (filled == 0 ? FEW : SEGMENT) * words;
      if (filled == segments.length) {
        segments = Arrays.copyOf(segments, 2 * filled);
      }
      segments[filled++] = new long[room];
      kept += room;
    } else if (size < SEGMENT && size * words == segments[0].length) {
      segments[0] = Arrays.copyOf(segments[0], 2 * size * words);
      kept += size * (long) words;
    }
    size++;
  }

  @Override
  public T set(int index, T element) {
    checkOpen();
    check(index);
    odd.remove(index);
    if (!pack(element, segment(index), offset(index))) {
      odd.put(index, element);
      anyOdd = true;
    }
    return element;
  }

  /** Takes away all elements from that index on. */
  void cut(int index) {
    for (int i = index; i < size && !odd.isEmpty(); i++) {
      odd.remove(i);
    }
    size = index;
  }

  /** Lets go of the oldest elements; returns how many. */
  int dropOldest() {
    if (size <= SEGMENT) {
      return 0;
    }
    kept -= segments[0].length;
    System.arraycopy(segments, 1, segments, 0, --filled);
    segments[filled] = null;
    size -= SEGMENT;
    Map<Integer, T> moved = new HashMap<>();
    odd.forEach(
        (index, element) -> {
          if (index >= SEGMENT) {
            moved.put(index - SEGMENT, element);
          }
        });
    odd.clear();
    odd.putAll(moved);
    return SEGMENT;
  }

  /** How many words the elements take. */
  long words() {
    return kept;
  }

  private void check(int index) {
    if (index < 0 || index >= size) {
      throw new IndexOutOfBoundsException(index);
    }
  }
}
