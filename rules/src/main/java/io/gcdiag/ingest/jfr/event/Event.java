package io.gcdiag.ingest.jfr.event;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * One event of a recording. It is good only until the next one is handed on: whoever needs more of
 * it than a sum keeps the values, not the event.
 */
public interface Event extends Fields {

  /** The name of its type, such as {@code jdk.ThreadPark}. */
  String type();

  /** When it began. */
  Instant start();

  /** When it began, in nanoseconds since 1970. */
  long startNanos();

  /** How long it lasted, in nanoseconds: {@link #duration()}. */
  long lengthNanos();

  /** When it ended; its beginning, if it has no length. */
  Instant end();

  /** How long it lasted. */
  Duration duration();

  /** Where the thread was; absent if no stack was recorded. */
  Optional<Trace> stack();

  /** The thread it happened on. */
  Optional<EventThread> thread();
}
