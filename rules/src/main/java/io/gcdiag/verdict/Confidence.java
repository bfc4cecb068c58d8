package io.gcdiag.verdict;

import io.gcdiag.units.Named;

/** How reliable a verdict is, independent of the share that it explains. */
public enum Confidence implements Named {
  /** Several independent sources agree and nothing important is missing. */
  HIGH,
  /** One good source, or several with something missing. */
  MEDIUM,
  /** Little data, or a share that is based on coincidence in time. */
  LOW;

  /** The next lower confidence; {@link #LOW} if there is none. */
  Confidence lower() {
    return this == HIGH ? MEDIUM : LOW;
  }
}
