package io.gcdiag.read.gclog;

import com.microsoft.gctoolkit.GCToolKit;
import com.microsoft.gctoolkit.aggregator.Aggregates;
import com.microsoft.gctoolkit.aggregator.Aggregation;
import com.microsoft.gctoolkit.aggregator.Aggregator;
import com.microsoft.gctoolkit.aggregator.Collates;
import com.microsoft.gctoolkit.aggregator.EventSource;
import com.microsoft.gctoolkit.event.MemoryPoolSummary;
import com.microsoft.gctoolkit.event.g1gc.G1GCPauseEvent;
import com.microsoft.gctoolkit.event.generational.GenerationalGCPauseEvent;
import com.microsoft.gctoolkit.event.jvm.JVMEvent;
import com.microsoft.gctoolkit.io.GCLogFile;
import com.microsoft.gctoolkit.io.LogFileMetadata;
import com.microsoft.gctoolkit.message.Channel;
import com.microsoft.gctoolkit.message.ChannelListener;
import com.microsoft.gctoolkit.message.ChannelName;
import com.microsoft.gctoolkit.message.DataSourceChannel;
import com.microsoft.gctoolkit.message.DataSourceParser;
import com.microsoft.gctoolkit.message.JVMEventChannel;
import com.microsoft.gctoolkit.message.JVMEventChannelListener;
import com.microsoft.gctoolkit.time.DateTimeStamp;
import io.gcdiag.evidence.jvm.HeapChange;
import io.gcdiag.evidence.time.SecondReading;
import io.gcdiag.evidence.time.SecondReading.Totals;
import io.gcdiag.read.bytes.IngestContext;
import io.gcdiag.read.bytes.InputFile;
import io.gcdiag.read.bytes.Line;
import io.gcdiag.read.bytes.LineSource;
import io.gcdiag.read.bytes.Unpacked;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Reads a log with GCToolkit as well, to compare the two readings. GCToolkit's reading is used for
 * nothing else; the report states any difference.
 */
final class GcToolkitCheck {

  private static final String READER = "gctoolkit 3.5.0";

  private GcToolkitCheck() {}

  /** Reads the log with GCToolkit, and adds both readings to the timeline. */
  static void run(InputFile file, GcLog log, IngestContext intake) throws IOException {
    GcToolkitLines lines = new GcToolkitLines();
    boolean whole;
    try (InputStream in = Unpacked.open(file.bytes())) {
      whole = lines.take(new LineSource(in));
    }
    Optional<List<Duration>> durations =
        GcToolkitReader.read(lines.lines, !lines.unified())
            .map(all -> all.stream().map(GcToolkitReader.Reading::duration).toList());
    if (durations.isEmpty()) {
      intake.note(
          "%s was stopped after %s s with %s: there is nothing to compare"
              .formatted(READER, GcToolkitReader.PATIENCE.toSeconds(), file.name()));
      return;
    }
    long last = lines.lastLine;
    List<Duration> own =
        IntStream.range(0, log.pauses.size())
            .takeWhile(row -> whole || log.pauses.line(row) <= last)
            .mapToObj(row -> Duration.ofNanos(log.pauses.nanos(row)))
            .toList();
    String part = whole ? "" : "lines 1 to " + Numbers.count(last);
    intake
        .timeline()
        .secondReading(
            new SecondReading(
                file.name(), READER, part, Totals.of(own), Totals.of(durations.get())));
  }

  /**
   * Reads a log with Microsoft's GCToolkit, without output and in limited time.
   *
   * <p>GCToolkit 3.5 is exact on most logs of ParNew with CMS and of the Parallel collector. Among
   * other defects it silently loses every full GC of the Serial collector and counts a concurrent
   * mode failure twice. So its result is only compared with gcdiag's own.
   */
  static final class GcToolkitReader {

    /**
     * Two pauses cannot overlap; if they do by more than the timestamps' resolution, they are one
     * pause reported twice.
     */
    private static final Duration RESOLUTION = Duration.ofMillis(2);

    /** Far longer than the lines need; only a defect of a pattern would reach it. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    /** GCToolkit's own sizes are in KiB. */
    private static final long KIBI = 1024;

    /** Lock: GCToolkit prints unknown lines to the standard output of the process. */
    private static final Object STANDARD_OUTPUT = new Object();

    /**
     * Kept in a field because the logging framework forgets the level of a logger that is not
     * referenced.
     */
    private static final Logger LOGGER = Logger.getLogger("com.microsoft.gctoolkit");

    /** One pause as GCToolkit read it. */
    record Reading(
        LogStamp start, Duration duration, Optional<HeapChange> heap, Optional<HeapChange> young) {}

    /** No pause lasts a day, but damaged numbers do. */
    private static final double LONGEST_SECONDS = 86_400;

    private GcToolkitReader() {}

    /**
     * The pauses as GCToolkit read them; empty if it takes too long.
     *
     * @param twice whether to remove pauses reported twice, which overlap, as in logs of JDK 8 and
     *     earlier; in other logs two pauses of the same millisecond are different
     */
    static Optional<List<Reading>> read(List<String> lines, boolean twice) {
      GcToolkitPauses pauses = new GcToolkitPauses();
      synchronized (STANDARD_OUTPUT) {
        PrintStream output = System.out;
        Level level = LOGGER.getLevel();
        LOGGER.setLevel(Level.OFF);
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        try {
          Thread worker = new Thread(() -> analyze(lines, pauses), "gctoolkit");
          worker.setDaemon(true);
          worker.start();
          worker.join(PATIENCE.toMillis());
          if (worker.isAlive()) {
            worker.interrupt();
            return Optional.empty();
          }
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return Optional.empty();
        } finally {
          System.setOut(output);
          LOGGER.setLevel(level);
        }
      }
      return Optional.of(readings(pauses.events, twice));
    }

    private static void analyze(List<String> lines, GcToolkitPauses pauses) {
      try {
        GCToolKit toolkit = new GCToolKit();
        toolkit.loadAggregation(pauses);
        toolkit.loadDataSourceChannel(new GcToolkitChannels.Lines());
        toolkit.loadJVMEventChannel(new GcToolkitChannels.Events());
        toolkit.analyze(new Memory(lines));
      } catch (IOException
          | RuntimeException
          | LinkageError
          | StackOverflowError
          | ServiceConfigurationError e) {
        // The normal end, or a defect: in both cases the pauses found so far are compared.
        return;
      }
    }

    private static List<Reading> readings(List<JVMEvent> events, boolean twice) {
      List<Reading> readings = new ArrayList<>();
      for (JVMEvent event : events) {
        // GCToolkit uses a negative time for an unknown one, and damaged lines give events without
        // a
        // start.
        if (event.getDuration() >= 0
            && event.getDuration() < LONGEST_SECONDS
            && event.getDateTimeStamp() != null) {
          if (twice) {
            addOnce(readings, reading(event));
          } else {
            readings.add(reading(event));
          }
        }
      }
      return readings;
    }

    private static void addOnce(List<Reading> readings, Reading next) {
      if (!readings.isEmpty()) {
        Reading last = readings.get(readings.size() - 1);
        if (overlaps(last, next)) {
          if (next.duration().compareTo(last.duration()) > 0) {
            readings.set(readings.size() - 1, next);
          }
          return;
        }
      }
      readings.add(next);
    }

    private static boolean overlaps(Reading first, Reading second) {
      Optional<Duration> between = between(first.start(), second.start());
      if (between.isEmpty()) {
        return false;
      }
      return between.get().isZero()
          || !between.get().isNegative()
              && between.get().plus(RESOLUTION).compareTo(first.duration()) < 0;
    }

    private static Optional<Duration> between(LogStamp first, LogStamp second) {
      if (first.uptime().isPresent() && second.uptime().isPresent()) {
        return Optional.of(second.uptime().get().minus(first.uptime().get()));
      }
      if (first.wallClock().isPresent() && second.wallClock().isPresent()) {
        return Optional.of(Duration.between(first.wallClock().get(), second.wallClock().get()));
      }
      return Optional.empty();
    }

    private static Reading reading(JVMEvent event) {
      DateTimeStamp at = event.getDateTimeStamp();
      LogStamp start =
          new LogStamp(
              at.hasDateStamp() ? Optional.of(at.getDateTime().toInstant()) : Optional.empty(),
              at.hasTimeStamp() ? Optional.of(uptime(at)) : Optional.empty());
      MemoryPoolSummary heap = null;
      MemoryPoolSummary young = null;
      if (event instanceof GenerationalGCPauseEvent pause) {
        heap = pause.getHeap();
        young = pause.getYoung();
      } else if (event instanceof G1GCPauseEvent pause) {
        heap = pause.getHeap();
      }
      return new Reading(
          start, Durations.ofSeconds(event.getDuration()), change(heap), change(young));
    }

    /** GCToolkit's uptime is a binary fraction of seconds; the log's has three decimals. */
    private static Duration uptime(DateTimeStamp at) {
      return Duration.ofMillis(Math.round(at.toSeconds() * 1e3));
    }

    private static Optional<HeapChange> change(MemoryPoolSummary pool) {
      if (pool == null
          || pool.getOccupancyBeforeCollection() < 0
          || pool.getOccupancyAfterCollection() < 0
          || pool.getSizeAfterCollection() < 0) {
        return Optional.empty();
      }
      return Optional.of(
          new HeapChange(
              Bytes.of(pool.getOccupancyBeforeCollection() * KIBI),
              Bytes.of(pool.getOccupancyAfterCollection() * KIBI),
              Bytes.of(pool.getSizeAfterCollection() * KIBI)));
    }

    private static final class Memory extends GCLogFile {
      private final List<String> lines;

      Memory(List<String> lines) {
        super(Path.of("gc.log"));
        this.lines = lines;
      }

      @Override
      public Stream<String> stream() {
        return Stream.concat(lines.stream(), Stream.of(endOfData()));
      }

      @Override
      public LogFileMetadata getMetaData() throws IOException {
        throw new IOException("there is no file behind these lines");
      }
    }

    /**
     * The two channels that GCToolkit needs, called directly in one thread. GCToolkit's own
     * channels use an event loop and give different results from run to run.
     */
    private static final class GcToolkitChannels {

      private GcToolkitChannels() {}

      private abstract static class Direct<M, L extends ChannelListener<M>>
          implements Channel<M, L> {
        private final List<L> listeners = new ArrayList<>();

        @Override
        public void registerListener(L listener) {
          listeners.add(listener);
        }

        @Override
        public void publish(ChannelName channel, M message) {
          for (L listener : listeners) {
            if (listener.channel() == channel) {
              receive(listener, message);
            }
          }
        }

        /** A parser that fails on one line must not keep the line from the other parsers. */
        private void receive(L listener, M message) {
          try {
            listener.receive(message);
          } catch (RuntimeException e) {
            // Any loss shows in the comparison of the two readings.
          }
        }

        @Override
        public void close() {
          listeners.clear();
        }
      }

      /** Thrown when all parsers have seen the last line. */
      static final class LastLineSeen extends RuntimeException {
        private static final long serialVersionUID = 1L;

        LastLineSeen() {
          super("all lines have been parsed", null, false, false);
        }
      }

      /**
       * Passes the lines of the log to the parsers.
       *
       * <p>Everything runs in one thread, so after the last line everything has been parsed.
       * GCToolkit would now wait without limit for the JVM's termination event, which a damaged log
       * may never produce, so its analysis is aborted at this point.
       */
      static final class Lines extends Direct<String, DataSourceParser>
          implements DataSourceChannel {
        @Override
        public void publish(ChannelName channel, String line) {
          super.publish(channel, line);
          if (line.equals(GCLogFile.END_OF_DATA_SENTINEL)) {
            throw new LastLineSeen();
          }
        }
      }

      /** Passes events from the parsers to the aggregator. */
      static final class Events extends Direct<JVMEvent, JVMEventChannelListener>
          implements JVMEventChannel {}
    }
  }

  /**
   * The lines of a log in a form that GCToolkit 3.5 can read. For JDK 8 and earlier, the numbers of
   * {@code PrintGCID} are removed, and a record that a concurrent thread interrupted is joined
   * again; for unified logs see {@link GcToolkitUnified}. Lines are trimmed, extremely long lines
   * are left out, and the log is cut to what GCToolkit reads in some seconds.
   */
  static final class GcToolkitLines {

    /**
     * GCToolkit reads 2 to 3 MB per second. A log of this size contains some ten thousand pauses.
     */
    private static final int MOST_CHARACTERS = 4 * 1024 * 1024;

    /** GCToolkit's patterns backtrack, so its time grows faster than the length of a line. */
    private static final int LONGEST_LINE = 4 * 1024;

    /** {@code 0.051: #0: [GC (Allocation Failure) ...}. */
    private static final Pattern GC_ID = Pattern.compile("(?<=[\\d+]: )#\\d+: ");

    /**
     * The line of a concurrent phase of G1, alone or in the middle of another thread's record.
     * Those of CMS are kept, because GCToolkit expects them there.
     */
    private static final Pattern TANGLE =
        Pattern.compile(
            "(.*?)((?:\\d{4}-[\\d:.,T-]+[+-]\\d{4}: )?(?:\\d+[.,]\\d{3}: )?"
                + "\\[GC concurrent-[^\\]]*\\])");

    final List<String> lines = new ArrayList<>();
    private final GcToolkitUnified cleaner = new GcToolkitUnified(lines);
    private String interrupted = "";
    private long characters;

    /** The number of the last line that was added, from 1. */
    private long lastLine;

    private boolean unified;

    /** Adds the lines of a log; false if it has more than GCToolkit is given. */
    boolean take(LineSource source) throws IOException {
      boolean known = false;
      while (source.advance()) {
        Line line = source.line();
        if (!known) {
          unified = UnifiedLogParser.recognises(line);
          known = unified || BracketLogParser.recognises(line);
        }
        characters += line.length() + 1;
        if (characters > MOST_CHARACTERS) {
          cleaner.finish();
          return false;
        }
        lastLine = source.number();
        if (unified) {
          cleaner.add(line);
        } else {
          add(line.toString());
        }
      }
      cleaner.finish();
      return true;
    }

    /** Adds a line of JDK 8 or earlier. */
    void add(String line) {
      String text =
          line.indexOf('#') < 0 ? line.strip() : GC_ID.matcher(line).replaceAll("").strip();
      if (!text.isEmpty() && text.length() <= LONGEST_LINE) {
        untangle(text);
      }
    }

    private void untangle(String text) {
      if (interrupted.isEmpty() && !text.contains("[GC concurrent-")) {
        lines.add(text);
        return;
      }
      Matcher tangle = TANGLE.matcher(text);
      if (tangle.matches() && !tangle.group(1).isEmpty()) {
        lines.add(tangle.group(2));
        interrupted += tangle.group(1);
      } else if (!interrupted.isEmpty() && !tangle.matches()) {
        lines.add(interrupted + text);
        interrupted = "";
      } else {
        lines.add(text);
      }
    }

    boolean unified() {
      return unified;
    }

    /**
     * The lines of a unified log in a form that GCToolkit 3.5 can read. It takes a pause's name
     * from the line {@code gc,start} and its time from the line {@code gc,cpu}, so these are added
     * if missing. It does not know {@code (Evacuation Failure: Pinned)}, and loses pauses close to
     * the lines of concurrent cycles, so both are removed. Text before the timestamps is removed,
     * because it makes GCToolkit treat the log as one of an old JDK.
     */
    private static final class GcToolkitUnified {

      /** {@code GC(12) Pause Young (Normal) (G1 Evacuation Pause) 23M->7M(66M) 5.487ms}. */
      private static final Pattern END =
          Pattern.compile(
              "GC\\((\\d+)\\) (Pause [A-Z]\\w*.*?)(?: \\d+[BKMG](?:\\(\\d+[BKMG]\\))?->\\S+)? "
                  + "\\d+[.,]\\d+ms\\s*");

      private static final Pattern START = Pattern.compile("GC\\((\\d+)\\) (Pause [A-Z]\\w*)[^>]*");

      private static final Pattern FAILURE = Pattern.compile(" \\(Evacuation Failure[^)]*\\)");

      private static final List<String> OF_NO_USE =
          List.of("gc,marking", "gc,phases", "gc,task", "gc,ergo");

      private static final String TIMES = " User=0.00s Sys=0.00s Real=0.00s";

      private final List<String> lines;
      private final Dates dates = new Dates();
      private final Set<String> started = new HashSet<>();
      private Optional<String> times = Optional.empty();

      GcToolkitUnified(List<String> lines) {
        this.lines = lines;
      }

      void add(Line line) {
        int message = Decorations.messageStart(line);
        if (message < 0) {
          return;
        }
        Decorations decorations = Decorations.of(line, message, dates);
        if (OF_NO_USE.stream().anyMatch(decorations.tags()::startsWith)) {
          return;
        }
        String text = FAILURE.matcher(line.substring(message)).replaceAll("");
        if (!text.contains(" User=")) {
          finish();
        }
        times = Optional.empty();
        String stamp = stamp(line.substring(0, message));
        Matcher end = END.matcher(text);
        if (!end.matches()) {
          Matcher start = START.matcher(text);
          if (start.matches()) {
            started.add(key(start.group(1), start.group(2)));
          }
          lines.add(stamp + tags(decorations.tags()) + text);
          return;
        }
        if (!started.remove(key(end.group(1), end.group(2)))) {
          lines.add(stamp + tags("gc,start") + "GC(" + end.group(1) + ") " + end.group(2));
        }
        lines.add(stamp + tags("gc") + text);
        times = Optional.of(stamp + tags("gc,cpu") + "GC(" + end.group(1) + ")" + TIMES);
      }

      /** Adds the times of the last pause, if none have come. */
      void finish() {
        times.ifPresent(lines::add);
        times = Optional.empty();
      }

      private static String key(String id, String name) {
        String[] words = name.split(" ", 3);
        return id + " " + words[1];
      }

      /** The timestamps without the text before them, and without level and tags. */
      private static String stamp(String decorations) {
        StringBuilder stamps = new StringBuilder();
        Matcher bracket = STAMP.matcher(decorations);
        while (bracket.find()) {
          stamps.append(bracket.group());
        }
        return stamps.toString();
      }

      private static final Pattern STAMP =
          Pattern.compile("\\[(?:\\d{4}-\\d\\d-\\d\\dT[^\\]]*|\\d+[.,]\\d{3}s)\\]");

      private static String tags(String tags) {
        return "[info][" + tags + "] ";
      }
    }
  }

  /**
   * Collects GCToolkit's pauses. This class and the nested one are public because GCToolkit creates
   * them by reflection.
   */
  @Collates(GcToolkitPauses.Collector.class)
  static final class GcToolkitPauses extends Aggregation {

    /** The pauses so far, in the order in which GCToolkit found them. */
    private final List<JVMEvent> events = new ArrayList<>();

    public GcToolkitPauses() {}

    @Override
    public boolean hasWarning() {
      return false;
    }

    @Override
    public boolean isEmpty() {
      return events.isEmpty();
    }

    /**
     * Receives the pauses. Each outbox is named once: several sources share the first one, and
     * naming two of them would deliver every event twice.
     */
    @Aggregates({EventSource.GENERATIONAL, EventSource.G1GC})
    public static final class Collector extends Aggregator<GcToolkitPauses> {

      /**
       * Registers for the two families of pauses.
       *
       * @param pauses receives them
       */
      public Collector(GcToolkitPauses pauses) {
        super(pauses);
        register(GenerationalGCPauseEvent.class, pauses.events::add);
        register(G1GCPauseEvent.class, pauses.events::add);
      }
    }
  }
}
