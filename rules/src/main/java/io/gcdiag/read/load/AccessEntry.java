package io.gcdiag.read.load;

import io.gcdiag.read.bytes.Line;

/** One line of an access log; the same object for every line. */
final class AccessEntry {

  /** No status was sent, because the connection was lost. */
  static final int NO_STATUS = 0;

  private static final int SERVER_ERROR = 500;
  private static final int TOO_MANY_REQUESTS = 429;

  /** What nginx logs if the client gave up. */
  private static final int CLIENT_GAVE_UP = 499;

  private static final int SWITCHED_PROTOCOL = 101;

  final AccessTime time = new AccessTime();
  final AccessNumber number = new AccessNumber();

  private static final Line NONE = new Line();

  Line text = NONE;
  int methodFrom;
  int methodTo;
  int pathFrom;
  int pathTo;
  int status;

  /** Nanoseconds; below 0 if the line has none. */
  long latency;

  /** The part of it in the server behind a proxy that writes the log; below 0 if unknown. */
  long served;

  void clear() {
    text = NONE;
    methodFrom = 0;
    methodTo = 0;
    pathFrom = 0;
    pathTo = 0;
    status = NO_STATUS;
    latency = -1;
    served = -1;
  }

  /** Splits {@code GET /path HTTP/1.1}; what begins as a path may go on with the protocol. */
  void request(Line line, int from, int method, int to) {
    text = line;
    methodFrom = from;
    methodTo = method;
    pathFrom = method;
    while (pathFrom < to && line.charAt(pathFrom) == ' ') {
      pathFrom++;
    }
    pathTo = to;
  }

  /**
   * Whether the service failed the request: it sent an error of its own (5xx), refused it as one
   * too many, or the client gave up. Other 4xx are errors of the client.
   */
  boolean hasFailed() {
    return isFailure(status);
  }

  static boolean isFailure(int status) {
    return status >= SERVER_ERROR
        || status == TOO_MANY_REQUESTS
        || status == CLIENT_GAVE_UP
        || status == NO_STATUS;
  }

  /** A connection that stays open takes as long as its user stays. */
  boolean isLongConnection() {
    return status == SWITCHED_PROTOCOL
        || methodTo - methodFrom == "CONNECT".length() && text.charAt(methodFrom) == 'C';
  }
}
