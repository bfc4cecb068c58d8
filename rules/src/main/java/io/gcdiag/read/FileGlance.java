package io.gcdiag.read;

import io.gcdiag.read.bytes.CredibleTime;
import io.gcdiag.read.bytes.FileHead;
import io.gcdiag.read.bytes.InputFormat;
import io.gcdiag.read.bytes.Stored;
import io.gcdiag.read.bytes.TarFiles;
import io.gcdiag.read.bytes.TimeText;
import io.gcdiag.read.bytes.ZipFiles;
import io.gcdiag.read.jfr.RecordingFormat;
import io.gcdiag.read.jfr.reader.Chunk;
import io.gcdiag.read.jfr.reader.ChunkScan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Kind and time span of a file, from its beginning and end only. No file is read as a whole, so
 * that a million files can be listed.
 *
 * @param kind the kind of its format; {@link #ARCHIVE} for an archive, {@link #UNREADABLE} for a
 *     file that cannot be opened or unpacked
 * @param packed whether it is compressed
 * @param from when it begins; a local time counts as UTC
 * @param to when it ends, not before {@code from}; unknown for a compressed file
 */
public record FileGlance(
    String kind, boolean packed, Optional<Instant> from, Optional<Instant> to) {

  /** The file cannot be read. */
  public static final String UNREADABLE = "unreadable";

  /** Several files in one. */
  public static final String ARCHIVE = "archive";

  /**
   * Kinds of files whose timestamps may be plain numbers; in others a number is an address or a
   * name.
   */
  private static final Set<String> NUMBERED = Set.of("load", "metrics");

  /** Seconds or milliseconds since 1970, from 2001 on. */
  private static final Pattern EPOCH = Pattern.compile("(?<![\\w.])(\\d{10})(\\d{3})?(?!\\w)");

  /** JDK Flight Recorder is newer than this, so a ten-digit number before it is no timestamp. */
  private static final Instant FIRST_EPOCH = Instant.parse("2010-01-01T00:00:00Z");

  /** A timestamp is at the beginning of a line, at most after other decorations. */
  private static final int LONGEST_LINE = 200;

  /** Looks at a file; empty if its beginning is of no known format. */
  public static Optional<FileGlance> of(Path file) {
    try {
      FileHead head = FileHead.of(Stored.in(file));
      if (ZipFiles.isZip(head) || TarFiles.isTar(head)) {
        return Optional.of(
            new FileGlance(ARCHIVE, head.packed(), Optional.empty(), Optional.empty()));
      }
      for (InputFormat format : Formats.ALL) {
        if (format.recognises(head)) {
          return Optional.of(glance(file, head, format));
        }
      }
    } catch (IOException | UncheckedIOException e) {
      // The analysis of the case that it belongs to reports why.
      return Optional.of(new FileGlance(UNREADABLE, false, Optional.empty(), Optional.empty()));
    }
    return Optional.empty();
  }

  public boolean isRecording() {
    return kind.equals(RecordingFormat.ID);
  }

  private static FileGlance glance(Path file, FileHead head, InputFormat format)
      throws IOException {
    if (format.id().equals(RecordingFormat.ID)) {
      return recording(file, head);
    }
    boolean numbered = NUMBERED.contains(format.kind());
    Optional<Instant> from = first(head.text().lines(), numbered);
    Optional<Instant> to = Optional.empty();
    if (from.isPresent() && !head.packed()) {
      List<String> end = new ArrayList<>(tail(file).lines().toList());
      Collections.reverse(end);
      to = first(end.stream(), numbered).filter(last -> !last.isBefore(from.get()));
    }
    return new FileGlance(format.kind(), head.packed(), from, to);
  }

  private static FileGlance recording(Path file, FileHead head) throws IOException {
    if (!head.packed()) {
      List<Chunk> chunks = ChunkScan.of(file).chunks();
      Optional<Instant> from = chunks.stream().map(Chunk::start).min(Instant::compareTo);
      Optional<Instant> to =
          chunks.stream().map(chunk -> chunk.start().plus(chunk.length())).max(Instant::compareTo);
      return new FileGlance(RecordingFormat.ID, false, from.filter(CredibleTime::is), to);
    }
    long nanos =
        head.bytes().length < Chunk.HEADER_SIZE
            ? -1
            : ByteBuffer.wrap(head.bytes()).getLong(Chunk.START_NANOS_AT);
    Optional<Instant> from =
        CredibleTime.is(nanos) ? Optional.of(Instant.ofEpochSecond(0, nanos)) : Optional.empty();
    return new FileGlance(RecordingFormat.ID, true, from, Optional.empty());
  }

  private static String tail(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      ByteBuffer end = ByteBuffer.allocate(FileHead.SIZE);
      long at = Math.max(0, channel.size() - FileHead.SIZE);
      while (end.hasRemaining() && channel.read(end, at + end.position()) >= 0) {
        // Reads until the buffer is full or the file ends.
      }
      return new String(end.array(), 0, end.position(), StandardCharsets.ISO_8859_1);
    }
  }

  private static Optional<Instant> first(Stream<String> lines, boolean numbered) {
    return lines.flatMap(line -> time(line, numbered).stream()).findFirst();
  }

  private static Optional<Instant> time(String line, boolean numbered) {
    TimeText stamp = TimeText.in(line.substring(0, Math.min(line.length(), LONGEST_LINE)));
    Optional<Instant> time =
        stamp.instant().or(() -> stamp.local().map(local -> local.toInstant(ZoneOffset.UTC)));
    Matcher epoch = EPOCH.matcher(line);
    while (numbered && time.isEmpty() && epoch.find()) {
      String millis = epoch.group(2) == null ? "000" : epoch.group(2);
      time =
          Optional.of(Instant.ofEpochMilli(Long.parseLong(epoch.group(1) + millis)))
              .filter(any -> CredibleTime.is(any) && !any.isBefore(FIRST_EPOCH));
    }
    return time;
  }
}
