package io.gcdiag.read.jfr;

import io.gcdiag.read.bytes.Stored;
import io.gcdiag.read.bytes.Unpacked;
import io.gcdiag.read.jfr.reader.ChunkReader;
import io.gcdiag.read.jfr.reader.ChunkScan;
import io.gcdiag.read.jfr.reader.Event;
import io.gcdiag.read.jfr.reader.EventSink;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The process of a recording, and what it states about itself. The JVM writes it at the beginning
 * of a recording and of each chunk, so only one chunk is read.
 *
 * @param application main class or jar with its path; empty if unknown
 * @param names environment variables, and system properties of the command line as {@code -D} and
 *     their name
 */
public record RecordedService(
    OptionalLong pid,
    Optional<Instant> start,
    String application,
    SortedMap<String, String> names) {

  /** Prefix of a system property. */
  public static final String PROPERTY = "-D";

  /** Each chunk derives the JVM's start again, from a clock that may have been changed. */
  private static final Duration SAME_START = Duration.ofSeconds(4);

  private static final Pattern ON_COMMAND_LINE = Pattern.compile("(?<=^|\\s)-D([^\\s=]+)=(\\S*)");

  /**
   * Reads it.
   *
   * @return empty if the recording does not contain it, or cannot be read
   */
  public static Optional<RecordedService> of(Path recording, boolean packed) {
    Sink sink = new Sink();
    ChunkReader reader = new ChunkReader(1, read -> {}, chunk -> sink.found);
    try {
      if (packed) {
        reader.readPacked(
            () -> new Beginning(Unpacked.open(Stored.in(recording)), sink), () -> sink);
      } else {
        reader.read(recording, ChunkScan.of(recording), () -> sink);
      }
    } catch (IOException e) {
      // Reading the whole file will report why.
      return Optional.empty();
    }
    return sink.found
        ? Optional.of(new RecordedService(sink.pid, sink.start, sink.application, sink.names))
        : Optional.empty();
  }

  /** Only the process, to save memory: a folder may contain ten thousand recordings. */
  public RecordedService withoutNames() {
    return new RecordedService(pid, start, application, Collections.emptySortedMap());
  }

  /** Whether both are the same process. */
  public boolean isSame(RecordedService other) {
    boolean pids = pid.isEmpty() || other.pid.isEmpty() || pid.equals(other.pid);
    boolean starts =
        start.isEmpty()
            || other.start.isEmpty()
            || Duration.between(start.get(), other.start.get()).abs().compareTo(SAME_START) <= 0;
    return pids && starts && application.equals(other.application);
  }

  /** Ends the stream once everything was found. */
  private static final class Beginning extends FilterInputStream {
    private final Sink sink;

    Beginning(InputStream in, Sink sink) {
      super(in);
      this.sink = sink;
    }

    @Override
    public int read() throws IOException {
      return sink.found ? -1 : super.read();
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      return sink.found ? -1 : super.read(buffer, offset, length);
    }
  }

  private static final class Sink implements EventSink {
    private final SortedMap<String, String> names = new TreeMap<>();
    private OptionalLong pid = OptionalLong.empty();
    private Optional<Instant> start = Optional.empty();
    private String application = "";
    private boolean found;

    @Override
    public void types(Map<Long, String> nameById) {
      // The declared types do not matter.
    }

    @Override
    public Optional<Consumer<Event>> reader(String type) {
      return switch (type) {
        case "jdk.JVMInformation" -> Optional.of(this::jvm);
        case "jdk.InitialEnvironmentVariable" -> Optional.of(this::variable);
        default -> Optional.empty();
      };
    }

    @Override
    public void span(Instant firstEnd, Instant lastEnd) {
      // The headers of all chunks are more exact.
    }

    private void jvm(Event event) {
      found = true;
      pid = event.number("pid");
      start = event.time("jvmStartTime").or(() -> start);
      event.text("javaArguments").ifPresent(text -> application = text.strip().split("\\s", 2)[0]);
      Matcher property = ON_COMMAND_LINE.matcher(event.text("jvmArguments").orElse(""));
      while (property.find()) {
        names.put(PROPERTY + property.group(1), property.group(2));
      }
    }

    private void variable(Event event) {
      event.text("key").ifPresent(key -> names.put(key, event.text("value").orElse("")));
    }
  }
}
