package io.gcdiag.read.dumps;

import io.gcdiag.evidence.jvm.CodePlace;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Brings a printed frame to the form {@code com.pkg.Class.method}. */
final class FrameText {

  /** The JVM numbers lambda classes differently in every run. */
  private static final Pattern LAMBDA = Pattern.compile("\\$\\$Lambda[$/][^.(]*");

  /** The JVM's suffix for any other hidden class (JEP 371): an address or number. */
  private static final Pattern HIDDEN = Pattern.compile("[/+](?:0x)?\\d[0-9a-f]*(?=\\.)");

  private static final Pattern LINE = Pattern.compile(":(\\d{1,7})(?:\\(Compiled Code\\))?\\)");

  /**
   * A frame and where it was.
   *
   * @param name {@code com.pkg.Class.method}
   * @param line in its source; {@link CodePlace#NO_LINE} if it is not known
   */
  record Frame(String name, int line) {}

  /** The same as {@link #parse}, with the line. */
  static Optional<Frame> read(String text) {
    return parse(text).map(name -> new Frame(name, line(text)));
  }

  private static int line(String text) {
    Matcher line = LINE.matcher(text);
    return line.find() ? Integer.parseInt(line.group(1)) : CodePlace.NO_LINE;
  }

  /**
   * The frame in {@code java.base/java.lang.Thread.run(Thread.java:840)} or {@code
   * java.lang.Thread.run(java.base@17/Thread.java:840)}; empty if this is no frame.
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
    call = HIDDEN.matcher(call).replaceFirst("");
    String frame = call.substring(call.lastIndexOf('/') + 1);
    return frame.indexOf('.') > 0 ? Optional.of(frame) : Optional.empty();
  }

  /** The class in {@code java.util.concurrent.Semaphore$NonfairSync@2712c245}. */
  static String classOf(String identity) {
    int at = identity.indexOf('@');
    return at < 0 ? identity : identity.substring(0, at);
  }
}
