package io.gcdiag.read.jfr;

import io.gcdiag.evidence.jvm.MemorySample.NativeMemory;
import io.gcdiag.read.jfr.reader.Event;
import io.gcdiag.units.Bytes;
import java.util.HashMap;
import java.util.Map;

/** What each part of the JVM has committed, where its native memory is tracked. */
final class NativeMemoryEvents extends EventGroup {

  private static final String NATIVE = "jdk.NativeMemoryUsage";

  /** Some thirty parts are written each second; changes of this size show growth. */
  private static final Bytes STEP = Bytes.ofMebi(1);

  private final Map<String, Bytes> committed = new HashMap<>();

  NativeMemoryEvents(LaneContext lane) {
    super(lane);
    on(NATIVE, this::part);
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
}
