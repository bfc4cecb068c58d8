package io.gcdiag.read.dumps;

import io.gcdiag.read.bytes.TextEncoding;
import io.gcdiag.read.bytes.TimeText;
import io.gcdiag.read.dumps.DumpBuilder.Draft;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads thread dumps of every dialect that the JDK writes, from 8 on, and those of two other JVMs.
 * Memory grows with the threads in the file, never with its other text.
 */
public final class ThreadDumps {

  /** Characters looked at to tell JSON; the heading is in the first few dozen. */
  private static final int JSON_HEAD = 4_096;

  /**
   * Of the JVM, or of threads as {@code ThreadInfo} describes them: an actuator's of Spring Boot.
   */
  private static final Pattern JSON =
      Pattern.compile(
          "^(HTTP/(?:.+\\R)+)?\\s*(?:\\{\\s*\"threadDump\"\\s*:"
              + "|(?:\\{\\s*\"threads\"\\s*:\\s*)?\\[\\s*\\{[^{}\\[\\]]{0,1000}\"threadName\"\\s*:)");

  private ThreadDumps() {}

  /**
   * Reads all dumps of a file in UTF-8 or UTF-16.
   *
   * @return the dumps in the order of the file; empty if it holds none
   * @throws IOException if reading fails, or the file holds more threads than any real service
   */
  static List<ParsedDump> parse(InputStream bytes) throws IOException {
    return parse(TextEncoding.open(bytes));
  }

  /** Reads all dumps of a text that is the first of its kind. */
  static List<ParsedDump> parse(Reader text) throws IOException {
    return parse(text, new KnownLines());
  }

  /**
   * Reads all dumps of a text, such as the result of the event {@code jdk.ThreadDump}.
   *
   * @param known lines of texts that were read before
   * @return the dumps in the order of the text; empty if it holds none
   * @throws IOException if reading fails, or the text holds more threads than any real service
   */
  public static List<ParsedDump> parse(Reader text, KnownLines known) throws IOException {
    BufferedReader reader = new BufferedReader(text);
    reader.mark(JSON_HEAD);
    char[] head = new char[JSON_HEAD];
    int length = 0;
    for (int read = 0; read >= 0 && length < JSON_HEAD; length += Math.max(0, read)) {
      read = reader.read(head, length, JSON_HEAD - length);
    }
    reader.reset();
    String start = new String(head, 0, length);
    Matcher json = JSON.matcher(start);
    if (json.find()) {
      String headers = Optional.ofNullable(json.group(1)).orElse("");
      reader.skip(headers.length());
      return JsonDump.read(reader, TimeText.last(headers.lines()));
    }
    if (start.contains(JRockit.HEADING)) {
      return JRockit.read(reader);
    }
    return isJavacore(start) ? Javacore.read(reader) : TextDump.read(new TextLines(reader), known);
  }

  /**
   * Whether a text that begins like this holds a thread dump in what is shown of it.
   *
   * @param head the first characters of a file; some thousands are enough, unless the dump stands
   *     far down in the output of an application
   */
  static boolean looksLikeThreadDump(String head) {
    if (TextDump.HEADING.matcher(head).find()
        || TextDump.MANAGED_STACK.matcher(head).find()
        || TextDump.JVMS_STACK.matcher(head).find()
        || TextDump.FORCED_THREAD.matcher(head).find()
        || head.lines().anyMatch(line -> TextDump.DEADLOCK.matcher(line).find())
        || TextDump.HOT_THREADS.matcher(head).find()
        || ToolLines.areIn(head)
        || JSON.matcher(head).find()
        || head.contains(JRockit.HEADING)
        || isJavacore(head)) {
      return true;
    }
    boolean time = false;
    for (String line : (Iterable<String>) head.lines()::iterator) {
      time |= TextDump.INSTANT.matcher(line).matches();
      if (time && TextDump.FILE_THREAD.matcher(line).matches()) {
        return true;
      }
    }
    return false;
  }

  /** The title is in the first lines of the file, the threads far below. */
  private static boolean isJavacore(String head) {
    return head.contains("\n" + Javacore.TITLE_TAG) || head.contains("\n" + Javacore.THREAD_TAG);
  }

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
  private static final class Javacore {

    static final String THREAD_TAG = "3XMTHREADINFO ";
    static final String TITLE_TAG = "1TIDATETIME";

    private static final Pattern THREAD =
        Pattern.compile(
            "^3XMTHREADINFO\\s+\"(.*)\" \\(?(?:J9VMThread|TID):.*?(?: state:(\\w+).*)?$");

    private static final Pattern BLOCK =
        Pattern.compile(
            "^3XMTHREADBLOCK\\s+(Parked|Blocked|Waiting) on: (\\S+?)(?:@(0x[0-9A-Fa-f]+))?(?: .*)?$");

    private static final Pattern FRAME = Pattern.compile("^4XESTACKTRACE\\s+at (\\S.*)$");

    private static final Pattern ENTERED =
        Pattern.compile("^5XESTACKTRACE\\s+\\(entered lock: \\S+@(0x[0-9A-Fa-f]+), .*$");

    private static final Pattern CPU =
        Pattern.compile("^3XMCPUTIME\\s+CPU usage total: (\\d{1,12}(?:\\.\\d{1,9})?) secs.*$");
    private static final Pattern DATE =
        Pattern.compile(
            "^1TIDATETIME(?<z>UTC)?\\s+Date: +(?<y>\\d{4})/(?<m>\\d\\d)/(?<d>\\d\\d) at (?<h>\\d\\d):(?<s>\\d\\d:\\d\\d)"
                + "(?::(?<f>\\d{3}))?(?<p>).*$");
    private static final Pattern DEADLOCKED =
        Pattern.compile("^2LKDEADLOCKTHR\\s+Thread \"(.*)\" .*$");

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
      TextLines lines = new TextLines(text);
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
        builder.begin(new TimeText(instant, local, Optional.empty()), number);
        builder.searched();
        begun = true;
      }
    }

    private void date(String line) {
      Matcher date = DATE.matcher(line);
      if (date.matches()) {
        TimeText stated = TimeText.of(date);
        instant = stated.instant().or(() -> instant);
        local = stated.local().or(() -> local);
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

  /**
   * Reads the dumps of JRockit (up to Java 6). Names of classes have slashes, native frames their
   * signature; a lock that is held is below the frame that took it.
   *
   * <pre>
   * "Worker-1" id=23 idx=0x50 tid=20 prio=5 alive, in native, blocked, daemon
   *     -- Blocked trying to get lock: java/lang/Object@0x10204E50[thin lock]
   *     at java/net/PlainSocketImpl.socketConnect(Ljava/net/InetAddress;II)V(Native Method)
   *     ^-- Holding lock: java/net/SocksSocketImpl@0x10203FB8[biased lock]
   *     -- end of trace
   * </pre>
   */
  private static final class JRockit {

    static final String HEADING = "===== FULL THREAD DUMP =====";

    private static final Pattern THREAD = Pattern.compile("^\\s*\"(.*)\" id=\\S+ .*\\balive(.*)$");

    /** The JVM itself is written in Java: its own frames are above each wait and below each run. */
    private static final Pattern FRAME =
        Pattern.compile("^\\s*at (?!jrockit/)([^\\s(]+)(?:\\([^()]*\\)[^()]*)?(\\([^()]*\\)).*$");

    private static final Pattern LOCK =
        Pattern.compile(
            "^\\s*\\^?-- (Waiting for notification on|Parking to wait for"
                + "|Blocked trying to get lock|Holding lock|Lock released while waiting):"
                + " ([^\\s@]+)@(\\w+).*$");

    private static final Pattern CHAINED = Pattern.compile("^\\s*\"(.*)\" id=.*$");

    /** What a thread does, after the first comma of its line; others run. */
    private static final Map<String, String> STATES =
        Map.of(
            ", blocked", "BLOCKED",
            ", waiting", "WAITING",
            ", parked", "WAITING",
            ", sleeping", "TIMED_WAITING");

    private final DumpBuilder builder = new DumpBuilder();
    private boolean atHeading;
    private boolean inChains;
    private boolean inCircle;

    static List<ParsedDump> read(Reader text) throws IOException {
      JRockit dumps = new JRockit();
      TextLines lines = new TextLines(text);
      for (Optional<String> line = lines.read(); line.isPresent(); line = lines.read()) {
        dumps.line(line.get(), lines.number());
      }
      dumps.builder.end();
      return dumps.builder.dumps();
    }

    private void line(String line, long number) {
      if (line.contains(HEADING)) {
        builder.end();
        atHeading = true;
        inChains = false;
        inCircle = false;
      } else if (atHeading) {
        builder.begin(TimeText.in(line), number);
        atHeading = false;
      } else if (line.contains(" lock chains")) {
        builder.endThread();
        builder.searched();
        inChains = true;
        inCircle = line.contains("deadlock");
      } else if (inChains) {
        Matcher chained = CHAINED.matcher(line);
        if (inCircle && chained.matches()) {
          builder.deadlocked(chained.group(1));
        }
      } else {
        Matcher header = THREAD.matcher(line);
        if (header.matches()) {
          builder.thread(header.group(1));
          builder.current().ifPresent(thread -> thread.state(state(header.group(2))));
        } else {
          builder.current().ifPresent(thread -> detail(thread, line));
        }
      }
    }

    private static String state(String words) {
      return STATES.entrySet().stream()
          .filter(state -> words.contains(state.getKey()))
          .map(Map.Entry::getValue)
          .findFirst()
          .orElse("RUNNABLE");
    }

    private static void detail(Draft thread, String line) {
      Matcher frame = FRAME.matcher(line);
      if (frame.matches()) {
        FrameText.read(frame.group(1).replace('/', '.') + frame.group(2)).ifPresent(thread::frame);
        return;
      }
      Matcher lock = LOCK.matcher(line);
      if (!lock.matches()) {
        return;
      }
      String identity = lock.group(3);
      String type = lock.group(2).replace('/', '.');
      switch (lock.group(1)) {
        case "Holding lock" -> thread.enters(identity);
        case "Parking to wait for" -> {
          thread.waitsFor(type, false);
          thread.wants(identity);
        }
        case "Blocked trying to get lock" -> {
          thread.waitsFor(type, true);
          thread.wants(identity);
        }
        default -> thread.letsGo(identity);
      }
    }
  }
}
