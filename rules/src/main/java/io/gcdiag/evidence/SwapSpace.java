package io.gcdiag.evidence;

import io.gcdiag.units.Bytes;
import java.time.Instant;

/**
 * Swap space of the machine.
 *
 * @param at when it was read
 * @param total all of it; zero on a machine without
 * @param free what is not in use
 * @param source where it was read
 */
public record SwapSpace(Instant at, Bytes total, Bytes free, Source source) implements Sample {

  /** What is in use. */
  public Bytes used() {
    return Bytes.of(Math.max(0, total.value() - free.value()));
  }
}
