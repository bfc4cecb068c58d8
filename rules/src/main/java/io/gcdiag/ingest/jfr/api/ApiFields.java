package io.gcdiag.ingest.jfr.api;

import io.gcdiag.ingest.jfr.event.EventThread;
import io.gcdiag.ingest.jfr.event.Fields;
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
final class ApiFields implements Fields {

  private final RecordedObject object;
  private final ApiConstants constants;

  ApiFields(RecordedObject object, ApiConstants constants) {
    this.object = object;
    this.constants = constants;
  }

  @Override
  public Optional<String> text(String field) {
    return value(field).filter(value -> !(value instanceof RecordedObject)).map(Object::toString);
  }

  @Override
  public OptionalLong number(String field) {
    Optional<Object> value = value(field);
    if (value.isPresent() && value.get() instanceof Long number) {
      return OptionalLong.of(number);
    }
    boolean whole =
        value
            .filter(Number.class::isInstance)
            .filter(shorter -> !(shorter instanceof Double || shorter instanceof Float))
            .isPresent();
    // A shorter number may bear no sign.
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
        .flatMap(value -> constants.className((RecordedClass) value));
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
        .map(value -> constants.thread((RecordedThread) value));
  }

  @Override
  public Optional<Fields> inside(String field) {
    return value(field)
        .filter(RecordedObject.class::isInstance)
        .filter(ApiFields::isStructure)
        .map(value -> new ApiFields((RecordedObject) value, constants));
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
