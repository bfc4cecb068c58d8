package io.gcdiag.ingest.jfr;

import io.gcdiag.ingest.Head;
import io.gcdiag.ingest.InputFile;
import io.gcdiag.ingest.InputFormat;
import io.gcdiag.ingest.Intake;
import io.gcdiag.units.Numbers;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

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
    return inArchive || Head.of(file.path()).gzip()
        ? readPacked(file, intake)
        : readPlain(file, intake);
  }

  /** The JDK's reader wants a file that it can go back and forth in. */
  private static Outcome readPacked(InputFile file, Intake intake) throws IOException {
    Path copy = Files.createTempFile("gcdiag-recording", ".jfr");
    try {
      boolean whole = unpack(file.path(), copy);
      Outcome outcome = readPlain(new InputFile(copy, file.name()), intake);
      return whole || !outcome.complete()
          ? outcome
          : Outcome.partial("the packed file is cut off; what came out of it was read");
    } finally {
      Files.deleteIfExists(copy);
    }
  }

  /** Unpacks as much as there is; says whether that is all. */
  private static boolean unpack(Path packed, Path copy) throws IOException {
    byte[] buffer = new byte[BUFFER];
    long size = 0;
    boolean gzip = Head.of(packed).gzip();
    try (InputStream raw = Files.newInputStream(packed);
        InputStream in = gzip ? new GZIPInputStream(raw, BUFFER) : raw;
        OutputStream out = Files.newOutputStream(copy)) {
      for (int read = in.read(buffer); read > 0; read = in.read(buffer)) {
        size += read;
        if (size > LARGEST_UNPACKED) {
          throw new IOException("unpacks to more than 16 GiB; unpack it where there is room");
        }
        out.write(buffer, 0, read);
      }
      return true;
    } catch (EOFException | ZipException e) {
      return false;
    }
  }

  private static Outcome readPlain(InputFile file, Intake intake) throws IOException {
    ChunkScan scan = ChunkScan.of(file.path());
    if (scan.chunks().isEmpty()) {
      throw new IOException("cut off inside its first header; nothing in it can be read");
    }
    if (scan.intact()) {
      RecordingEvents events =
          new RecordingEvents(
              file.name(), scan.plausibleTime(), intake.redactor(), intake.frames());
      try {
        readAll(file.path(), events);
        events.finish(intake);
        return events.isEmpty()
            ? Outcome.partial("no event in it bears a credible time")
            : Outcome.COMPLETE;
      } catch (IOException | RuntimeException e) {
        // Headers in order, contents not: go on chunk by chunk, from the start.
        return readChunks(file, scan, intake);
      }
    }
    return readChunks(file, scan, intake);
  }

  private static void readAll(Path path, RecordingEvents events) throws IOException {
    try (RecordingFile recording = new RecordingFile(path)) {
      events.types(recording.readEventTypes());
      while (recording.hasMoreEvents()) {
        RecordedEvent event = recording.readEvent();
        events.accept(event);
      }
    }
  }

  private static Outcome readChunks(InputFile file, ChunkScan scan, Intake intake)
      throws IOException {
    RecordingEvents events =
        new RecordingEvents(file.name(), scan.plausibleTime(), intake.redactor(), intake.frames());
    long read = 0;
    int whole = 0;
    int broken = 0;
    long total = Files.size(file.path());
    Path copy = Files.createTempFile("gcdiag-chunk", ".jfr");
    try {
      for (Chunk chunk : scan.chunks()) {
        Optional<Long> bytes = ChunkRepair.copy(file.path(), chunk, copy);
        if (bytes.isPresent()) {
          boolean all = readChunk(copy, events);
          read += all ? bytes.get() : 0;
          whole += all && chunk.intact() ? 1 : 0;
          broken += all ? 0 : 1;
        }
      }
    } finally {
      Files.deleteIfExists(copy);
    }
    if (events.isEmpty()) {
      throw new IOException(
          "damaged: none of its "
              + chunks(scan.chunks().size())
              + " can be read; if the JVM is alive, dump it again with jcmd PID JFR.dump");
    }
    events.finish(intake);
    String last = events.lastTime().map(time -> ", nothing after " + time + " UTC").orElse("");
    return Outcome.partial(
        "damaged or cut off: read "
            + whole
            + " of "
            + chunks(scan.chunks().size())
            + " whole and "
            + Numbers.count(read)
            + " of "
            + Numbers.count(total)
            + " bytes"
            + (broken > 0 ? ", and of " + chunks(broken) + " what came before the damage" : "")
            + last);
  }

  private static boolean readChunk(Path copy, RecordingEvents events) {
    try {
      readAll(copy, events);
      return true;
    } catch (IOException | RuntimeException e) {
      // What was read before the damage counts; how much it was is told by the byte count.
      return false;
    }
  }

  private static String chunks(int count) {
    return count == 1 ? "1 chunk" : count + " chunks";
  }
}
