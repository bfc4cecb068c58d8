package io.gcdiag.ingest.threads;

import java.util.Optional;
import java.util.regex.Pattern;

/** Brings a printed frame to the form {@code com.pkg.Class.method}. */
final class FrameText {

  /** The JVM numbers the classes of lambdas anew in every run. */
  private static final Pattern LAMBDA = Pattern.compile("\\$\\$Lambda[$/][^.(]*");

  private FrameText() {}

  /**
   * The frame in {@code java.base/java.lang.Thread.run(Thread.java:840)} or {@code
   * java.lang.Thread.run(java.base@17/Thread.java:840)}; nothing if this is no frame.
   */
  static Optional<String> parse(String text) {
    int parenthesis = text.indexOf('(');
    if (parenthesis <= 0) {
      return Optional.empty();
    }
    String call = text.substring(0, parenthesis).strip();
    if (call.contains("$$Lambda")) {
      call = LAMBDA.matcher(call).replaceAll("\\$\\$Lambda");
    }
    String frame = call.substring(call.lastIndexOf('/') + 1);
    return frame.indexOf('.') > 0 ? Optional.of(frame) : Optional.empty();
  }

  /** The class in {@code java.util.concurrent.Semaphore$NonfairSync@2712c245}. */
  static String classOf(String identity) {
    int at = identity.indexOf('@');
    return at < 0 ? identity : identity.substring(0, at);
  }
}
