package io.gcdiag.read.jfr;

import io.gcdiag.read.bytes.ClassNames;
import io.gcdiag.read.jfr.reader.DamagedValueException;
import io.gcdiag.read.jfr.reader.EventThread;
import io.gcdiag.read.jfr.reader.Fields;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedObject;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;

/** Values of an event, or of a structure inside one, as the JDK gives them. */
record ApiFields(RecordedObject object) implements Fields {

  @Override
  public Optional<String> text(String field) {
    return value(field, Object.class)
        .filter(value -> !(value instanceof RecordedObject))
        .map(Object::toString);
  }

  @Override
  public OptionalLong number(String field) {
    Optional<Number> value = value(field, Number.class);
    return value.isEmpty() || value.get() instanceof Double || value.get() instanceof Float
        ? OptionalLong.empty()
        : OptionalLong.of(decode(() -> object.getLong(field)));
  }

  @Override
  public OptionalDouble decimal(String field) {
    return value(field, Number.class).isPresent()
        ? OptionalDouble.of(decode(() -> object.getDouble(field)))
        : OptionalDouble.empty();
  }

  @Override
  public Duration duration(String field) {
    return isTime(field) ? Fields.storable(decode(() -> object.getDuration(field))) : Duration.ZERO;
  }

  @Override
  public Optional<Instant> time(String field) {
    return isTime(field)
        ? Optional.of(Fields.storable(decode(() -> object.getInstant(field))))
        : Optional.empty();
  }

  private boolean isTime(String field) {
    OptionalLong number = number(field);
    return number.isPresent() && Fields.isTime(number.getAsLong());
  }

  @Override
  public Optional<String> className(String field) {
    return of(field, RecordedClass.class, named -> ClassNames.source(named.getName()));
  }

  @Override
  public Optional<String> method(String field) {
    return of(field, RecordedMethod.class, ApiTrace::spell).flatMap(spelled -> spelled);
  }

  @Override
  public Optional<EventThread> thread(String field) {
    return of(field, RecordedThread.class, ApiFields::thread);
  }

  private static EventThread thread(RecordedThread thread) {
    String name = thread.getJavaName();
    return new EventThread(
        thread.getId(),
        Math.max(0, thread.getJavaThreadId()), // JDK 25 says -1 where 17 says 0
        name == null ? "" : name,
        thread.hasField("virtual") && thread.getBoolean("virtual"));
  }

  @Override
  public Optional<Fields> inside(String field) {
    return value(field, RecordedObject.class)
        .filter(
            inner ->
                !(inner instanceof RecordedClass
                    || inner instanceof RecordedMethod
                    || inner instanceof RecordedThread
                    || inner instanceof RecordedStackTrace))
        .map(ApiFields::new);
  }

  private <T, V> Optional<V> of(String field, Class<T> type, Function<T, V> made) {
    return value(field, type).map(value -> decode(() -> made.apply(value)));
  }

  private <T> Optional<T> value(String field, Class<T> type) {
    Object value = decode(() -> object.hasField(field) ? object.getValue(field) : null);
    return type.isInstance(value) ? Optional.of(type.cast(value)) : Optional.empty();
  }

  /** An exception of the JDK's decoder on damaged data is no defect of the handler. */
  static <T> T decode(Supplier<T> value) {
    try {
      return value.get();
    } catch (RuntimeException e) {
      throw DamagedValueException.of(e);
    }
  }
}
