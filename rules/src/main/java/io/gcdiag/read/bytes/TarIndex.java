package io.gcdiag.read.bytes;

import io.gcdiag.units.Numbers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The files of a tar archive and their offsets. Such an archive has no list of its files, but a
 * header before each. The headers are read one after another, up to the end or to the first damage.
 */
public final class TarIndex {

  /** No path is longer than this; a longer name, or more properties, are damage. */
  private static final int LONGEST_PROPERTIES = 64 * 1024;

  private final Path tar;
  private final FileChannel channel;
  private final long length;
  private final int most;

  /** By name: of two files with one name the later one replaces the other, as in unpacking. */
  private final Map<String, Entry> entries = new TreeMap<>();

  private TarProperties next = TarProperties.NONE;
  private boolean ended;
  private boolean full;
  private Optional<String> unfinished = Optional.empty();

  /**
   * A file in the archive.
   *
   * @param name its path in the archive, normalised, without steps that lead out of it
   * @param bytes its content; of a truncated file what is left of it
   * @param sparse whether the archive has only parts of it
   */
  public record Entry(String name, ArchiveEntry bytes, boolean sparse) {}

  private TarIndex(Path tar, FileChannel channel, int most) throws IOException {
    this.tar = tar;
    this.channel = channel;
    this.length = channel.size();
    this.most = most;
  }

  /**
   * Reads the headers of an archive.
   *
   * @param tar the archive, uncompressed
   * @param most largest number of files
   */
  static TarIndex of(Path tar, int most) throws IOException {
    try (FileChannel channel = FileChannel.open(tar, StandardOpenOption.READ)) {
      TarIndex index = new TarIndex(tar, channel, most);
      long at = 0;
      while (at >= 0) {
        at = index.entry(at);
      }
      return index;
    }
  }

  Collection<Entry> entries() {
    return entries.values();
  }

  /** What could not be read of the archive, as a note; empty if nothing is missing. */
  Optional<String> loss() {
    if (full) {
      return Optional.of(
          "the archive holds more than "
              + Numbers.count(most)
              + " files; the others are not read. Unpack those that matter, and give them by name");
    }
    return ended ? Optional.empty() : Optional.of(CutZip.loss(entries.size(), unfinished));
  }

  /** Adds the entry whose header is at an offset; returns the offset after it, or -1. */
  private long entry(long at) throws IOException {
    Optional<byte[]> block = read(at, TarHeader.BLOCK);
    if (block.isEmpty()) {
      return -1;
    }
    if (TarHeader.isEnd(block.get())) {
      ended = true;
      return -1;
    }
    if (!TarHeader.begins(block.get())) {
      return -1;
    }
    TarHeader header = TarHeader.of(block.get());
    long content = at + TarHeader.BLOCK;
    return switch (header.type()) {
      case LONG_NAME, PROPERTIES -> properties(header, content);
      case OTHER -> behind(content, header.size());
      case FILE, SPARSE -> file(header, content);
      case WITHOUT_BYTES -> {
        next = TarProperties.NONE;
        yield content;
      }
    };
  }

  private long file(TarHeader header, long content) {
    String path = ArchiveEntry.path(next.name().orElse(header.name()));
    long size = next.size().orElse(header.size());
    boolean sparse = header.type() == TarHeader.Type.SPARSE || next.sparse();
    next = TarProperties.NONE;
    if (size < 0) {
      return -1;
    }
    if (!entries.containsKey(path) && entries.size() >= most) {
      full = true;
      return -1;
    }
    long there = Math.min(size, length - content);
    if (there < size) {
      unfinished = Optional.of(path);
    }
    if (!TarProperties.isTooDeep(path)) {
      entries.put(path, new Entry(path, new ArchiveEntry(tar, content, false, there), sparse));
    }
    return there < size ? -1 : behind(content, size);
  }

  private long properties(TarHeader header, long content) throws IOException {
    if (header.size() < 0 || header.size() > LONGEST_PROPERTIES) {
      return -1;
    }
    Optional<byte[]> bytes = read(content, (int) header.size());
    if (bytes.isEmpty()) {
      return -1;
    }
    boolean name = header.type() == TarHeader.Type.LONG_NAME;
    next =
        name ? next.named(new String(bytes.get(), StandardCharsets.UTF_8)) : next.with(bytes.get());
    return behind(content, header.size());
  }

  /** Offset of the next block; a huge size would overflow and lead back. */
  private long behind(long content, long size) {
    if (size < 0 || size > length - content) {
      return -1;
    }
    return content + (size + TarHeader.BLOCK - 1) / TarHeader.BLOCK * TarHeader.BLOCK;
  }

  private Optional<byte[]> read(long at, int count) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(count);
    while (bytes.hasRemaining()) {
      if (channel.read(bytes, at + bytes.position()) < 0) {
        return Optional.empty();
      }
    }
    return Optional.of(bytes.array());
  }

  /**
   * Properties that precede the header of a file in a tar archive because they do not fit into it:
   * records {@code 30 mtime=1350244992.023960108\n}, each beginning with its length (POSIX.1-2001,
   * pax), or the long name of GNU tar.
   *
   * @param name the complete name of the file
   * @param size size of the file in the archive, in bytes
   * @param sparse whether the archive has only parts of the file
   */
  private record TarProperties(Optional<String> name, OptionalLong size, boolean sparse) {

    static final TarProperties NONE =
        new TarProperties(Optional.empty(), OptionalLong.empty(), false);

    /** Nested folders are followed as deep as in zip archives. */
    private static final int DEEPEST = 16;

    private static final int MOST_DIGITS = 18;

    /** The same with GNU tar's long name, which is terminated by a zero byte. */
    TarProperties named(String text) {
      int end = text.indexOf(0);
      return new TarProperties(Optional.of(end < 0 ? text : text.substring(0, end)), size, sparse);
    }

    /** The same with the values of the records; an invalid record ends them. */
    TarProperties with(byte[] records) {
      TarProperties all = this;
      int at = 0;
      while (at < records.length) {
        int blank = at;
        while (blank < records.length && records[blank] >= '0' && records[blank] <= '9') {
          blank++;
        }
        Optional<Integer> length = length(records, at, blank);
        if (length.isEmpty()) {
          return all;
        }
        // Between the blank and the end of the line.
        int end = at + length.get();
        all = all.with(new String(records, blank + 1, end - blank - 2, StandardCharsets.UTF_8));
        at = end;
      }
      return all;
    }

    private static Optional<Integer> length(byte[] records, int from, int blank) {
      int digits = blank - from;
      if (digits == 0 || digits > 6 || blank == records.length || records[blank] != ' ') {
        return Optional.empty();
      }
      int length = Integer.parseInt(new String(records, from, digits, StandardCharsets.US_ASCII));
      boolean inside = length >= digits + 2 && length <= records.length - from;
      return inside ? Optional.of(length) : Optional.empty();
    }

    private TarProperties with(String record) {
      int equals = record.indexOf('=');
      String key = equals < 0 ? record : record.substring(0, equals);
      String value = equals < 0 ? "" : record.substring(equals + 1);
      return switch (key) {
        case "path" -> value.isEmpty() ? this : named(value);
        case "size" ->
            value.matches("\\d{1," + MOST_DIGITS + "}")
                ? new TarProperties(name, OptionalLong.of(Long.parseLong(value)), sparse)
                : this;
        // In this form the name in the header is artificial.
        case "GNU.sparse.name" -> new TarProperties(Optional.of(value), size, true);
        default -> key.startsWith("GNU.sparse.") ? new TarProperties(name, size, true) : this;
      };
    }

    /** Whether a path leads through more folders than those of an incident. */
    static boolean isTooDeep(String path) {
      return path.chars().filter(letter -> letter == '/').count() >= DEEPEST;
    }
  }
}
