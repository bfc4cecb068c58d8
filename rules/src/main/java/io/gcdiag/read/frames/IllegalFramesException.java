package io.gcdiag.read.frames;

/** A user's file of frames is invalid; the message states the line and the reason. */
public final class IllegalFramesException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  IllegalFramesException(String message, Throwable cause) {
    super(message, cause);
  }
}
