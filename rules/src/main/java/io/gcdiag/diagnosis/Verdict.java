package io.gcdiag.diagnosis;

/** What is thought of a root cause. */
public enum Verdict {
  /** It explains more of the lost time than any other. */
  PRIMARY_SUSPECT("primary-suspect", "PRIMARY SUSPECT"),
  /** It explains part of the lost time. */
  CONTRIBUTING("contributing", "contributing"),
  /** It would explain what is seen, but the inputs do not decide. */
  NOT_ENOUGH_DATA("not-enough-data", "not enough data"),
  /** There is evidence against it. */
  RULED_OUT("ruled-out", "ruled out"),
  /** Looked for; nothing, or too little, supports it. */
  NOT_INDICATED("not-indicated", "not indicated");

  private final String id;
  private final String title;

  Verdict(String id, String title) {
    this.id = id;
    this.title = title;
  }

  /** The name used in machine-readable output. */
  public String id() {
    return id;
  }

  /** For people. */
  public String title() {
    return title;
  }
}
