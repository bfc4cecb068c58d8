package io.gcdiag.read.bytes;

/**
 * Thrown by code that was handed a part of a recording. It is a defect of the program and says
 * nothing about the file, so that no reader may take it for damage.
 */
public final class HandlerException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private HandlerException(RuntimeException cause) {
    super(cause.toString(), cause);
  }

  /** That exception, as a handler's own. */
  public static HandlerException of(RuntimeException thrown) {
    return thrown instanceof HandlerException known ? known : new HandlerException(thrown);
  }
}
