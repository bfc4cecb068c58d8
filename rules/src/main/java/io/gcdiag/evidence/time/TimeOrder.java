package io.gcdiag.evidence.time;

import io.gcdiag.units.Halving;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** Operations on lists in order of time, however long they are. */
public final class TimeOrder {

  private TimeOrder() {}

  /** The part of a sorted list inside the window, as a view, by binary search. */
  public static <T> List<T> within(List<T> sorted, Function<T, Instant> time, Window window) {
    int from = firstAtOrAfter(sorted, time, window.from());
    return sorted.subList(from, Math.max(from, firstAtOrAfter(sorted, time, window.to())));
  }

  /** The index of the first element after an instant; the size of the list if there is none. */
  public static <T> int firstAfter(List<T> sorted, Function<T, Instant> time, Instant at) {
    return firstAtOrAfter(sorted, time, at.plusNanos(1));
  }

  private static <T> int firstAtOrAfter(List<T> sorted, Function<T, Instant> time, Instant at) {
    return Halving.place(sorted.size(), i -> !time.apply(sorted.get((int) i)).isBefore(at));
  }

  /** The same list, unmodifiable: a copy unless it already is. */
  public static <T> List<T> fixed(List<T> sorted) {
    return sorted instanceof TimeOrdered ? sorted : List.copyOf(sorted);
  }

  /** The elements that meet the condition, in the same order. */
  public static <T> List<T> where(List<T> all, Predicate<T> condition) {
    if (all.size() <= LazyList.WORTH_IT) {
      return all.stream().filter(condition).toList();
    }
    int[] found = IntStream.range(0, all.size()).filter(i -> condition.test(all.get(i))).toArray();
    return found.length == all.size() ? all : LazyList.of(found.length, i -> all.get(found[i]));
  }

  /** Merges several lists into one in order. A {@link LazyList} must be in order itself. */
  public static <T> List<T> merged(List<List<T>> parts, Comparator<T> order) {
    List<List<T>> filled = parts.stream().filter(part -> !part.isEmpty()).toList();
    if (filled.size() == 1 && filled.get(0) instanceof TimeOrdered) {
      return filled.get(0);
    }
    int total = filled.stream().mapToInt(List::size).sum();
    if (total <= LazyList.WORTH_IT) {
      List<T> all = new ArrayList<>(total);
      filled.forEach(all::addAll);
      all.sort(order);
      return all;
    }
    List<List<T>> sorted =
        filled.stream()
            .map(part -> part instanceof TimeOrdered ? part : inOrder(part, order))
            .toList();
    return zipped(sorted, total, order);
  }

  private static <T> List<T> inOrder(List<T> part, Comparator<T> order) {
    List<T> copy = new ArrayList<>(part);
    copy.sort(order);
    return copy;
  }

  /** Repeatedly takes the earliest of the parts' next elements. */
  private static <T> List<T> zipped(List<List<T>> parts, int total, Comparator<T> order) {
    int[] next = new int[parts.size()];
    List<T> heads = new ArrayList<>();
    parts.forEach(part -> heads.add(part.get(0)));
    int[] part = new int[total];
    int[] index = new int[total];
    for (int i = 0; i < total; i++) {
      int first = -1;
      for (int p = 0; p < next.length; p++) {
        boolean left = next[p] < parts.get(p).size();
        if (left && (first < 0 || order.compare(heads.get(p), heads.get(first)) < 0)) {
          first = p;
        }
      }
      part[i] = first;
      index[i] = next[first]++;
      if (next[first] < parts.get(first).size()) {
        heads.set(first, parts.get(first).get(next[first]));
      }
    }
    return LazyList.of(total, i -> parts.get(part[i]).get(index[i]));
  }
}
