package io.gcdiag.read.jfr;

import io.gcdiag.read.jfr.reader.Trace;
import java.util.IdentityHashMap;
import java.util.Map;
import jdk.jfr.consumer.RecordedStackTrace;

/** Converted stacks. All events of a chunk with the same stack share one object. */
final class ApiTraces {

  /**
   * Services have some thousands of distinct stacks; beyond this number stacks are converted again.
   */
  private static final int REMEMBERED = 20_000;

  private final Map<RecordedStackTrace, Trace> traces = new IdentityHashMap<>();

  Trace of(RecordedStackTrace recorded) {
    if (traces.size() >= REMEMBERED) {
      // They are mostly stacks of earlier chunks.
      traces.clear();
    }
    return ApiFields.decode(() -> traces.computeIfAbsent(recorded, ApiTrace::new));
  }
}
