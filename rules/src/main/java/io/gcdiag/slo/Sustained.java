package io.gcdiag.slo;

import io.gcdiag.evidence.requests.RequestInterval;
import io.gcdiag.evidence.requests.RequestSeries;
import io.gcdiag.units.Durations;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * Whether a target was met in every stretch of a test and not only on average.
 *
 * @param judge whether a stretch met it; nothing if that stretch cannot tell
 * @param badness how far a stretch is from meeting it; larger is worse
 * @param text what a stretch measured, in words
 */
record Sustained(
    Function<RequestInterval, Optional<Met>> judge,
    Function<RequestInterval, OptionalDouble> badness,
    Function<RequestInterval, String> text) {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

  /** In how many stretches it was met, and the worst of them, in words. */
  String over(Optional<RequestSeries> series, List<RequestInterval> stretches) {
    if (series.isEmpty()) {
      return "not known: the file is a summary of the whole test";
    }
    String length = Durations.format(Slices.length(series.get()));
    List<Map.Entry<RequestInterval, Met>> judged = new ArrayList<>();
    for (RequestInterval slice : stretches) {
      judge.apply(slice).ifPresent(met -> judged.add(Map.entry(slice, met)));
    }
    if (judged.isEmpty()) {
      return "cannot tell: too few requests in any " + length;
    }
    long met = judged.stream().filter(slice -> slice.getValue() == Met.MET).count();
    RequestInterval worst = judged.get(0).getKey();
    for (Map.Entry<RequestInterval, Met> slice : judged) {
      worst = isWorse(slice.getKey(), worst) ? slice.getKey() : worst;
    }
    return "in "
        + met
        + " of "
        + judged.size()
        + " intervals of "
        + length
        + "; worst "
        + text.apply(worst)
        + " from "
        + TIME.format(worst.from());
  }

  private boolean isWorse(RequestInterval slice, RequestInterval than) {
    return badness.apply(slice).orElse(-Double.MAX_VALUE)
        > badness.apply(than).orElse(-Double.MAX_VALUE);
  }
}
