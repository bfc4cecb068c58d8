package io.gcdiag.read.jfr.reader;

/**
 * A value of an event cannot be decoded. Values are decoded on first access, so the exception
 * passes through the handler, but it is damage of the file and no defect of the handler.
 */
public final class DamagedValueException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private DamagedValueException(RuntimeException cause) {
    super(cause.toString(), cause);
  }

  /** Wraps the exception of a decoder. */
  public static DamagedValueException of(RuntimeException thrown) {
    return thrown instanceof DamagedValueException known
        ? known
        : new DamagedValueException(thrown);
  }
}
