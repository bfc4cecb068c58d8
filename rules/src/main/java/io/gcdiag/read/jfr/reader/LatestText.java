package io.gcdiag.read.jfr.reader;

import java.util.Arrays;
import java.util.Optional;

/** The text that was read last, and the bytes that it was made of. */
final class LatestText {

  private final byte[] bytes;
  private final Optional<String> text;

  /**
   * A text that has just been read.
   *
   * @param in stands behind it
   * @param from where it begins
   */
  LatestText(ChunkBytes in, int from, Optional<String> text) {
    this.bytes = Arrays.copyOfRange(in.data(), from, in.at());
    this.text = text;
  }

  Optional<String> text() {
    return text;
  }

  /** Whether the same bytes stand there: they begin with their kind and length. */
  boolean isAt(ChunkBytes in, int from) {
    return bytes.length <= in.data().length - from
        && Arrays.equals(in.data(), from, from + bytes.length, bytes, 0, bytes.length);
  }
}
