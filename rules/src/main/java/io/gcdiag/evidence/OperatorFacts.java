package io.gcdiag.evidence;

import io.gcdiag.units.Rate;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What the operator knows and the files do not say.
 *
 * @param rate requests per second
 * @param poolSize connections the pool may open, at least 1
 * @param hold how long a request holds a connection when nothing is in its way
 */
public record OperatorFacts(Optional<Rate> rate, OptionalInt poolSize, Optional<Duration> hold) {

  /** Where such facts come from, in a finding's list of sources. */
  public static final Source SOURCE = new Source("command line", "");

  /** Nothing was said. */
  public static OperatorFacts none() {
    return new OperatorFacts(Optional.empty(), OptionalInt.empty(), Optional.empty());
  }
}
