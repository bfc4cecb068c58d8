package io.gcdiag.read.dumps;

import io.gcdiag.read.bytes.ContainerLine;
import java.io.BufferedReader;
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

    private final BufferedReader text;
    private long number;

    BoundedLines(Reader text) {
      this.text = new BufferedReader(text);
    }

    @Override
    public Optional<String> read() throws IOException {
      StringBuilder line = new StringBuilder();
      int next = text.read();
      if (next < 0) {
        return Optional.empty();
      }
      number++;
      for (; next >= 0 && next != '\n'; next = text.read()) {
        if (line.length() < LONGEST) {
          line.append((char) next);
        }
      }
      int end = line.length() - 1;
      if (end >= 0 && line.charAt(end) == '\r') {
        line.setLength(end);
      }
      return Optional.of(ContainerLine.unwrap(line.toString()));
    }

    @Override
    public long number() {
      return number;
    }
  }
}
