package io.gcdiag.ingest.jfr.api;

import io.gcdiag.ingest.jfr.event.DamagedValueException;
import io.gcdiag.ingest.jfr.event.EventThread;
import io.gcdiag.ingest.jfr.event.Trace;
import io.gcdiag.ingest.text.ClassNames;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedObject;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;

/**
 * What became of the JDK's objects for stacks, threads and classes. All events of a chunk that
 * refer to the same thing share one of them.
 */
final class ApiConstants {

  /** Services have some thousands of distinct stacks; beyond that each is spelled out again. */
  private static final int REMEMBERED = 20_000;

  /** More than a JVM has. Each chunk brings its own. */
  private static final int TYPES = 1_000;

  private final Map<RecordedStackTrace, Trace> traces = new IdentityHashMap<>();
  private final Map<RecordedThread, EventThread> threads = new IdentityHashMap<>();
  private final Map<RecordedClass, Optional<String>> classes = new IdentityHashMap<>();

  private final Map<List<ValueDescriptor>, Set<String>> fields = new IdentityHashMap<>();

  /** The fields asked for last: of one event several are. */
  private List<ValueDescriptor> latest = List.of();

  private Set<String> latestNames = Set.of();

  /** Whether it has a field of that name. The JDK would go through the names of all of them. */
  boolean hasField(RecordedObject object, String field) {
    // Objects of one type share the list.
    List<ValueDescriptor> descriptors = object.getFields();
    if (descriptors != latest) {
      latestNames = one(fields, TYPES, descriptors, ApiConstants::names);
      latest = descriptors;
    }
    return latestNames.contains(field);
  }

  private static Set<String> names(List<ValueDescriptor> descriptors) {
    return descriptors.stream().map(ValueDescriptor::getName).collect(Collectors.toSet());
  }

  Trace trace(RecordedStackTrace recorded) {
    return one(traces, REMEMBERED, recorded, ApiTrace::new);
  }

  EventThread thread(RecordedThread recorded) {
    return one(threads, REMEMBERED, recorded, ApiConstants::made);
  }

  /** The class in source form. */
  Optional<String> className(RecordedClass recorded) {
    return one(
        classes, REMEMBERED, recorded, named -> Optional.of(ClassNames.source(named.getName())));
  }

  /** The method as a frame spells it. */
  Optional<String> method(RecordedMethod recorded) {
    try {
      return ApiTrace.spell(recorded);
    } catch (RuntimeException e) {
      throw DamagedValueException.of(e);
    }
  }

  private static EventThread made(RecordedThread thread) {
    String name = thread.getJavaName();
    return new EventThread(
        thread.getId(),
        Math.max(0, thread.getJavaThreadId()), // JDK 25 says -1 where 17 says 0
        name == null ? "" : name,
        thread.hasField("virtual") && thread.getBoolean("virtual"));
  }

  private static <K, V> V one(Map<K, V> known, int most, K recorded, Function<K, V> maker) {
    V value = known.get(recorded);
    if (value == null) {
      if (known.size() >= most) {
        // Mostly those of chunks that are done with.
        known.clear();
      }
      try {
        value = maker.apply(recorded);
      } catch (RuntimeException e) {
        throw DamagedValueException.of(e);
      }
      known.put(recorded, value);
    }
    return value;
  }
}
