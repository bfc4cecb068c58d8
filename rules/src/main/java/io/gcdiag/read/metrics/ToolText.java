package io.gcdiag.read.metrics;

import io.gcdiag.evidence.threads.LoggedError.Kind;
import io.gcdiag.read.bytes.TimeText;
import io.gcdiag.read.metrics.ToolTable.Form;
import io.gcdiag.read.metrics.ToolTable.Output;
import io.gcdiag.read.metrics.ToolTable.Table;
import io.gcdiag.read.metrics.ToolTable.Tool;
import io.gcdiag.units.Durations;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The figures in one text. Each has the time that its line, its report or a line above states; one
 * without belongs to a report that is taken to follow the one before it by a second, which is the
 * usual interval of these tools.
 */
final class ToolText {

  /** More figures than an hour of the busiest tools has. */
  private static final int MOST = 500_000;

  private static final int LONGEST_LINE = 4_000;

  private static final Pattern BLANKS = Pattern.compile("\\s+");

  private static final Pattern PAIR =
      Pattern.compile(
          "^(?:\\S*[:/])?([A-Za-z][\\w.()]*):?\\s+(\\d{1,18}(?:\\.\\d{1,18})?)(?: (kB))?\\s*$");

  /** {@code cpu.pressure} in {@code x/cpu.pressure-1.txt}. */
  private static final Pattern NAME = Pattern.compile("(?:.*[/\\\\])?(\\w+(?:\\.\\w+)?).*");

  private static final Pattern NUMBER =
      Pattern.compile("(\\d{1,15}(?:[.,]\\d{1,15})?)([kKmMgGtT]?)%?");

  /** The first line of a report of top, with its time of day. */
  private static final Pattern TOP = Pattern.compile("^top - (\\d\\d:\\d\\d:\\d\\d) up ");

  /** The first line of the tools of sysstat, with the day of what follows. */
  private static final Pattern BANNER =
      Pattern.compile("^Linux \\S+ \\([^)]*\\)\\s+(\\d{2,4})[-/.](\\d\\d)[-/.](\\d{2,4})\\b.*");

  /** What iostat -t prints above a report. */
  private static final Pattern DATED =
      Pattern.compile(
          "^(\\d{2,4})[-/.](\\d\\d)[-/.](\\d{2,4}) (\\d\\d:\\d\\d:\\d\\d)(?: ([AP]M))?\\s*$");

  private static final Pattern CPUS = Pattern.compile("\\((\\d{1,4}) CPUs?\\)\\s*$");

  private static final Pattern CLOCK =
      Pattern.compile("^(?:# )?(\\d\\d:\\d\\d:\\d\\d)(?: ([AP]M))?(?:\\s|$)");

  /** A time put before a line without a blank, as yCrash's script does: {@code 10:00:0112 0}. */
  private static final Pattern GLUED = Pattern.compile("^\\d\\d:\\d\\d:\\d\\d(?=\\d)");

  /** Numbers of {@code SLOWLOG GET}, with what redis-cli prints before them for people. */
  private static final Pattern SLOWLOG =
      Pattern.compile("^\\s*(?:(?:\\d+\\) )?[123]\\) \\(integer\\) )?(\\d{1,12})\\s*$");

  /** A tenth of a second is felt by every request that waits behind it. */
  private static final int LONG_COMMAND_MICROS = 100_000;

  /** Numbers among the arguments of a command are no time. */
  private static final Instant FIRST_REDIS = Instant.parse("2009-01-01T00:00:00Z");

  /** Threads of a JVM by the names that the system knows; top cuts them. */
  private static final Pattern JVM_THREAD =
      Pattern.compile("java|VM Thread|GC Thread.*|G1 .*|C[12] Compil.*|VM Periodic.*");

  /** In the table of tools: the state of containers, which {@link PodText} reads. */
  private static final String POD = "pod";

  /** The same for {@link SessionText}. */
  private static final String SESSIONS = "pg_stat_activity";

  private static final String THREADS = "Threads:";
  private static final String AVERAGE = "Average:";

  /** CPU use of a process in cores, as the table of tools calls it. */
  private static final String CORES = "process_cpu_cores";

  private static final Output MEMORY_LIMIT = Output.of("container_spec_memory_limit_bytes");
  private static final Output CPU_QUOTA = Output.of("container_spec_cpu_quota");
  private static final Output CPU_PERIOD = Output.of("container_spec_cpu_period");

  /** The period of the quota that Kubernetes sets for a limit of CPU. */
  private static final int PERIOD_MICROS = 100_000;

  /** Of jstat: what a full GC left in the old generation, and time in full GCs. */
  private static final Output OLD_LEFT = Output.of("jvm_memory_usage_after_gc{area=heap}");

  private static final Output FULL_GC = Output.of("jvm_gc_collection_seconds_sum{gc=full}");
  private static final Output CPU_COUNT = Output.of("system_cpu_count");
  private static final String PART = "part";
  private static final String MEMORY = "Mem:";
  private static final Pattern SIZE = Pattern.compile("(\\d{1,15}(?:[.,]\\d{1,15})?)([BKMGT]?)i?");

  /** A size of 1 TiB in MiB, and in KiB, has no more digits. */
  private static final int MIB_DIGITS = 6;

  private static final int KIB_DIGITS = 9;
  private static final int BYTES_PER_KIB = 1024;

  /** A crash report of JDK 8 says only at its end when it was written. */
  private static final String BELOW = "time: ";

  private static final String ZONE = "timezone: ";

  private static final int CENTURY = 2000;
  private static final int MONTHS = 12;
  private static final int HALF_DAY = 12;
  private static final int DAY_SECONDS = 24 * 3600;

  final List<Tool> tools;
  private final String name;
  private final List<Reading> readings = new ArrayList<>();
  private final Map<String, Process> processes = new TreeMap<>();
  private final Set<String> keys = new HashSet<>();
  private Optional<LocalDate> day = Optional.empty();
  private Optional<LocalTime> firstClock = Optional.empty();
  private Optional<Heading> heading = Optional.empty();

  /** When the present report was made, and how many of its tool there were until then. */
  private Moment now = Moment.NONE;

  private int reports;

  /** Whether the time of the present report was just stated, and nothing of the report was read. */
  private boolean fresh = true;

  /** Commands that Redis was busy with: all others waited for them. */
  private final List<Event> slow = new ArrayList<>();

  private final List<Long> numbers = new ArrayList<>();
  private final PodText pod = new PodText();
  private final SessionText sessions = new SessionText();
  private final FullCollections fulls = new FullCollections();
  private boolean threads;
  private String below = "";
  private OptionalDouble firstUptime = OptionalDouble.empty();
  private double unit = BYTES_PER_KIB;
  private int leftOut;

  /**
   * When a figure was taken.
   *
   * @param time as it is stated; nothing if only its order is known
   * @param clock a time of day without a date
   * @param seconds since that time, or since the first report
   */
  record Moment(TimeText time, Optional<LocalTime> clock, double seconds) {

    static final Moment NONE = new Moment(TimeText.NONE);

    Moment(TimeText time) {
      this(time, Optional.empty(), 0);
    }

    boolean isStated() {
      return time.isPresent() || clock.isPresent();
    }

    Moment after(double more) {
      return new Moment(time, clock, seconds + more);
    }
  }

  /**
   * A figure.
   *
   * @param output the series, with the labels of the row
   * @param moment when it was taken
   * @param value in the unit of the series
   * @param place the tool and the word beside the figure
   */
  record Reading(Output output, Moment moment, double value, String place) {

    Reading orAt(Moment known, Moment before) {
      boolean stated = moment.isStated() && !moment.equals(before);
      return stated ? this : new Reading(output, known, value, place);
    }
  }

  private record Heading(Tool tool, Table table, Map<String, Integer> columns, int width) {}

  /**
   * Full GCs as jstat counts them. Those of a row have the cause that it states for the latest GC,
   * and the old generation is as full as they left it, or has filled since.
   */
  private final class FullCollections {

    /** So many rows with full GCs show what one of them left. */
    private static final int ROWS = 3;

    private final Map<String, Double> seconds = new TreeMap<>();
    private final Deque<Double> old = new ArrayDeque<>();
    private double count = Double.NaN;
    private double sum;

    void row(Heading of, List<String> words) {
      double all = number(of, words, "FGC");
      double took = number(of, words, "FGCT");
      if (all > count) {
        int cause = of.columns().getOrDefault("LGCC", words.size());
        String latest = words.stream().skip(cause).collect(Collectors.joining(" "));
        seconds.merge(latest.replace("No GC", "").strip(), took - sum, Double::sum);
        old.add(oldInUse(of, words));
        if (old.size() > ROWS) {
          old.remove();
        }
        double least = Collections.min(old);
        if (!Double.isNaN(least)) {
          add(OLD_LEFT, least, "jstat");
        }
      }
      count = all;
      sum = took;
      seconds.forEach(
          (cause, grown) -> add(FULL_GC.with("cause", Optional.of(cause)), grown, "jstat FGCT"));
    }

    /**
     * Share of the old generation in use; with a concurrent collector, whose young generation gets
     * what is free, share of the heap. Not a number where the row does not show it.
     */
    private double oldInUse(Heading of, List<String> words) {
      boolean ofHeap = !Double.isNaN(number(of, words, "CGC"));
      double young =
          Stream.of("S0C", "S1C", "EC").mapToDouble(size -> number(of, words, size)).sum();
      return of.columns().containsKey("OC")
          ? number(of, words, "OU") / (number(of, words, "OC") + (ofHeap ? young : 0))
          : ofHeap ? Double.NaN : number(of, words, "O") / 100;
    }
  }

  /** The figures of a process by moment, of all its threads together. */
  private static final class Process {
    private final List<Reading> readings = new ArrayList<>();
    private boolean isJvm;
    private double weight;
  }

  /** A file of the kernel that was printed alone has no name but that of its file. */
  ToolText(String file, List<Tool> tools) {
    name = NAME.matcher(file).replaceFirst("$1:");
    this.tools = List.copyOf(tools);
  }

  private boolean has(String tool) {
    return tools.stream().anyMatch(one -> one.name().equals(tool));
  }

  int leftOut() {
    return leftOut;
  }

  /** What happened to a container, or in a database to a lock or a command: its subject. */
  record Event(Moment moment, Kind kind, String subject) {}

  List<Event> events() {
    List<Event> events = new ArrayList<>(slow);
    events.addAll(pod.ends());
    sessions.locks().forEach(lock -> events.add(new Event(now, Kind.DATABASE_LOCK, lock)));
    return events;
  }

  /** All figures; of several Java processes those of the one that used most. */
  List<Reading> readings() {
    List<Reading> all = new ArrayList<>(readings);
    processes.values().stream()
        .filter(process -> process.isJvm)
        .max(Comparator.comparingDouble(process -> process.weight))
        .ifPresent(process -> all.addAll(process.readings));
    pod.memory().ifPresent(bytes -> all.add(reading(MEMORY_LIMIT, bytes)));
    pod.cores()
        .ifPresent(
            cores -> {
              all.add(reading(CPU_QUOTA, cores * PERIOD_MICROS));
              all.add(reading(CPU_PERIOD, PERIOD_MICROS));
            });
    return all;
  }

  private Reading reading(Output output, double value) {
    return new Reading(output, now, value, POD);
  }

  long jvms() {
    return processes.values().stream().distinct().filter(process -> process.isJvm).count();
  }

  void line(String text) {
    String line = GLUED.matcher(text).replaceFirst("$0 ");
    if (line.isBlank() || line.length() > LONGEST_LINE) {
      heading = Optional.empty();
    } else if (!(has(POD) && pod.line(line))
        && !(has(SESSIONS) && sessions.line(line))
        && !banner(line)
        && !headingIn(line)
        && heading.filter(one -> row(one, line)).isEmpty()
        && !form(line)
        && !form(name + line)
        && !pair(line)
        && !slowlog(line)) {
      stamp(line);
    }
  }

  /** A line with a time above the output, as {@code date} prints it. */
  private void stamp(String line) {
    boolean zone = line.startsWith(ZONE);
    TimeText time = TimeText.in(zone ? below + ' ' + line.substring(ZONE.length()) : line);
    if (time.instant().isPresent() || time.local().isPresent()) {
      Moment moment = new Moment(time);
      if (zone || line.startsWith(BELOW)) {
        Moment before = now;
        readings.replaceAll(one -> one.orAt(moment, before));
        below = line;
      }
      at(moment);
      firstClock = Optional.empty();
      firstUptime = OptionalDouble.empty();
      heading = Optional.empty();
    }
  }

  private void at(Moment moment) {
    if (!moment.equals(now)) {
      now = moment;
      reports++;
      keys.clear();
    }
    fresh = true;
  }

  /** The next report begins; where it states no time, a second after the one before. */
  private void report() {
    if (!fresh) {
      at(now.after(1));
    }
    reports = Math.max(1, reports);
    fresh = false;
  }

  private boolean banner(String line) {
    Matcher top = TOP.matcher(line);
    if (top.find()) {
      clock(top.group(1), Optional.empty());
      threads = false;
      return true;
    }
    if (line.startsWith(THREADS)) {
      threads = true;
      return true;
    }
    Matcher dated = DATED.matcher(line);
    if (dated.matches()) {
      day = day(dated);
      clock(dated.group(4), Optional.ofNullable(dated.group(5)));
      return true;
    }
    Matcher banner = BANNER.matcher(line);
    if (!banner.matches()) {
      return false;
    }
    day = day(banner);
    reports = 0;
    Matcher cpus = CPUS.matcher(line);
    if (cpus.find()) {
      add(CPU_COUNT, Integer.parseInt(cpus.group(1)), "CPUs");
    }
    return true;
  }

  /** {@code 11/29/26}, {@code 11/29/2026} and {@code 2026-11-29}, by the locale. */
  private static Optional<LocalDate> day(Matcher banner) {
    int one = Integer.parseInt(banner.group(1));
    int two = Integer.parseInt(banner.group(2));
    int three = Integer.parseInt(banner.group(3));
    try {
      if (banner.group(1).length() > 2) {
        return Optional.of(LocalDate.of(one, two, three));
      }
      int year = three < CENTURY ? CENTURY + three : three;
      return Optional.of(
          one > MONTHS ? LocalDate.of(year, two, one) : LocalDate.of(year, one, two));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** A report of that time of day. The time above the output has the date and the zone, if any. */
  private void clock(LocalTime clock) {
    if (day.isPresent()) {
      at(new Moment(TimeText.ofLocal(day.get().atTime(clock))));
    } else if (now.time().isPresent()) {
      LocalTime from = firstClock.orElse(clock);
      firstClock = Optional.of(from);
      long seconds = Duration.between(from, clock).toSeconds();
      at(new Moment(now.time(), Optional.empty(), Math.floorMod(seconds, DAY_SECONDS)));
    } else {
      at(new Moment(TimeText.NONE, Optional.of(clock), 0));
    }
  }

  /**
   * The same of a text.
   *
   * @param half AM or PM, if it is of half a day
   */
  private void clock(String text, Optional<String> half) {
    try {
      LocalTime time = LocalTime.parse(text);
      int noon = half.filter("PM"::equals).isPresent() ? HALF_DAY : 0;
      clock(half.isEmpty() ? time : time.withHour(time.getHour() % HALF_DAY + noon));
    } catch (DateTimeException e) {
      // A damaged digit: the report has the time of the one before.
      fresh = false;
    }
  }

  private boolean headingIn(String line) {
    for (Tool tool : tools) {
      for (Table table : tool.contents().tables()) {
        if (table.words().stream().allMatch(line::contains)) {
          List<String> words = words(line);
          if (words.containsAll(table.words())) {
            begin(tool, table, words);
            return true;
          }
        }
      }
    }
    return false;
  }

  private void begin(Tool tool, Table table, List<String> words) {
    boolean goesOn = heading.filter(one -> one.table().equals(table)).isPresent();
    if (table.rowsFollow() && !goesOn) {
      reports = 0;
    } else if (!table.rowsFollow()) {
      report();
    }
    Map<String, Integer> columns = new HashMap<>();
    for (int i = 0; i < words.size(); i++) {
      columns.putIfAbsent(words.get(i), i);
    }
    heading = Optional.of(new Heading(tool, table, columns, words.size()));
  }

  private boolean row(Heading of, String line) {
    List<String> words = words(line);
    boolean own = ownTime(of, line);
    Table table = of.table();
    if (table.flag("first").isPresent()) {
      return named(of, words);
    }
    if (words.size() < of.width() && !own || words.get(0).equals(AVERAGE)) {
      return false;
    }
    if (table
        .flag("all")
        .filter(column -> word(of, words, column).filter("all"::equals).isEmpty())
        .isPresent()) {
      return true;
    }
    if (table.rowsFollow()) {
      table.flag("uptime").map(column -> number(of, words, column)).ifPresent(this::uptime);
      report();
    }
    Optional<String> device = table.flag("label").flatMap(column -> word(of, words, column));
    Optional<Process> process = table.flag("java").map(column -> process(of, words, column));
    if (table.flag("uptime").isPresent()) {
      fulls.row(of, words);
    }
    for (Map.Entry<String, Output> column : table.columns().entrySet()) {
      double value = number(of, words, column.getKey());
      if (!Double.isNaN(value)) {
        Output output = column.getValue();
        // Threads of one process are added up.
        boolean ofThread = process.isPresent() && threads && output.rate();
        Reading reading =
            new Reading(
                output
                    .with("device", device)
                    .with("tid", Optional.of(words.get(0)).filter(tid -> ofThread)),
                now,
                value * output.factor(),
                of.tool().name() + " " + column.getKey());
        process.ifPresentOrElse(one -> add(one, reading), () -> add(reading));
      }
    }
    return true;
  }

  /**
   * A row that begins with a word of its own: memory as free prints it, in a unit of its choice.
   */
  private boolean named(Heading of, List<String> words) {
    int from = of.columns().get(of.table().flag("first").orElseThrow());
    if (words.get(0).equals(MEMORY) && words.size() > 1) {
      unit = unit(words.get(1));
    }
    boolean any = false;
    for (Map.Entry<String, Integer> column : of.columns().entrySet()) {
      Output output = of.table().columns().get(words.get(0) + column.getKey());
      int at = column.getValue() - from + 1;
      if (output != null && at < words.size()) {
        any = true;
        Matcher number = SIZE.matcher(words.get(at));
        if (number.matches()) {
          int power = "bkmgt".indexOf(number.group(2).toLowerCase(Locale.ROOT));
          double bytes = number.group(2).isEmpty() ? unit : Math.pow(BYTES_PER_KIB, power);
          double value = Double.parseDouble(number.group(1)) * bytes;
          add(output, value, of.tool().name() + " " + words.get(0));
        }
      }
    }
    return any;
  }

  /**
   * The unit of numbers without one, by the memory of the machine: free prints KiB, with options
   * bytes, MiB or GiB. Machines have between 1 GiB and 1 TiB.
   */
  private static double unit(String total) {
    int digits = total.length();
    if (digits > KIB_DIGITS) {
      return 1;
    }
    return Math.pow(BYTES_PER_KIB, digits > MIB_DIGITS ? 1 : digits > 2 ? 2 : 3);
  }

  /** Seconds since the start of the JVM; after a stated time those since the first row. */
  private void uptime(double stated) {
    double up = Double.isNaN(stated) ? 0 : stated;
    if (now.time().instant().isPresent() || now.time().local().isPresent()) {
      double from = firstUptime.orElse(up);
      firstUptime = OptionalDouble.of(from);
      at(new Moment(now.time(), Optional.empty(), up - from));
    } else {
      at(new Moment(TimeText.ofUptime(Durations.ofSeconds(up))));
    }
  }

  /** The time that a row begins or ends with. */
  private boolean ownTime(Heading of, String line) {
    Matcher clock = CLOCK.matcher(line);
    if (clock.find()) {
      clock(clock.group(1), Optional.ofNullable(clock.group(2)));
      return true;
    }
    TimeText stated = of.table().rowsFollow() ? TimeText.in(line) : TimeText.NONE;
    Optional<LocalDateTime> local = stated.local();
    if (local.isPresent()) {
      // The heading of such a column is the zone.
      Instant utc = local.get().toInstant(ZoneOffset.UTC);
      at(new Moment(of.columns().containsKey("UTC") ? TimeText.ofInstant(utc) : stated));
    }
    return local.isPresent();
  }

  private static Optional<String> word(Heading of, List<String> words, String column) {
    return Optional.ofNullable(of.columns().get(column))
        .filter(at -> at < words.size())
        .map(words::get);
  }

  /** The process of a row: by its id, and for a thread by what only its threads share. */
  private Process process(Heading of, List<String> words, String column) {
    Process process = threads ? ofThread(of, words) : ofId(of, words);
    int from = of.columns().get(column);
    String command = String.join(" ", words.subList(Math.min(from, words.size()), words.size()));
    String program = BLANKS.split(command, 2)[0];
    process.isJvm |=
        program.equals("java")
            || program.endsWith("/java")
            || threads && JVM_THREAD.matcher(command).matches();
    return process;
  }

  private Process ofId(Heading of, List<String> words) {
    return processes.computeIfAbsent(
        word(of, words, "TGID").or(() -> word(of, words, "PID")).orElse(""), any -> new Process());
  }

  /**
   * Known by an earlier report; else the threads of one process have the same sizes in a report.
   */
  private Process ofThread(Heading of, List<String> words) {
    String thread = word(of, words, "PID").orElse("");
    String sizes = reports + ":" + word(of, words, "VIRT") + "/" + word(of, words, "RES");
    Process process =
        Optional.ofNullable(processes.get(thread))
            .or(() -> Optional.ofNullable(processes.get(sizes)))
            .orElseGet(Process::new);
    processes.put(thread, process);
    processes.put(sizes, process);
    return process;
  }

  private void add(Process process, Reading reading) {
    if (isUsed(reading)) {
      process.weight += reading.output().series().equals(CORES) ? reading.value() : 0;
      process.readings.add(reading);
    }
  }

  /** An entry of Redis: its number, when it was run, and how long that took, in three lines. */
  private boolean slowlog(String line) {
    Matcher part = SLOWLOG.matcher(line);
    if (!has("SLOWLOG") || !part.find()) {
      numbers.clear();
      return false;
    }
    numbers.add(Long.parseLong(part.group(1)));
    if (numbers.size() == 3) {
      Instant ran = Instant.ofEpochSecond(numbers.get(1));
      long micros = numbers.get(2);
      if (micros >= LONG_COMMAND_MICROS && ran.isAfter(FIRST_REDIS)) {
        String took = "Redis, " + Durations.format(Duration.of(micros, ChronoUnit.MICROS));
        slow.add(new Event(new Moment(TimeText.ofInstant(ran)), Kind.SLOW_STATEMENT, took));
      }
    }
    return true;
  }

  private boolean form(String line) {
    for (Tool tool : tools) {
      for (Form form : tool.contents().forms()) {
        Matcher matcher = form.pattern().matcher(line);
        if (matcher.find()) {
          int names = matcher.groupCount() - form.outputs().size();
          for (int i = 0; i < form.outputs().size(); i++) {
            Output output = form.outputs().get(i);
            Optional<String> part = names > 0 ? Optional.of(matcher.group(PART)) : Optional.empty();
            String text = matcher.group(names + i + 1);
            // A limit of "max" is none.
            double value = text.equals("max") ? -1 : number(text) * output.factor();
            add(output.with(PART, part), value, tool.name());
          }
          return true;
        }
      }
    }
    return false;
  }

  private boolean pair(String line) {
    Matcher pair = PAIR.matcher(line);
    if (!pair.matches()) {
      return false;
    }
    for (Tool tool : tools) {
      Output output = tool.contents().values().get(pair.group(1));
      if (output != null) {
        if (!keys.add(pair.group(1))) {
          fresh = false;
          report();
          keys.add(pair.group(1));
        }
        double unit = pair.group(3) == null ? 1 : BYTES_PER_KIB;
        double value = Double.parseDouble(pair.group(2)) * output.factor() * unit;
        add(output, value, pair.group(1));
        return true;
      }
    }
    return false;
  }

  /** Not a number where the row has none. */
  private static double number(Heading of, List<String> words, String column) {
    return word(of, words, column).map(ToolText::number).orElse(Double.NaN);
  }

  /** A number, with the ending that top puts behind memory: in KiB. */
  private static double number(String text) {
    Matcher number = NUMBER.matcher(text);
    if (!number.matches()) {
      return Double.NaN;
    }
    double value = Double.parseDouble(number.group(1).replace(',', '.'));
    int power = "kmgt".indexOf(number.group(2).toLowerCase(Locale.ROOT));
    return number.group(2).isEmpty() ? value : value * Math.pow(BYTES_PER_KIB, power);
  }

  private boolean isUsed(Reading reading) {
    return !reading.output().rate() || reports > 1;
  }

  private void add(Output output, double value, String place) {
    add(new Reading(output, now, value, place));
  }

  private void add(Reading reading) {
    if (!isUsed(reading)) {
      return;
    }
    if (readings.size() < MOST) {
      readings.add(reading);
    } else {
      leftOut++;
    }
  }

  private static List<String> words(String line) {
    String text = line.strip();
    return List.of(BLANKS.split(text.startsWith("# ") ? text.substring(2) : text));
  }
}
