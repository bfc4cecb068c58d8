package io.gcdiag.read.bytes;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * Lines of a text file of unknown make: plain or packed (by content), any encoding that holds ASCII
 * (all that a log's grammar needs), UTF-16 of both orders, lines that end in LF, CRLF or CR. No
 * byte is ever refused and no line is ever kept longer than {@link #LONGEST_LINE}.
 */
public final class LineSource {

  /** The longest record that a JVM puts on one line is a few KiB; anything longer is not a log. */
  public static final int LONGEST_LINE = 32 * 1024;

  private static final int BUFFER = 64 * 1024;
  private static final int BYTE_MASK = 0xff;

  private final Unpacked packed;
  private final InputStream in;

  /** Which bytes of the text hold its ASCII: every one, or every second one from 0 or from 1. */
  private final int step;

  private int skip;
  private final byte[] buffer = new byte[BUFFER];
  private int position;
  private int limit;
  private byte[] line = new byte[256];
  private final Line current = new Line();
  private boolean afterCarriageReturn;
  private long number;
  private boolean longLine;
  private String wrapper = "";

  /** Reads from the raw bytes of a file. */
  public LineSource(InputStream raw) throws IOException {
    packed = Unpacked.of(raw).asText();
    in = new BufferedInputStream(packed, BUFFER);
    InputStream text = in;
    text.mark(4);
    int[] head = {text.read(), text.read(), text.read(), text.read()};
    text.reset();
    if (head[0] == 0xff && head[1] == 0xfe) {
      step = 2;
      skip = 2;
    } else if (head[0] == 0xfe && head[1] == 0xff) {
      step = 2;
      skip = 3;
    } else if (head[0] == 0xef && head[1] == 0xbb && head[2] == 0xbf) {
      step = 1;
      skip = 3;
    } else if (head[0] > 0 && head[1] == 0 && head[2] > 0 && head[3] == 0) {
      step = 2;
    } else if (head[0] == 0 && head[1] > 0 && head[2] == 0 && head[3] > 0) {
      step = 2;
      skip = 1;
    } else {
      step = 1;
    }
  }

  /** The next line without its end, or empty after the last one. */
  public Optional<String> next() throws IOException {
    return advance() ? Optional.of(current.toString()) : Optional.empty();
  }

  /** Goes on to the next line; false after the last one. */
  public boolean advance() throws IOException {
    boolean whole = step == 1 && skip == 0 && wholeLine();
    if (!whole && !nextByBytes()) {
      return false;
    }
    wrapper = "";
    if (ContainerLine.isOne(current)) {
      wrapper = current.toString();
      byte[] content =
          ContainerLine.unwrap(current.toString()).getBytes(StandardCharsets.ISO_8859_1);
      current.set(content, 0, content.length);
    }
    return true;
  }

  /** What the line stood in, such as an object in JSON with its time; empty if it stood alone. */
  public String wrapper() {
    return wrapper;
  }

  /** The line that {@link #advance()} went to; the same object for every line. */
  public Line line() {
    return current;
  }

  /** A line that lies in the buffer with its end: nearly all of them. */
  private boolean wholeLine() {
    byte[] bytes = buffer;
    int start = position;
    if (afterCarriageReturn && start < limit && bytes[start] == '\n') {
      start++;
    }
    int stop = limit;
    int end = start;
    while (end < stop && bytes[end] != '\n' && bytes[end] != '\r') {
      end++;
    }
    if (end == stop || end - start > LONGEST_LINE) {
      return false;
    }
    afterCarriageReturn = bytes[end] == '\r';
    position = end + 1;
    number++;
    current.set(bytes, start, end);
    return true;
  }

  private boolean nextByBytes() throws IOException {
    int length = 0;
    boolean any = false;
    while (true) {
      int next = read();
      if (next < 0) {
        return any && take(length);
      }
      boolean lineFeedOfPair = next == '\n' && afterCarriageReturn;
      afterCarriageReturn = next == '\r';
      if (lineFeedOfPair) {
        continue;
      }
      any = true;
      if (next == '\n' || next == '\r') {
        return take(length);
      }
      if (length == LONGEST_LINE) {
        longLine = true;
        continue;
      }
      if (length == line.length) {
        line = Arrays.copyOf(line, Math.min(LONGEST_LINE, 2 * length));
      }
      line[length++] = (byte) next;
    }
  }

  private boolean take(int length) {
    number++;
    current.set(line, 0, length);
    return true;
  }

  /** The next byte that counts, or -1 at the end. */
  private int read() throws IOException {
    while (skip > 0) {
      skip--;
      if (rawRead() < 0) {
        return -1;
      }
    }
    int value = rawRead();
    skip = step - 1;
    return value;
  }

  private int rawRead() throws IOException {
    if (position == limit) {
      limit = fill();
      position = 0;
      if (limit <= 0) {
        limit = 0;
        return -1;
      }
    }
    return buffer[position++] & BYTE_MASK;
  }

  private int fill() throws IOException {
    return in.read(buffer, 0, buffer.length);
  }

  /** The number of the line that was returned last, counted from 1. */
  public long number() {
    return number;
  }

  /** Whether a line was longer than {@link #LONGEST_LINE} and has lost its end. */
  boolean hadLongLine() {
    return longLine;
  }

  /** What is wrong with the file, as a note. */
  public Optional<String> damage() {
    return packed.damage();
  }
}
