package io.gcdiag.diagnosis;

/** The answer in one word. */
public enum Conclusion {
  /** One root cause stands out. */
  PRIMARY_SUSPECT("primary-suspect"),
  /** Nothing exceeds what the service needs. */
  HEALTHY("healthy"),
  /** Time is lost, or may be, and the inputs do not say why. */
  UNDECIDED("undecided");

  private final String id;

  Conclusion(String id) {
    this.id = id;
  }

  /** The name used in machine-readable output. */
  public String id() {
    return id;
  }
}
