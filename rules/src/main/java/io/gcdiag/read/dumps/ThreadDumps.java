package io.gcdiag.read.dumps;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.gcdiag.read.bytes.JvmVersions;
import io.gcdiag.read.bytes.TextEncoding;
import io.gcdiag.read.bytes.TimeText;
import io.gcdiag.read.dumps.DumpBuilder.Draft;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
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

  /**
   * Reads {@code Thread.dump_to_file -format=json} and lists of {@code ThreadInfo}, as Spring
   * Boot's {@code /actuator/threaddump} gives them, as a stream. A file cut short gives the threads
   * before the cut.
   */
  private static final class JsonDump {

    private final JsonParser json;
    private final TimeText at;
    private final DumpBuilder builder = new DumpBuilder();

    private JsonDump(JsonParser json, TimeText at) {
      this.json = json;
      this.at = at;
    }

    static List<ParsedDump> read(Reader text, TimeText at) throws IOException {
      try (JsonParser parser = new JsonFactory().createParser(text)) {
        JsonDump dump = new JsonDump(parser, at);
        try {
          dump.file();
        } catch (JsonProcessingException e) {
          // The document ends or is damaged here; everything before it is used.
          dump.builder.cut();
          dump.builder.endThread();
        }
        dump.builder.end();
        return dump.builder.dumps();
      }
    }

    private void file() throws IOException {
      JsonToken first = json.nextToken();
      if (first == JsonToken.START_ARRAY) {
        infos(1);
      }
      if (first != JsonToken.START_OBJECT) {
        return;
      }
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        boolean dump = json.currentName().equals("threadDump");
        boolean infos = json.currentName().equals("threads");
        long line = json.currentTokenLocation().getLineNr();
        JsonToken value = json.nextToken();
        if (value == JsonToken.START_OBJECT && dump) {
          dump(line);
        } else if (value == JsonToken.START_ARRAY && infos) {
          infos(line);
        } else {
          json.skipChildren();
        }
      }
    }

    /** Takes a value, the parser being at its first token. */
    private interface Value {
      void take(String field) throws IOException;
    }

    /** Each field of an object; what is left of its value is skipped. */
    private void fields(Value value) throws IOException {
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String field = json.currentName();
        json.nextToken();
        value.take(field);
        json.skipChildren();
      }
    }

    /** Each field of each object in an array. */
    private void fieldsOfEach(Value value) throws IOException {
      if (json.currentToken() == JsonToken.START_ARRAY) {
        while (json.nextToken() == JsonToken.START_OBJECT) {
          fields(value);
        }
      }
    }

    /** Each text in an array. */
    private void texts(Consumer<String> taken) throws IOException {
      if (json.currentToken() == JsonToken.START_ARRAY) {
        for (JsonToken t = json.nextToken();
            t != JsonToken.END_ARRAY && t != null;
            t = json.nextToken()) {
          if (t == JsonToken.VALUE_STRING) {
            taken.accept(json.getText());
          }
          json.skipChildren();
        }
      }
    }

    private void dump(long line) throws IOException {
      builder.begin(at, line);
      fields(
          field -> {
            boolean text = json.currentToken() == JsonToken.VALUE_STRING;
            if (field.equals("time") && text) {
              builder.takenAt(TimeText.in(json.getText()).instant());
            } else if (field.equals("runtimeVersion") && text) {
              builder.version(JvmVersions.ofJdk(json.getText()));
            } else if (field.equals("threadContainers")) {
              fieldsOfEach(this::threads);
            }
          });
    }

    private void threads(String field) throws IOException {
      if (field.equals("threads") && json.currentToken() == JsonToken.START_ARRAY) {
        while (json.nextToken() == JsonToken.START_OBJECT) {
          // The name is known only after its field was read, and fields may come in any order.
          Draft thread = builder.thread("");
          thread.markJava();
          fields(of -> thread(thread, of));
          builder.endThread();
        }
      }
    }

    private void thread(Draft thread, String field) throws IOException {
      String text = json.getValueAsString("");
      switch (field) {
        case "tid" -> thread.number(text);
        case "name" -> thread.name(text);
        case "state" -> thread.state(text);
        case "virtual" -> thread.virtual(json.getValueAsBoolean(false));
        case "blockedOn" -> {
          thread.waitsFor(FrameText.classOf(text), true);
          thread.wants(text);
        }
        case "waitingOn" -> thread.letsGo(text);
        case "monitorsOwned" -> fieldsOfEach(of -> owned(thread, of));
        case "parkBlocker" -> {
          if (json.currentToken() == JsonToken.START_OBJECT) {
            fields(of -> parked(thread, of));
          }
        }
        case "stack" -> texts(frame -> FrameText.read(frame).ifPresent(thread::frame));
        default -> {
          // Of no use.
        }
      }
    }

    /** {@code {"depth": 4, "locks": ["com.shop.Cart@1ab96a5"]}}. */
    private void owned(Draft thread, String field) throws IOException {
      if (field.equals("locks")) {
        texts(thread::owns);
      }
    }

    private void parked(Draft thread, String field) throws IOException {
      if (field.equals("object") && json.currentToken() == JsonToken.VALUE_STRING) {
        thread.waitsFor(FrameText.classOf(json.getText()), false);
        thread.wants(json.getText());
      }
    }

    /** Objects with the properties of {@code java.lang.management.ThreadInfo}. */
    private void infos(long line) throws IOException {
      builder.begin(at, line);
      while (json.nextToken() == JsonToken.START_OBJECT) {
        info();
      }
    }

    private void info() throws IOException {
      Draft thread = builder.thread("");
      thread.markJava();
      Map<String, String> plain = new HashMap<>();
      fields(
          field -> {
            plain.put(field, json.getValueAsString(""));
            switch (field) {
              case "stackTrace" -> each(any -> frame(thread, any));
              case "lockedMonitors", "lockedSynchronizers" ->
                  each(
                      any ->
                          thread.owns(
                              any.getOrDefault("className", "")
                                  + '@'
                                  + identity(any.getOrDefault("identityHashCode", ""))));
              case "threadName" -> thread.name(json.getValueAsString(""));
              default -> {
                // Used, if at all, when all are known.
              }
            }
          });
      String state = plain.getOrDefault("threadState", "");
      String lock = plain.getOrDefault("lockName", "");
      thread.state(state);
      boolean blocked = state.equals("BLOCKED");
      String type = FrameText.classOf(lock);
      if (!lock.isEmpty() && (blocked || !type.equals("java.lang.Object"))) {
        thread.waitsFor(type, blocked);
      }
      // One that waits to be notified has let the monitor go.
      if (blocked || type.startsWith("java.util.concurrent.")) {
        thread.wants(lock);
      } else {
        thread.letsGo(lock);
      }
      builder.endThread();
    }

    /** {@code lockName} has the hash as a hexadecimal number, {@code LockInfo} as a decimal one. */
    private static String identity(String hash) {
      try {
        return Integer.toHexString(Integer.parseInt(hash));
      } catch (NumberFormatException e) {
        return hash;
      }
    }

    private static void frame(Draft thread, Map<String, String> of) {
      String line = of.getOrDefault("lineNumber", "");
      FrameText.read(
              of.getOrDefault("className", "")
                  + '.'
                  + of.getOrDefault("methodName", "")
                  + (line.startsWith("-") ? "()" : "(:" + line + ")"))
          .ifPresent(thread::frame);
    }

    /** The plain values of each object in an array. */
    private void each(Consumer<Map<String, String>> taken) throws IOException {
      if (json.currentToken() == JsonToken.START_ARRAY) {
        while (json.nextToken() == JsonToken.START_OBJECT) {
          Map<String, String> values = new HashMap<>();
          fields(
              field -> {
                if (json.currentToken().isScalarValue()) {
                  values.put(field, json.getValueAsString(""));
                }
              });
          taken.accept(values);
        }
      }
    }
  }
}
