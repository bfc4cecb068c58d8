package io.gcdiag.books;

import io.gcdiag.evidence.time.Source;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One step of the causal graph: lost time in one place on account of another.
 *
 * @param from the id of the cause or effect it starts from
 * @param to the id of the effect it leads to, or {@link #LATENCY}
 * @param seconds thread-seconds of the lost time that go this way, more than 0
 * @param share the same as a share of the whole loss; more than 1 only where time goes round in a
 *     circle
 * @param statement why, one sentence
 * @param rule the id of the rule that says so, of several the one with most time; absent for what
 *     was measured as the lost time itself
 * @param sources where its figures were read; empty for what was measured as the lost time itself
 */
public record CausalLink(
    String from,
    String to,
    double seconds,
    double share,
    String statement,
    Optional<String> rule,
    List<Source> sources) {

  /** What users felt: where every path ends. */
  public static final String LATENCY = "latency";

  /** Copies the list. */
  public CausalLink {
    sources = List.copyOf(sources);
  }

  /**
   * Both as one step between the same two: their times together, what each says with the larger one
   * first, and the rule of the larger one.
   */
  public CausalLink and(CausalLink other) {
    CausalLink larger = other.seconds > seconds ? other : this;
    CausalLink smaller = larger == this ? other : this;
    return new CausalLink(
        from,
        to,
        seconds + other.seconds,
        share + other.share,
        larger.statement.equals(smaller.statement)
            ? larger.statement
            : larger.statement + "; " + smaller.statement,
        larger.rule,
        Stream.concat(larger.sources.stream(), smaller.sources.stream()).distinct().toList());
  }
}
