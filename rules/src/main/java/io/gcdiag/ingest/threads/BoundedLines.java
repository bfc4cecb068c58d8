package io.gcdiag.ingest.threads;

import io.gcdiag.ingest.text.ContainerLine;
import java.io.IOException;
import java.io.Reader;
import java.util.Optional;

/** Lines of a text, each cut at a length, so that a file without line ends cannot fill the heap. */
final class BoundedLines {

  /** The longest line kept. Thread names and generated class names stay far below it. */
  static final int LONGEST = 16_384;

  private static final int BUFFER = 8_192;

  private final Reader text;
  private final char[] buffer = new char[BUFFER];
  private int next;
  private int end;
  private long number;

  BoundedLines(Reader text) {
    this.text = text;
  }

  /** The next line without its end, or nothing at the end of the text. */
  Optional<String> read() throws IOException {
    StringBuilder line = new StringBuilder();
    boolean any = false;
    while (true) {
      if (next == end && !fill()) {
        break;
      }
      any = true;
      char c = buffer[next++];
      if (c == '\n') {
        break;
      }
      if (line.length() < LONGEST) {
        line.append(c);
      }
    }
    if (!any) {
      return Optional.empty();
    }
    number++;
    int length = line.length();
    String text =
        length > 0 && line.charAt(length - 1) == '\r'
            ? line.substring(0, length - 1)
            : line.toString();
    return Optional.of(ContainerLine.unwrap(text));
  }

  /** The number of the line read last, from 1. */
  long number() {
    return number;
  }

  private boolean fill() throws IOException {
    next = 0;
    end = Math.max(0, text.read(buffer));
    return end > 0;
  }
}
