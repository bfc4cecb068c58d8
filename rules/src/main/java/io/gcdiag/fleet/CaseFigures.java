package io.gcdiag.fleet;

import io.gcdiag.books.Hypothesis;
import io.gcdiag.evidence.time.Window;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * What a summary needs of each row. There may be a million of them, so they are plain numbers, and
 * many share their origin and their list of causes; texts are read again with the row.
 */
public final class CaseFigures {

  /** Instead of nanoseconds: the case is not dated. */
  private static final int UNDATED = -1;

  private static final double[] NONE = {};

  private final long place;
  private final CaseOrigin origin;
  private final CaseOutcome outcome;
  private final long fromSecond;
  private final int fromNano;
  private final long toSecond;
  private final int toNano;

  /** Not a number if it was not measured. */
  private final double lost;

  private final List<Hypothesis> causes;

  /** Of each cause; not a number if it is unknown. */
  private final double[] shares;

  private final boolean partly;

  /**
   * The figures of a row.
   *
   * @param place where the row is
   * @param origin that of the row
   * @param causes those of the row, in its order
   */
  CaseFigures(long place, CaseRow row, CaseOrigin origin, List<Hypothesis> causes) {
    this.place = place;
    this.origin = origin;
    this.outcome = row.outcome();
    this.causes = causes;
    Optional<Window> time = row.time();
    fromSecond = time.map(window -> window.from().getEpochSecond()).orElse(0L);
    fromNano = time.map(window -> window.from().getNano()).orElse(UNDATED);
    toSecond = time.map(window -> window.to().getEpochSecond()).orElse(0L);
    toNano = time.map(window -> window.to().getNano()).orElse(UNDATED);
    lost = row.lostSeconds().orElse(Double.NaN);
    shares =
        causes.isEmpty()
            ? NONE
            : row.suspects().stream()
                .mapToDouble(suspect -> suspect.share().orElse(Double.NaN))
                .toArray();
    partly = !row.notes().isEmpty();
  }

  public long place() {
    return place;
  }

  CaseOrigin origin() {
    return origin;
  }

  public CaseOutcome outcome() {
    return outcome;
  }

  /** When the files of the case begin; absent if they are not dated. */
  public Optional<Instant> from() {
    return instant(fromSecond, fromNano);
  }

  /** When the files of the case end; absent if they are not dated. */
  public Optional<Instant> to() {
    return instant(toSecond, toNano);
  }

  private static Optional<Instant> instant(long second, int nano) {
    return nano == UNDATED ? Optional.empty() : Optional.of(Instant.ofEpochSecond(second, nano));
  }

  /** Request time lost in the incident window, over all requests; absent if not measured. */
  public OptionalDouble lostSeconds() {
    return Double.isNaN(lost) ? OptionalDouble.empty() : OptionalDouble.of(lost);
  }

  /** Whether some of its files were not read, or not all of them. */
  public boolean isPartly() {
    return partly;
  }

  /** Primary suspects, then contributing causes, in the order of the ranking. */
  List<Hypothesis> causes() {
    return causes;
  }

  /** The root cause that explains most, if one stands out. */
  Optional<Hypothesis> primary() {
    return outcome == CaseOutcome.PRIMARY_SUSPECT ? causes.stream().findFirst() : Optional.empty();
  }

  /** Request time lost to a cause; absent if either factor is unknown. */
  OptionalDouble lostTo(Hypothesis cause) {
    return IntStream.range(0, shares.length)
        .filter(i -> causes.get(i) == cause)
        .mapToDouble(i -> shares[i] * lost)
        .filter(Double::isFinite)
        .findFirst();
  }

  /** Whether the files said anything. */
  public boolean isJudged() {
    return outcome != CaseOutcome.FAILED;
  }
}
