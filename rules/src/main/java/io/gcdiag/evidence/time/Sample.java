package io.gcdiag.evidence.time;

import io.gcdiag.evidence.Timeline;
import java.time.Instant;

/**
 * Something measured at an instant: a counter's reading, a state, a rare event. A new kind of
 * sample is a record that implements this; the {@link Timeline} keeps it without knowing more.
 *
 * <p>For what happens at most some times a second. What happens more often is summed up while it is
 * read.
 */
public interface Sample {

  /** When it was measured, or when it happened. */
  Instant at();
}
