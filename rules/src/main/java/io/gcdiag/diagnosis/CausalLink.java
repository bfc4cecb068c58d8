package io.gcdiag.diagnosis;

import io.gcdiag.evidence.Source;
import java.util.List;
import java.util.Optional;

/**
 * One step of the causal graph: time that users lost in one place on account of another.
 *
 * @param from the id of the cause or effect it starts from
 * @param to the id of the effect it leads to, or {@link #LATENCY}
 * @param seconds thread-seconds of the loss that go this way, more than 0
 * @param share the same as a share of the whole loss; more than 1 only where time goes round in a
 *     circle
 * @param statement why, one sentence
 * @param rule the id of the rule that says so; absent for what was measured as the loss itself
 * @param sources where its figures were read; empty for what was measured as the loss itself
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
}
