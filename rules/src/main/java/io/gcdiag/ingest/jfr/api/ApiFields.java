package io.gcdiag.ingest.jfr.api;

import io.gcdiag.ingest.jfr.event.DamagedValueException;
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

/**
 * Values of an event, or of a structure inside one, as the JDK gives them.
 *
 * <p>No lambda that keeps something is handed on for a value: HotSpot's first compiler has each of
 * them made by a call into the JVM, which was a tenth of the time of a whole recording.
 */
final class ApiFields implements Fields {

  private final RecordedObject object;
  private final ApiConstants constants;

  ApiFields(RecordedObject object, ApiConstants constants) {
    this.object = object;
    this.constants = constants;
  }

  @Override
  public Optional<String> text(String field) {
    Object value = value(field);
    return value == null || value instanceof RecordedObject
        ? Optional.empty()
        : Optional.of(value.toString());
  }

  @Override
  public OptionalLong number(String field) {
    Object value = value(field);
    if (value instanceof Long number) {
      return OptionalLong.of(number);
    }
    if (value instanceof Integer number && number >= 0) {
      return OptionalLong.of(number);
    }
    if (!(value instanceof Number) || value instanceof Double || value instanceof Float) {
      return OptionalLong.empty();
    }
    try {
      // A shorter number may bear no sign: to ask for it again is to go through all names again.
      return OptionalLong.of(object.getLong(field));
    } catch (RuntimeException e) {
      throw DamagedValueException.of(e);
    }
  }

  @Override
  public OptionalDouble decimal(String field) {
    if (!(value(field) instanceof Number)) {
      return OptionalDouble.empty();
    }
    try {
      return OptionalDouble.of(object.getDouble(field));
    } catch (RuntimeException e) {
      throw DamagedValueException.of(e);
    }
  }

  @Override
  public Duration duration(String field) {
    if (!isTime(field)) {
      return Duration.ZERO;
    }
    try {
      return Fields.storable(object.getDuration(field));
    } catch (RuntimeException e) {
      throw DamagedValueException.of(e);
    }
  }

  @Override
  public Optional<Instant> time(String field) {
    if (!isTime(field)) {
      return Optional.empty();
    }
    try {
      return Optional.of(Fields.storable(object.getInstant(field)));
    } catch (RuntimeException e) {
      throw DamagedValueException.of(e);
    }
  }

  private boolean isTime(String field) {
    OptionalLong number = number(field);
    return number.isPresent() && Fields.isTime(number.getAsLong());
  }

  @Override
  public Optional<String> className(String field) {
    return value(field) instanceof RecordedClass named
        ? constants.className(named)
        : Optional.empty();
  }

  @Override
  public Optional<String> method(String field) {
    return value(field) instanceof RecordedMethod method
        ? constants.method(method)
        : Optional.empty();
  }

  @Override
  public Optional<EventThread> thread(String field) {
    return value(field) instanceof RecordedThread thread
        ? Optional.of(constants.thread(thread))
        : Optional.empty();
  }

  @Override
  public Optional<Fields> inside(String field) {
    return value(field) instanceof RecordedObject inner && isStructure(inner)
        ? Optional.of(new ApiFields(inner, constants))
        : Optional.empty();
  }

  private static boolean isStructure(Object value) {
    return !(value instanceof RecordedClass
        || value instanceof RecordedMethod
        || value instanceof RecordedThread
        || value instanceof RecordedStackTrace);
  }

  /** The value, or null if there is none. */
  Object value(String field) {
    try {
      return constants.hasField(object, field) ? object.getValue(field) : null;
    } catch (RuntimeException e) {
      throw DamagedValueException.of(e);
    }
  }
}
