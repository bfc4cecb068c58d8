package io.gcdiag.ingest.jfr.jvm;

import io.gcdiag.evidence.machine.MemorySample.DirectBuffers;
import io.gcdiag.evidence.machine.MemorySample.NativeMemory;
import io.gcdiag.evidence.machine.MemorySample.ResidentMemory;
import io.gcdiag.ingest.jfr.event.Event;
import io.gcdiag.ingest.jfr.group.EventGroup;
import io.gcdiag.ingest.jfr.group.LaneContext;
import io.gcdiag.units.Bytes;
import java.util.HashMap;
import java.util.Map;

/** What the process takes of the memory, outside its heap as well. */
public final class ProcessMemoryEvents extends EventGroup {

  private static final String RESIDENT = "jdk.ResidentSetSize";
  private static final String NATIVE = "jdk.NativeMemoryUsage";
  private static final String DIRECT = "jdk.DirectBufferStatistics";

  /** Some thirty parts are written each second; the larger steps show what grows. */
  private static final Bytes STEP = Bytes.ofMebi(1);

  private final Map<String, Bytes> committed = new HashMap<>();

  public ProcessMemoryEvents(LaneContext lane) {
    super(lane);
    on(RESIDENT, this::resident);
    on(NATIVE, this::part);
    on(DIRECT, this::direct);
  }

  private void resident(Event event) {
    event.number("size").stream()
        .filter(size -> size > 0)
        .mapToObj(size -> new ResidentMemory(event.start(), Bytes.of(size), source(RESIDENT)))
        .forEach(this::keep);
  }

  private void part(Event event) {
    String part = event.text("type").orElse("");
    Bytes now = event.bytes("committed");
    Bytes before = committed.get(part);
    boolean stepped =
        before == null
            || now.minusOrZero(before).compareTo(STEP) >= 0
            || before.minusOrZero(now).compareTo(STEP) >= 0;
    if (stepped && !part.isEmpty()) {
      committed.put(part, now);
      keep(new NativeMemory(event.start(), part, now, source(NATIVE)));
    }
  }

  private void direct(Event event) {
    long limit = event.number("maxCapacity").orElse(0);
    // What the limit holds for (Bits.tryReserveMemory): aligned to pages, they use more than that.
    long used = event.number("totalCapacity").orElse(-1);
    if (limit > 0 && used >= 0) {
      keep(
          new DirectBuffers(
              event.start(),
              event.number("count").orElse(0),
              Bytes.of(used),
              Bytes.of(limit),
              source(DIRECT)));
    }
  }
}
