package io.gcdiag.read.bytes;

/**
 * A reader threw what no file may make it throw. A damaged file ends in an {@link
 * java.io.IOException} or in a partial reading; this is a defect of the program, which leaves what
 * was read so far in an unknown state, so that nothing is concluded from it.
 */
public final class ReaderDefectException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final String file;

  public ReaderDefectException(InputFile file, RuntimeException thrown) {
    super(thrown instanceof HandlerException ? thrown.getCause() : thrown);
    this.file = file.name();
  }

  /** The name of the file that was being read. */
  public String file() {
    return file;
  }
}
