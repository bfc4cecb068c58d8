package io.gcdiag.books;

import io.gcdiag.measures.threads.Effect;

/** The bearing of a finding on a root cause. */
public sealed interface Bearing {

  /** The root cause it is about. */
  Hypothesis hypothesis();

  /** The word for it in reports. */
  default String word() {
    return this instanceof Explains || this instanceof Proves
        ? "explains"
        : this instanceof Weakens
            ? "weakens"
            : this instanceof Refutes
                ? "refutes"
                : this instanceof LeavesOpen ? "leaves open" : "supports";
  }

  /**
   * Whether it makes the cause a lead where no cause is decided. A part of an effect's time does
   * not: if that time were large, the cause would be decided.
   */
  default boolean speaksFor() {
    return false;
  }

  /** Whether it is evidence for the cause: a lead, or time that the cause accounts for. */
  default boolean isClaim() {
    return speaksFor();
  }

  /**
   * The finding accounts for part of an effect's time.
   *
   * @param effect whose time
   * @param fraction how much of that effect's excess time, 0 to 1
   */
  record Explains(Hypothesis hypothesis, Effect effect, double fraction) implements Bearing {

    public Explains {
      if (!(fraction >= 0 && fraction <= 1)) {
        throw new IllegalArgumentException("a fraction lies between 0 and 1: " + fraction);
      }
    }

    @Override
    public boolean isClaim() {
      return fraction > 0;
    }
  }

  /**
   * The finding is an expected symptom of the cause.
   *
   * @param pending whether the cause will delay requests later even if it has not yet; reported in
   *     any case
   */
  record Supports(Hypothesis hypothesis, boolean pending) implements Bearing {
    @Override
    public boolean speaksFor() {
      return true;
    }
  }

  /**
   * An indicator of the cause correlates with the request latency. This ranks leads and has no
   * weight in verdicts.
   */
  record Accompanies(Hypothesis hypothesis) implements Bearing {}

  /**
   * These files have no sensor for the cause, so the absence of findings is no evidence against it.
   */
  record LeavesOpen(Hypothesis hypothesis) implements Bearing {}

  /**
   * The finding is direct proof of the cause, independent of time, such as a cycle of lock owners
   * in a thread dump.
   */
  record Proves(Hypothesis hypothesis) implements Bearing {
    @Override
    public boolean isClaim() {
      return true;
    }
  }

  /** The finding contradicts this cause without excluding it. */
  record Weakens(Hypothesis hypothesis) implements Bearing {}

  /** The finding excludes this cause. */
  record Refutes(Hypothesis hypothesis) implements Bearing {}
}
