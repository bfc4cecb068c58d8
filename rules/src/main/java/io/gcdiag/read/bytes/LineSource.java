package io.gcdiag.read.bytes;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * Lines of any text file: plain or compressed (recognised by content), any encoding that contains
 * ASCII (all that a log's grammar needs), UTF-16 in both byte orders, line ends LF, CRLF or CR. No
 * byte is rejected, and no line is longer than {@link #LONGEST_LINE}.
 */
public final class LineSource {

  /**
   * The longest record that a JVM writes to one line is a few KiB; anything longer is not a log.
   */
  public static final int LONGEST_LINE = 32 * 1024;

  private static final int BUFFER = 64 * 1024;
  private static final int BYTE_MASK = 0xff;

  private final Unpacked packed;
  private final InputStream in;

  /** Distance between the bytes that contain ASCII: 1, or 2 for UTF-16. */
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

  /** Takes the lines of a file one after another, with their numbers from 1. */
  @FunctionalInterface
  public interface LineReader {
    void line(String text, long number);
  }

  /** Reads all lines of a file. Returns its damage, as a note. */
  public static Optional<String> read(Stored bytes, LineReader reader) throws IOException {
    try (InputStream raw = bytes.open()) {
      LineSource lines = new LineSource(raw);
      while (lines.advance()) {
        reader.line(lines.current.toString(), lines.number);
      }
      return lines.damage();
    }
  }

  /** Moves to the next line; false after the last one. */
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

  /** What the line was wrapped in, such as a JSON object with its time; empty if nothing. */
  public String wrapper() {
    return wrapper;
  }

  /** The line that {@link #advance()} moved to; the same object for every line. */
  public Line line() {
    return current;
  }

  /** The fast path, for a line that is in the buffer up to its end, as nearly all are. */
  private boolean wholeLine() {
    byte[] bytes = buffer;
    int start = position;
    if (afterCarriageReturn && start < limit && bytes[start] == '\n') {
      start++;
    }
    int stop = limit;
    int end = Line.find(bytes, start, stop, '\n', '\r');
    if (end >= stop || end - start > LONGEST_LINE) {
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

  /** The next relevant byte, or -1 at the end. */
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

  /** The number of the line returned last, counted from 1. */
  public long number() {
    return number;
  }

  /** Whether a line was longer than {@link #LONGEST_LINE} and was truncated. */
  boolean hadLongLine() {
    return longLine;
  }

  /** Damage of the file, as a note. */
  public Optional<String> damage() {
    return packed.damage();
  }
}
