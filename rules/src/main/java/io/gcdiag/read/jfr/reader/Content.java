package io.gcdiag.read.jfr.reader;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** All or some bytes of a recording, by position. Thread-safe. */
public interface Content {

  /**
   * Reads some bytes, at least one.
   *
   * @return their number; -1 if there is none at the position
   */
  int read(ByteBuffer into, long at) throws IOException;

  /**
   * Fills the buffer as far as possible.
   *
   * @return number of bytes; fewer at the end
   */
  default int fill(ByteBuffer into, long at) throws IOException {
    int from = into.position();
    while (into.hasRemaining()) {
      if (read(into, at + into.position() - from) < 0) {
        break;
      }
    }
    return into.position() - from;
  }

  /** Whether it has all bytes before a position. */
  boolean reaches(long place) throws IOException;

  long end() throws IOException;

  static Content of(FileChannel file) {
    return new Content() {
      @Override
      public int read(ByteBuffer into, long at) throws IOException {
        return file.read(into, at);
      }

      @Override
      public boolean reaches(long place) throws IOException {
        return place <= file.size();
      }

      @Override
      public long end() throws IOException {
        return file.size();
      }
    };
  }
}
