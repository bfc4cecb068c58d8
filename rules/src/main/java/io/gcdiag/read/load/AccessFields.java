package io.gcdiag.read.load;

import io.gcdiag.read.bytes.Line;

/**
 * The fields of one line of an access log, split at blanks: quotes, brackets and braces hold
 * blanks, {@code name="value"} is one field, as is {@code (12 microseconds)}, and so is the list
 * {@code 0.010, 0.020} of one request that was sent to two servers. Nothing is copied; valid as
 * long as the line is.
 */
final class AccessFields {

  /** More fields than any server writes; those beyond are not looked at. */
  private static final int MOST = 128;

  /** The shortest and the longest HTTP method: GET, MKCALENDAR. */
  private static final int SHORTEST_METHOD = 3;

  private static final int LONGEST_METHOD = 10;

  private final int[] from = new int[MOST];
  private final int[] to = new int[MOST];
  private Line line = new Line();
  private int size;
  private int methodEnd;

  void split(Line text) {
    line = text;
    size = 0;
    int end = text.length();
    int at = 0;
    while (size < MOST) {
      while (at < end && isBlank(text.charAt(at))) {
        at++;
      }
      if (at == end) {
        return;
      }
      char close = closing(at);
      int closed = close == 0 ? -1 : closed(close, at + 1);
      if (closed >= 0) {
        from[size] = at + 1;
        to[size++] = closed;
        at = closed + 1;
      } else {
        int stop = wordEnd(at, end);
        from[size] = at;
        to[size++] = stop;
        at = stop;
      }
    }
  }

  private char closing(int open) {
    return switch (line.charAt(open)) {
      case '"' -> '"';
      case '[' -> ']';
      case '{' -> '}';
      case '(' -> open + 1 < line.length() && isNumberStart(line.charAt(open + 1)) ? ')' : 0;
      default -> 0;
    };
  }

  /** The position of the closing character; a quote after a backslash is part of the text. */
  private int closed(char close, int start) {
    int at = line.indexOf(close, start);
    while (at > start && close == '"' && line.charAt(at - 1) == '\\' && isEscaped(at, start)) {
      at = line.indexOf(close, at + 1);
    }
    return at;
  }

  private boolean isEscaped(int quote, int start) {
    int slashes = 0;
    while (quote - slashes > start && line.charAt(quote - slashes - 1) == '\\') {
      slashes++;
    }
    return slashes % 2 == 1;
  }

  private int wordEnd(int start, int end) {
    // Blanks and quotes precede nearly all others.
    for (int at = line.indexOfUpTo('"', start); at < end; at = line.indexOfUpTo('"', at + 1)) {
      char c = line.charAt(at);
      if (c == '"' && at > start && isNameEnd(line.charAt(at - 1))) {
        int closed = closed('"', at + 1);
        if (closed >= 0) {
          return closed + 1;
        }
      }
      if (isBlank(c)) {
        boolean list = line.charAt(at - 1) == ',' && isNumberStart(line.charAt(start));
        if (!list || at + 1 == end || !isNumberStart(line.charAt(at + 1))) {
          return at;
        }
      }
    }
    return end;
  }

  private static boolean isNameEnd(char c) {
    return c == '=' || c == ':';
  }

  private static boolean isNumberStart(char c) {
    return c >= '0' && c <= '9' || c == '-';
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }

  int size() {
    return size;
  }

  Line line() {
    return line;
  }

  int from(int field) {
    return from[field];
  }

  int to(int field) {
    return to[field];
  }

  String text(int field) {
    return line.substring(from[field], to[field]);
  }

  /** Whether the field is the request: {@code GET /path HTTP/1.1} in quotes or without. */
  boolean isRequest(int field) {
    int start = from[field];
    int end = to[field];
    int method = start;
    while (method < end && line.charAt(method) >= 'A' && line.charAt(method) <= 'Z') {
      method++;
    }
    if (method - start < SHORTEST_METHOD || method - start > LONGEST_METHOD) {
      return false;
    }
    methodEnd = method;
    if (method == end) {
      return field + 1 < size && isPath(from[field + 1], to[field + 1]);
    }
    return line.charAt(method) == ' ' && isPath(method + 1, end);
  }

  /** The position behind the method of the request that was found last. */
  int methodEnd() {
    return methodEnd;
  }

  private boolean isPath(int start, int end) {
    return start < end
        && (line.charAt(start) == '/'
            || line.charAt(start) == '*'
            || line.startsWith("http", start));
  }

  /** The field that is the request; -1 if there is none. */
  int request() {
    for (int field = 0; field < size; field++) {
      if (isRequest(field)) {
        return field;
      }
    }
    return -1;
  }
}
