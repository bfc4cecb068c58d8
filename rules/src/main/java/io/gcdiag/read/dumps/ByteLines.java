package io.gcdiag.read.dumps;

import io.gcdiag.read.bytes.ContainerLine;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * The lines of a text in UTF-8, as {@link BoundedLines} gives them, from its bytes: nearly all of a
 * dump is ASCII, of which a line is a copy of its bytes, and to make characters of all of it first
 * takes as long as everything else that is done with them.
 */
final class ByteLines implements TextLines {

  private static final int BUFFER = 65_536;

  private final InputStream text;
  private final byte[] buffer = new byte[BUFFER];
  private int next;
  private int end;
  private long number;

  /** The part of the line before the present buffer. */
  private byte[] begun = new byte[256];

  /** All bytes of the present line combined with OR: negative if one of them is not ASCII. */
  private byte seen;

  ByteLines(InputStream text) {
    this.text = text;
  }

  @Override
  public Optional<String> read() throws IOException {
    if (next == end && !fill()) {
      return Optional.empty();
    }
    number++;
    seen = 0;
    int start = next;
    int stop = lineEnd();
    if (stop < end) {
      next = stop + 1;
      return Optional.of(line(buffer, start, stop));
    }
    return Optional.of(longer());
  }

  /** End of the line that begins at the next byte; the buffer's end if the line goes on. */
  private int lineEnd() {
    byte[] bytes = buffer;
    byte all = seen;
    int at = next;
    while (at < end && bytes[at] != '\n') {
      all |= bytes[at++];
    }
    seen = all;
    return at;
  }

  /** A line that continues beyond the end of the buffer. */
  private String longer() throws IOException {
    int length = 0;
    do {
      int stop = lineEnd();
      int taken = Math.min(stop - next, BoundedLines.LONGEST - length);
      if (length + taken > begun.length) {
        begun = Arrays.copyOf(begun, Math.min(BoundedLines.LONGEST, 2 * (length + taken)));
      }
      System.arraycopy(buffer, next, begun, length, taken);
      length += taken;
      next = stop;
      if (stop < end) {
        next++;
        break;
      }
    } while (fill());
    return line(begun, 0, length);
  }

  private String line(byte[] bytes, int from, int to) {
    int stop = to > from && bytes[to - 1] == '\r' ? to - 1 : to;
    return ContainerLine.unwrap(
        new String(
            bytes,
            from,
            stop - from,
            seen < 0 ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1));
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
