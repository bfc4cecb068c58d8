package io.gcdiag.cli;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Standard output that remembers whether its reader went away. {@code gcdiag ... | head} is done
 * when {@code head} is; that is no error.
 */
final class OutputPipe extends FilterOutputStream {

  /** What Unix systems call a pipe without a reader; Java has no type of its own for it. */
  private static final String BROKEN_PIPE = "Broken pipe";

  private boolean closed;

  OutputPipe(OutputStream out) {
    super(out);
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    try {
      out.write(bytes, from, length);
    } catch (IOException e) {
      closed |= BROKEN_PIPE.equals(e.getMessage());
      throw e;
    }
  }

  boolean closedByReader() {
    return closed;
  }
}
