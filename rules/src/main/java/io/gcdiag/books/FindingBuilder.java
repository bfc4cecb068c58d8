package io.gcdiag.books;

import io.gcdiag.books.Finding.Inseparable;
import io.gcdiag.books.Finding.KeyFigure;
import io.gcdiag.books.Finding.Transfer;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.units.Numbers;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.DoubleFunction;
import java.util.function.Function;

/** Builds a {@link Finding}. */
public final class FindingBuilder {

  private final String rule;
  private final String statement;
  private String brief;
  private boolean clause = true;
  private final List<KeyFigure> figures = new ArrayList<>();
  private final List<String> arithmetic = new ArrayList<>();
  private final SortedMap<String, Double> values = new TreeMap<>();
  private final List<Source> sources = new ArrayList<>();
  private final List<Bearing> bearings = new ArrayList<>();
  private final List<Transfer> transfers = new ArrayList<>();
  private final List<Inseparable> inseparable = new ArrayList<>();
  private long samples;
  private final Map<Hypothesis, String> actions = new EnumMap<>(Hypothesis.class);
  private final Map<Hypothesis, String> briefs = new EnumMap<>(Hypothesis.class);

  FindingBuilder(String rule, String statement) {
    this.rule = rule;
    this.statement = statement;
    int end = statement.indexOf(Finding.CLAUSE_END);
    brief = end < 0 ? statement : statement.substring(0, end);
  }

  /** Sets the short form of the statement; by default its first clause. */
  public FindingBuilder brief(String words) {
    brief = words;
    clause = false;
    return this;
  }

  /** Sets the short form in a row about one cause, where another figure decides. */
  public FindingBuilder brief(Hypothesis cause, String words) {
    briefs.put(cause, words);
    return this;
  }

  /** Adds a quantity before and during; the decisive quantity is added first. */
  public FindingBuilder figure(String what, Optional<String> before, String during) {
    figures.add(new KeyFigure(what, before, during));
    return this;
  }

  /** Adds a quantity without a known baseline. */
  public FindingBuilder figure(String what, String during) {
    return figure(what, Optional.empty(), during);
  }

  /** Adds a quantity before and during, both in the same format. */
  public FindingBuilder figure(
      String what, OptionalDouble before, double during, DoubleFunction<String> words) {
    return figure(
        what,
        before.isPresent() ? Optional.of(words.apply(before.getAsDouble())) : Optional.empty(),
        words.apply(during));
  }

  /** Adds a quantity before and during, in about three digits. */
  public FindingBuilder figure(String what, OptionalDouble before, double during) {
    return figure(what, before, during, Numbers::threeDigits);
  }

  /** Adds a quantity that is computed the same way in both windows. */
  public FindingBuilder figure(String what, Incident incident, Function<Window, String> of) {
    return figure(what, incident.baseline().map(of), of.apply(incident.window()));
  }

  /** Adds a line of the calculation. */
  public FindingBuilder sum(String line) {
    arithmetic.add(line);
    return this;
  }

  public FindingBuilder value(String name, double value) {
    values.put(name, value);
    return this;
  }

  public FindingBuilder value(String name, OptionalDouble value) {
    value.ifPresent(known -> values.put(name, known));
    return this;
  }

  public FindingBuilder from(Source source) {
    sources.add(source);
    return this;
  }

  public FindingBuilder from(Collection<Source> more) {
    sources.addAll(more);
    return this;
  }

  /** The cause accounts for part of an effect's time; a fraction of 0 adds nothing. */
  public FindingBuilder explains(Hypothesis hypothesis, Effect effect, double fraction) {
    if (fraction > 0) {
      bearings.add(new Bearing.Explains(hypothesis, effect, fraction));
    }
    return this;
  }

  public FindingBuilder supports(Hypothesis hypothesis) {
    return supports(hypothesis, false);
  }

  /** An indicator of the cause correlates with the latency; a lead only. */
  public FindingBuilder accompanies(Hypothesis hypothesis) {
    bearings.add(new Bearing.Accompanies(hypothesis));
    return this;
  }

  /** These files have no sensor for the cause, so it is neither found nor excluded. */
  public FindingBuilder leavesOpen(Hypothesis hypothesis) {
    bearings.add(new Bearing.LeavesOpen(hypothesis));
    return this;
  }

  /** It supports the cause, which will delay requests later even if it has not yet. */
  public FindingBuilder warns(Hypothesis hypothesis) {
    return supports(hypothesis, true);
  }

  /** It supports the cause; pending if that will delay requests later even if it has not yet. */
  public FindingBuilder supports(Hypothesis hypothesis, boolean pending) {
    bearings.add(new Bearing.Supports(hypothesis, pending));
    return this;
  }

  /** It is evidence against the cause; if enough of it was seen it excludes the cause. */
  public FindingBuilder contradicts(Hypothesis hypothesis, boolean excludes) {
    return excludes ? refutes(hypothesis) : weakens(hypothesis);
  }

  /** It is direct proof of the cause. */
  public FindingBuilder proves(Hypothesis hypothesis) {
    bearings.add(new Bearing.Proves(hypothesis));
    return this;
  }

  /** It is evidence against the cause. */
  public FindingBuilder weakens(Hypothesis hypothesis) {
    bearings.add(new Bearing.Weakens(hypothesis));
    return this;
  }

  /** It excludes the cause. */
  public FindingBuilder refutes(Hypothesis hypothesis) {
    bearings.add(new Bearing.Refutes(hypothesis));
    return this;
  }

  /** Hands part of an effect's time to another effect; a fraction of 0 adds nothing. */
  public FindingBuilder passes(Effect from, Effect to, double fraction, String how) {
    return passes(from, to, fraction, fraction, how);
  }

  /**
   * The same, where the fraction is an upper bound.
   *
   * @param least the lower bound of the fraction
   */
  public FindingBuilder passes(Effect from, Effect to, double fraction, double least, String how) {
    if (fraction > 0) {
      transfers.add(new Transfer(from, to, fraction, least, how));
    }
    return this;
  }

  /** The inputs cannot separate the two causes; the experiment does. */
  public FindingBuilder inseparable(Hypothesis one, Hypothesis other, String experiment) {
    inseparable.add(new Inseparable(one, other, experiment));
    return this;
  }

  /**
   * Splits a part of an effect's time equally between two causes that the files cannot separate.
   *
   * @param experiment the experiment that separates them
   */
  public FindingBuilder explainsEither(
      Hypothesis one, Hypothesis other, Effect effect, double fraction, String experiment) {
    return explains(one, effect, fraction / 2)
        .explains(other, effect, fraction / 2)
        .inseparable(one, other, experiment);
  }

  /** Sets the number of samples behind its fractions. */
  public FindingBuilder samples(long count) {
    samples = count;
    return this;
  }

  /** Sets what to change first for the cause, instead of the default action. */
  public FindingBuilder advises(Hypothesis hypothesis, String action) {
    actions.put(hypothesis, action);
    return this;
  }

  public Finding build() {
    return new Finding(
        rule,
        statement,
        brief,
        clause,
        figures,
        arithmetic,
        values,
        sources,
        bearings,
        transfers,
        inseparable,
        samples,
        actions,
        briefs);
  }
}
