package io.gcdiag.evidence.jvm;

import io.gcdiag.evidence.jvm.HeapSample.Moment;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.units.Nanos;

/**
 * Heap samples as columns of numbers, like pauses: a log has one for each of its pauses. Times are
 * nanoseconds since 1970, sizes bytes.
 */
public interface HeapColumns {

  /** Number of samples. */
  int size();

  /** A sample as an object. */
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
