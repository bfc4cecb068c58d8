package io.gcdiag.evidence.time;

import java.time.Instant;

/**
 * Something measured at an instant: a counter's reading, a state, a rare event. A new kind is a
 * record inside the interface of its subject, such as {@code CpuSample}; no change of the timeline
 * is needed. Its {@code source} is where it was read, unless its own Javadoc says otherwise.
 *
 * <p>For events that happen at most a few times per second. Readers sum up more frequent ones.
 */
public interface Sample {

  /** When it was measured, or when it happened. */
  Instant at();
}
