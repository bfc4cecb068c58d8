package io.gcdiag.read.jfr;

import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.read.Ingest;
import io.gcdiag.read.bytes.JfrReader;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.read.bytes.Redactor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** Makes real recordings with the JDK's own API, and reads them back the JDK's way. */
public final class Recordings {

  /** Where a chunk's header states the chunk's size, big endian. */
  static final int SIZE_AT = 8;

  /** Where a chunk's header states that it is finished, with a zero. */
  static final int STATE_AT = 64;

  private Recordings() {}

  /** Records what happens while the work runs. */
  public static Path record(Path file, Consumer<Recording> settings, Runnable work) {
    try (Recording recording = new Recording()) {
      settings.accept(recording);
      recording.start();
      work.run();
      recording.stop();
      recording.dump(file);
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A recording of so many chunks, with five parks of 5 ms in each. */
  public static Path ofParks(Path file, int chunks) {
    return record(
        file,
        recording -> recording.enable("jdk.ThreadPark").withThreshold(Duration.ofMillis(1)),
        () -> {
          for (int chunk = 1; chunk <= chunks; chunk++) {
            for (int i = 0; i < 5; i++) {
              LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
            }
            if (chunk < chunks) {
              rotate();
            }
          }
        });
  }

  /** Begins a new chunk: the JVM does so in every recording whenever one is started. */
  public static void rotate() {
    try (Recording other = new Recording()) {
      other.start();
    }
  }

  /** All events of a type, by a plain loop over the JDK's reader. */
  public static List<RecordedEvent> events(Path file, String type) {
    try (RecordingFile recording = new RecordingFile(file)) {
      List<RecordedEvent> events = new ArrayList<>();
      while (recording.hasMoreEvents()) {
        RecordedEvent event = recording.readEvent();
        if (event.getEventType().getName().equals(type)) {
          events.add(event);
        }
      }
      return events;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The files' chunks, each as bytes, by the sizes in the headers. */
  static List<byte[]> chunks(Path file) {
    byte[] all = bytes(file);
    List<byte[]> chunks = new ArrayList<>();
    int at = 0;
    while (at < all.length) {
      int size = (int) ByteBuffer.wrap(all).getLong(at + SIZE_AT);
      chunks.add(Arrays.copyOfRange(all, at, at + size));
      at += size;
    }
    return chunks;
  }

  static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Path write(Path file, byte[]... parts) {
    try {
      Files.deleteIfExists(file);
      Files.createFile(file);
      for (byte[] part : parts) {
        Files.write(file, part, StandardOpenOption.APPEND);
      }
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What gcdiag makes of a file. */
  public static Timeline read(Path file) {
    return read(file, JfrReader.OWN);
  }

  /** The same, by one of the readers. */
  public static Timeline read(Path file, JfrReader reader) {
    return read(List.of(file), reader);
  }

  /** The same of several files. */
  public static Timeline read(List<Path> files, JfrReader reader) {
    return Ingest.read(
        files.stream()
            .map(file -> new Ingest.Request(file, Optional.empty(), Optional.empty()))
            .toList(),
        OperatorFacts.none(),
        Redactor.off(),
        ReadOptions.STANDARD.with(reader));
  }
}
