package io.gcdiag.evidence;

import io.gcdiag.evidence.time.Source;
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
 * @param poolSizeSource where the pool's size was given: on the command line or in a settings file
 * @param holdSource the same of the hold time
 */
public record OperatorFacts(
    Optional<Rate> rate,
    OptionalInt poolSize,
    Optional<Duration> hold,
    Source poolSizeSource,
    Source holdSource) {

  /** Where such facts come from, in a finding's list of sources. */
  public static final Source SOURCE = new Source("command line", "");

  /** The name of each settings file, whichever folder it lies in. It is no input. */
  public static final String SETTINGS_FILE = "gcdiag.properties";

  /** Facts that were given on the command line. */
  public OperatorFacts(Optional<Rate> rate, OptionalInt poolSize, Optional<Duration> hold) {
    this(rate, poolSize, hold, SOURCE, SOURCE);
  }

  /** Nothing was said. */
  public static OperatorFacts none() {
    return new OperatorFacts(Optional.empty(), OptionalInt.empty(), Optional.empty());
  }

  /** Whether the operator speaks in that source, and no file of the incident. */
  public static boolean isSource(String file) {
    return file.equals(SOURCE.file()) || file.endsWith(SETTINGS_FILE);
  }

  /** How a fact of that source is known, in words. */
  public static String basis(Source source) {
    return source.equals(SOURCE) ? "given" : "given in " + source.file();
  }
}
