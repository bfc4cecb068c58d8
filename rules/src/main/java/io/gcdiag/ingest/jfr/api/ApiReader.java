package io.gcdiag.ingest.jfr.api;

import io.gcdiag.evidence.Window;
import io.gcdiag.ingest.jfr.chunk.Chunk;
import io.gcdiag.ingest.jfr.chunk.ChunkScan;
import io.gcdiag.ingest.jfr.event.Event;
import io.gcdiag.ingest.jfr.event.EventSink;
import io.gcdiag.ingest.jfr.event.RecordingReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import jdk.jfr.EventType;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * Reads recordings through {@code jdk.jfr.consumer}.
 *
 * <p>That API reads ahead, gives up a whole file for one bad chunk, and waits for ever on an
 * unfinished one. A file whose chunk headers are in order is given to it as it is. Otherwise, or
 * when it stumbles, each chunk is copied to a temporary file of its own, the damaged ones ended
 * after their last whole event, so that one bad chunk costs only itself.
 */
public final class ApiReader implements RecordingReader {

  @Override
  public <S extends EventSink> Reading<S> read(Path file, ChunkScan scan, Supplier<S> sinks)
      throws IOException {
    if (scan.chunks().isEmpty()) {
      return new Reading<>(sinks.get(), false, 0, 0, 0, 0, Files.size(file));
    }
    if (scan.intact()) {
      S sink = sinks.get();
      try {
        new Run(sink, scan.plausibleTime()).readAll(file);
        int chunks = scan.chunks().size();
        return new Reading<>(sink, true, chunks, chunks, 0, Files.size(file), Files.size(file));
      } catch (IOException | RuntimeException | VirtualMachineError e) {
        // Headers in order, contents not: go on chunk by chunk, from the start. Of damage the API
        // throws errors as well, or asks for any amount of memory.
        return readChunks(file, scan, sinks.get());
      }
    }
    return readChunks(file, scan, sinks.get());
  }

  /** The API wants a file that it can go back and forth in: it gets a temporary one. */
  @Override
  public <S extends EventSink> Reading<S> readPacked(Opener packed, Supplier<S> sinks)
      throws IOException {
    Path copy = Files.createTempFile("gcdiag-recording", ".jfr");
    try {
      try (InputStream in = packed.open()) {
        Files.copy(in, copy, StandardCopyOption.REPLACE_EXISTING);
      }
      return read(copy, ChunkScan.of(copy), sinks);
    } finally {
      Files.deleteIfExists(copy);
    }
  }

  private static <S extends EventSink> Reading<S> readChunks(Path file, ChunkScan scan, S sink)
      throws IOException {
    Run run = new Run(sink, scan.plausibleTime());
    long read = 0;
    int whole = 0;
    int broken = 0;
    Path copy = Files.createTempFile("gcdiag-chunk", ".jfr");
    try {
      for (Chunk chunk : scan.chunks()) {
        Optional<Long> bytes = ChunkRepair.copy(file, chunk, copy);
        if (bytes.isPresent()) {
          boolean all = run.readChunk(copy);
          read += all ? bytes.get() : 0;
          whole += all && chunk.intact() ? 1 : 0;
          broken += all ? 0 : 1;
        }
      }
    } finally {
      Files.deleteIfExists(copy);
    }
    return new Reading<>(sink, false, scan.chunks().size(), whole, broken, read, Files.size(file));
  }

  /** One sink being filled. */
  private static final class Run {

    private final EventSink sink;
    private final Window plausible;
    private final Map<String, Optional<Consumer<Event>>> readers = new HashMap<>();
    private final ApiConstants constants = new ApiConstants();

    Run(EventSink sink, Window plausible) {
      this.sink = sink;
      this.plausible = plausible;
    }

    boolean readChunk(Path copy) {
      try {
        readAll(copy);
        return true;
      } catch (IOException | RuntimeException | VirtualMachineError e) {
        // What was read before the damage counts; how much it was is told by the byte count.
        return false;
      }
    }

    void readAll(Path path) throws IOException {
      try (RecordingFile recording = new RecordingFile(path)) {
        sink.types(
            recording.readEventTypes().stream()
                .collect(Collectors.toMap(EventType::getId, EventType::getName, (a, b) -> a)));
        while (recording.hasMoreEvents()) {
          accept(recording.readEvent());
        }
      }
    }

    private void accept(RecordedEvent event) {
      Instant end = event.getEndTime();
      if (plausible.contains(end)) {
        sink.span(end, end);
        Optional<Consumer<Event>> reader = reader(event.getEventType());
        if (reader.isPresent()) {
          reader.get().accept(new ApiEvent(event, constants));
        }
      }
    }

    private Optional<Consumer<Event>> reader(EventType type) {
      Optional<Consumer<Event>> reader = readers.get(type.getName());
      if (reader == null) {
        reader = sink.reader(type.getName());
        readers.put(type.getName(), reader);
      }
      return reader;
    }
  }
}
