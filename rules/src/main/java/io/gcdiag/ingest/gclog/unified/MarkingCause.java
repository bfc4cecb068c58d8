package io.gcdiag.ingest.gclog.unified;

import io.gcdiag.evidence.pauses.PauseKind;
import io.gcdiag.evidence.pauses.PauseType;
import io.gcdiag.ingest.text.Line;
import java.util.HashMap;
import java.util.Map;

/**
 * Why G1 marks the heap. A log names the cause with the young collection that starts the marking,
 * and none with the two pauses that are part of it; a recording names it with all of them. Without
 * the cause there would be none of the three.
 *
 * <pre>
 * GC(15) Pause Young (Concurrent Start) (G1 Humongous Allocation) 119M-&gt;118M(300M) 1.7ms
 * GC(16) Concurrent Mark Cycle
 * GC(16) Pause Remark 126M-&gt;126M(300M) 5.1ms
 * </pre>
 */
final class MarkingCause {

  /**
   * Where the heap fills in the ordinary course of things, the pauses of the marking stay alike.
   */
  private static final String ORDINARY = "G1 Evacuation Pause";

  private static final String START = "Pause Young (Concurrent Start)";
  private static final long NONE = Long.MIN_VALUE;

  private String cause = "";

  /** The number of the marking: it gets the next after the collection that starts it. */
  private long cycle = NONE;

  /** Pauses of a marking with its cause; few, and the same object each time. */
  private final Map<PauseType, PauseType> types = new HashMap<>();

  void startOver() {
    cycle = NONE;
  }

  /** The pause's type, with the marking's cause if it is part of one and has none itself. */
  PauseType of(Line line, int text, PauseType named, long gcId) {
    PauseKind kind = named.kind();
    if (line.startsWith(START, text)) {
      cause = named.cause();
      cycle = gcId + 1;
      return named;
    }
    boolean part = kind == PauseKind.REMARK || kind == PauseKind.CLEANUP;
    return part && gcId == cycle && named.cause().isEmpty() && !cause.equals(ORDINARY)
        ? with(named)
        : named;
  }

  private PauseType with(PauseType named) {
    PauseType type = new PauseType(named.kind(), cause, named.evacuationFailure());
    PauseType known = types.putIfAbsent(type, type);
    return known == null ? type : known;
  }
}
