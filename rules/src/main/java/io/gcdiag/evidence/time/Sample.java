package io.gcdiag.evidence.time;

import java.time.Instant;

/**
 * Something measured at an instant: a counter's reading, a state, a rare event. A new kind is a
 * record inside the interface of its subject, such as {@code CpuSample}; the timeline keeps it
 * without knowing more. Its {@code source} is where it was read, if the kind says nothing else.
 *
 * <p>For what happens at most some times a second. What happens more often is summed up while it is
 * read.
 */
public interface Sample {

  /** When it was measured, or when it happened. */
  Instant at();
}
