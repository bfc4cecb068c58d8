package io.gcdiag.causes;

import io.gcdiag.measures.waits.Effect;

/** What a finding says about a root cause. */
public sealed interface Bearing {

  /** The root cause it is about. */
  Hypothesis hypothesis();

  /** The word for it in reports. */
  String word();

  /**
   * Whether it is a reason to think of the cause first where nothing decides. A part of an effect's
   * time is none: where that time were of weight, it would decide.
   */
  default boolean speaksFor() {
    return false;
  }

  /** Whether it is one for the cause: a reason to think of it, or time that it accounts for. */
  default boolean isClaim() {
    return speaksFor();
  }

  /**
   * The finding accounts for part of an effect's time.
   *
   * @param hypothesis the cause
   * @param effect whose time
   * @param fraction how much of that effect's excess time, 0 to 1
   */
  record Explains(Hypothesis hypothesis, Effect effect, double fraction) implements Bearing {

    /** Checks the range. */
    public Explains {
      if (!(fraction >= 0 && fraction <= 1)) {
        throw new IllegalArgumentException("a fraction lies between 0 and 1: " + fraction);
      }
    }

    @Override
    public String word() {
      return "explains";
    }

    @Override
    public boolean isClaim() {
      return fraction > 0;
    }
  }

  /**
   * The finding is what one would expect if this were the cause.
   *
   * @param hypothesis the cause
   * @param pending whether it will hurt even if it has not yet: worth a word in any case
   */
  record Supports(Hypothesis hypothesis, boolean pending) implements Bearing {
    @Override
    public String word() {
      return "supports";
    }

    @Override
    public boolean speaksFor() {
      return true;
    }
  }

  /**
   * What the cause would show in moved together with the users' latency. That ranks leads and
   * proves nothing: it is printed, and it weighs nothing.
   *
   * @param hypothesis the cause
   */
  record Accompanies(Hypothesis hypothesis) implements Bearing {
    @Override
    public String word() {
      return "supports";
    }
  }

  /**
   * The finding is the cause itself, seen: on another ground than time, such as a cycle of owners
   * in a thread dump.
   *
   * @param hypothesis the cause
   */
  record Proves(Hypothesis hypothesis) implements Bearing {
    @Override
    public boolean isClaim() {
      return true;
    }

    @Override
    public String word() {
      return "explains";
    }
  }

  /**
   * The finding is hard to square with this cause.
   *
   * @param hypothesis the cause
   */
  record Weakens(Hypothesis hypothesis) implements Bearing {
    @Override
    public String word() {
      return "weakens";
    }
  }

  /**
   * The finding shows that this is not the cause.
   *
   * @param hypothesis the cause
   */
  record Refutes(Hypothesis hypothesis) implements Bearing {
    @Override
    public String word() {
      return "refutes";
    }
  }
}
