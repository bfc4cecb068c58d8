package io.gcdiag.read.bytes;

/** The code that reads recordings. */
public enum JfrReader {
  /** gcdiag's own reader, which decodes only the requested events and fields. */
  OWN,
  /** The JDK's {@code jdk.jfr.consumer}: slower, used as the reference. */
  API;

  /**
   * The reader with that name on the command line.
   *
   * @throws IllegalArgumentException if there is none of that name
   */
  public static JfrReader named(String name) {
    return switch (name) {
      case "own" -> OWN;
      case "api" -> API;
      default -> throw new IllegalArgumentException("expected own or api, not '" + name + "'");
    };
  }
}
