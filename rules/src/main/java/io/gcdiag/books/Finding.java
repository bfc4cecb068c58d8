package io.gcdiag.books;

import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.threads.Effect;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A statement with its numbers and sources.
 *
 * @param rule the id of the rule that found it
 * @param statement one sentence
 * @param brief its first figure in a few words, for a row of one line
 * @param clause whether that is the first clause of the statement
 * @param figures its quantities before and during, the decisive one first; may be empty
 * @param arithmetic the calculation, one line per step; may be empty
 * @param values the numbers by name, for machines; units are part of the names
 * @param sources where the numbers were read; at least one
 * @param bearings its bearing on root causes
 * @param transfers time handed from an effect to the effect that caused it
 * @param inseparable causes that the inputs cannot separate, with the experiment that does
 * @param samples number of samples behind the fractions of its bearings and transfers; 0 if they
 *     are not sampled
 * @param actions what to change first, where the finding allows a more exact action than the
 *     cause's default
 * @param briefs short forms for causes of which another figure decides, and what it means
 */
public record Finding(
    String rule,
    String statement,
    String brief,
    boolean clause,
    List<KeyFigure> figures,
    List<String> arithmetic,
    SortedMap<String, Double> values,
    List<Source> sources,
    List<Bearing> bearings,
    List<Transfer> transfers,
    List<Inseparable> inseparable,
    long samples,
    Map<Hypothesis, String> actions,
    Map<Hypothesis, String> briefs) {

  /** Ends the first clause of a statement. */
  static final String CLAUSE_END = "; ";

  /**
   * Two causes that the inputs cannot separate.
   *
   * @param experiment the single change after which the next run separates them; one sentence
   */
  public record Inseparable(Hypothesis one, Hypothesis other, String experiment) {

    public Inseparable {
      if (one == other) {
        throw new IllegalArgumentException("a cause is not inseparable from itself: " + one);
      }
    }
  }

  /**
   * Part of an effect's time is caused by another effect.
   *
   * @param from the effect whose time it is
   * @param to the effect that caused it
   * @param fraction how much of the excess time of {@code from}, 0 to 1
   * @param least how much of it at least, where {@code fraction} is as much as can be; else the
   *     same
   * @param how the sentence that the causal chain prints
   */
  public record Transfer(Effect from, Effect to, double fraction, double least, String how) {

    public Transfer {
      if (!(fraction >= 0 && fraction <= 1)) {
        throw new IllegalArgumentException("a fraction lies between 0 and 1: " + fraction);
      }
      if (!(least >= 0 && least <= fraction)) {
        throw new IllegalArgumentException("at least " + least + " of at most " + fraction);
      }
      if (from == to) {
        throw new IllegalArgumentException("an effect cannot cause itself: " + from);
      }
    }
  }

  public Finding {
    if (sources.isEmpty()) {
      throw new IllegalArgumentException("a finding needs a source: " + statement);
    }
    figures = List.copyOf(figures);
    arithmetic = List.copyOf(arithmetic);
    values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
    sources = sources.stream().distinct().toList();
    bearings = List.copyOf(bearings);
    transfers = List.copyOf(transfers);
    inseparable = List.copyOf(inseparable);
    actions = Map.copyOf(actions);
    briefs = Map.copyOf(briefs);
  }

  /** The same without that share of an effect's time, which another finding explains. */
  public Finding without(Effect effect, double share) {
    List<Bearing> rest =
        bearings.stream()
            .map(
                bearing ->
                    bearing instanceof Bearing.Explains part && part.effect() == effect
                        ? new Bearing.Explains(
                            part.hypothesis(), effect, (1 - share) * part.fraction())
                        : bearing)
            .toList();
    List<Transfer> passed =
        transfers.stream()
            .map(
                one ->
                    one.from() == effect
                        ? new Transfer(
                            effect,
                            one.to(),
                            (1 - share) * one.fraction(),
                            (1 - share) * one.least(),
                            one.how())
                        : one)
            .toList();
    return with(rest, passed);
  }

  public Finding with(List<Bearing> otherBearings, List<Transfer> otherTransfers) {
    return new Finding(
        rule,
        statement,
        brief,
        clause,
        figures,
        arithmetic,
        values,
        sources,
        otherBearings,
        otherTransfers,
        inseparable,
        samples,
        actions,
        briefs);
  }

  /** The statement without the short form, if it begins with that. */
  public String beyond() {
    return clause
        ? statement.substring(Math.min(brief.length() + CLAUSE_END.length(), statement.length()))
        : statement;
  }

  /** The short form in a row about one root cause. */
  public String brief(Hypothesis cause) {
    return briefs.getOrDefault(cause, brief);
  }

  /** Its bearing on one root cause. */
  public Stream<Bearing> on(Hypothesis cause) {
    return bearings.stream().filter(bearing -> bearing.hypothesis() == cause);
  }

  /**
   * Whether its only bearing on that cause is a correlation with the latency, which is neither for
   * nor against it.
   */
  public boolean onlyAccompanies(Hypothesis cause) {
    return on(cause)
        .allMatch(
            bearing ->
                bearing instanceof Bearing.Accompanies || bearing instanceof Bearing.LeavesOpen);
  }

  /** The same reduced to its evidence for causes; empty if there is none. */
  public Optional<Finding> claims() {
    List<Bearing> claims = bearings.stream().filter(Bearing::isClaim).toList();
    return claims.isEmpty() ? Optional.empty() : Optional.of(with(claims, transfers));
  }

  public static FindingBuilder of(String rule, String statement) {
    return new FindingBuilder(rule, statement);
  }

  /**
   * One quantity in the baseline and in the incident, for the first screen.
   *
   * @param what the quantity, such as {@code mean call}
   * @param before its value in the baseline, with its unit; empty if unknown
   * @param during its value in the incident, with its unit
   */
  public record KeyFigure(String what, Optional<String> before, String during) {

    /** Whether the two values differ in print. */
    public boolean isTelling() {
      return before.filter(during::equals).isEmpty();
    }

    /** {@code mean call: 4.62 ms -> 273 ms}; only the second value if the first is unknown. */
    @Override
    public String toString() {
      return what + ": " + before.map(value -> value + " -> ").orElse("") + during;
    }
  }
}
