package io.gcdiag.evidence.waits;

import io.gcdiag.evidence.time.Sample;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Where the threads of one group waited without being in a native call, over a short stretch of
 * time, by events: parks, monitors and sleeps, be they for work or in the middle of it. Samplers
 * pass such threads over.
 *
 * @param at when the stretch begins
 * @param length how long it is
 * @param group the threads' name with its digits replaced by N, as in {@link SampledTime}
 * @param onRequestThread whether threads of that name serve requests
 * @param workers threads of the group that the recording shows at work or parked at any time, less
 *     those that the server keeps in reserve for its own loops, on average
 * @param loops further threads of the group that do nothing but wait for sockets
 * @param waited thread time in seconds by what was waited for; {@link WaitKind#IDLE} without work
 */
public record WorkerTime(
    Instant at,
    Duration length,
    String group,
    boolean onRequestThread,
    double workers,
    int loops,
    Map<WaitKind, Double> waited)
    implements Sample {

  /** Copies the map. */
  public WorkerTime {
    waited = Collections.unmodifiableMap(new LinkedHashMap<>(waited));
  }
}
