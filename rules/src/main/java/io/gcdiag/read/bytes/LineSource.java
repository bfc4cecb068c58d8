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

  /** What one of two threads takes: it fits into the cache of a core. */
  private static final int BLOCK = 256 * 1024;

  private static final int BYTE_MASK = 0xff;

  private final Unpacked packed;
  private final InputStream in;

  /** Whether only every second byte counts, that which contains ASCII in UTF-16. */
  private final boolean wide;

  private boolean second;
  private byte[] buffer = new byte[BUFFER];
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
    InputStream text = new BufferedInputStream(packed, BUFFER);
    text.mark(4);
    int[] head = {text.read(), text.read(), text.read(), text.read()};
    text.reset();
    int before = 0;
    boolean two = true;
    if (head[0] == 0xff && head[1] == 0xfe) {
      before = 2;
    } else if (head[0] == 0xfe && head[1] == 0xff) {
      before = 3;
    } else if (head[0] == 0xef && head[1] == 0xbb && head[2] == 0xbf) {
      before = 3;
      two = false;
    } else if (head[0] == 0 && head[1] > 0 && head[2] == 0 && head[3] > 0) {
      before = 1;
    } else {
      two = head[0] > 0 && head[1] == 0 && head[2] > 0 && head[3] == 0;
    }
    text.skip(before);
    in = text;
    wide = two;
  }

  /** A source without lines, for {@link #handOn}. */
  static LineSource ofBlocks() throws IOException {
    LineSource block = new LineSource(InputStream.nullInputStream());
    block.buffer = new byte[BLOCK];
    return block;
  }

  /**
   * Moves the next lines, about as many as fit, to a source of blocks, which must have none left.
   * All lines of a file are taken this way, or none.
   *
   * @return false if there are no more
   */
  boolean handOn(LineSource block) throws IOException {
    byte[] bytes = block.buffer;
    int end = limit;
    System.arraycopy(buffer, 0, bytes, 0, end);
    int cut = 0;
    while (cut == 0) {
      int read = fill(bytes, end);
      end += Math.max(0, read);
      if (read < 0) {
        break;
      }
      if (end == bytes.length) {
        cut = lastEnd(bytes);
        // A line that does not fit is truncated by its reader.
        end = cut == 0 ? LONGEST_LINE + 1 : end;
      }
    }
    cut = cut == 0 ? end : cut;
    limit = end - cut;
    buffer = buffer.length < limit ? new byte[BLOCK] : buffer;
    System.arraycopy(bytes, cut, buffer, 0, limit);
    block.position = 0;
    block.limit = cut;
    return cut > 0;
  }

  /** Behind the last end of a line; 0 if there is none. */
  private static int lastEnd(byte[] bytes) {
    int at = bytes.length;
    while (at > 0 && bytes[at - 1] != '\n') {
      at--;
    }
    // A carriage return at the end may be the half of one.
    for (int i = bytes.length - 1; at == 0 && i > 0; i--) {
      at = bytes[i - 1] == '\r' ? i : 0;
    }
    return at;
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
    boolean whole = wholeLine();
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
    int end = Line.findBelow(bytes, start, stop, 0, '\r' + 1);
    while (end < stop && bytes[end] != '\n' && bytes[end] != '\r') {
      end = Line.findBelow(bytes, end + 1, stop, 0, '\r' + 1);
    }
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

  /** The next byte, or -1 at the end. */
  private int read() throws IOException {
    if (position == limit) {
      limit = fill(buffer, 0);
      position = 0;
      if (limit <= 0) {
        limit = 0;
        return -1;
      }
    }
    return buffer[position++] & BYTE_MASK;
  }

  /** The number of bytes that were read, or -1 at the end. */
  private int fill(byte[] bytes, int from) throws IOException {
    int read = in.read(bytes, from, bytes.length - from);
    if (!wide || read < 0) {
      return read;
    }
    int to = from;
    for (int i = from; i < from + read; i++) {
      bytes[to] = bytes[i];
      to += second ? 0 : 1;
      second = !second;
    }
    return to > from ? to - from : fill(bytes, from);
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
