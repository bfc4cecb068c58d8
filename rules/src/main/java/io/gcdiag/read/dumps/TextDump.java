package io.gcdiag.read.dumps;

import io.gcdiag.read.bytes.JvmVersions;
import io.gcdiag.read.bytes.TimeText;
import io.gcdiag.read.dumps.DumpBuilder.Draft;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the text dialects; a file may contain several dumps and other lines in between. */
final class TextDump {

  private static final String HEADING_WORDS = "Full thread dump ";

  static final Pattern HEADING = Pattern.compile(HEADING_WORDS + "(?=.*VM)");

  private static final Pattern VERSION = Pattern.compile("VM \\((\\d\\S*)");

  /** {@code 21.0.3+9-LTS}, below the time of a dump to a file. */
  private static final Pattern FILE_VERSION = Pattern.compile("^\\d[\\d.]*\\+\\d+\\S*$");

  static final Pattern FILE_THREAD =
      Pattern.compile(
          "(?s)^#(\\d+) \"(.*)\"( virtual)?(?: (NEW|RUNNABLE|BLOCKED|WAITING|TIMED_WAITING|TERMINATED)"
              + "(?: \\S+)?)?\\s*$");

  private static final Pattern DEADLOCKED = Pattern.compile("(?s)^\"(.*)\":$");
  static final Pattern INSTANT =
      Pattern.compile("^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,9})?Z$");

  /** The list of all Java threads that HotSpot prints before them, from JDK 10 on. */
  private static final String LIST = "_java_thread_list=";

  private static final Pattern LENGTH = Pattern.compile(", length=(\\d{1,9}),");

  /** {@code JNI global refs: 24, weak refs: 0}: the end of every dump of HotSpot. */
  private static final String END = "JNI global ref";

  /** HotSpot prints its own threads after all Java threads ({@code Threads::print_on}). */
  private static final Set<String> LAST_THREADS = Set.of("VM Thread", "VM Periodic Task Thread");

  /** A frame, or the lock below one. */
  private static final Pattern WHOLE_LINE =
      Pattern.compile("\\s+(?:(?:at )?\\S.*\\)|- .*(?:@[0-9a-f]+|>|\\)))\\s*");

  /** How far above a heading its time may be, before headers or lines of the application. */
  private static final int LINES_ABOVE = 10;

  private enum Part {
    OUTSIDE,
    THREADS,
    FILE_THREADS,
    HOT_THREADS,
    DEADLOCK,
    DEADLOCK_STACKS
  }

  /**
   * What Elasticsearch and OpenSearch list under {@code _nodes/hot_threads}: the threads of a node
   * that used most CPU.
   */
  static final Pattern HOT_THREADS = Pattern.compile("(?m)^\\s*Hot threads at (\\S+Z),.*:$");

  private static final Pattern HOT_THREAD =
      Pattern.compile("^\\s+[\\d.]+% .*\\(.* out of .*\\) \\w+ usage by thread '(.*)'$");

  private static final Pattern SNAPSHOTS =
      Pattern.compile(
          "^\\s+(?:\\d+/\\d+ snapshots sharing following \\d+ elements|unique snapshot)$");

  /**
   * A thread and its stack as {@code ThreadInfo.toString} or the servlet of Dropwizard writes them:
   * such dumps have no heading.
   */
  static final Pattern MANAGED_STACK =
      Pattern.compile(
          "(?m)^\"[^\"\\n]{0,300}\" (?:daemon )?(?:prio=\\d+ )?"
              + ThreadHeading.NUMBERED
              + ThreadHeading.STATES
              + "[^\\n]{0,500}\\n(?:\\s+- [^\\n]{0,500}\\n){0,3}\\s+at ");

  /** Of GlassFish and Payara, without a time. */
  private static final String REPORT = "Full Java Thread Dump ";

  /** Of Arthas, which writes the stacks of the threads that used most CPU. */
  private static final String BUSIEST = "Threads Total: ";

  /** {@code Thread dump at 2026/11/29 18:49:37 UTC}. */
  private static final Pattern IGNITE_HEADING =
      Pattern.compile("Thread dump at (\\d{4}/\\d\\d/\\d\\d \\d\\d:\\d\\d:\\d\\d \\S+)$");

  /** A thread as the JVM and IntelliJ IDEA print it, also without the heading of the dump. */
  private static final String OF_JVM =
      "^\"[^\\n]{0,300}\" (?:#\\d+(?= |$)|(?:daemon )?prio=\\d+ (?=.*tid=0x))";

  /** With its state below, so that no other text with quotes is taken for one. */
  static final Pattern JVMS_STACK =
      Pattern.compile("(?m)" + OF_JVM + "[^\\n]{0,300}\\n\\s+java\\.lang\\.Thread\\.State: ");

  private static final Pattern JVMS_THREAD = Pattern.compile(OF_JVM + ".*");

  /** What the JVM and its agents found, which may be all that was passed on. */
  static final Pattern DEADLOCK = Pattern.compile("Found (?:one|\\d+) Java-level deadlocks?:$");

  /** A thread in a dump of {@code jstack -F}, which does not know the names. */
  static final Pattern FORCED_THREAD =
      Pattern.compile("(?m)^(Thread \\d+): \\(state = (BLOCKED|IN_\\w+)\\)$");

  private static final Pattern MANAGED_THREAD =
      Pattern.compile(
          "^\".*\" (?:daemon )?(?:prio=\\d+ )?"
              + ThreadHeading.NUMBERED
              + ThreadHeading.STATES
              + ".*");

  private final DumpBuilder builder = new DumpBuilder();
  private final ThreadLines printed;
  private final ThreadLines written = new ThreadLines(ThreadLines::fileFrame, new KnownLines());
  private final Deque<String> above = new ArrayDeque<>();
  private LinePrefix prefix = LinePrefix.NONE;
  private TimeText fileTime = TimeText.NONE;
  private Optional<String> fileVersion = Optional.empty();
  private Part part = Part.OUTSIDE;

  /** A name with a line end, which continues in the next line. */
  private String beginning = "";

  /** Whether the present dump should have an end that was not read yet. */
  private boolean endIsDue;

  private boolean ended;

  /** Whether the present dump began with what the JVM found. */
  private boolean alone;

  private TextDump(KnownLines known) {
    printed = new ThreadLines(ThreadLines::frame, known);
  }

  /**
   * Reads dumps.
   *
   * @param known lines of those read before
   */
  static List<ParsedDump> read(TextLines lines, KnownLines known) throws IOException {
    TextDump dump = new TextDump(known);
    for (Optional<String> line = lines.read(); line.isPresent(); line = lines.read()) {
      dump.line(line.get(), lines.number());
    }
    // The JVM prints an end for each stack and for the whole dump. Some tools leave out its last
    // line, but not its threads. Other tools end with the last line of a stack.
    boolean inStack = dump.builder.current().filter(Draft::isInStack).isPresent();
    boolean ofJvm = dump.endIsDue || dump.part == Part.FILE_THREADS;
    boolean brokenOff =
        inStack
            && (ofJvm
                || !WHOLE_LINE
                    .matcher(ToolLines.known(String.valueOf(dump.above.peekLast())))
                    .matches());
    boolean noEnd = dump.endIsDue && !dump.ended;
    if (brokenOff || noEnd && !dump.builder.hasAllListed()) {
      dump.builder.cut();
    } else if (noEnd) {
      dump.builder.unsearched();
    }
    dump.builder.end();
    return dump.builder.dumps();
  }

  private void line(String raw, long number) {
    // A large file has a million lines and few different frames: nearly all need one look-up.
    boolean known =
        part == Part.THREADS
            && prefix == LinePrefix.NONE
            && beginning.isEmpty()
            && builder.current().filter(thread -> printed.isKnownFrame(thread, raw)).isPresent();
    if (!known && raw.contains(HEADING_WORDS) && heading(raw, number)
        || part == Part.OUTSIDE && raw.endsWith(":") && findings(raw, number)) {
      return;
    }
    if (above.size() == LINES_ABOVE) {
      above.removeFirst();
    }
    above.addLast(raw);
    if (known) {
      return;
    }
    String line = ofTools(prefix.strip(raw), number);
    if (line.endsWith("Z") && INSTANT.matcher(line).matches()) {
      fileTime = TimeText.in(line);
      fileVersion = Optional.empty();
      return;
    }
    if (fileTime.isPresent() && FILE_VERSION.matcher(line).matches()) {
      fileVersion = JvmVersions.ofJdk(line);
    }
    if (startsFileThread(line, number)) {
      return;
    }
    if (part == Part.OUTSIDE
        && line.startsWith("\"")
        && (MANAGED_THREAD.matcher(line).matches() || JVMS_THREAD.matcher(line).matches())) {
      builder.begin(TimeText.last(above.stream()), number);
      part = Part.THREADS;
    }
    if (line.endsWith(":") && line.contains("Hot threads at ")) {
      hotThreads(line, number);
      return;
    }
    switch (part) {
      case HOT_THREADS -> hotLine(line);
      case THREADS -> threadLine(line, printed);
      case FILE_THREADS -> threadLine(line, written);
      case DEADLOCK, DEADLOCK_STACKS -> deadlockLine(line);
      case OUTSIDE -> {}
    }
  }

  /** Begins a dump at the headings of tools, and brings their lines to known forms. */
  private String ofTools(String line, long number) {
    boolean busiest = line.startsWith(BUSIEST);
    Matcher heading = IGNITE_HEADING.matcher(line);
    boolean ignites = line.contains("Thread dump at ") && heading.find();
    if (busiest || ignites || line.startsWith(REPORT)) {
      builder.begin(ignites ? TimeText.in(heading.group(1)) : TimeText.NONE, number);
      part = Part.THREADS;
    }
    if (busiest) {
      builder.selected();
    } else if (ignites) {
      builder.searched();
    }
    String known = ToolLines.known(line);
    if (line.startsWith(ToolLines.IN_DEADLOCK) && known.startsWith("\"")) {
      builder.deadlocked(known.substring(1, known.lastIndexOf("\" Id=")));
    }
    return known;
  }

  /** Of several nodes the first with threads is read: the others are other JVMs. */
  private void hotThreads(String line, long number) {
    Matcher heading = HOT_THREADS.matcher(line);
    if (heading.find() && (part == Part.OUTSIDE || builder.current().isEmpty())) {
      builder.begin(TimeText.in(heading.group(1)), number);
      builder.selected();
      part = Part.HOT_THREADS;
    } else if (part == Part.HOT_THREADS) {
      part = Part.OUTSIDE;
    }
  }

  /** Of several stacks of a thread the first was seen most. */
  private void hotLine(String line) {
    Matcher thread = HOT_THREAD.matcher(line);
    if (thread.matches()) {
      builder.thread(thread.group(1)).markJava();
    } else if (SNAPSHOTS.matcher(line).matches() || line.isBlank()) {
      builder.current().filter(Draft::isInStack).ifPresent(Draft::endStack);
    } else {
      builder.current().ifPresent(current -> written.detail(current, line));
    }
  }

  private boolean heading(String raw, long number) {
    Matcher heading = HEADING.matcher(raw);
    if (heading.find()) {
      prefix = LinePrefix.before(raw, heading.start());
      builder.begin(timeAbove(), number);
      builder.searched();
      builder.version(version(raw));
      part = Part.THREADS;
      endIsDue = false;
      ended = false;
      alone = false;
      above.clear();
      return true;
    }
    return false;
  }

  /** A deadlock without the dump above it: its stacks are the only ones. */
  private boolean findings(String raw, long number) {
    Matcher found = DEADLOCK.matcher(raw);
    if (!found.find()) {
      return false;
    }
    prefix = LinePrefix.before(raw, found.start());
    builder.begin(timeAbove(), number);
    builder.searched();
    alone = true;
    part = Part.DEADLOCK;
    return true;
  }

  /** {@code OpenJDK 64-Bit Server VM (17.0.15+6-LTS mixed mode, sharing):}. */
  private static Optional<String> version(String heading) {
    Matcher version = VERSION.matcher(heading);
    return version.find() ? JvmVersions.ofJdk(version.group(1)) : Optional.empty();
  }

  /** What the prefix of the heading states, and the local time that the JVM printed above it. */
  private TimeText timeAbove() {
    Optional<LocalDateTime> local =
        above.stream()
            .map(prefix::strip)
            .filter(line -> line.length() == TimeText.SHORTEST)
            .flatMap(line -> TimeText.in(line).local().stream())
            .reduce((earlier, later) -> later);
    return new TimeText(prefix.instant(), local, Optional.empty());
  }

  /** A dump to file has no heading except its time, which must come before the first thread. */
  private boolean startsFileThread(String line, long number) {
    if (!fileTime.isPresent() && part != Part.FILE_THREADS || !line.startsWith("#")) {
      return false;
    }
    Matcher matcher = FILE_THREAD.matcher(line);
    if (!matcher.matches()) {
      return false;
    }
    if (fileTime.isPresent()) {
      builder.begin(fileTime, number);
      builder.version(fileVersion);
      fileTime = TimeText.NONE;
      part = Part.FILE_THREADS;
    }
    Draft thread = builder.thread(matcher.group(2));
    thread.markJava();
    thread.number(matcher.group(1));
    thread.virtual(matcher.group(3) != null);
    if (matcher.group(4) != null) {
      thread.state(matcher.group(4));
    }
    return true;
  }

  private void threadLine(String line, ThreadLines lines) {
    if (line.isBlank()) {
      // Ends the stack: an exception that the application logs may follow, or the list of the
      // synchronizers that the thread owns.
      builder.current().ifPresent(Draft::endStack);
      return;
    }
    if (line.startsWith(END) || line.equals(ToolLines.STATISTICS)) {
      ended = true;
      builder.current().ifPresent(Draft::endStack);
      return;
    }
    if (line.startsWith("Found ") && line.contains("deadlock")) {
      builder.endThread();
      part = Part.DEADLOCK;
      return;
    }
    if (part == Part.THREADS && startsThread(line)) {
      return;
    }
    Optional<Draft> current = builder.current();
    if (current.isPresent() && current.get().stackEnded() && line.startsWith("Total CPU")) {
      current.get().cpu(ToolLines.cpu(line));
    } else if (current.isPresent()) {
      lines.detail(current.get(), line);
    }
  }

  private boolean startsThread(String line) {
    Matcher forced = FORCED_THREAD.matcher(line);
    if (line.startsWith("Thread ") && forced.matches()) {
      builder.thread(forced.group(1)).forced(forced.group(2).equals("BLOCKED"));
      return true;
    }
    boolean quote = line.charAt(0) == '"';
    if (!quote && beginning.isEmpty()) {
      if (line.startsWith(LIST)) {
        Matcher length = LENGTH.matcher(line);
        if (length.find()) {
          builder.listed(Integer.parseInt(length.group(1)));
        }
      }
      return false;
    }
    String whole = quote ? line : beginning + ' ' + line;
    Optional<ThreadHeading> header = ThreadHeading.of(whole);
    beginning = quote && header.isEmpty() ? line : "";
    header.ifPresent(this::start);
    return header.isPresent();
  }

  private void start(ThreadHeading header) {
    header.describe(builder.thread(header.name()));
    endIsDue = endIsDue || ThreadHeading.PRINTED_BY_JVM.matcher(header.attributes).find();
    ended |= LAST_THREADS.contains(header.name());
  }

  private void deadlockLine(String line) {
    if (line.startsWith("Found ") && line.contains("Java-level deadlock")) {
      part = Part.DEADLOCK;
    } else if (line.startsWith("Java stack information")) {
      part = Part.DEADLOCK_STACKS;
    } else if (line.startsWith("Found ") && alone) {
      builder.endThread();
      part = Part.THREADS;
    } else {
      Matcher name = DEADLOCKED.matcher(line);
      if (name.matches() && part == Part.DEADLOCK) {
        builder.deadlocked(name.group(1));
      } else if (name.matches() && alone) {
        builder.thread(name.group(1)).markJava();
      } else if (alone) {
        builder.current().ifPresent(thread -> printed.detail(thread, line));
      }
    }
  }

  /**
   * The first line of a thread in a printed dump: its name in quotes, then attributes from HotSpot
   * ({@code Thread::print_on}) or from a tool that uses the management interface.
   *
   * @param name the thread's name, which may contain quotes itself
   * @param attributes the text after the name
   */
  private record ThreadHeading(String name, String attributes) {

    /** How the attributes begin, behind the quote that ends the name. */
    private static final Pattern ATTRIBUTES =
        Pattern.compile(
            "#\\d|\\[\\d|daemon |prio=|os_prio=|cpu=|tid=|virtual |- Thread t@|[Ii]d=\\d");

    /** Of {@code Thread.State}. */
    static final String STATES = "(NEW|RUNNABLE|BLOCKED|WAITING|TIMED_WAITING|TERMINATED)\\b";

    /** {@code Id=44 } of {@code ThreadInfo}, with a group in Jenkins, with a word in Karaf. */
    static final String NUMBERED = "[Ii]d=\\d+ (?:Group=\\S+ |in |state=)?";

    /** What {@code ThreadInfo.toString} adds: the name of another thread, with its number. */
    private static final String OWNED_BY = " owned by \"";

    private static final String NAME_END = "\" ";

    private static final Pattern ATTRIBUTES_OF_JAVA =
        Pattern.compile("^(?:#\\d+ |- Thread t@|(?:prio=\\d+ )?[Ii]d=\\d)");

    /**
     * {@code id=31 in RUNNABLE}, {@code prio=5 Id=31 WAITING on java.lang.Object@1b2c3d}: from
     * tools that use the management interface.
     */
    private static final Pattern MANAGED =
        Pattern.compile(
            "^(?:daemon )?(?:prio=\\d+ )?"
                + NUMBERED
                + STATES
                + "(?: on (?:lock=)?([^\\s@]+(?:@[0-9a-f]+)?)(?: .*)?$)?");

    private static final Pattern CPU = Pattern.compile(" cpu=(\\d{1,12}(?:\\.\\d{1,6})?)ms ");
    private static final Pattern ELAPSED = Pattern.compile(" elapsed=(\\d{1,9}(?:\\.\\d{1,6})?)s ");

    /**
     * Attributes that only HotSpot prints itself, JDK 6 to 25, and no tool over JMX ({@code
     * Thread::print_on}).
     */
    private static final Pattern PRINTED_BY_JVM = Pattern.compile("\\btid=0x\\S+ nid=(?!NA)");

    private static final int NANOS_PER_MILLI_DIGITS = 6;
    private static final int NANOS_PER_SECOND_DIGITS = 9;

    /** Parses a line, or several if the name contains line ends; empty if it begins no thread. */
    static Optional<ThreadHeading> of(String line) {
      int owner = line.indexOf(OWNED_BY);
      String heading = owner < 0 ? line : line.substring(0, owner);
      Matcher attributes = ATTRIBUTES.matcher(heading);
      // The last quote before attributes ends the name, which may contain quotes itself.
      for (int end = heading.lastIndexOf(NAME_END);
          end > 0;
          end = heading.lastIndexOf(NAME_END, end - 1)) {
        int from = end + NAME_END.length();
        if (attributes.region(from, heading.length()).lookingAt()) {
          return Optional.of(new ThreadHeading(heading.substring(1, end), heading.substring(from)));
        }
      }
      return Optional.empty();
    }

    /** Passes on the attributes: state, lock, CPU time, age. */
    void describe(Draft thread) {
      if (ATTRIBUTES_OF_JAVA.matcher(attributes).find()) {
        thread.markJava();
      }
      thread.virtual(attributes.contains("virtual "));
      thread.inObjectWait(attributes.contains(" in Object.wait() "));
      Matcher managed = MANAGED.matcher(attributes);
      if (managed.find()) {
        thread.state(managed.group(1));
        Optional.ofNullable(managed.group(2)).ifPresent(thread::on);
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

  /**
   * The lines below the heading of a thread: its state, its frames, its locks.
   *
   * @param frames what stands in a line that shows a frame
   * @param known lines of its dialect
   */
  private record ThreadLines(Function<String, Optional<String>> frames, KnownLines known) {

    private static final Pattern STATE =
        Pattern.compile("\\s+java\\.lang\\.Thread\\.State: (\\w+)");

    /** The virtual thread mounted on a carrier, by number ({@code JavaThread::print_on}). */
    private static final Pattern CARRIES =
        Pattern.compile("^\\s+Carrying virtual thread #(\\d{1,18})$");

    /** Above the stack of that thread, which newer JVMs print below the carrier's own. */
    private static final String MOUNTED = "   Mounted virtual thread #";

    private static final String AT = "at ";

    /** {@code - java.io.PrintStream.write(byte[]) @bci=4, line=480 (Interpreted frame)}. */
    private static final Pattern FORCED_FRAME =
        Pattern.compile("^ - ([^ (]+)\\(.*\\) @bci=\\d+(?:, line=(\\d+))?.*$");

    private static final Pattern FILE_FRAME = Pattern.compile("^\\s{4,}(?:at )?(\\S+\\(.*\\))$");
    private static final String PARKS = "parking to wait for";

    private static final Pattern IGNITES_LOCK =
        Pattern.compile("^\\s+Lock \\[object=([^\\s@]+@[0-9a-f]+), owner.*]$");

    private static final Pattern WAITS =
        Pattern.compile(
            "^\\s+(?:- ("
                + PARKS
                + "|waiting to lock)|waiting for .+ to release lock on)"
                + " +<([^>]*)>(?: \\(a (?:class )?(.+)\\))?$");

    /**
     * {@code - locked <0x00000000f1028bd8> (a com.shop.Cart)}, {@code - locked com.shop.Cart@1}.
     */
    private static final Pattern LOCKED =
        Pattern.compile("^\\s+-  ?locked +(?:<([^>]*)>.*|([^\\s<@]+@[0-9a-f]+))$");

    /**
     * {@code - waiting on <0x00000000f1028bd8> (a com.shop.Cart)}: the monitor is released.
     * Dropwizard writes so of locks that a thread is parked on, too.
     */
    private static final Pattern WAITS_ON =
        Pattern.compile(
            "^\\s+- waiting on +<([^>]*)>(?: \\(a (java\\.util\\.concurrent\\..+)\\))?.*$");

    /** JDK 12 and later ({@code javaVFrame::print_lock_info_on}). */
    private static final Pattern CLASS =
        Pattern.compile("^\\s+- waiting on the Class initialization monitor for (\\S+)$");

    /**
     * Below the stack: {@code - <0x00000000f1028bd8> (a ...ReentrantLock$NonfairSync)}, or by
     * {@code ThreadInfo} {@code - ...ReentrantLock$NonfairSync@1b2c3d}.
     */
    private static final Pattern OWNED =
        Pattern.compile("^\\s+- (?:<([^>]*)> \\(a .*|([^\\s<@]+@[0-9a-f]+))$");

    /** Whether a line is a frame that was read before, and is taken as one. */
    boolean isKnownFrame(Draft thread, String line) {
      Optional<FrameText.Frame> seen = thread.stackEnded() ? null : known.frames().get(line);
      if (seen != null) {
        seen.ifPresent(thread::frame);
      }
      return seen != null;
    }

    void detail(Draft thread, String line) {
      if (thread.stackEnded()) {
        Matcher owned = OWNED.matcher(line);
        if (owned.matches()) {
          thread.owns(owned.group(1) != null ? owned.group(1) : owned.group(2));
        }
        return;
      }
      if (isKnownFrame(thread, line)) {
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
      if (state.lookingAt()) {
        thread.state(state.group(1));
        return;
      }
      Matcher waits = WAITS.matcher(line);
      if (waits.matches()) {
        String parked = waits.group(3) != null ? waits.group(3) : FrameText.classOf(waits.group(2));
        thread.waitsFor(parked, !PARKS.equals(waits.group(1)));
        thread.wants(waits.group(2));
        return;
      }
      Matcher locked = LOCKED.matcher(line);
      if (locked.matches()) {
        thread.enters(locked.group(1) != null ? locked.group(1) : locked.group(2));
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
        if (released.group(2) != null) {
          thread.waitsFor(released.group(2), false);
        }
        return;
      }
      Matcher lock = IGNITES_LOCK.matcher(line);
      if (lock.matches()) {
        thread.on(lock.group(1));
        return;
      }
      if (line.startsWith(MOUNTED)) {
        thread.mounts();
        return;
      }
      Matcher carries = CARRIES.matcher(line);
      if (carries.matches()) {
        thread.carries(Long.parseLong(carries.group(1)));
      }
    }

    /** The text after {@code at} in an indented line. */
    static Optional<String> frame(String line) {
      if (line.startsWith(" - ") && line.contains(" @bci=")) {
        return Optional.of(FORCED_FRAME.matcher(line).replaceFirst("$1(:$2)"));
      }
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
}
