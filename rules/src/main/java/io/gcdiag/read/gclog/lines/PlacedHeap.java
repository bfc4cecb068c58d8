package io.gcdiag.read.gclog.lines;

import io.gcdiag.evidence.jvm.HeapColumns;
import io.gcdiag.evidence.jvm.HeapSample;
import io.gcdiag.evidence.jvm.HeapSample.Moment;
import io.gcdiag.evidence.jvm.PauseStore;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.TimedIndex;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Nanos;

/**
 * What a log's collections left in the heap, read where the pauses lie.
 *
 * @param pauses all pauses of the log, on the common clock
 * @param telling those that have a time and figures of the heap, by their ends
 * @param name the log's name
 */
record PlacedHeap(PauseStore pauses, TimedIndex telling, String name) implements HeapColumns {

  @Override
  public int size() {
    return telling.size();
  }

  @Override
  public long at(int place) {
    return pauses.end(telling.of(place));
  }

  @Override
  public Moment moment(int place) {
    return Moment.AFTER_COLLECTION;
  }

  @Override
  public long used(int place) {
    return pauses.usedAfter(telling.of(place));
  }

  @Override
  public long committed(int place) {
    return pauses.committedAfter(telling.of(place));
  }

  @Override
  public String file(int place) {
    return name;
  }

  @Override
  public long line(int place) {
    return pauses.line(telling.of(place));
  }

  @Override
  public HeapSample get(int place) {
    return new HeapSample(
        Nanos.instant(at(place)),
        moment(place),
        Bytes.of(used(place)),
        Bytes.of(committed(place)),
        Source.line(name, line(place)));
  }
}
