package io.gcdiag.read.bytes;

/**
 * Thrown by a callback that was given a part of a recording. It is a defect of the program and not
 * damage of the file, so readers must not treat it as damage.
 */
public final class HandlerException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private HandlerException(RuntimeException cause) {
    super(cause.toString(), cause);
  }

  /** The exception, wrapped as that of a callback. */
  public static HandlerException of(RuntimeException thrown) {
    return thrown instanceof HandlerException known ? known : new HandlerException(thrown);
  }
}
