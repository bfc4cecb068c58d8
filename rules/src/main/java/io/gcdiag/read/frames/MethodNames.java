package io.gcdiag.read.frames;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Facts that follow from the name of a method alone. */
final class MethodNames {

  private static final String SLEEP = "java.lang.Thread.sleep";
  private static final String LAMBDA = "lambda$";

  /** Methods by which servers read the head of a request; no client has them. */
  private static final Pattern READING_A_REQUEST =
      Pattern.compile(".*\\.(?:read|parse|receive)Request(?:Line|Head|Preamble|$)\\w*");

  private static final Pattern AWAITS_CONNECTION =
      Pattern.compile(".*\\.(?:a?wait(?:For|Until)?)(?:Writ|Read)e?ab\\w*");

  private static final Pattern FUTURE =
      Pattern.compile("(.*\\.\\w*Future\\w*(?:\\$\\w+)*)\\.(?:get|join|await|sync)\\w*");

  /** Whether it is a frame of the JDK that reads, from a file or what looks like one. */
  static boolean isRead(String frame) {
    return frame.startsWith("read", frame.lastIndexOf('.') + 1);
  }

  /** Whether it is a frame of the JDK that writes. */
  static boolean isWrite(String frame) {
    return frame.startsWith("write", frame.lastIndexOf('.') + 1);
  }

  /** Whether it is a frame that reads a request, so that the sender is a client. */
  static boolean readsRequest(String frame) {
    return READING_A_REQUEST.matcher(frame).matches();
  }

  /** Whether it waits until a connection takes or brings more: {@code awaitWritable}. */
  static boolean awaitsConnection(String frame) {
    return AWAITS_CONNECTION.matcher(frame).matches();
  }

  /** The class of a frame that waits for the result of a future: {@code GridFutureAdapter.get0}. */
  static Optional<String> future(String frame) {
    Matcher result = FUTURE.matcher(frame);
    return result.matches() ? Optional.of(result.group(1)) : Optional.empty();
  }

  /** Whether it is a first frame of an executor or a thread, which calls another. */
  static boolean isStart(String frame) {
    String method = frame.substring(frame.lastIndexOf('.') + 1);
    return method.startsWith(LAMBDA) || method.equals("run") || method.equals("call");
  }

  /** From JDK 22 on the stack of jdk.ThreadSleep begins at the caller of {@code Thread.sleep}. */
  static List<String> asleep(List<String> frames) {
    if (frames.isEmpty() || isSleep(frames.get(0))) {
      return frames;
    }
    List<String> all = new ArrayList<>(List.of(SLEEP));
    all.addAll(frames);
    return all;
  }

  /** Whether a frame puts the thread to sleep for a fixed time. */
  static boolean isSleep(String frame) {
    return frame.startsWith(SLEEP);
  }
}
