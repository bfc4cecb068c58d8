package io.gcdiag.read.jfr.reader;

import java.util.Map;

/** How the value of a field is encoded. */
enum Kind {
  BOOLEAN,
  BYTE,
  SHORT,
  CHAR,
  INT,
  LONG,
  FLOAT,
  DOUBLE,
  TEXT,
  /** The number of a value in a constant pool. */
  CONSTANT,
  STRUCTURE,
  /** A count, followed by that many values. */
  ARRAY;

  static final Map<String, Kind> PRIMITIVES =
      Map.of(
          "boolean", BOOLEAN,
          "byte", BYTE,
          "short", SHORT,
          "char", CHAR,
          "int", INT,
          "long", LONG,
          "float", FLOAT,
          "double", DOUBLE,
          "java.lang.String", TEXT);

  boolean isNumber() {
    return this == BYTE || this == SHORT || this == INT || this == LONG;
  }
}
