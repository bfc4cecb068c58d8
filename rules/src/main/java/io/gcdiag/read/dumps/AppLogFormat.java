package io.gcdiag.read.dumps;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gcdiag.evidence.threads.LoggedError;
import io.gcdiag.evidence.threads.LoggedError.Kind;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.InputReport.Remark;
import io.gcdiag.evidence.time.Lazy;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.bytes.ClockAlignment;
import io.gcdiag.read.bytes.FileHead;
import io.gcdiag.read.bytes.IngestContext;
import io.gcdiag.read.bytes.InputFile;
import io.gcdiag.read.bytes.InputFormat;
import io.gcdiag.read.bytes.LineSource;
import io.gcdiag.read.bytes.TimeText;
import io.gcdiag.read.frames.StackKind;
import io.gcdiag.read.metrics.MetricCollector;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.ResourceText;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.time.temporal.Temporal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Logs of applications and of the kernel. Only a few kinds of messages are read: pool statistics,
 * timeouts, memory errors, blocked threads.
 */
public final class AppLogFormat extends InputFormat {

  public static final String ID = "app-log";

  /** What is said of a log without any message that is read. */
  public static final Outcome NOTHING =
      new Outcome(
          true, "log" + InputReport.NOT_USED + "no message that a cause needs", Remark.NOT_USED);

  /** As many lines as show that a text is a log. */
  private static final int FIRST_LINES = 50;

  private static final Pattern LEVEL =
      Pattern.compile("(?i)\\b(?:trace|debug|info|notice|warn(?:ing)?|error|severe|fatal|fine)\\b");

  public AppLogFormat() {
    super(ID, "an application's log with messages on pools, memory or blocked threads");
  }

  @Override
  public boolean recognises(FileHead head) {
    try (InputStream in =
        new ByteArrayInputStream(head.text().getBytes(StandardCharsets.ISO_8859_1))) {
      return !AppLogText.read(new LineSource(in)).entries.isEmpty();
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether half of its first lines have a time and a level, whatever they say. */
  public static boolean isLog(FileHead head) {
    List<String> lines =
        head.text()
            .lines()
            .limit(FIRST_LINES)
            .filter(line -> !line.isBlank() && !AppLogText.isFrame(line))
            .toList();
    long stamped =
        lines.stream()
            .filter(line -> LEVEL.matcher(line).find())
            .filter(line -> AppLogText.clock(line).isPresent() || AppLogText.time(line).isPresent())
            .count();
    return stamped > 0 && 2 * stamped >= lines.size();
  }

  @Override
  public List<String> marks() {
    return LogMessage.MARKS;
  }

  @Override
  public Outcome read(InputFile file, IngestContext intake) throws IOException {
    AppLogText text;
    Optional<String> damage;
    try (InputStream in = file.bytes().open()) {
      LineSource lines = new LineSource(in);
      text = AppLogText.read(lines);
      damage = lines.damage();
    }
    intake.afterLogs(clocks -> place(file, text, clocks, intake));
    if (text.leftOut > 0) {
      intake.note(
          ("%s: of its messages on pools, memory and threads the first %s are used, %s"
                  + " more are not")
              .formatted(file.name(), Numbers.count(AppLogText.MOST), Numbers.count(text.leftOut)));
    }
    if (text.undated > 0) {
      intake.note(
          "%s: %s messages on pools, memory and threads have no date and are left out"
              .formatted(file.name(), Numbers.count(text.undated)));
    }
    return damage.map(Outcome::partial).orElse(Outcome.COMPLETE);
  }

  private static void place(
      InputFile file, AppLogText text, ClockAlignment clocks, IngestContext intake) {
    Counted timeouts = new Counted();
    noteDays(file, text, clocks);
    for (AppLogText.Entry entry : text.entries) {
      at(file, text, entry, clocks)
          .ifPresent(
              at -> {
                Source source = Source.line(file.name(), entry.line());
                entry.stats().ifPresent(stats -> meter(stats, at, source, intake));
                entry
                    .message()
                    .ifPresent(
                        message -> {
                          if (message.kind() == LoggedError.Kind.POOL_TIMEOUT) {
                            timeouts.add(message.subject(), at, source, intake);
                          }
                          intake.timeline().sample(error(message, entry, at, source, intake));
                        });
              });
    }
  }

  private static void noteDays(InputFile file, AppLogText text, ClockAlignment clocks) {
    List<LocalTime> times = text.entries.stream().flatMap(entry -> entry.clock().stream()).toList();
    long ofNoDay =
        text.severalDays
            ? times.size()
            : times.stream().filter(clock -> clocks.ofClock(clock).isEmpty()).count();
    if (ofNoDay > 0) {
      clocks.note(
          file.name()
              + ": messages on pools, memory and threads without a date, of a time of the day that"
              + " fits several days, are left out: "
              + Numbers.count(ofNoDay));
    }
    if (ofNoDay < times.size()) {
      ZoneOffset zone = clocks.zoneOfClocks();
      clocks.note(
          file.name()
              + " states times of the day without a date; taken as of the day of the other inputs,"
              + " in UTC"
              + (zone.equals(ZoneOffset.UTC) ? "" : zone));
    }
  }

  /** Counts timeouts like HikariCP's own metrics do. */
  private static final class Counted {
    private final TreeMap<String, Integer> byPool = new TreeMap<>();

    void add(String pool, Instant at, Source source, IngestContext intake) {
      int count = byPool.merge(pool, 1, Integer::sum);
      series("hikaricp_connections_timeout_total", pool, at, count, source, intake);
    }
  }

  private static void meter(PoolStats stats, Instant at, Source source, IngestContext intake) {
    String pool = stats.pool();
    series("hikaricp_connections_active", pool, at, stats.active(), source, intake);
    series("hikaricp_connections_idle", pool, at, stats.idle(), source, intake);
    series("hikaricp_connections_pending", pool, at, stats.waiting(), source, intake);
    stats.max().ifPresent(max -> series("hikaricp_connections_max", pool, at, max, source, intake));
  }

  private static void series(
      String name, String pool, Instant at, double value, Source source, IngestContext intake) {
    TreeMap<String, String> labels = new TreeMap<>();
    labels.put("pool", intake.redactor().redact(pool));
    MetricCollector.of(intake).add(name, labels, at, value, source);
  }

  private static LoggedError error(
      LogMessage message, AppLogText.Entry entry, Instant at, Source source, IngestContext intake) {
    int own = intake.frames().innermostOfApplication(entry.frames());
    StackKind stack = intake.frames().classify(entry.frames(), "", Optional.empty());
    // A stack in a log has no thread state: the thread waits if its innermost frame does.
    boolean waits = !entry.frames().isEmpty() && intake.frames().isWait(entry.frames().get(0));
    return new LoggedError(
        at,
        message.kind(),
        intake.redactor().redact(message.subject()),
        own < 0 ? "" : entry.frames().get(own),
        waits ? Optional.of(stack.waitsFor()) : Optional.empty(),
        source);
  }

  private static Optional<Instant> at(
      InputFile file, AppLogText text, AppLogText.Entry entry, ClockAlignment clocks) {
    TimeText time = entry.time();
    return time.instant()
        .or(() -> entry.clock().filter(clock -> !text.severalDays).flatMap(clocks::ofClock))
        .or(() -> time.local().map(local -> clocks.ofLocal(file.name(), local)))
        // If nothing shows when the JVM started, GC logs are placed the same way.
        .or(() -> time.uptime().map(up -> clocks.jvmStart().orElse(Instant.EPOCH).plus(up)));
  }

  /** The relevant lines of an application's log, with their times. */
  private static final class AppLogText {

    /** Largest number of lines that are kept; the rest is only counted. */
    static final int MOST = 20_000;

    /** The innermost frames are enough to locate a thread. */
    private static final int MOST_FRAMES = 200;

    private static final Pattern FRAME =
        Pattern.compile("^\\s*(?:at )?(?:[^/(\\s]*/)*([\\w$.<>]+)\\(");

    /** {@code com.shop.Cart.add(Cart.java:7) <== monitors:1}, of a pinned virtual thread. */
    private static final Pattern BARE_FRAME =
        Pattern.compile("^ {4}\\S+\\((?:\\w+\\.\\w+(?::\\d+)?|Native Method|Unknown Source)\\).*");

    /** Above a statement in the slow log of MySQL, with an ISO date, and of MariaDB. */
    private static final String SLOW_LOG = "# Time: ";

    private static final String SLOW_QUERY = "# User@Host: ";

    /** How nearly all lines begin: {@code 2026-11-23T10:00:01}. */
    private static final Pattern PLAIN =
        Pattern.compile("\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d");

    /**
     * Dates in another order than ISO 8601: {@code # Time: 240312 9:00:11} of MariaDB, {@code
     * 20240312-10:00:11.004}, {@code [3/12/24 10:00:11:004 UTC]} of WebSphere, {@code 12-Mar-2024
     * 10:00:11.004} of Tomcat, {@code [12/Mar/2024:10:00:11 +0000]}, {@code Apr 28, 2016 2:30:10
     * PM} of {@code java.util.logging}, and {@code ####<Apr 28, 2016 2:30:10,004 PM UTC>} of
     * WebLogic.
     */
    private static final List<Pattern> DATES =
        Stream.of(
                "# Time: (?<y>\\d\\d)(?<m>\\d\\d)(?<d>\\d\\d) +(?<h>\\d{1,2}):%s(?<f>)(?<p>)(?<z>)",
                "(?<y>20\\d\\d)(?<m>\\d\\d)(?<d>\\d\\d)[- T](?<h>\\d\\d):%s[.,](?<f>\\d{3})(?<p>)(?<z>)",
                "\\[(?<m>\\d{1,2})/(?<d>\\d{1,2})/(?<y>\\d\\d) (?<h>\\d{1,2}):%s:(?<f>\\d{3})(?<p>) (?<z>\\w*)",
                "\\[?(?<d>\\d{1,2})[-/](?<m>[A-Z][a-z]{2})[-/](?<y>\\d{4})[ :](?<h>\\d\\d):%s(?:\\.(?<f>\\d{1,9}))?(?<p>)"
                    + "(?: (?<z>[+-]\\d{4}))?",
                "(?:####<)?(?<m>[A-Z][a-z]{2}) (?<d>\\d{1,2}), (?<y>\\d{4}),? (?<h>\\d{1,2}):%s(?:[.,](?<f>\\d{3}))?"
                    + "\\h(?<p>AM|PM)(?: (?<z>UTC|GMT))?")
            .map(form -> Pattern.compile("^" + form.formatted("(?<s>\\d\\d:\\d\\d)")))
            .toList();

    /**
     * {@code 10:00:11.004 [main] INFO}: Logback's, JBoss' and Ignite's own layouts have no date,
     * that of glog ({@code E0312 10:00:11.004000}) no year.
     */
    private static final Pattern CLOCK =
        Pattern.compile(
            "^(?: ?[A-Z]{4,5} +|\\[|[DIWEF]\\d{4} )?(\\d\\d:\\d\\d:\\d\\d)[.,](\\d{3})(?:\\d{3})?[]\\h]");

    /** Seconds, milliseconds or more since 1970, as fields of JSON have them. */
    private static final Pattern EPOCH =
        Pattern.compile(
            "\"(?:time|timeMillis|timestamp|ts|epochSecond|__REALTIME_TIMESTAMP)\"\\s*:\\s*\"?(\\d{10})\\.?(\\d{0,9})");

    private static final Pattern MONTH = Pattern.compile("^(?:####<)?[A-Z][a-z]{2} \\d{1,2}, ");

    /** A length in a message, {@code in the last [1.1s]}, is no uptime: that stands in front. */
    private static final Pattern STAMPED = Pattern.compile("^\\[?\\d");

    /** Log4j's {@code %5p} puts a blank before levels of four letters. */
    private static final Pattern PADDED = Pattern.compile("^ (?:INFO|WARN) ");

    /** {@code [712301.118470] }: the kernel's seconds since it started. */
    private static final Pattern KERNEL = Pattern.compile("^\\[ {0,4}(\\d{1,9}\\.\\d{6})\\] ");

    /** Lines of several threads are slightly out of order; a larger step back is another day. */
    private static final Duration DISORDER = Duration.ofHours(1);

    /**
     * A relevant line.
     *
     * @param time with its date; none if the log has only times of day
     * @param clock the time of day, if the log has nothing else
     * @param frames of the stack below it, innermost first
     */
    record Entry(
        TimeText time,
        Optional<LocalTime> clock,
        Optional<LogMessage> message,
        Optional<PoolStats> stats,
        List<String> frames,
        long line) {}

    private final List<Entry> entries = new ArrayList<>();
    private final Set<LoggedError.Kind> ofStamp = EnumSet.noneOf(LoggedError.Kind.class);
    private String stamped = "";
    private String second = "";

    /** The latest message, without its prefix. */
    private String latest = "";

    /** The figures of pools in this second: several threads log their timeouts in turn. */
    private final Set<String> figures = new HashSet<>();

    private List<String> frames = new ArrayList<>();

    /** Whether the following frames belong to the message that was kept last. */
    private boolean open;

    private Optional<LocalTime> lastClock = Optional.empty();

    /** Whether times of day decrease, so that the day of a line is unknown. */
    private boolean severalDays;

    private long leftOut;

    /** Lines without a time in or above them. */
    private long undated;

    private AppLogText() {}

    static AppLogText read(LineSource lines) throws IOException {
      AppLogText text = new AppLogText();
      while (lines.advance()) {
        text.line(lines.line().toString(), lines.wrapper(), lines.number());
        if (lines.wrapper().startsWith("{")) {
          JsonException.lines(lines.wrapper()).forEach(line -> text.line(line, "", lines.number()));
        }
      }
      return text;
    }

    /** The time of day at the beginning of a line without a date. */
    private static Optional<LocalTime> clock(String line) {
      Matcher clock = CLOCK.matcher(line);
      try {
        return clock.find()
            ? Optional.of(LocalTime.parse(clock.group(1) + "." + clock.group(2)))
            : Optional.empty();
      } catch (DateTimeException e) {
        return Optional.empty();
      }
    }

    /** The time in a line of a log; {@link TimeText#NONE} if there is none. */
    static TimeText time(String line) {
      Optional<TimeText> date =
          (PLAIN.matcher(line).lookingAt() ? Stream.<Pattern>of() : DATES.stream())
              .map(form -> form.matcher(line))
              .filter(Matcher::find)
              .map(TimeText::of)
              .findFirst();
      if (date.isPresent()) {
        return date.get();
      }
      Matcher kernel = KERNEL.matcher(line);
      if (kernel.find()) {
        return TimeText.in('[' + kernel.group(1) + "s]");
      }
      TimeText found = TimeText.in(line);
      if (!found.isPresent() && line.startsWith("{")) {
        Matcher epoch = EPOCH.matcher(line);
        return epoch.find()
            ? TimeText.in(
                Instant.ofEpochSecond(Long.parseLong(epoch.group(1)))
                    .plus(Durations.ofSeconds(Double.parseDouble("0." + epoch.group(2) + "0")))
                    .toString())
            : TimeText.NONE;
      }
      boolean length = found.uptime().isPresent() && !STAMPED.matcher(line).find();
      return length ? TimeText.NONE : found;
    }

    private void line(String line, String wrapper, long number) {
      if (isFrame(line)) {
        frame(line);
        return;
      }
      if (line.startsWith(SLOW_QUERY)) {
        ofStamp.clear(); // MariaDB writes a time once for all statements of a second
      }
      boolean possible = LogMessage.MARKS.stream().anyMatch(line::contains);
      if (!wrapper.isEmpty()) {
        stamp(time(line).isPresent() ? line : wrapper);
      }
      // Lines of a stack and continued messages have no time of their own.
      if (!line.isEmpty()
          && (!Character.isWhitespace(line.charAt(0)) || PADDED.matcher(line).find())
          && !line.startsWith("Caused")) {
        Optional<LocalTime> clock = clock(line);
        boolean dated =
            clock.isPresent() || (possible ? time(line).isPresent() : looksStamped(line));
        clock.ifPresent(this::goesOn);
        if (dated) {
          stamp(line);
        }
      }
      if (possible) {
        entry(line, number);
      }
    }

    private void goesOn(LocalTime clock) {
      severalDays |=
          lastClock
              .filter(last -> Duration.between(clock, last).compareTo(DISORDER) > 0)
              .isPresent();
      lastClock = Optional.of(clock);
    }

    private void stamp(String line) {
      // A rethrown exception is logged again within the second.
      String of = second(line);
      if (!of.equals(second)) {
        latest = "";
        figures.clear();
      }
      second = of;
      stamped = line;
      ofStamp.clear();
      open = false;
    }

    /** The time of a line without fractions of a second. */
    private static String second(String line) {
      if (PLAIN.matcher(line).lookingAt()) {
        return line.substring(0, TimeText.SHORTEST);
      }
      Optional<LocalTime> clock = clock(line);
      TimeText time = clock.isPresent() ? TimeText.NONE : time(line);
      return Stream.<Optional<? extends Temporal>>of(clock, time.instant(), time.local())
          .flatMap(Optional::stream)
          .map(one -> one.with(ChronoField.NANO_OF_SECOND, 0).toString())
          .findFirst()
          .orElse(line);
    }

    /**
     * Most lines of a log begin with a digit, a bracket or the brace of JSON, some with a month.
     */
    private static boolean looksStamped(String line) {
      char first = line.charAt(0);
      boolean may =
          Character.isDigit(first)
              || first == '['
              || first == '{'
              || line.startsWith(SLOW_LOG)
              || MONTH.matcher(line).find();
      return may && time(line).isPresent();
    }

    private static boolean isFrame(String line) {
      return !line.isEmpty()
          && Character.isWhitespace(line.charAt(0))
          && (line.stripLeading().startsWith("at ") || BARE_FRAME.matcher(line).matches());
    }

    /** Adds a frame to the stack of the message above. */
    private void frame(String line) {
      Matcher matcher = FRAME.matcher(line);
      if (open && frames.size() < MOST_FRAMES && matcher.find()) {
        frames.add(matcher.group(1));
      }
    }

    private void entry(String line, long number) {
      Optional<PoolStats> stats = PoolStats.in(line);
      String text = line.substring(Math.max(0, line.indexOf(" - ")));
      boolean again = text.equals(latest) || stats.isPresent() && !figures.add(text);
      latest = text;
      if (again) {
        return;
      }
      // An error and its wrapper count as one.
      Optional<LogMessage> message = LogMessage.in(line).filter(found -> ofStamp.add(found.kind()));
      if (stats.isEmpty() && message.isEmpty()) {
        return;
      }
      TimeText time = time(line);
      if (!time.isPresent() && clock(line).isEmpty()) {
        time = time(stamped);
      }
      Optional<LocalTime> clock =
          time.isPresent() ? Optional.empty() : clock(line).or(() -> clock(stamped));
      if (!time.isPresent() && clock.isEmpty()) {
        undated++;
      } else if (entries.size() >= MOST) {
        leftOut++;
      } else {
        frames = new ArrayList<>();
        open = true;
        entries.add(new Entry(time, clock, message, stats, frames, number));
      }
    }
  }

  /**
   * The meaning of a log message, whatever its prefix. The messages are in {@code
   * log-messages.txt}.
   *
   * @param subject the pool, thread, process or message; may be empty
   */
  private record LogMessage(Kind kind, String subject) {

    /** A line of the file; its pattern is compiled on demand, because a log needs only a few. */
    private static final class Form {
      private final Kind kind;
      private final String mark;
      private final Lazy<Pattern> pattern;

      private Form(String line) {
        String[] parts = line.split("\t");
        kind = Kind.valueOf(parts[0]);
        mark = parts[1];
        pattern = new Lazy<>(() -> Pattern.compile(parts[2]));
      }

      Optional<LogMessage> in(String line) {
        return Optional.of(line)
            .filter(text -> text.contains(mark))
            .map(text -> pattern.get().matcher(text))
            .filter(Matcher::find)
            .map(found -> new LogMessage(kind, found.group(1) == null ? "" : found.group(1)));
      }
    }

    private static final List<Form> FORMS =
        ResourceText.lines(LogMessage.class, "log-messages.txt").stream().map(Form::new).toList();

    /**
     * Each relevant line contains one of these, and so do most lines that {@link PoolStats} reads.
     */
    static final List<String> MARKS =
        Stream.concat(Stream.of(PoolStats.MARK), FORMS.stream().map(form -> form.mark))
            .distinct()
            .toList();

    /** Share of time in GC, as Elasticsearch and OpenSearch write it. */
    private static final Pattern SPENT = Pattern.compile("\\w+ \\[([^]]+)].*\\[([^]]+)]");

    /** The meaning of a line; empty for all but a few. */
    static Optional<LogMessage> in(String line) {
      return FORMS.stream()
          .flatMap(form -> form.in(line).stream())
          .filter(message -> message.kind() != Kind.COLLECTOR_BUSY || isMost(message.subject()))
          .findFirst();
    }

    /** Elasticsearch writes the same of a quarter and of a tenth of the time, at lower levels. */
    private static boolean isMost(String overhead) {
      Matcher times = SPENT.matcher(overhead);
      return !times.matches()
          || Durations.parse(times.group(1))
                  .multipliedBy(2)
                  .compareTo(Durations.parse(times.group(2)))
              > 0;
    }
  }

  /**
   * HikariCP's statistics of a pool: {@code HikariPool-1 - Pool stats (total=10, active=10, idle=0,
   * waiting=25)}, from version 6.3 on {@code (total=10/10, idle=0/10, active=10, waiting=25)}, at
   * level DEBUG every 30 s, and with each timeout.
   *
   * @param max its maximum size, if the line shows it
   * @param waiting threads waiting for one
   */
  record PoolStats(String pool, OptionalInt max, int active, int idle, int waiting) {

    /** Shows that a log has such lines; timeouts contain figures of the pool as well. */
    static final String MARK = " stats (total=";

    /** The order of the figures differs, and the newer form has limits behind two of them. */
    private static final Pattern LINE =
        Pattern.compile(
            "(\\S+) - [^(]{0,80}\\(total=(\\d{1,6})(?:/(\\d{1,6}))?(?=[^)]*, active=(\\d{1,6}))"
                + "(?=[^)]*, idle=(\\d{1,6}))[^)]*, waiting=(\\d{1,6})\\)");

    static Optional<PoolStats> in(String line) {
      if (!line.contains("(total=")) {
        return Optional.empty();
      }
      Matcher matcher = LINE.matcher(line);
      if (!matcher.find()) {
        return Optional.empty();
      }
      int waiting = Integer.parseInt(matcher.group(6));
      // Threads wait only if the pool has reached its maximum size.
      String max = matcher.group(3) == null && waiting > 0 ? matcher.group(2) : matcher.group(3);
      return Optional.of(
          new PoolStats(
              matcher.group(1),
              max == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(max)),
              Integer.parseInt(matcher.group(4)),
              Integer.parseInt(matcher.group(5)),
              waiting));
    }
  }

  /**
   * The exception that a log in JSON has in fields of their own: a text ({@code stack_trace} of
   * Logstash, {@code error.stack_trace} of ECS), or an object with name, message and frames ({@code
   * thrown} of Log4j, {@code exception} of Quarkus).
   */
  private static final class JsonException {

    private static final Pattern FIELD =
        Pattern.compile(
            "(?i)(?:.*\\.)?(?:stack_?trace|exception|throwable|thrown|error|caused_?by)");

    private static final Pattern FRAMES = Pattern.compile("(?i)(?:extended)?stack_?trace|frames");

    private static final ObjectMapper JSON = new ObjectMapper();

    private JsonException() {}

    /**
     * The lines of the exception in an object as a log without JSON has them; none if there is no
     * exception.
     */
    static List<String> lines(String line) {
      List<String> lines = new ArrayList<>();
      if (line.contains("xception") || line.contains("Error: ")) {
        try {
          add(JSON.readTree(line), lines);
        } catch (JsonProcessingException e) {
          // A line that was cut has no end of its exception.
          return List.of();
        }
      }
      return lines;
    }

    private static void add(JsonNode object, List<String> lines) {
      for (Map.Entry<String, JsonNode> field : object.properties()) {
        JsonNode value = field.getValue();
        if (FRAMES.matcher(field.getKey()).matches() && value.isArray()) {
          value.forEach(frame -> lines.add(frame(frame)));
        } else if (FIELD.matcher(field.getKey()).matches()) {
          value.asText().lines().forEach(lines::add);
          text(value, "name", "type", "exceptionType", "exception_class")
              .map(name -> name + ": " + text(value, "message", "exception_message").orElse(""))
              .ifPresent(lines::add);
          add(value, lines);
        }
      }
    }

    private static String frame(JsonNode frame) {
      return "\tat %s.%s(%s:%s)"
          .formatted(
              frame.path("class").asText(),
              frame.path("method").asText(),
              frame.path("file").asText("Unknown Source"),
              frame.path("line").asText());
    }

    private static Optional<String> text(JsonNode object, String... names) {
      return Arrays.stream(names)
          .map(object::path)
          .filter(JsonNode::isTextual)
          .map(JsonNode::textValue)
          .findFirst();
    }
  }
}
