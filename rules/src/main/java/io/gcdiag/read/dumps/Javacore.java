package io.gcdiag.read.dumps;

import io.gcdiag.read.dumps.DumpBuilder.Draft;
import java.io.IOException;
import java.io.Reader;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the javacore files of OpenJ9. Every line begins with a tag that says what it holds; the
 * tags have been the same since Java 5 (OpenJ9 user documentation, Java dump).
 *
 * <pre>
 * 3XMTHREADINFO      "main" J9VMThread:0x..., java/lang/Thread:0x..., state:P, prio=5
 * 3XMJAVALTHREAD            (java/lang/Thread getId:0x1, isDaemon:false)
 * 3XMTHREADBLOCK     Parked on: java/util/concurrent/Semaphore$NonfairSync@0x... Owned by: ...
 * 4XESTACKTRACE                at java/lang/Object.wait(Object.java:167(Compiled Code))
 * </pre>
 */
final class Javacore {

  static final String THREAD_TAG = "3XMTHREADINFO ";
  static final String TITLE_TAG = "1TIDATETIME";

  private static final Pattern THREAD =
      Pattern.compile("^3XMTHREADINFO\\s+\"(.*)\" \\(?(?:J9VMThread|TID):.*?(?: state:(\\w+).*)?$");

  private static final Pattern BLOCK =
      Pattern.compile(
          "^3XMTHREADBLOCK\\s+(Parked|Blocked|Waiting) on: (\\S+?)(?:@(0x[0-9A-Fa-f]+))?(?: .*)?$");

  private static final Pattern FRAME = Pattern.compile("^4XESTACKTRACE\\s+at (\\S.*)$");

  /** Below the frame that entered it. */
  private static final Pattern ENTERED =
      Pattern.compile("^5XESTACKTRACE\\s+\\(entered lock: \\S+@(0x[0-9A-Fa-f]+), .*$");

  private static final Pattern CPU =
      Pattern.compile("^3XMCPUTIME\\s+CPU usage total: (\\d{1,12}(?:\\.\\d{1,9})?) secs.*$");
  private static final Pattern DATE =
      Pattern.compile(
          "^1TIDATETIME(UTC)?\\s+Date: +(\\d{4}/\\d\\d/\\d\\d) at (\\d\\d:\\d\\d:\\d\\d)"
              + "(?::(\\d{3}))?.*$");
  private static final Pattern DEADLOCKED =
      Pattern.compile("^2LKDEADLOCKTHR\\s+Thread \"(.*)\" .*$");

  private static final DateTimeFormatter LOCAL =
      DateTimeFormatter.ofPattern("uuuu/MM/dd HH:mm:ss.SSS", Locale.ROOT);

  private static final int NANOS_DIGITS = 9;

  /** OpenJ9's states; it does not say whether a wait is timed. */
  private static final Map<String, String> STATES =
      Map.of("R", "RUNNABLE", "B", "BLOCKED", "CW", "WAITING", "P", "WAITING", "MW", "BLOCKED");

  private final DumpBuilder builder = new DumpBuilder();
  private Optional<Instant> instant = Optional.empty();
  private Optional<LocalDateTime> local = Optional.empty();
  private boolean begun;
  private String state = "";

  private Javacore() {}

  static List<ParsedDump> read(Reader text) throws IOException {
    Javacore core = new Javacore();
    BoundedLines lines = new BoundedLines(text);
    for (Optional<String> line = lines.read(); line.isPresent(); line = lines.read()) {
      core.line(line.get(), lines.number());
    }
    core.builder.end();
    return core.builder.dumps();
  }

  private void line(String line, long number) {
    if (line.startsWith(TITLE_TAG)) {
      date(line);
      return;
    }
    Matcher deadlocked = DEADLOCKED.matcher(line);
    if (line.startsWith("0SECTION") && line.contains(" TITLE ")) {
      builder.end();
      begun = false;
      instant = Optional.empty();
      local = Optional.empty();
    } else if (deadlocked.matches()) {
      // Locks are printed before threads.
      begin(number);
      builder.deadlocked(deadlocked.group(1));
    } else if (line.startsWith(THREAD_TAG)) {
      thread(line, number);
    } else if (line.startsWith("NULL") || line.startsWith("0SECTION")) {
      builder.endThread();
    } else if (builder.current().isPresent()) {
      detail(builder.current().get(), line);
    }
  }

  private void begin(long number) {
    if (!begun) {
      builder.begin(instant, local, number);
      builder.searched();
      begun = true;
    }
  }

  private void date(String line) {
    Matcher date = DATE.matcher(line);
    if (!date.matches()) {
      return;
    }
    String millis = date.group(4) == null ? "000" : date.group(4);
    try {
      LocalDateTime time =
          LocalDateTime.parse(date.group(2) + " " + date.group(3) + "." + millis, LOCAL);
      if (date.group(1) != null) {
        instant = Optional.of(time.toInstant(ZoneOffset.UTC));
      } else {
        local = Optional.of(time);
      }
    } catch (DateTimeException e) {
      // An invalid date; the dump then has no time.
      return;
    }
  }

  private void thread(String line, long number) {
    Matcher header = THREAD.matcher(line);
    if (!header.matches()) {
      // A thread of the JVM itself is printed as "Anonymous native thread".
      builder.endThread();
      return;
    }
    begin(number);
    builder.thread(header.group(1));
    state = header.group(2) == null ? "" : STATES.getOrDefault(header.group(2), "");
  }

  private void detail(Draft thread, String line) {
    Matcher frame = FRAME.matcher(line);
    if (frame.matches()) {
      // Threads of the JVM have a state too, but no Java stack.
      if (!state.isEmpty()) {
        thread.state(state);
        state = "";
      }
      String text = frame.group(1);
      int call = Math.max(0, text.indexOf('('));
      // Here slashes separate packages; elsewhere they end the name of a module.
      FrameText.read(text.substring(0, call).replace('/', '.') + text.substring(call))
          .ifPresent(thread::frame);
      return;
    }
    Matcher block = BLOCK.matcher(line);
    if (block.matches()) {
      Optional<String> lock = Optional.ofNullable(block.group(3));
      if (block.group(1).equals("Waiting")) {
        lock.ifPresent(thread::letsGo);
      } else {
        thread.waitsFor(block.group(2).replace('/', '.'), block.group(1).equals("Blocked"));
        lock.ifPresent(thread::wants);
      }
      return;
    }
    Matcher entered = ENTERED.matcher(line);
    if (entered.matches()) {
      thread.enters(entered.group(1));
      return;
    }
    Matcher cpu = CPU.matcher(line);
    if (cpu.matches()) {
      thread.cpu(
          Optional.of(
              Duration.ofNanos(
                  new BigDecimal(cpu.group(1)).movePointRight(NANOS_DIGITS).longValueExact())));
    }
  }
}
