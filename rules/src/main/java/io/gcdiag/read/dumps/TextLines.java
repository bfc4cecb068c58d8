package io.gcdiag.read.dumps;

import io.gcdiag.read.bytes.ContainerLine;
import java.io.IOException;
import java.io.Reader;
import java.util.Optional;

/**
 * The lines of a text, one after the other, each cut at a length, so that a file without line ends
 * cannot fill the heap.
 */
final class TextLines {

  /** The longest line kept. Thread names and generated class names stay far below it. */
  static final int LONGEST = 16_384;

  private final Reader text;
  private final char[] buffer = new char[LONGEST];
  private int next;
  private int end;
  private long number;

  TextLines(Reader text) {
    this.text = text;
  }

  /** The next line without its end, or nothing at the end of the text. */
  Optional<String> read() throws IOException {
    if (next == end && !fill()) {
      return Optional.empty();
    }
    number++;
    String line = "";
    boolean ended = false;
    while (!ended && (next < end || fill())) {
      int stop = next;
      while (stop < end && buffer[stop] != '\n') {
        stop++;
      }
      int taken = Math.min(stop - next, LONGEST - line.length());
      line = line.concat(new String(buffer, next, taken));
      ended = stop < end;
      next = ended ? stop + 1 : stop;
    }
    boolean returned = line.endsWith("\r");
    return Optional.of(
        ContainerLine.unwrap(returned ? line.substring(0, line.length() - 1) : line));
  }

  private boolean fill() throws IOException {
    next = 0;
    end = Math.max(0, text.read(buffer));
    return end > 0;
  }

  /** The number of the line read last, from 1. */
  long number() {
    return number;
  }
}
