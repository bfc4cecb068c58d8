package io.gcdiag.ingest.jfr.api;

import io.gcdiag.evidence.time.Window;
import io.gcdiag.ingest.jfr.event.DamagedValueException;
import io.gcdiag.ingest.jfr.event.Event;
import io.gcdiag.ingest.jfr.event.EventSink;
import io.gcdiag.ingest.jfr.event.HandlerException;
import io.gcdiag.ingest.jfr.event.RecordingReader;
import io.gcdiag.ingest.jfr.file.Chunk;
import io.gcdiag.ingest.jfr.file.ChunkScan;
import io.gcdiag.ingest.jfr.file.ReadChunk;
import io.gcdiag.ingest.jfr.file.ReadChunk.Outcome;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
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

  private final Predicate<Chunk> known;

  /** Reads all chunks. */
  public ApiReader() {
    this(chunk -> false);
  }

  /**
   * Reads all but some chunks.
   *
   * @param known those that were read before, from another file
   */
  public ApiReader(Predicate<Chunk> known) {
    this.known = known;
  }

  @Override
  public <S extends EventSink> Reading<S> read(Path file, ChunkScan scan, Supplier<S> sinks)
      throws IOException {
    if (scan.chunks().isEmpty()) {
      return new Reading<>(sinks.get(), false, List.of(), 0, Files.size(file));
    }
    if (scan.intact() && scan.chunks().stream().allMatch(unread())) {
      S sink = sinks.get();
      try {
        new Run(sink, scan.plausibleTime()).readAll(file);
        List<ReadChunk> whole =
            scan.chunks().stream().map(chunk -> new ReadChunk(chunk, Outcome.WHOLE)).toList();
        return new Reading<>(sink, true, whole, Files.size(file), Files.size(file));
      } catch (HandlerException e) {
        throw e;
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

  private Predicate<Chunk> unread() {
    return ReadChunk.unread(known, new HashSet<>());
  }

  private <S extends EventSink> Reading<S> readChunks(Path file, ChunkScan scan, S sink)
      throws IOException {
    Predicate<Chunk> unread = unread();
    List<ReadChunk> parts = new ArrayList<>();
    Run run = new Run(sink, scan.plausibleTime());
    long read = 0;
    Path copy = Files.createTempFile("gcdiag-chunk", ".jfr");
    try {
      for (Chunk chunk : scan.chunks()) {
        Outcome outcome = Outcome.KNOWN;
        if (unread.test(chunk)) {
          Optional<Long> bytes = ChunkRepair.copy(file, chunk, copy);
          outcome = bytes.isPresent() ? run.readChunk(copy, chunk) : Outcome.LOST;
          boolean all = outcome == Outcome.WHOLE || outcome == Outcome.CUT;
          read += all ? bytes.orElseThrow() : 0;
        }
        parts.add(new ReadChunk(chunk, outcome));
      }
    } finally {
      Files.deleteIfExists(copy);
    }
    boolean sound = scan.intact() && parts.stream().allMatch(ApiReader::isSound);
    return new Reading<>(sink, sound, parts, read, Files.size(file));
  }

  private static boolean isSound(ReadChunk part) {
    return part.outcome() == Outcome.WHOLE || part.outcome() == Outcome.KNOWN;
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

    Outcome readChunk(Path copy, Chunk chunk) {
      try {
        readAll(copy);
        return chunk.intact() ? Outcome.WHOLE : Outcome.CUT;
      } catch (HandlerException e) {
        throw e;
      } catch (IOException | RuntimeException | VirtualMachineError e) {
        // What was read before the damage counts; the byte count shows how much it was.
        return Outcome.BROKEN;
      }
    }

    void readAll(Path path) throws IOException {
      try (RecordingFile recording = new RecordingFile(path)) {
        Map<Long, String> types =
            recording.readEventTypes().stream()
                .collect(Collectors.toMap(EventType::getId, EventType::getName, (a, b) -> a));
        deliver(() -> sink.types(types));
        while (recording.hasMoreEvents()) {
          RecordedEvent event = recording.readEvent();
          Instant end = event.getEndTime();
          if (plausible.contains(end)) {
            EventType type = event.getEventType();
            deliver(() -> accept(event, type, end));
          }
        }
      }
    }

    /** What a handler throws is a defect of the handler, unless a value of the event is damaged. */
    private static void deliver(Runnable what) {
      try {
        what.run();
      } catch (DamagedValueException e) {
        throw e;
      } catch (RuntimeException e) {
        throw HandlerException.of(e);
      }
    }

    private void accept(RecordedEvent event, EventType type, Instant end) {
      sink.span(end, end);
      Optional<Consumer<Event>> reader = reader(type);
      if (reader.isPresent()) {
        reader.get().accept(new ApiEvent(event, constants));
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
