package io.gcdiag.diagnosis;

/** How far a verdict can be relied on; separate from the share it explains. */
public enum Confidence {
  /** Several independent sources agree and nothing important is missing. */
  HIGH("high"),
  /** One good source, or several with something missing. */
  MEDIUM("medium"),
  /** Little data, or the share rests on coincidence in time. */
  LOW("low");

  private final String id;

  Confidence(String id) {
    this.id = id;
  }

  /** The next one down, as far as there is one. */
  Confidence lower() {
    return this == HIGH ? MEDIUM : LOW;
  }

  /** The name used in output. */
  public String id() {
    return id;
  }
}
