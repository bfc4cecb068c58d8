package io.gcdiag.figures;

import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.figures.Metric.Origin;
import io.gcdiag.measures.threads.Effect;
import java.util.Optional;

/**
 * One fact from two sources.
 *
 * @param fact what both are about, with its unit
 * @param text both values for people, such as {@code 187 and 189 threads}
 * @param agreement whether they agree within the tolerance that {@code tolerance} states
 * @param tolerance how far apart they may be, or why nothing can be known, in words
 * @param when the time it is about; absent for a fact of no particular time
 * @param about the effect that it measures; absent for what bears on all that the files say
 */
public record CrossCheck(
    String fact,
    Side a,
    Side b,
    String text,
    Agreement agreement,
    String tolerance,
    Optional<Window> when,
    Optional<Effect> about) {

  /** What one source says. */
  public record Side(Origin source, double value) {
    Side(Source source, double value) {
      this(Origin.of(source), value);
    }

    Side(String words, double value) {
      this(Origin.words(words), value);
    }
  }

  /** A fact of no particular time. */
  public CrossCheck(
      String fact, Side a, Side b, String text, Agreement agreement, String tolerance) {
    this(fact, a, b, text, agreement, tolerance, Optional.empty(), Optional.empty());
  }

  /** The same fact, at that time, as a measure of that effect. */
  public CrossCheck at(Window time, Effect effect) {
    return new CrossCheck(
        fact, a, b, text, agreement, tolerance, Optional.of(time), Optional.of(effect));
  }

  /** Whether one of the two is of that file. */
  public boolean isOf(String file) {
    return a.source().isOf(file) || b.source().isOf(file);
  }

  /** Whether two sources tell the same. */
  public enum Agreement {
    /** They do. */
    YES,
    /** They do not. */
    NO,
    /** They differ, and for a known reason need not be the same: this is neither. */
    OPEN;

    public static Agreement of(boolean agrees) {
      return agrees ? YES : NO;
    }
  }

  /** The fact without its unit, which the text beside it names. */
  public String title() {
    return fact.replace(", in seconds", "");
  }

  /** Whether both tell the same. */
  public boolean agrees() {
    return agreement == Agreement.YES;
  }

  /** Whether they contradict each other. */
  public boolean disagrees() {
    return agreement == Agreement.NO;
  }
}
