package io.gcdiag.read.jfr.reader;

/**
 * A value of an event cannot be decoded. Values are decoded when they are first asked for, so that
 * this goes through the handler that asks: it is the file's damage, and not the handler's defect.
 */
public final class DamagedValueException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private DamagedValueException(RuntimeException cause) {
    super(cause.toString(), cause);
  }

  /** What decoding a value ended with. */
  public static DamagedValueException of(RuntimeException thrown) {
    return thrown instanceof DamagedValueException known
        ? known
        : new DamagedValueException(thrown);
  }
}
