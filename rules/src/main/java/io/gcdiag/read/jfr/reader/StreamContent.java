package io.gcdiag.read.jfr.reader;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A compressed recording: the unpacked data that was not yet released is kept in memory, so that
 * earlier positions can be read. For one thread; the result of {@link #held} may be shared.
 */
final class StreamContent implements Content {

  /** Small enough that the data kept beyond a chunk's ends is negligible. */
  static final int SEGMENT = 1 << 20;

  private final InputStream in;
  private final long most;
  private final List<byte[]> segments = new ArrayList<>();

  /** Start of the first segment, and end of the data read. */
  private long from;

  private long to;
  private boolean ended;

  /**
   * Reads from a stream.
   *
   * @param most largest number of bytes to keep
   */
  StreamContent(InputStream in, long most) {
    this.in = in;
    this.most = most;
  }

  @Override
  public int read(ByteBuffer into, long at) throws IOException {
    return reaches(at + 1) ? copy(segments, from, to, into, at) : -1;
  }

  @Override
  public boolean reaches(long place) throws IOException {
    while (place > to && more()) {
      // Reads until the position or the end is reached.
    }
    return place <= to;
  }

  @Override
  public long end() throws IOException {
    while (more()) {
      // Reads until the end.
    }
    return to;
  }

  private static int copy(List<byte[]> segments, long from, long to, ByteBuffer into, long at) {
    if (at < from) {
      throw new IllegalStateException("the requested content was released");
    }
    byte[] segment = segments.get((int) ((at - from) / SEGMENT));
    int start = (int) ((at - from) % SEGMENT);
    int count = (int) Math.min(Math.min(SEGMENT - start, to - at), into.remaining());
    into.put(segment, start, count);
    return count;
  }

  private boolean more() throws IOException {
    int start = (int) ((to - from) % SEGMENT);
    if (ended) {
      return false;
    }
    if (start == 0 && to - from == (long) segments.size() * SEGMENT) {
      if (to - from + SEGMENT > most) {
        throw new HeldTooMuchException(most);
      }
      segments.add(new byte[SEGMENT]);
    }
    int count = in.read(segments.get(segments.size() - 1), start, SEGMENT - start);
    ended = count < 0;
    to += Math.max(0, count);
    return !ended;
  }

  /** Releases the data before a position. */
  void release(long before) {
    int passed = (int) Math.min(segments.size(), Math.max(0, before - from) / SEGMENT);
    segments.subList(0, passed).clear();
    from += (long) passed * SEGMENT;
  }

  /** The data up to a position that was not released; it stays valid. */
  Content held(long end) {
    return new Held(List.copyOf(segments), from, end);
  }

  private record Held(List<byte[]> segments, long from, long end) implements Content {
    @Override
    public int read(ByteBuffer into, long at) {
      return at < end ? copy(segments, from, end, into, at) : -1;
    }

    @Override
    public boolean reaches(long place) {
      return place <= end;
    }
  }

  /** Reads to the end of the stream without keeping anything. */
  long drain() throws IOException {
    segments.clear();
    byte[] passed = new byte[SEGMENT];
    while (!ended) {
      int count = in.read(passed);
      ended = count < 0;
      to += Math.max(0, count);
    }
    return to;
  }
}
