package io.gcdiag.figures;

import io.gcdiag.evidence.jvm.HeapSamples;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.units.Nanos;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;
import java.util.function.ToDoubleFunction;

/**
 * Evidence as a line of a chart asks for it, without an object for each point: a log may have a
 * million of them, of which a line shows some hundred.
 *
 * @param size how many points there are, by time
 * @param at when one is, in nanoseconds since 1970
 * @param value its value
 * @param file the file in which it was read
 * @param line the line there, or {@link io.gcdiag.evidence.time.Source#NO_LINE}
 * @param source where it was read, if that is no line
 */
record ChartValues(
    int size,
    IntToLongFunction at,
    IntToDoubleFunction value,
    IntFunction<String> file,
    IntToLongFunction line,
    IntFunction<Source> source) {

  /** The lengths of pauses, in nanoseconds. */
  static ChartValues of(Pauses pauses) {
    return new ChartValues(
        pauses.size(),
        pauses::startNanos,
        pauses::nanos,
        pauses::file,
        pauses::line,
        i -> pauses.get(i).source());
  }

  /** One of the figures of the heap. */
  static ChartValues of(HeapSamples heap, IntToDoubleFunction value) {
    return new ChartValues(
        heap.size(), heap::atNanos, value, heap::file, heap::line, i -> heap.get(i).source());
  }

  /** Evidence with an object for each point. */
  static <T> ChartValues of(
      List<T> evidence,
      Function<T, Source> source,
      Function<T, Instant> at,
      ToDoubleFunction<T> value) {
    return new ChartValues(
        evidence.size(),
        i -> Nanos.since1970(at.apply(evidence.get(i))),
        i -> value.applyAsDouble(evidence.get(i)),
        i -> source.apply(evidence.get(i)).file(),
        i -> source.apply(evidence.get(i)).line().orElse(Source.NO_LINE),
        i -> source.apply(evidence.get(i)));
  }
}
