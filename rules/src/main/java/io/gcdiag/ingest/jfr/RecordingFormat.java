package io.gcdiag.ingest.jfr;

import io.gcdiag.ingest.Head;
import io.gcdiag.ingest.InputFile;
import io.gcdiag.ingest.InputFormat;
import io.gcdiag.ingest.Intake;
import io.gcdiag.ingest.jfr.api.ApiReader;
import io.gcdiag.ingest.jfr.chunk.ChunkReader;
import io.gcdiag.ingest.jfr.chunk.ChunkScan;
import io.gcdiag.ingest.jfr.event.RecordingReader;
import io.gcdiag.ingest.jfr.event.RecordingReader.Reading;
import io.gcdiag.ingest.text.Unpacked;
import io.gcdiag.units.Numbers;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * {@code .jfr} recordings of format 2.x (JDK 8u262 and later), in one pass.
 *
 * <p>A gzip file, and one inside a zip archive, is unpacked into a temporary one first. A file
 * whose chunk headers are in order is given to the JDK's reader as it is. Otherwise, or when that
 * reader stumbles, each chunk is copied to a temporary file of its own, the damaged ones ended
 * after their last whole event, so that one bad chunk costs only itself.
 */
public final class RecordingFormat implements InputFormat {

  /** The format's public name. */
  public static final String ID = "jfr";

  private static final int BUFFER = 64 * 1024;

  /** A smaller recording is read in less time than a second thread needs to become quick. */
  private static final long LARGE = 16L << 20;

  /** Larger recordings exist; who packs one this large knows how to unpack it. */
  private static final long LARGEST_UNPACKED = 16L << 30;

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String description() {
    return "a Java Flight Recorder recording (it begins with the letters FLR)";
  }

  @Override
  public boolean recognises(Head head) {
    return head.startsWith('F', 'L', 'R', 0);
  }

  @Override
  public Outcome read(InputFile file, Intake intake) throws IOException {
    boolean inArchive = !file.path().getFileSystem().equals(FileSystems.getDefault());
    return inArchive || Head.of(file.path()).packed()
        ? readPacked(file, intake)
        : readPlain(file, intake);
  }

  /** The JDK's reader wants a file that it can go back and forth in. */
  private static Outcome readPacked(InputFile file, Intake intake) throws IOException {
    Path copy = Files.createTempFile("gcdiag-recording", ".jfr");
    try {
      Optional<String> damage = unpack(file.path(), copy);
      Outcome outcome = readPlain(new InputFile(copy, file.name()), intake);
      return damage.isPresent() && outcome.complete() ? Outcome.partial(damage.get()) : outcome;
    } finally {
      Files.deleteIfExists(copy);
    }
  }

  /** Unpacks as much as there is; says what kept the rest from being unpacked. */
  private static Optional<String> unpack(Path packed, Path copy) throws IOException {
    byte[] buffer = new byte[BUFFER];
    long size = 0;
    try (Unpacked in = Unpacked.open(packed);
        OutputStream out = Files.newOutputStream(copy)) {
      for (int read = in.read(buffer); read > 0; read = in.read(buffer)) {
        size += read;
        if (size > LARGEST_UNPACKED) {
          throw new IOException("unpacks to more than 16 GiB; unpack it where there is room");
        }
        out.write(buffer, 0, read);
      }
      return in.damage();
    }
  }

  private static Outcome readPlain(InputFile file, Intake intake) throws IOException {
    ChunkScan scan = ChunkScan.of(file.path());
    if (scan.chunks().isEmpty()) {
      throw new IOException("cut off inside its first header; nothing in it can be read");
    }
    Reading<RecordingEvents> reading =
        reader(file, intake)
            .read(
                file.path(),
                scan,
                () -> new RecordingEvents(file.name(), intake.redactor(), intake.frames()));
    RecordingEvents events = reading.sink();
    if (reading.sound()) {
      events.finish(intake);
      return events.isEmpty()
          ? Outcome.partial("no event in it bears a credible time")
          : Outcome.COMPLETE;
    }
    if (events.isEmpty()) {
      throw new IOException(
          "damaged: none of its "
              + chunks(scan.chunks().size())
              + " can be read; if the JVM is alive, dump it again with jcmd PID JFR.dump");
    }
    events.finish(intake);
    return Outcome.partial(loss(reading, scan, Files.size(file.path())));
  }

  private static RecordingReader reader(InputFile file, Intake intake) throws IOException {
    long size = Files.size(file.path());
    int threads = size < LARGE ? 1 : Runtime.getRuntime().availableProcessors();
    return switch (intake.jfrReader()) {
      case OWN -> new ChunkReader(threads, read -> intake.progress().at(file.name(), read, size));
      case API -> new ApiReader();
    };
  }

  private static String loss(Reading<RecordingEvents> reading, ChunkScan scan, long total) {
    String last =
        reading.sink().lastTime().map(time -> ", nothing after " + time + " UTC").orElse("");
    int broken = reading.brokenChunks();
    return "damaged or cut off: read "
        + reading.wholeChunks()
        + " of "
        + chunks(scan.chunks().size())
        + " whole and "
        + Numbers.count(reading.bytes())
        + " of "
        + Numbers.count(total)
        + " bytes"
        + (broken > 0 ? ", and of " + chunks(broken) + " what came before the damage" : "")
        + last;
  }

  private static String chunks(int count) {
    return count == 1 ? "1 chunk" : count + " chunks";
  }
}
