package io.gcdiag.ingest.jfr.file;

import java.io.IOException;

/** The content of a chunk contradicts itself. */
public final class DamagedChunkException extends IOException {

  private static final long serialVersionUID = 1L;

  public DamagedChunkException(String message) {
    super(message);
  }
}
