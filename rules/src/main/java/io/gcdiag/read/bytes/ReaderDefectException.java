package io.gcdiag.read.bytes;

/**
 * A reader threw an exception that no file may cause. A damaged file leads to an {@link
 * java.io.IOException} or to partial data. This is a defect of the program, which leaves the data
 * read so far in an unknown state, so the analysis is aborted.
 */
public final class ReaderDefectException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final String file;

  public ReaderDefectException(InputFile file, RuntimeException thrown) {
    super(thrown instanceof HandlerException ? thrown.getCause() : thrown);
    this.file = file.name();
  }

  public String file() {
    return file;
  }
}
