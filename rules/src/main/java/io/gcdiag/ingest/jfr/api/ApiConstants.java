package io.gcdiag.ingest.jfr.api;

import io.gcdiag.ingest.jfr.event.EventThread;
import io.gcdiag.ingest.jfr.event.Trace;
import io.gcdiag.ingest.text.ClassNames;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;

/**
 * What became of the JDK's objects for stacks, threads and classes. All events of a chunk that
 * refer to the same thing share one of them.
 */
final class ApiConstants {

  /** Services have some thousands of distinct stacks; beyond that each is spelled out again. */
  private static final int REMEMBERED = 20_000;

  private final Map<RecordedStackTrace, Trace> traces = new IdentityHashMap<>();
  private final Map<RecordedThread, EventThread> threads = new IdentityHashMap<>();
  private final Map<RecordedClass, Optional<String>> classes = new IdentityHashMap<>();

  Trace trace(RecordedStackTrace recorded) {
    return one(traces, recorded, ApiTrace::new);
  }

  EventThread thread(RecordedThread recorded) {
    return one(threads, recorded, ApiConstants::made);
  }

  /** The class in source form. */
  Optional<String> className(RecordedClass recorded) {
    return one(classes, recorded, named -> Optional.of(ClassNames.source(named.getName())));
  }

  private static EventThread made(RecordedThread thread) {
    String name = thread.getJavaName();
    return new EventThread(
        thread.getId(),
        Math.max(0, thread.getJavaThreadId()), // JDK 25 says -1 where 17 says 0
        name == null ? "" : name,
        thread.hasField("virtual") && thread.getBoolean("virtual"));
  }

  private static <K, V> V one(Map<K, V> known, K recorded, Function<K, V> maker) {
    V value = known.get(recorded);
    if (value == null) {
      if (known.size() >= REMEMBERED) {
        // Mostly those of chunks that are done with.
        known.clear();
      }
      value = maker.apply(recorded);
      known.put(recorded, value);
    }
    return value;
  }
}
