package io.gcdiag.read.dumps;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Brings the lines of servers, consoles and debuggers, which write threads in forms of their own,
 * to those that the JVM and {@code ThreadInfo} have.
 */
final class ToolLines {

  private static final String STATES =
      "(?:NEW|RUNNABLE|BLOCKED|WAITING|TIMED_WAITING|TERMINATED)\\b";

  /** Before a thread of a deadlock that Apache Ignite found. */
  static final String IN_DEADLOCK = "##### DEADLOCKED ";

  /**
   * {@code Thread [name="main", id=1, state=WAITING, blockCnt=0, waitCnt=2]}: Apache Ignite, with
   * the lock in the next line. {@code Thread "http-1(1)" thread-id: 58 thread-state: RUNNABLE}:
   * GlassFish, Payara. {@code "a" Id=31 cpuUsage=97.75% deltaTime=195ms time=12345ms RUNNABLE}:
   * Arthas. {@code Daemon Thread [a] (Suspended)}: Eclipse.
   */
  private static final Map<Pattern, String> THREADS =
      Map.of(
          Pattern.compile(
              "(?m)^(?:"
                  + IN_DEADLOCK
                  + ")?Thread \\[name=(\"[^\\n]{0,300}\"), id=(\\d+), state=("
                  + STATES
                  + "), blockCnt=\\d+, waitCnt=\\d+\\]$"),
          "$1 Id=$2 $3",
          Pattern.compile(
              "(?m)^Thread (\"[^\\n]{0,300}\") thread-id: (\\d+) thread-state: ("
                  + STATES
                  + ")(?: Waiting( on) lock:( \\S+))?.*$"),
          "$1 Id=$2 $3$4$5",
          Pattern.compile(
              "(?m)^(\"[^\\n]{0,300}\") Id=(\\d+) cpuUsage=[\\d.]+% deltaTime=-?\\d+ms time=(\\d+)ms ("
                  + STATES
                  + ")( on [^\\s]+)?.*$"),
          "$1 Id=$2 $4$5 cpu=$3ms ",
          Pattern.compile(
              "(?m)^(?:Daemon |System )*Thread \\[([^\\n]{1,300})\\] \\((?:Suspended|Running|Stepping)[^\\n]*\\)\\s*$"),
          "\"$1\" prio=5 tid=0x0 nid=NA ");

  private static final Map<Pattern, String> DETAILS =
      Map.of(
          Pattern.compile("^\\s+at: (.*)$"),
          "\tat $1",
          Pattern.compile("^\\s+owns: (\\S+)\\s+\\(id=(\\d+)\\).*$"),
          "\t- locked $1@$2",
          Pattern.compile("^\\s+waiting for: (\\S+)\\s+\\(id=(\\d+)\\).*$"),
          "\t- waiting to lock <$1@$2> (a $1)",
          Pattern.compile(
              "^\\s+(?:[^\\s(]+\\()?([^\\s()]+)\\)?\\.([^\\s()]+)\\([^)]*\\) line: (?:(\\d+)|not available).*$"),
          "\tat $1.$2(:$3)");

  private static final Pattern CPU =
      Pattern.compile(
          "^Total CPU time for this thread: ([\\d,]{1,12}) seconds ([\\d,]{1,12}) nanoseconds.*$");

  /** Above the figures that follow a stack of GlassFish's. */
  static final String STATISTICS = "Thread Synchronization Statistics:";

  private ToolLines() {}

  /** Whether a text has a thread in one of these forms. */
  static boolean areIn(String text) {
    return THREADS.keySet().stream().anyMatch(form -> form.matcher(text).find());
  }

  /** The line in a known form; the same if it is none of these. */
  static String known(String line) {
    boolean thread = line.contains("Thread ") || line.contains(" cpuUsage=");
    boolean detail = line.contains("at: ") || line.contains("line: ") || line.contains("(id=");
    return thread ? as(THREADS, line) : detail ? as(DETAILS, line) : line;
  }

  private static String as(Map<Pattern, String> forms, String line) {
    for (Map.Entry<Pattern, String> form : forms.entrySet()) {
      Matcher matcher = form.getKey().matcher(line);
      if (matcher.matches()) {
        return matcher.replaceFirst(form.getValue());
      }
    }
    return line;
  }

  /** The CPU time of the thread above. */
  static Optional<Duration> cpu(String line) {
    Matcher cpu = CPU.matcher(line);
    return cpu.matches()
        ? Optional.of(Duration.ofSeconds(digits(cpu.group(1))).plusNanos(digits(cpu.group(2))))
        : Optional.empty();
  }

  private static long digits(String grouped) {
    String digits = grouped.replace(",", "");
    return digits.isEmpty() ? 0 : Long.parseLong(digits);
  }
}
