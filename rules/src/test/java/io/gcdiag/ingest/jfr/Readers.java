package io.gcdiag.ingest.jfr;

import io.gcdiag.ingest.jfr.api.ApiReader;
import io.gcdiag.ingest.jfr.chunk.ChunkReader;
import io.gcdiag.ingest.jfr.event.RecordingReader;

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
