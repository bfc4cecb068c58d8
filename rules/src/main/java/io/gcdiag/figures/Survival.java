package io.gcdiag.figures;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.GcSample.YoungCollections;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Durations;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What young collections found alive in one window, and what they moved to the old generation.
 *
 * @param collections how many there were, at least 1
 * @param before bytes in the young generation when they began, all together
 * @param survived bytes of these that were alive
 * @param promoted bytes of these that went to the old generation
 * @param step the figures are multiples of this
 * @param seconds the window's length
 * @param source where it was read
 */
record Survival(
    int collections,
    Bytes before,
    Bytes survived,
    Bytes promoted,
    Bytes step,
    double seconds,
    Source source) {

  /**
   * Sums up the young collections of a window, by the files that count in the smallest steps: a log
   * of G1 has whole regions where a recording has bytes; else by logs, which lack no collection.
   * Several recordings, or several logs, follow one another; what two of them hold alike counts
   * once.
   *
   * @return empty if no file has the young generation there
   */
  static Optional<Survival> of(Timeline timeline, Window window) {
    List<YoungCollections> all = timeline.samples(YoungCollections.class, window);
    return all.stream()
        .min(Comparator.comparing(YoungCollections::step).thenComparing(Survival::recorded))
        .flatMap(
            finest ->
                all.stream()
                    .filter(one -> recorded(one) == recorded(finest))
                    .filter(one -> one.step().equals(finest.step()))
                    .collect(
                        Collectors.toMap(Same::of, one -> one, (a, b) -> a, LinkedHashMap::new))
                    .values()
                    .stream()
                    .reduce(YoungCollections::and))
        .map(
            sum ->
                new Survival(
                    sum.count(),
                    sum.before(),
                    sum.survived(),
                    sum.promoted(),
                    sum.step(),
                    window.seconds(),
                    withoutLine(sum.source())));
  }

  /** What the same collections have in two files. */
  private record Same(Instant at, int count, Bytes before, Bytes survived, Bytes promoted) {

    static Same of(YoungCollections one) {
      return new Same(one.at(), one.count(), one.before(), one.survived(), one.promoted());
    }
  }

  private static boolean recorded(YoungCollections one) {
    return isEvent(one.source());
  }

  private static boolean isEvent(Source source) {
    return source.place().startsWith("jdk.");
  }

  private static Source withoutLine(Source source) {
    return isEvent(source) ? source : new Source(source.file(), "");
  }

  /** Bytes moved to the old generation per minute of the window. */
  double promotedPerMinute() {
    return promoted.value() / seconds * Durations.SECONDS_PER_MINUTE;
  }

  /** Share of the young generation that its collections found alive, 0 to 1. */
  double share() {
    return before.value() == 0 ? 0 : Math.min(1, survived.value() / (double) before.value());
  }
}
