package io.gcdiag.read.gclog;

import com.microsoft.gctoolkit.GCToolKit;
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
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Durations;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;

/**
 * Reads a log with Microsoft's GCToolkit, without output and in limited time.
 *
 * <p>GCToolkit 3.5 is exact on most logs of ParNew with CMS and of the Parallel collector. Among
 * other defects it silently loses every full GC of the Serial collector and counts a concurrent
 * mode failure twice. So its result is only compared with gcdiag's own.
 */
final class GcToolkitReader {

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
    return Optional.of(readings(pauses.events(), twice));
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
      // GCToolkit uses a negative time for an unknown one, and damaged lines give events without a
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

  /** A log in memory. */
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
   * The two channels that GCToolkit needs, called directly in one thread. GCToolkit's own channels
   * use an event loop and give different results from run to run.
   */
  private static final class GcToolkitChannels {

    private GcToolkitChannels() {}

    private abstract static class Direct<M, L extends ChannelListener<M>> implements Channel<M, L> {
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
    static final class Lines extends Direct<String, DataSourceParser> implements DataSourceChannel {
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
