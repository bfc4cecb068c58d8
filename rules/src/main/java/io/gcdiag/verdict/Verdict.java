package io.gcdiag.verdict;

import io.gcdiag.units.Named;

/** The verdict on a root cause. */
public enum Verdict implements Named {
  /** It explains more of the lost time than any other. */
  PRIMARY_SUSPECT("PRIMARY SUSPECT"),
  /** It explains part of the lost time. */
  CONTRIBUTING("contributing"),
  /** It may explain the lost time, but the inputs do not decide. */
  NOT_ENOUGH_DATA("not enough data"),
  /** There is evidence against it. */
  RULED_OUT("ruled out"),
  /** Checked, and not supported by enough evidence. */
  NOT_INDICATED("not indicated");

  private final String title;

  Verdict(String title) {
    this.title = title;
  }

  /** Whether it explains some of the lost time. */
  public boolean isSuspect() {
    return this == PRIMARY_SUSPECT || this == CONTRIBUTING;
  }

  /** Whether it was judged and is no suspect. */
  public boolean isCleared() {
    return this == RULED_OUT || this == NOT_INDICATED;
  }

  public String title() {
    return title;
  }
}
