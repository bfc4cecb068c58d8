package io.gcdiag.read.jfr.reader;

import io.gcdiag.read.jfr.reader.Constants.Constant;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The values of one structure: each field's number, or the position of its text or structure.
 * Objects are created on demand only.
 */
class Values implements Fields {

  private static final long BYTE = 0xffL;
  private static final long SHORT = 0xffffL;
  private static final long INT = 0xffffffffL;

  private final Type type;
  private final Field[] fields;
  private final Constants constants;
  private final ChunkClock clock;
  private final long[] values;
  private ChunkBytes in;

  Values(Type type, ChunkBytes in, Constants constants, ChunkClock clock) {
    this.type = type;
    this.fields = type.fields();
    this.in = in;
    this.constants = constants;
    this.clock = clock;
    this.values = new long[fields.length];
  }

  /** Reads the values at the position of the bytes. */
  final void read() {
    type.read(in, values);
  }

  final void read(ChunkBytes bytes) {
    in = bytes;
    read();
  }

  final Type structure() {
    return type;
  }

  final long value(int place) {
    return values[place];
  }

  /** The constant that a field refers to. */
  Constant constant(int place) {
    return place != Type.NONE && fields[place].kind == Kind.CONSTANT
        ? constants.get(fields[place].type(), values[place])
        : Constant.ABSENT;
  }

  /** The text of the only field. */
  final Optional<String> only() {
    return text(0);
  }

  @Override
  public final Optional<String> text(String field) {
    int place = type.place(field);
    return place == Type.NONE ? Optional.empty() : text(place);
  }

  private Optional<String> text(int place) {
    Field field = fields[place];
    long value = values[place];
    switch (field.kind) {
      case BOOLEAN:
        return Optional.of(value == 0 ? "false" : "true");
      case BYTE:
      case SHORT:
      case INT:
      case LONG:
        return Optional.of(Long.toString(value));
      case CHAR:
        return Optional.of(String.valueOf((char) value));
      case FLOAT:
        return Optional.of(Float.toString(Float.intBitsToFloat((int) value)));
      case DOUBLE:
        return Optional.of(Double.toString(Double.longBitsToDouble(value)));
      case TEXT:
        return read((int) value);
      case CONSTANT:
        return field.type().isText() ? constant(place).text() : Optional.empty();
      case STRUCTURE:
        return field.type().isSimple() ? structure(place).only() : Optional.empty();
      default:
        return Optional.empty();
    }
  }

  private Optional<String> read(int at) {
    try {
      in.at(at);
      return in.readText(constants::text);
    } catch (RuntimeException e) {
      throw DamagedValueException.of(e);
    }
  }

  private Values structure(int place) {
    try {
      in.at((int) values[place]);
      Values inside = new Values(fields[place].type(), in, constants, clock);
      inside.read();
      return inside;
    } catch (RuntimeException e) {
      throw DamagedValueException.of(e);
    }
  }

  @Override
  public final OptionalLong number(String name) {
    int place = type.place(name);
    return place == Type.NONE || !fields[place].kind.isNumber()
        ? OptionalLong.empty()
        : OptionalLong.of(number(place));
  }

  @Override
  public final long numberOr(String name, long absent) {
    int place = type.place(name);
    return place == Type.NONE || !fields[place].kind.isNumber() ? absent : number(place);
  }

  private long number(int place) {
    long value = values[place];
    if (!fields[place].unsigned) {
      return value;
    }
    return switch (fields[place].kind) {
      case BYTE -> value & BYTE;
      case SHORT -> value & SHORT;
      case INT -> value & INT;
      default -> value;
    };
  }

  @Override
  public final OptionalDouble decimal(String name) {
    int place = type.place(name);
    if (place == Type.NONE) {
      return OptionalDouble.empty();
    }
    long value = values[place];
    return switch (fields[place].kind) {
      case FLOAT -> OptionalDouble.of(Float.intBitsToFloat((int) value));
      case DOUBLE -> OptionalDouble.of(Double.longBitsToDouble(value));
      case BYTE, SHORT, INT, LONG -> OptionalDouble.of(value);
      default -> OptionalDouble.empty();
    };
  }

  @Override
  public final Duration duration(String name) {
    OptionalLong number = number(name);
    if (number.isEmpty() || !Fields.isTime(number.getAsLong())) {
      return Duration.ZERO;
    }
    try {
      return Fields.storable(span(fields[type.place(name)].unit, number.getAsLong()));
    } catch (ArithmeticException e) {
      throw DamagedValueException.of(e);
    }
  }

  private Duration span(Field.TimeUnit unit, long value) {
    return switch (unit) {
      case TICKS -> clock.span(value);
      case NANOSECONDS -> Duration.ofNanos(value);
      case MICROSECONDS -> Duration.of(value, ChronoUnit.MICROS);
      case MILLISECONDS -> Duration.ofMillis(value);
      case SECONDS -> Duration.ofSeconds(value);
      default -> Duration.ZERO;
    };
  }

  @Override
  public final Optional<Instant> time(String name) {
    OptionalLong number = number(name);
    if (number.isEmpty() || !Fields.isTime(number.getAsLong())) {
      return Optional.empty();
    }
    long value = number.getAsLong();
    return switch (fields[type.place(name)].unit) {
      case TICK_STAMP -> Optional.of(clock.instant(value));
      case MILLISECOND_STAMP -> Optional.of(Fields.storable(Instant.ofEpochMilli(value)));
      default -> Optional.empty();
    };
  }

  @Override
  public final Optional<String> className(String field) {
    int place = type.place(field);
    return place != Type.NONE && fields[place].type().isClass()
        ? constant(place).text()
        : Optional.empty();
  }

  @Override
  public final Optional<String> method(String field) {
    int place = type.place(field);
    return place != Type.NONE && fields[place].type().isMethod()
        ? constant(place).text()
        : Optional.empty();
  }

  @Override
  public final Optional<EventThread> thread(String field) {
    return constant(type.place(field)).thread();
  }

  @Override
  public final Optional<Fields> inside(String field) {
    int place = type.place(field);
    if (place != Type.NONE && fields[place].kind == Kind.STRUCTURE) {
      return fields[place].type().isSimple() ? Optional.empty() : Optional.of(structure(place));
    }
    return constant(place).fields();
  }
}
