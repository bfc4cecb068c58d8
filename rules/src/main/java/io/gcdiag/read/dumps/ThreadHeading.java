package io.gcdiag.read.dumps;

import io.gcdiag.read.dumps.DumpBuilder.Draft;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The line of a printed dump that begins a thread: its name in quotes, then what HotSpot ({@code
 * Thread::print_on}) or a tool over the management interface says of it.
 *
 * @param name the thread's name, which may hold quotes itself
 * @param attributes what follows the name
 */
record ThreadHeading(String name, String attributes) {

  /** The last quote that is followed by attributes ends the name, which may hold quotes itself. */
  private static final Pattern HEADING =
      Pattern.compile(
          "(?s)^\"(.*)\" (?=#\\d|\\[\\d|daemon |prio=|os_prio=|cpu=|tid=|virtual |- Thread"
              + " t@|[Ii]d=\\d)(.*)$");

  /** Of {@code Thread.State}. */
  static final String STATES = "(NEW|RUNNABLE|BLOCKED|WAITING|TIMED_WAITING|TERMINATED)\\b";

  /** What {@code ThreadInfo.toString} adds: the name of another thread, with its number. */
  private static final String OWNED_BY = " owned by \"";

  private static final Pattern ATTRIBUTES_OF_JAVA =
      Pattern.compile("^(?:#\\d+ |- Thread t@|(?:prio=\\d+ )?[Ii]d=\\d)");

  /**
   * {@code id=31 in RUNNABLE}, {@code prio=5 Id=31 WAITING on java.lang.Object@1b2c3d}: what tools
   * print that ask the JVM over its management interface.
   */
  private static final Pattern MANAGED =
      Pattern.compile(
          "^(?:daemon )?(?:prio=\\d+ )?[Ii]d=\\d+ (?:in )?"
              + STATES
              + "(?: on (?:lock=)?(\\S+?)(?:@[0-9a-f]+)?(?: .*)?$)?");

  private static final Pattern CPU = Pattern.compile(" cpu=(\\d{1,12}(?:\\.\\d{1,6})?)ms ");
  private static final Pattern ELAPSED = Pattern.compile(" elapsed=(\\d{1,9}(?:\\.\\d{1,6})?)s ");

  /**
   * Attributes that HotSpot prints itself, JDK 6 to 25, and no tool that asks over JMX ({@code
   * Thread::print_on}).
   */
  private static final Pattern PRINTED_BY_JVM = Pattern.compile("\\btid=0x\\S+ nid=");

  private static final int NANOS_PER_MILLI_DIGITS = 6;
  private static final int NANOS_PER_SECOND_DIGITS = 9;

  /** Reads a line, or lines where the name holds line ends; empty if it begins no thread. */
  static Optional<ThreadHeading> of(String line) {
    int owner = line.indexOf(OWNED_BY);
    Matcher heading = HEADING.matcher(owner < 0 ? line : line.substring(0, owner));
    return heading.matches()
        ? Optional.of(new ThreadHeading(heading.group(1), heading.group(2)))
        : Optional.empty();
  }

  boolean isPrintedByJvm() {
    return PRINTED_BY_JVM.matcher(attributes).find();
  }

  /** Hands on what the attributes say: state, lock, processor time, age. */
  void describe(Draft thread) {
    if (ATTRIBUTES_OF_JAVA.matcher(attributes).find()) {
      thread.markJava();
    }
    thread.virtual(attributes.contains("virtual "));
    thread.inObjectWait(attributes.contains(" in Object.wait() "));
    Matcher managed = MANAGED.matcher(attributes);
    if (managed.find()) {
      thread.state(managed.group(1));
      if (managed.group(2) != null && !managed.group(2).startsWith("java.lang.Object")) {
        thread.waitsFor(managed.group(2), managed.group(1).equals("BLOCKED"));
      }
    }
    Matcher cpu = CPU.matcher(attributes);
    if (cpu.find()) {
      thread.cpu(Optional.of(decimal(cpu.group(1), NANOS_PER_MILLI_DIGITS)));
    }
    Matcher elapsed = ELAPSED.matcher(attributes);
    if (elapsed.find()) {
      thread.age(decimal(elapsed.group(1), NANOS_PER_SECOND_DIGITS));
    }
  }

  private static Duration decimal(String text, int digitsToNanos) {
    BigDecimal nanos = new BigDecimal(text).movePointRight(digitsToNanos);
    return Duration.ofNanos(nanos.setScale(0, RoundingMode.HALF_UP).longValueExact());
  }
}
