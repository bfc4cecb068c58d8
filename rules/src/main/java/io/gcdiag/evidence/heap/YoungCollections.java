package io.gcdiag.evidence.heap;

import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.time.Sample;
import io.gcdiag.units.Bytes;
import java.time.Instant;

/**
 * What the young collections of one second did with the young generation. Mixed collections and
 * full GCs are not among them: what they move may have been old before.
 *
 * @param at when the last of them ended, or began where the files do not show
 * @param count how many they were
 * @param before bytes in the young generation when they began, all together
 * @param survived bytes of these that they found alive
 * @param promoted bytes of these that they moved to the old generation
 * @param step the figures are multiples of this: a region, or one byte where they are exact
 * @param source where the last of them was read
 */
public record YoungCollections(
    Instant at, int count, Bytes before, Bytes survived, Bytes promoted, Bytes step, Source source)
    implements Sample {

  /** These and later ones. */
  public YoungCollections and(YoungCollections later) {
    return new YoungCollections(
        later.at,
        count + later.count,
        Bytes.of(before.value() + later.before.value()),
        Bytes.of(survived.value() + later.survived.value()),
        Bytes.of(promoted.value() + later.promoted.value()),
        step.compareTo(later.step) >= 0 ? step : later.step,
        later.source);
  }
}
