package io.gcdiag.books;

import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.threads.Station;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One edge of the causal graph: lost time of one node that another node causes.
 *
 * @param from the id of the cause or effect it starts from
 * @param to the id of the effect it leads to, or {@link #LATENCY}
 * @param seconds thread-seconds of the lost time on this edge, more than 0
 * @param share the same as a share of all lost time; more than 1 only in a cycle
 * @param statements the reasons, that of most time first
 * @param rule the id of the rule that states it (of several, the one with most time); empty for
 *     lost time that was measured directly
 * @param sources where its figures were read; empty for lost time that was measured directly
 * @param rows of the table of stations: what serves requests where it leads to, and what waits
 *     there
 */
public record CausalLink(
    String from,
    String to,
    double seconds,
    double share,
    List<String> statements,
    Optional<String> rule,
    List<Source> sources,
    List<Station> rows) {

  /** User impact, the end of every path. */
  public static final String LATENCY = "latency";

  public CausalLink {
    statements = List.copyOf(statements);
    sources = List.copyOf(sources);
    rows = List.copyOf(rows);
  }

  /**
   * Merges two edges between the same nodes: adds their times, and uses the statement of the larger
   * one first and its rule.
   */
  public CausalLink and(CausalLink other) {
    CausalLink larger = other.seconds > seconds ? other : this;
    CausalLink smaller = larger == this ? other : this;
    return new CausalLink(
        from,
        to,
        seconds + other.seconds,
        share + other.share,
        Stream.concat(larger.statements.stream(), smaller.statements.stream()).distinct().toList(),
        larger.rule,
        Stream.concat(larger.sources.stream(), smaller.sources.stream()).distinct().toList(),
        rows);
  }

  public String statement() {
    return String.join("; ", statements);
  }

  /** The same with another share. */
  public CausalLink sharing(double other) {
    return new CausalLink(from, to, seconds, other, statements, rule, sources, rows);
  }
}
