package io.gcdiag.verdict;

import io.gcdiag.units.Named;

/** How far a verdict can be relied on; separate from the share it explains. */
public enum Confidence implements Named {
  /** Several independent sources agree and nothing important is missing. */
  HIGH,
  /** One good source, or several with something missing. */
  MEDIUM,
  /** Little data, or the share rests on coincidence in time. */
  LOW;

  /** The next one down, as far as there is one. */
  Confidence lower() {
    return this == HIGH ? MEDIUM : LOW;
  }
}
