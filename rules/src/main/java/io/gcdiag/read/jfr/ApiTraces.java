package io.gcdiag.read.jfr;

import io.gcdiag.read.jfr.reader.Trace;
import java.util.IdentityHashMap;
import java.util.Map;
import jdk.jfr.consumer.RecordedStackTrace;

/** Stacks that were spelled out. All events of a chunk that refer to the same one share it. */
final class ApiTraces {

  /** Services have some thousands of distinct stacks; beyond that each is spelled out again. */
  private static final int REMEMBERED = 20_000;

  private final Map<RecordedStackTrace, Trace> traces = new IdentityHashMap<>();

  Trace of(RecordedStackTrace recorded) {
    if (traces.size() >= REMEMBERED) {
      // Mostly those of chunks that are done with.
      traces.clear();
    }
    return ApiFields.decode(() -> traces.computeIfAbsent(recorded, ApiTrace::new));
  }
}
