package io.gcdiag.read.jfr;

import io.gcdiag.read.jfr.reader.ChunkReader;
import io.gcdiag.read.jfr.reader.RecordingReader;

/** Both readers, before anything was read. */
final class Readers {

  private Readers() {}

  /** Ours, in one thread. */
  static RecordingReader own() {
    return own(1);
  }

  /** Ours, in that many threads at most. */
  static RecordingReader own(int threads) {
    return new ChunkReader(threads, read -> {}, chunk -> false);
  }

  /** The JDK's. */
  static RecordingReader api() {
    return new ApiReader(chunk -> false);
  }
}
