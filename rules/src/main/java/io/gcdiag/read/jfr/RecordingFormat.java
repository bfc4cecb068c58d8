package io.gcdiag.read.jfr;

import io.gcdiag.evidence.jvm.JvmSample.UnfinishedRecording;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.read.bytes.FileHead;
import io.gcdiag.read.bytes.IngestContext;
import io.gcdiag.read.bytes.InputFile;
import io.gcdiag.read.bytes.InputFormat;
import io.gcdiag.read.bytes.Unpacked;
import io.gcdiag.read.jfr.reader.Chunk;
import io.gcdiag.read.jfr.reader.ChunkReader;
import io.gcdiag.read.jfr.reader.ChunkScan;
import io.gcdiag.read.jfr.reader.ReadChunk;
import io.gcdiag.read.jfr.reader.RecordingReader;
import io.gcdiag.read.jfr.reader.RecordingReader.Reading;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * {@code .jfr} recordings of format 2.x (JDK 8u262 and later), in one pass.
 *
 * <p>A compressed or archived recording is read while it is unpacked. Only for the JDK's own
 * reader, which needs a random-access file, it is unpacked into a temporary file first.
 */
public final class RecordingFormat extends InputFormat {

  public static final String ID = InputReport.RECORDING;

  /** A smaller recording is read before a second thread would pay off. */
  private static final long LARGE = 16L << 20;

  /** Compression ratio of recordings, roughly. */
  private static final long SHRUNK = 5;

  /**
   * Beginning of a chunk of format 2. Output of a shell or {@code kubectl} may precede the first
   * one.
   */
  private static final String CHUNK = "FLR\0\0\2\0";

  public RecordingFormat() {
    super(ID, "a Java Flight Recorder recording (it begins with the letters FLR)");
  }

  @Override
  public boolean recognises(FileHead head) {
    return head.startsWith('F', 'L', 'R', 0) || head.text().contains(CHUNK);
  }

  @Override
  public Outcome read(InputFile file, IngestContext intake) throws IOException {
    long size = file.bytes().size();
    boolean packed = FileHead.of(file.bytes()).packed();
    Supplier<RecordingEvents> sinks =
        () ->
            new RecordingEvents(
                file.name(), intake.redactor(), intake.frames(), intake.options().requestEvents());
    Optional<Path> plain = file.bytes().onDisk().filter(path -> !packed);
    if (plain.isPresent()) {
      LongConsumer progress = read -> intake.options().progress().at(file.name(), read, size);
      ChunkScan scan = ChunkScan.of(plain.get());
      return outcome(file, reader(intake, size, progress).read(plain.get(), scan, sinks), intake);
    }
    Damage damage = new Damage();
    RecordingReader reader = reader(intake, packed ? size * SHRUNK : size, read -> {});
    return damage.told(
        outcome(file, reader.readPacked(() -> damage.watch(intake.open(file)), sinks), intake));
  }

  private static RecordingReader reader(IngestContext intake, long size, LongConsumer progress) {
    int threads = size < LARGE ? 1 : Runtime.getRuntime().availableProcessors();
    return switch (intake.options().jfrReader()) {
      case OWN -> new ChunkReader(threads, progress, RecordedChunks.of(intake)::isKnown);
      case API -> new ApiReader(RecordedChunks.of(intake)::isKnown);
    };
  }

  private static Outcome outcome(
      InputFile file, Reading<RecordingEvents> reading, IngestContext intake) throws IOException {
    if (reading.chunks() == 0) {
      throw new IOException("cut off inside its first header; nothing in it can be read");
    }
    RecordingEvents events = reading.sink();
    Optional<String> known = RecordedChunks.of(intake).known(reading.parts());
    if (!reading.sound() && events.isEmpty() && known.isEmpty()) {
      throw new IOException(
          "damaged: none of its "
              + chunks(reading.chunks())
              + " can be read; if the JVM is alive, dump it again with jcmd PID JFR.dump");
    }
    RecordedChunks.of(intake)
        .begunBefore(reading.parts())
        .ifPresent(words -> intake.note(file.name() + ": " + words));
    RecordedChunks.of(intake).add(file.name(), reading.parts());
    known.ifPresent(words -> intake.note(file.name() + ": " + words));
    RecordedChunks.clocks(reading.parts())
        .ifPresent(words -> intake.note(file.name() + ": " + words));
    if (reading.knownChunks() < reading.chunks()) {
      events.finish(intake);
    }
    Chunk last = reading.parts().get(reading.chunks() - 1).chunk();
    if (!last.intact()) {
      intake
          .timeline()
          .sample(new UnfinishedRecording(last.start(), new Source(file.name(), "last chunk")));
    }
    if (!reading.sound()) {
      return Outcome.partial(loss(reading));
    }
    RecordedChunks.gaps(reading.parts())
        .ifPresent(times -> intake.note(file.name() + " has nothing from " + times));
    return events.isEmpty() && known.isEmpty()
        ? Outcome.partial("no event in it has a credible time")
        : events.outcome();
  }

  private static String loss(Reading<RecordingEvents> reading) {
    Optional<String> gaps = RecordedChunks.gaps(reading.parts());
    ReadChunk lastPart = reading.parts().get(reading.chunks() - 1);
    boolean toTheEnd =
        gaps.isPresent()
            && (lastPart.outcome() == ReadChunk.Outcome.WHOLE
                || lastPart.outcome() == ReadChunk.Outcome.HOLED);
    String last =
        reading
            .sink()
            .lastTime()
            .filter(time -> !toTheEnd)
            .map(time -> ", nothing after " + time + " UTC")
            .orElse("");
    int broken = reading.brokenChunks();
    int holed = reading.holedChunks();
    return "damaged or cut off: read "
        + reading.wholeChunks()
        + " of "
        + chunks(reading.chunks())
        + " whole and "
        + Numbers.count(reading.bytes())
        + " of "
        + Numbers.count(reading.total())
        + " bytes"
        + (holed > 0 ? ", and of " + chunks(holed) + " what stands beside the damage" : "")
        + (broken > 0 ? ", and of " + chunks(broken) + " what came before the damage" : "")
        + gaps.map(times -> ", incomplete from " + times).orElse("")
        + last;
  }

  private static String chunks(int count) {
    return Numbers.counted(count, "chunk");
  }

  /** Why the rest of a compressed file could not be unpacked, from the latest attempt. */
  private static final class Damage {
    private Optional<Unpacked> last = Optional.empty();

    Unpacked watch(Unpacked in) {
      last = Optional.of(in);
      return in;
    }

    Outcome told(Outcome outcome) {
      Optional<String> damage = last.flatMap(Unpacked::damage);
      return damage.isPresent() && outcome.complete() ? Outcome.partial(damage.get()) : outcome;
    }
  }

  /**
   * The chunks of all recordings of an analysis. If a recording was dumped twice while it ran, both
   * files contain its first chunks, and so do a dump and the JVM's repository folder; each chunk
   * counts once. The JVM begins a chunk in the moment in which it ends the previous one, so a
   * missing chunk shows as a gap.
   */
  public static final class RecordedChunks {

    /**
     * JDK 17 and 25 leave 0.0 ms between two chunks of a recording; profilers that write their own
     * chunks leave some milliseconds.
     */
    private static final Duration NO_GAP = Duration.ofMillis(100);

    /** Largest number of gaps to list. */
    private static final int MOST_GAPS = 3;

    private static final DateTimeFormatter TIME =
        DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final Map<Object, String> files = new HashMap<>();

    /**
     * Complete chunks by start time, which is all that an unfinished copy has in common with the
     * complete one.
     */
    private final Map<Instant, String> wholeByStart = new HashMap<>();

    private final Map<Instant, String> cutByStart = new HashMap<>();

    /** The object shared by the files of an analysis. */
    static RecordedChunks of(IngestContext intake) {
      return intake.shared(RecordedChunks.class, RecordedChunks::new);
    }

    /** Whether it was read from another file. */
    boolean isKnown(Chunk chunk) {
      return fileOf(chunk).isPresent();
    }

    private Optional<String> fileOf(Chunk chunk) {
      return Optional.ofNullable(
          chunk.intact() ? files.get(ReadChunk.identity(chunk)) : wholeByStart.get(chunk.start()));
    }

    void add(String file, List<ReadChunk> parts) {
      for (ReadChunk part : parts) {
        Chunk chunk = part.chunk();
        if (part.outcome() == ReadChunk.Outcome.WHOLE) {
          files.putIfAbsent(ReadChunk.identity(chunk), file);
          wholeByStart.putIfAbsent(chunk.start(), file);
        } else if (part.outcome() == ReadChunk.Outcome.CUT
            || part.outcome() == ReadChunk.Outcome.HOLED
            || part.outcome() == ReadChunk.Outcome.BROKEN) {
          cutByStart.putIfAbsent(chunk.start(), file);
        }
      }
    }

    /**
     * A sentence about chunks of a file of which an unfinished copy was read before, as in a
     * repository folder that was copied while the JVM ran; empty if there are none.
     */
    Optional<String> begunBefore(List<ReadChunk> parts) {
      Set<String> elsewhere =
          parts.stream()
              .filter(part -> part.outcome() == ReadChunk.Outcome.WHOLE)
              .flatMap(part -> Optional.ofNullable(cutByStart.get(part.chunk().start())).stream())
              .collect(Collectors.toCollection(TreeSet::new));
      return elsewhere.isEmpty()
          ? Optional.empty()
          : Optional.of(
              "its whole chunk is unfinished in "
                  + String.join(" and ", elsewhere)
                  + ", and what that one holds of it counts twice; leave that one out");
    }

    /** A sentence about chunks of a file that were read before; empty if there are none. */
    Optional<String> known(List<ReadChunk> parts) {
      List<Chunk> known =
          parts.stream()
              .filter(part -> part.outcome() == ReadChunk.Outcome.KNOWN)
              .map(ReadChunk::chunk)
              .toList();
      if (known.isEmpty()) {
        return Optional.empty();
      }
      Set<String> elsewhere =
          known.stream()
              .map(chunk -> fileOf(chunk).orElse("it twice"))
              .collect(Collectors.toCollection(TreeSet::new));
      return Optional.of(
          "%s of its %s chunks %s in %s%s"
              .formatted(
                  known.size(),
                  parts.size(),
                  known.size() == 1 ? "is" : "are",
                  String.join(" and ", elsewhere),
                  known.size() == 1 ? " and counts once" : " and count once"));
    }

    /** A sentence about two clocks of a file that disagree; empty if they agree. */
    static Optional<String> clocks(List<ReadChunk> parts) {
      List<ReadChunk> wrong =
          parts.stream()
              .filter(part -> part.clockRatio() != 1 && !part.chunk().length().isZero())
              .toList();
      if (wrong.isEmpty()) {
        return Optional.empty();
      }
      double stated = wrong.stream().mapToDouble(part -> seconds(part.chunk())).sum();
      double ticks =
          wrong.stream().mapToDouble(part -> seconds(part.chunk()) * part.clockRatio()).sum();
      return Optional.of(
          ("its clocks disagree: %s of %s chunks last %s by the system clock and %s by the ticks of"
                  + " their events, so the stated tick frequency is wrong. Times and durations are"
                  + " corrected to the system clock")
              .formatted(
                  wrong.size(), parts.size(), Durations.format(stated), Durations.format(ticks)));
    }

    private static double seconds(Chunk chunk) {
      return chunk.length().toNanos() / 1e9;
    }

    /** The gaps and damaged parts of a file, in words; empty if there are none. */
    static Optional<String> gaps(List<ReadChunk> parts) {
      List<ReadChunk> inOrder =
          parts.stream()
              .filter(part -> isWhole(part) || isDamaged(part, parts))
              .sorted(Comparator.comparing((ReadChunk part) -> part.chunk().start()))
              .toList();
      List<Window> gaps = new ArrayList<>();
      Instant end = Instant.MAX;
      for (ReadChunk part : inOrder) {
        Chunk chunk = part.chunk();
        if (end.isBefore(chunk.start().minus(NO_GAP))) {
          add(gaps, new Window(end, chunk.start()));
        }
        Instant own = chunk.start().plus(chunk.length());
        if (!isWhole(part)) {
          add(gaps, new Window(chunk.start(), own));
        }
        end = end.equals(Instant.MAX) || own.isAfter(end) ? own : end;
      }
      if (gaps.isEmpty()) {
        return Optional.empty();
      }
      String words =
          gaps.stream()
              .limit(MOST_GAPS)
              .map(gap -> TIME.format(gap.from()) + " to " + TIME.format(gap.to()))
              .collect(Collectors.joining(", "));
      int more = gaps.size() - MOST_GAPS;
      return Optional.of(words + " UTC" + (more > 0 ? " and " + more + " times more" : ""));
    }

    /** Adds a gap, or extends the last one if the two are adjacent. */
    private static void add(List<Window> gaps, Window gap) {
      int last = gaps.size() - 1;
      boolean goesOn = last >= 0 && !gaps.get(last).to().isBefore(gap.from().minus(NO_GAP));
      if (goesOn) {
        gaps.set(last, new Window(gaps.get(last).from(), gap.to()));
      } else {
        gaps.add(gap);
      }
    }

    private static boolean isWhole(ReadChunk part) {
      return part.outcome() == ReadChunk.Outcome.WHOLE || part.outcome() == ReadChunk.Outcome.KNOWN;
    }

    /**
     * Whether a chunk is damaged and its header states its length. For the last chunk, nothing is
     * known after its last event, which is reported instead.
     */
    private static boolean isDamaged(ReadChunk part, List<ReadChunk> parts) {
      boolean last = part == parts.get(parts.size() - 1);
      return part.chunk().intact()
          && !part.chunk().length().isZero()
          && (part.outcome() == ReadChunk.Outcome.HOLED
              || !last
                  && (part.outcome() == ReadChunk.Outcome.BROKEN
                      || part.outcome() == ReadChunk.Outcome.LOST));
    }
  }
}
