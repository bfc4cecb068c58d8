package io.gcdiag.ingest.jfr;

import io.gcdiag.ingest.Head;
import io.gcdiag.ingest.InputFile;
import io.gcdiag.ingest.InputFormat;
import io.gcdiag.ingest.Intake;
import io.gcdiag.units.Numbers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * {@code .jfr} recordings of format 2.x (JDK 8u262 and later), in one pass.
 *
 * <p>A file whose chunk headers are in order is given to the JDK's reader as it is. Otherwise, or
 * when that reader stumbles, each chunk is copied to a temporary file of its own, the damaged ones
 * ended after their last whole event, so that one bad chunk costs only itself.
 */
public final class RecordingFormat implements InputFormat {

  /** The format's public name. */
  public static final String ID = "jfr";

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
    if (Head.of(file.path()).gzip()) {
      throw new IOException("packed with gzip; unpack it first");
    }
    ChunkScan scan = ChunkScan.of(file.path());
    if (scan.chunks().isEmpty()) {
      throw new IOException("cut off inside its first header; nothing in it can be read");
    }
    if (scan.intact()) {
      RecordingEvents events =
          new RecordingEvents(file.name(), scan.plausibleTime(), intake.redactor());
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
        new RecordingEvents(file.name(), scan.plausibleTime(), intake.redactor());
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
    String last = events.lastTime().map(time -> ", nothing after " + time).orElse("");
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
