package io.gcdiag.books;

import io.gcdiag.evidence.time.Signal;
import io.gcdiag.measures.MeasuredIncident;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** One check. Stateless and total: it returns findings for every incident, or an empty list. */
public interface Rule {

  /**
   * Its public name, that of the class in kebab case: {@code HeapFreeRatioRule} is {@code
   * heap-free-ratio}. Also the name of its page under {@code docs/rules/}.
   */
  default String id() {
    String name = getClass().getSimpleName();
    StringBuilder id = new StringBuilder();
    for (char one : name.substring(0, name.length() - "Rule".length()).toCharArray()) {
      if (Character.isUpperCase(one) && !id.isEmpty()) {
        id.append('-');
      }
      id.append(Character.toLowerCase(one));
    }
    return id.toString();
  }

  /**
   * The checks of this rule, one per kind of evidence, in the order of their findings. A check runs
   * if its signals were recorded and carries the id of the rule. A rule with one check returns
   * itself.
   */
  default List<Rule> sensors() {
    return List.of(this);
  }

  /** {@link Judges#needs}, of all its sensors. */
  default Set<Signal> needs() {
    return declared(Judges::needs);
  }

  /** {@link Judges#standIns}, of all its sensors. */
  default Set<Signal> standIns() {
    return declared(Judges::standIns);
  }

  /** The root causes it may speak about: {@link Judges#value}, of all its sensors. */
  default Set<Hypothesis> judges() {
    return declared(Judges::value);
  }

  private <T> Set<T> declared(Function<Judges, T[]> what) {
    Set<T> declared = new HashSet<>();
    for (Rule sensor : sensors()) {
      declared.addAll(List.of(what.apply(sensor.getClass().getAnnotation(Judges.class))));
    }
    return declared;
  }

  /** The findings for an incident, from its evidence and its figures. */
  List<Finding> examine(MeasuredIncident incident);
}
