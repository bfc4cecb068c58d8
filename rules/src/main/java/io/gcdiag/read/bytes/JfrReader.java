package io.gcdiag.read.bytes;

/** Which code reads recordings. */
public enum JfrReader {
  /** Ours: what is not asked for is not decoded. */
  OWN,
  /** The JDK's {@code jdk.jfr.consumer}: slower, and the reference. */
  API;

  /**
   * The reader that a user names.
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
