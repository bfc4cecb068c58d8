package io.gcdiag.ingest.jfr.api;

import io.gcdiag.ingest.jfr.event.EventThread;
import io.gcdiag.ingest.jfr.event.Fields;
import io.gcdiag.ingest.text.ClassNames;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedObject;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;

/** Values of an event, or of a structure inside one, as the JDK gives them. */
class ApiFields implements Fields {

  private final RecordedObject object;

  ApiFields(RecordedObject object) {
    this.object = object;
  }

  @Override
  public Optional<String> text(String field) {
    return value(field).filter(value -> !(value instanceof RecordedObject)).map(Object::toString);
  }

  @Override
  public OptionalLong number(String field) {
    boolean whole =
        value(field)
            .filter(Number.class::isInstance)
            .filter(value -> !(value instanceof Double || value instanceof Float))
            .isPresent();
    return whole ? OptionalLong.of(object.getLong(field)) : OptionalLong.empty();
  }

  @Override
  public OptionalDouble decimal(String field) {
    return value(field).filter(Number.class::isInstance).isPresent()
        ? OptionalDouble.of(object.getDouble(field))
        : OptionalDouble.empty();
  }

  @Override
  public Duration duration(String field) {
    return isTime(field) ? object.getDuration(field) : Duration.ZERO;
  }

  @Override
  public Optional<Instant> time(String field) {
    return isTime(field) ? Optional.of(object.getInstant(field)) : Optional.empty();
  }

  private boolean isTime(String field) {
    OptionalLong number = number(field);
    return number.isPresent() && Fields.isTime(number.getAsLong());
  }

  @Override
  public Optional<String> className(String field) {
    return value(field)
        .filter(RecordedClass.class::isInstance)
        .map(value -> ClassNames.source(((RecordedClass) value).getName()));
  }

  @Override
  public Optional<String> method(String field) {
    return value(field)
        .filter(RecordedMethod.class::isInstance)
        .flatMap(value -> ApiTrace.spell((RecordedMethod) value));
  }

  @Override
  public Optional<EventThread> thread(String field) {
    return value(field)
        .filter(RecordedThread.class::isInstance)
        .map(value -> thread((RecordedThread) value));
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
    return value(field)
        .filter(RecordedObject.class::isInstance)
        .filter(ApiFields::isStructure)
        .map(value -> new ApiFields((RecordedObject) value));
  }

  private static boolean isStructure(Object value) {
    return !(value instanceof RecordedClass
        || value instanceof RecordedMethod
        || value instanceof RecordedThread
        || value instanceof RecordedStackTrace);
  }

  private Optional<Object> value(String field) {
    return object.hasField(field) ? Optional.ofNullable(object.getValue(field)) : Optional.empty();
  }
}
