package io.gcdiag.read.dumps;

import io.gcdiag.read.bytes.ContainerLine;
import java.io.IOException;
import java.io.Reader;
import java.util.Optional;

/** The lines of a text, one after the other. */
interface TextLines {

  /** The next line without its end, or nothing at the end of the text. */
  Optional<String> read() throws IOException;

  /** The number of the line read last, from 1. */
  long number();

  /**
   * Lines of a text, each cut at a length, so that a file without line ends cannot fill the heap.
   */
  static final class BoundedLines implements TextLines {

    /** The longest line kept. Thread names and generated class names stay far below it. */
    static final int LONGEST = 16_384;

    private static final int BUFFER = 32_768;

    private final Reader text;
    private final char[] buffer = new char[BUFFER];
    private int next;
    private int end;
    private long number;

    BoundedLines(Reader text) {
      this.text = text;
    }

    @Override
    public Optional<String> read() throws IOException {
      if (next == end && !fill()) {
        return Optional.empty();
      }
      number++;
      int stop = lineEnd();
      if (stop < end) {
        String whole = new String(buffer, next, stop - next);
        next = stop + 1;
        return Optional.of(withoutReturn(whole));
      }
      return Optional.of(withoutReturn(longer()));
    }

    /** End of the line that begins at the next character; the buffer's end if the line goes on. */
    private int lineEnd() {
      int at = next;
      while (at < end && buffer[at] != '\n') {
        at++;
      }
      return at;
    }

    /** A line that continues beyond the end of the buffer. */
    private String longer() throws IOException {
      StringBuilder line = new StringBuilder();
      do {
        int stop = lineEnd();
        line.append(buffer, next, Math.min(stop - next, LONGEST - line.length()));
        next = stop;
        if (stop < end) {
          next++;
          break;
        }
      } while (fill());
      return line.toString();
    }

    private static String withoutReturn(String line) {
      int length = line.length();
      return ContainerLine.unwrap(
          length > 0 && line.charAt(length - 1) == '\r' ? line.substring(0, length - 1) : line);
    }

    @Override
    public long number() {
      return number;
    }

    private boolean fill() throws IOException {
      next = 0;
      end = Math.max(0, text.read(buffer));
      return end > 0;
    }
  }
}
