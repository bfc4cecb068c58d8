package io.gcdiag.evidence.pauses;

import java.util.List;

/**
 * The pauses of several files in one order of time; of two at one time the first file's goes first.
 */
final class JoinedPauses implements PauseColumns {

  private final List<Pauses> parts;
  private final int[] part;
  private final int[] index;

  JoinedPauses(List<Pauses> parts) {
    this.parts = List.copyOf(parts);
    int total = parts.stream().mapToInt(Pauses::size).sum();
    part = new int[total];
    index = new int[total];
    int[] next = new int[parts.size()];
    for (int i = 0; i < total; i++) {
      int first = earliest(next);
      part[i] = first;
      index[i] = next[first]++;
    }
  }

  private int earliest(int[] next) {
    int first = -1;
    long start = 0;
    for (int p = 0; p < next.length; p++) {
      if (next[p] < parts.get(p).size()) {
        long own = parts.get(p).startNanos(next[p]);
        if (first < 0 || own < start) {
          first = p;
          start = own;
        }
      }
    }
    return first;
  }

  @Override
  public int size() {
    return part.length;
  }

  private Pauses at(int place) {
    return parts.get(part[place]);
  }

  @Override
  public long start(int place) {
    return at(place).startNanos(index[place]);
  }

  @Override
  public long nanos(int place) {
    return at(place).nanos(index[place]);
  }

  @Override
  public PauseType type(int place) {
    return at(place).type(index[place]);
  }

  @Override
  public boolean tellsHeap(int place) {
    return at(place).tellsHeap(index[place]);
  }

  @Override
  public long usedBefore(int place) {
    return at(place).usedBefore(index[place]);
  }

  @Override
  public long usedAfter(int place) {
    return at(place).usedAfter(index[place]);
  }

  @Override
  public long committedAfter(int place) {
    return at(place).committedAfter(index[place]);
  }

  @Override
  public String file(int place) {
    return at(place).file(index[place]);
  }

  @Override
  public long line(int place) {
    return at(place).line(index[place]);
  }

  @Override
  public GcPause get(int place) {
    return at(place).get(index[place]);
  }
}
