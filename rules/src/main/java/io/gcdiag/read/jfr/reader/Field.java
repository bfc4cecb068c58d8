package io.gcdiag.read.jfr.reader;

final class Field {

  final String name;
  private final Type type;
  final boolean unsigned;
  final TimeUnit unit;
  final Kind kind;
  private final Kind element;

  enum TimeUnit {
    NONE,
    TICKS,
    NANOSECONDS,
    MICROSECONDS,
    MILLISECONDS,
    SECONDS,
    TICK_STAMP,
    MILLISECOND_STAMP
  }

  /**
   * A field.
   *
   * @param type the type of its value
   * @param constant whether it contains a number that refers to a constant pool
   * @param array whether it is a list of values
   * @param unsigned whether a number is unsigned
   * @param unit unit of a time
   */
  Field(String name, Type type, boolean constant, boolean array, boolean unsigned, TimeUnit unit) {
    this.name = name;
    this.type = type;
    this.unsigned = unsigned;
    this.unit = unit;
    this.element =
        constant ? Kind.CONSTANT : Kind.PRIMITIVES.getOrDefault(type.name, Kind.STRUCTURE);
    this.kind = array ? Kind.ARRAY : element;
  }

  Type type() {
    return type;
  }

  /** Whether its value, or each element of its list, consists of inline fields. */
  boolean isStructured() {
    return element == Kind.STRUCTURE;
  }

  void skip(ChunkBytes in) {
    if (kind != Kind.ARRAY) {
      skipOne(in);
      return;
    }
    int count = in.readLength();
    for (int i = 0; i < count; i++) {
      skipOne(in);
    }
  }

  private void skipOne(ChunkBytes in) {
    switch (element) {
      case BOOLEAN, BYTE -> in.skip(1);
      case SHORT, CHAR -> in.readShort();
      case INT -> in.readInt();
      case LONG, CONSTANT -> in.readLong();
      case FLOAT -> in.skip(Float.BYTES);
      case DOUBLE -> in.skip(Double.BYTES);
      case TEXT -> in.skipText();
      case STRUCTURE, ARRAY -> type.skip(in);
    }
  }

  /**
   * Reads a numeric value, or skips any other value and returns its position.
   *
   * @return the bits of a floating-point number; the position of a text, structure or list
   */
  long read(ChunkBytes in) {
    switch (kind) {
      case BOOLEAN, BYTE:
        return in.readByte();
      case SHORT:
        return in.readShort();
      case CHAR:
        return (char) in.readShort();
      case INT:
        return in.readInt();
      case LONG, CONSTANT:
        return in.readLong();
      case FLOAT:
        return Float.floatToRawIntBits(in.readFloat());
      case DOUBLE:
        return Double.doubleToRawLongBits(in.readDouble());
      default:
        int at = in.at();
        skip(in);
        return at;
    }
  }
}
