package io.gcdiag.ingest.text;

import java.io.FilterReader;
import java.io.IOException;
import java.io.Reader;

/** A text whose lines are cut at a length: a file without line ends must not fill the heap. */
public final class LineLimit extends FilterReader {

  private final int longest;
  private int column;

  /**
   * Cuts lines.
   *
   * @param longest the characters kept of a line
   */
  public LineLimit(Reader text, int longest) {
    super(text);
    this.longest = longest;
  }

  @Override
  public int read() throws IOException {
    char[] one = new char[1];
    return read(one, 0, 1) < 0 ? -1 : one[0];
  }

  @Override
  public int read(char[] buffer, int offset, int length) throws IOException {
    int kept = 0;
    while (kept == 0) {
      int read = super.read(buffer, offset, length);
      if (read <= 0) {
        return read;
      }
      for (int i = offset; i < offset + read; i++) {
        char c = buffer[i];
        column = c == '\n' ? 0 : Math.min(column, longest) + 1;
        if (column <= longest) {
          buffer[offset + kept++] = c;
        }
      }
    }
    return kept;
  }

  @Override
  public boolean markSupported() {
    return false;
  }
}
