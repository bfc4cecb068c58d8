package io.gcdiag.read.dumps;

import io.gcdiag.read.dumps.DumpBuilder.Draft;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The lines below the heading of a thread: state, frames, locks. */
final class ThreadLines {

  private static final Pattern STATE = Pattern.compile("^\\s+java\\.lang\\.Thread\\.State: (\\w+)");

  /** The virtual thread mounted on a carrier, by number ({@code JavaThread::print_on}). */
  private static final Pattern CARRIES =
      Pattern.compile("^\\s+Carrying virtual thread #(\\d{1,18})$");

  private static final String AT = "at ";
  private static final Pattern FILE_FRAME = Pattern.compile("^\\s{4,}(?:at )?(\\S+\\(.*\\))$");
  private static final Pattern WAITS =
      Pattern.compile(
          "^\\s+- (parking to wait for|waiting to lock) +<([^>]*)>(?: \\(a (?:class )?(.+)\\))?$");

  /** {@code - locked <0x00000000f1028bd8> (a com.shop.Cart)}. */
  private static final Pattern LOCKED = Pattern.compile("^\\s+- locked +<([^>]*)>.*$");

  /** {@code - waiting on <0x00000000f1028bd8> (a com.shop.Cart)}: the monitor is released. */
  private static final Pattern WAITS_ON = Pattern.compile("^\\s+- waiting on +<([^>]*)>.*$");

  /** JDK 12 and later ({@code javaVFrame::print_lock_info_on}). */
  private static final Pattern CLASS =
      Pattern.compile("^\\s+- waiting on the Class initialization monitor for (\\S+)$");

  /** Below the stack: {@code - <0x00000000f1028bd8> (a ...ReentrantLock$NonfairSync)}. */
  private static final Pattern OWNED = Pattern.compile("^\\s+- <([^>]*)> \\(a .*$");

  private final Function<String, Optional<String>> frames;
  private final KnownLines known;

  /**
   * Lines of one dialect.
   *
   * @param frames what stands in a line that shows a frame
   * @param known lines of that dialect
   */
  ThreadLines(Function<String, Optional<String>> frames, KnownLines known) {
    this.frames = frames;
    this.known = known;
  }

  /** Takes a line. */
  void detail(Draft thread, String line) {
    if (thread.stackEnded()) {
      Matcher owned = OWNED.matcher(line);
      if (owned.matches()) {
        thread.owns(owned.group(1));
      }
      return;
    }
    Optional<FrameText.Frame> seen = known.frames().get(line);
    if (seen != null) {
      seen.ifPresent(thread::frame);
      return;
    }
    Optional<String> frame = frames.apply(line);
    if (frame.isPresent()) {
      Optional<FrameText.Frame> parsed = FrameText.read(frame.get());
      known.put(line, parsed);
      parsed.ifPresent(thread::frame);
      return;
    }
    Matcher state = STATE.matcher(line);
    if (state.find()) {
      thread.state(state.group(1));
      return;
    }
    Matcher waits = WAITS.matcher(line);
    if (waits.matches()) {
      String parked = waits.group(3) != null ? waits.group(3) : FrameText.classOf(waits.group(2));
      thread.waitsFor(parked, waits.group(1).equals("waiting to lock"));
      thread.wants(waits.group(2));
      return;
    }
    Matcher locked = LOCKED.matcher(line);
    if (locked.matches()) {
      thread.enters(locked.group(1));
      return;
    }
    Matcher type = CLASS.matcher(line);
    if (type.matches()) {
      thread.waitsForClass(type.group(1));
      return;
    }
    Matcher released = WAITS_ON.matcher(line);
    if (released.matches()) {
      thread.letsGo(released.group(1));
      return;
    }
    Matcher carries = CARRIES.matcher(line);
    if (carries.matches()) {
      thread.carries(Long.parseLong(carries.group(1)));
    }
  }

  /** The text after {@code at} in an indented line. */
  static Optional<String> frame(String line) {
    int from = 0;
    while (from < line.length() && Character.isWhitespace(line.charAt(from))) {
      from++;
    }
    int call = from + AT.length();
    boolean frame =
        from > 0
            && line.startsWith(AT, from)
            && call < line.length()
            && !Character.isWhitespace(line.charAt(call));
    return frame ? Optional.of(line.substring(call)) : Optional.empty();
  }

  static Optional<String> fileFrame(String line) {
    Matcher frame = FILE_FRAME.matcher(line);
    return frame.matches() ? Optional.of(frame.group(1)) : Optional.empty();
  }
}
