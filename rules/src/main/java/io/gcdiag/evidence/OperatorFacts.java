package io.gcdiag.evidence;

import io.gcdiag.evidence.time.Source;
import io.gcdiag.units.Rate;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What the operator states and the files do not contain.
 *
 * @param rate requests per second
 * @param poolSize largest number of connections of the pool, at least 1
 * @param hold how long a request holds a connection when nothing delays it
 * @param poolSizeSource where the pool's size was given: on the command line or in a settings file
 * @param holdSource where the hold time was given
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

  public static OperatorFacts none() {
    return new OperatorFacts(Optional.empty(), OptionalInt.empty(), Optional.empty());
  }

  /** Whether that source is the operator and not a file of the incident. */
  public static boolean isSource(String file) {
    return file.equals(SOURCE.file()) || file.endsWith(SETTINGS_FILE);
  }

  /** The basis of a fact from that source, in words. */
  public static String basis(Source source) {
    return source.equals(SOURCE) ? "given" : "given in " + source.file();
  }
}
