package io.gcdiag.read.jfr;

import io.gcdiag.evidence.jvm.JvmSample.UnfinishedRecording;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.Source;
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
import io.gcdiag.units.Numbers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * {@code .jfr} recordings of format 2.x (JDK 8u262 and later), in one pass.
 *
 * <p>A compressed or archived recording is read while it is unpacked. Only for the JDK's own
 * reader, which needs a random-access file, it is unpacked into a temporary file first.
 */
public final class RecordingFormat extends InputFormat {

  /** The format's public name. */
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
        : Outcome.COMPLETE;
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
}
