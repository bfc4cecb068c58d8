package io.gcdiag.read.jfr.reader;

import java.io.IOException;

/** The content of a chunk contradicts itself. */
final class DamagedChunkException extends IOException {

  private static final long serialVersionUID = 1L;

  DamagedChunkException(String message) {
    super(message);
  }
}
