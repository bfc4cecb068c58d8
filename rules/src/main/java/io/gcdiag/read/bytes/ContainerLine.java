package io.gcdiag.read.bytes;

import java.util.Set;
import java.util.regex.Pattern;

/**
 * Lines as log collectors store them: as a text in a JSON object, such as {@code {"log":"the
 * line\n","stream":"stdout","time":"..."}} of Docker's {@code json-file} driver, or after a
 * coloured name, as {@code docker compose logs} prints them. Other prefixes are plain words and
 * need no unwrapping.
 */
public final class ContainerLine {

  private static final char ESCAPE = 0x1b;

  /**
   * Fields with the line: Docker and Fluent Bit, Logstash and most others, bunyan, {@code
   * journalctl -o json}, Loki and Vector, Google's logging.
   */
  private static final Set<String> TEXTS =
      Set.of("log", "message", "msg", "MESSAGE", "line", "textPayload");

  /** What a proxy such as Caddy writes of a request is no line that something else has stored. */
  private static final Pattern REQUEST = Pattern.compile("\"(?:request|httpRequest)\" ?: ?\\{");

  private static final int HEX_DIGITS = 4;
  private static final int HEX = 16;

  private final String text;
  private int at;

  private ContainerLine(String text) {
    this.text = text;
  }

  /** Whether a line may be wrapped this way. */
  static boolean isOne(Line line) {
    return line.length() > 1 && isOne(line.charAt(0));
  }

  private static boolean isOne(char first) {
    return first == '{' || first == ESCAPE;
  }

  /** The original line; the text itself if it is not wrapped. */
  public static String unwrap(String text) {
    if (text.length() < 2 || !isOne(text.charAt(0))) {
      return text;
    }
    return text.charAt(0) == ESCAPE ? withoutColours(text) : new ContainerLine(text).line();
  }

  /** The text without ANSI colour sequences: escape, bracket, numbers, m. */
  private static String withoutColours(String text) {
    StringBuilder plain = new StringBuilder(text.length());
    int i = 0;
    while (i < text.length()) {
      int end = text.charAt(i) == ESCAPE ? endOfColour(text, i) : i;
      if (end > i) {
        i = end;
      } else {
        plain.append(text.charAt(i++));
      }
    }
    return plain.toString();
  }

  private static int endOfColour(String text, int escape) {
    int i = escape + 1;
    if (i == text.length() || text.charAt(i) != '[') {
      return escape;
    }
    do {
      i++;
    } while (i < text.length() && (Character.isDigit(text.charAt(i)) || text.charAt(i) == ';'));
    return i < text.length() && text.charAt(i) == 'm' ? i + 1 : escape;
  }

  /** The first field of the object that contains a line. */
  private String line() {
    at = 1;
    while (goesOn('"')) {
      String name = string();
      if (!goesOn(':')) {
        return text;
      }
      blanks();
      if (at == text.length()) {
        return text;
      }
      if (text.charAt(at) != '"') {
        skipValue();
      } else if (TEXTS.contains(name)) {
        at++;
        return REQUEST.matcher(text).find() ? text : string();
      } else {
        skipString();
      }
      if (!goesOn(',')) {
        return text;
      }
    }
    return text;
  }

  private void blanks() {
    while (at < text.length() && text.charAt(at) == ' ') {
      at++;
    }
  }

  private boolean goesOn(char expected) {
    blanks();
    if (at < text.length() && text.charAt(at) == expected) {
      at++;
      return true;
    }
    return false;
  }

  private void skipString() {
    at++;
    while (at < text.length() && text.charAt(at) != '"') {
      at += text.charAt(at) == '\\' ? 2 : 1;
    }
    at = Math.min(at + 1, text.length());
  }

  /** Skips a number, a list or an object, up to the comma or brace after it. */
  private void skipValue() {
    int depth = 0;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (depth == 0 && (c == ',' || c == '}')) {
        return;
      }
      if (c == '"') {
        skipString();
        continue;
      }
      depth += c == '{' || c == '[' ? 1 : 0;
      depth -= c == '}' || c == ']' ? 1 : 0;
      at++;
    }
  }

  /** The text up to the next quotation mark; of a truncated line, up to its end. */
  private String string() {
    StringBuilder value = new StringBuilder(text.length());
    while (at < text.length() && text.charAt(at) != '"') {
      char c = text.charAt(at++);
      if (c != '\\' || at == text.length()) {
        value.append(c);
        continue;
      }
      char escape = text.charAt(at++);
      switch (escape) {
        case 't' -> value.append('\t');
        case 'n', 'r', 'b', 'f' -> {
          // Newlines and other control characters, which no log line contains.
        }
        case 'u' -> {
          value.append(character(at));
          at = Math.min(at + HEX_DIGITS, text.length());
        }
        default -> value.append(escape);
      }
    }
    at = Math.min(at + 1, text.length());
    return value.toString();
  }

  /**
   * A character from four hexadecimal digits: {@code <} and {@code >} are written so, and any
   * character beyond ASCII may be.
   */
  private char character(int from) {
    int value = 0;
    for (int i = from; i < from + HEX_DIGITS; i++) {
      int digit = i < text.length() ? Character.digit(text.charAt(i), HEX) : -1;
      if (digit < 0) {
        return '?';
      }
      value = value * HEX + digit;
    }
    return (char) value;
  }
}
