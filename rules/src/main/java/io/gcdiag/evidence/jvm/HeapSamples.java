package io.gcdiag.evidence.jvm;

import io.gcdiag.evidence.jvm.HeapSample.Moment;
import io.gcdiag.evidence.time.ListSelection;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.TimeOrdered;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.units.Nanos;
import java.util.AbstractList;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;

/** Heap samples by time: a list of objects, with faster access to their values as numbers. */
public final class HeapSamples extends AbstractList<HeapSample>
    implements TimeOrdered, RandomAccess {

  private final HeapColumns columns;
  private final ListSelection places;

  private HeapSamples(HeapColumns columns, ListSelection places) {
    this.columns = columns;
    this.places = places;
  }

  public static HeapSamples of(HeapColumns columns) {
    return new HeapSamples(columns, ListSelection.all(columns.size()));
  }

  /** The given samples, which must be in order of time. */
  public static HeapSamples of(List<HeapSample> sorted) {
    return sorted instanceof HeapSamples ready ? ready : of(new ListedHeap(sorted));
  }

  @Override
  public int size() {
    return places.size();
  }

  @Override
  public HeapSample get(int index) {
    return columns.get(places.of(Objects.checkIndex(index, size())));
  }

  /** Those taken inside the window. */
  public HeapSamples within(Window window) {
    int from = places.firstFrom(Nanos.since1970(window.from()), columns::at);
    int to = places.firstFrom(Nanos.since1970(window.to()), columns::at);
    return new HeapSamples(columns, places.part(from, Math.max(from, to)));
  }

  /** When one was taken, in nanoseconds since 1970. */
  public long atNanos(int index) {
    return columns.at(places.of(index));
  }

  /** When it was taken, relative to a collection. */
  public Moment moment(int index) {
    return columns.moment(places.of(index));
  }

  /** Bytes in use. */
  public long used(int index) {
    return columns.used(places.of(index));
  }

  public long committed(int index) {
    return columns.committed(places.of(index));
  }

  public String file(int index) {
    return columns.file(places.of(index));
  }

  /** The line there, or {@link Source#NO_LINE}. */
  public long line(int index) {
    return columns.line(places.of(index));
  }

  /** Samples that exist as objects, like those of recordings. */
  private record ListedHeap(List<HeapSample> samples) implements HeapColumns {
    @Override
    public int size() {
      return samples.size();
    }

    @Override
    public HeapSample get(int place) {
      return samples.get(place);
    }
  }

  /**
   * Heap samples as columns of numbers, like pauses: a log has one for each of its pauses. Times
   * are nanoseconds since 1970, sizes bytes.
   */
  public interface HeapColumns {

    int size();

    HeapSample get(int place);

    /** When a sample was taken; samples are in order of time. */
    default long at(int place) {
      return Nanos.since1970(get(place).at());
    }

    /** When it was taken, relative to a collection. */
    default Moment moment(int place) {
      return get(place).moment();
    }

    /** Bytes in use. */
    default long used(int place) {
      return get(place).used().value();
    }

    default long committed(int place) {
      return get(place).committed().value();
    }

    default String file(int place) {
      return get(place).source().file();
    }

    /** The line there, counted from 1; {@link Source#NO_LINE} if it was not read in a line. */
    default long line(int place) {
      return get(place).source().line().orElse(Source.NO_LINE);
    }
  }
}
