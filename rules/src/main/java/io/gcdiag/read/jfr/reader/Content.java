package io.gcdiag.read.jfr.reader;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** The bytes of a recording by their place in it, or some of them. Threads may share one. */
public interface Content {

  /**
   * Reads some bytes, at least one.
   *
   * @return how many; -1 if there is none at the place
   */
  int read(ByteBuffer into, long at) throws IOException;

  /**
   * Reads as many bytes as there is room for.
   *
   * @return how many; fewer if there are no more
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

  /** Whether it has all bytes before a place. */
  boolean reaches(long place) throws IOException;

  /** Where it ends. */
  long end() throws IOException;

  /** That of a file. */
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
