package io.gcdiag.read.dumps;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One Java thread as a dump prints it.
 *
 * @param name the thread's name, which may be empty
 * @param state the Java state such as {@code TIMED_WAITING}; empty if the dump does not state it
 * @param frames {@code com.pkg.Class.method}, innermost first, without module, file and line
 * @param lines the line that each frame was at, as the first thread with the same frames had it; 0
 *     where it is not printed
 * @param parkedClass the class parked on, or of the monitor the thread wants to enter
 * @param virtual whether it is a virtual thread
 * @param cpu the CPU time it has used, where the dump says so (JDK 11 and later)
 * @param locks the locks that it wants and owns
 * @param carries the number of the virtual thread that is on it, where the dump says so (JDK 21 and
 *     later); of a virtual thread that waits and keeps its carrier, its own
 */
record ParsedThread(
    String name,
    String state,
    List<String> frames,
    List<Integer> lines,
    Optional<String> parkedClass,
    boolean virtual,
    Optional<Duration> cpu,
    ParsedLocks locks,
    OptionalLong carries) {

  /** What a thread waits for that needs a class which another one initializes. */
  static final String CLASS_INITIALIZATION = "class initialization";

  /** Before the name of a class, the identity of its initialization. */
  static final String INITIALIZER = CLASS_INITIALIZATION + " of ";

  /** Of a frame that initializes its class. */
  static final String STARTER = ".<clinit>";

  /** Whether it waits for another thread to initialize a class. */
  boolean isWaitingForClass() {
    return parkedClass.filter(CLASS_INITIALIZATION::equals).isPresent();
  }

  boolean isInitializing() {
    return frames.stream().anyMatch(frame -> frame.endsWith(STARTER));
  }

  public ParsedThread {
    frames = List.copyOf(frames);
    lines = List.copyOf(lines);
  }

  /**
   * The locks in a thread's entry, by the identity that the dump gives them: an address, or class
   * and hash code. It holds within one dump only.
   *
   * @param wanted what the thread is blocked or parked on
   * @param owned the monitors that it has entered, without the one that it waits on and so has let
   *     go, and the synchronizers that it owns, which a dump lists with {@code -l} only
   * @param entered for a monitor that it owns the outermost frame that entered it
   */
  record ParsedLocks(Optional<String> wanted, List<String> owned, Map<String, Integer> entered) {

    /** Neither wants nor owns any. */
    static final ParsedLocks NONE = new ParsedLocks(Optional.empty(), List.of(), Map.of());

    public ParsedLocks {
      owned = List.copyOf(owned);
      entered = Map.copyOf(entered);
    }
  }
}
