package io.gcdiag.read.frames;

/** A user's file of frames cannot be used; the message says which line of it, and why. */
public final class IllegalFramesException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  IllegalFramesException(String message, Throwable cause) {
    super(message, cause);
  }
}
