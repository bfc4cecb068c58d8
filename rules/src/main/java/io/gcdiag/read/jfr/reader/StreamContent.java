package io.gcdiag.read.jfr.reader;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A recording that comes out of its packing: what was read and not yet released is held in memory,
 * and can be gone back to. For one thread; what {@link #held} gives may be shared.
 */
final class StreamContent implements Content {

  /** Small enough that what is held beyond a chunk's ends does not count. */
  static final int SEGMENT = 1 << 20;

  private final InputStream in;
  private final long most;
  private final List<byte[]> segments = new ArrayList<>();

  /** Where the first segment begins, and where what was read ends. */
  private long from;

  private long to;
  private boolean ended;

  /**
   * Reads from a stream.
   *
   * @param most how many bytes may be held
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
      // Until the place is there, or the end.
    }
    return place <= to;
  }

  @Override
  public long end() throws IOException {
    while (more()) {
      // Until nothing more comes.
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

  /** Lets go of what stands before a place. */
  void release(long before) {
    int passed = (int) Math.min(segments.size(), Math.max(0, before - from) / SEGMENT);
    segments.subList(0, passed).clear();
    from += (long) passed * SEGMENT;
  }

  /** What was read up to a place and not released: stays when this goes on. */
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

  /** Goes on to the end of the stream, holding nothing. */
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
