package io.gcdiag.ingest.jfr;

import io.gcdiag.ingest.text.ClassNames;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedObject;

/** Fields that some JDKs or producers leave out. */
final class Fields {

  private Fields() {}

  static Optional<String> text(RecordedObject event, String field) {
    if (!event.hasField(field)) {
      return Optional.empty();
    }
    Object value = event.getValue(field);
    return value == null ? Optional.empty() : Optional.of(value.toString());
  }

  static OptionalLong number(RecordedObject event, String field) {
    if (!event.hasField(field)) {
      return OptionalLong.empty();
    }
    Object value = event.getValue(field);
    return value instanceof Number number && !(value instanceof Double || value instanceof Float)
        ? OptionalLong.of(event.getLong(field))
        : OptionalLong.empty();
  }

  static double fraction(RecordedObject event, String field) {
    if (!event.hasField(field)) {
      return 0;
    }
    double value = event.getDouble(field);
    return Double.isNaN(value) ? 0 : Math.max(0, Math.min(1, value));
  }

  static Duration duration(RecordedObject event, String field) {
    return event.hasField(field) ? event.getDuration(field) : Duration.ZERO;
  }

  /** The class in source form: {@code byte[]} for {@code [B}. */
  static Optional<String> className(RecordedObject event, String field) {
    if (!event.hasField(field)) {
      return Optional.empty();
    }
    RecordedClass type = event.getClass(field);
    return type == null ? Optional.empty() : Optional.of(ClassNames.source(type.getName()));
  }
}
