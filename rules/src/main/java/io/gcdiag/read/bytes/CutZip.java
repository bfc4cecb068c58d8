package io.gcdiag.read.bytes;

import io.gcdiag.read.bytes.ArchiveEntry.Inflated;
import io.gcdiag.units.Numbers;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * A truncated zip archive, which lacks the list of its files at the end. Each file in it has a
 * header of its own, so the headers are searched one after another up to the cut.
 *
 * <p>The header (PKWARE's APPNOTE 4.3.7, 30 bytes, little-endian): signature, u2 version, u2 flags,
 * u2 method, u4 time, u4 checksum, u4 packed size, u4 size, u2 length of the name, u2 length of
 * extra fields. A program that writes the archive as a stream puts checksum and sizes after the
 * file instead (4.3.9).
 */
final class CutZip {

  private static final int HEADER = 30;
  private static final int SIGNATURE = 0x04034b50;
  private static final int LIST_SIGNATURE = 0x02014b50;
  private static final int BEHIND_SIGNATURE = 0x08074b50;
  private static final int FLAGS_AT = 6;
  private static final int METHOD_AT = 8;
  private static final int CHECKSUM_AT = 14;
  private static final int PACKED_SIZE_AT = 18;
  private static final int NAME_LENGTH_AT = 26;
  private static final int EXTRA_LENGTH_AT = 28;

  private static final int ENCRYPTED = 1;
  private static final int SIZES_BEHIND = 1 << 3;
  private static final int STORED = 0;
  private static final int DEFLATED = 8;

  /**
   * Possible lengths of the data descriptor after a file: checksum and sizes of 4 or 8 bytes, with
   * or without a signature.
   */
  private static final int[] BEHIND = {0, 12, 16, 20, 24};

  private static final int SHORT = 0xffff;
  private static final int BUFFER = 64 * 1024;

  final InputFile archive;
  private final FileChannel channel;
  private final Path path;

  /** The files, the last of which may be truncated. */
  final List<InputFile> files = new ArrayList<>();

  private final long packedSize;
  private Optional<String> unfinished = Optional.empty();
  private long unpacked;
  private boolean listed;

  private CutZip(InputFile archive, Path path, FileChannel channel) throws IOException {
    this.archive = archive;
    this.path = path;
    this.channel = channel;
    this.packedSize = channel.size();
  }

  /**
   * Finds the files in an archive.
   *
   * @param most largest number of files to find
   * @throws IOException if there is not even one file
   */
  static CutZip of(InputFile archive, Path path, int most) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      CutZip zip = new CutZip(archive, path, channel);
      long at = 0;
      while (at >= 0 && zip.files.size() < most) {
        at = zip.file(at);
      }
      if (zip.unpacked == 0) {
        throw new IOException(
            "the archive is cut or damaged, and nothing can be unpacked from its beginning");
      }
      return zip;
    }
  }

  /** Adds the file whose header is at an offset; returns the offset after it, or -1. */
  private long file(long at) throws IOException {
    Optional<ByteBuffer> found = read(at, HEADER);
    if (found.isEmpty() || found.get().getInt(0) != SIGNATURE) {
      listed = found.filter(mark -> mark.getInt(0) == LIST_SIGNATURE).isPresent();
      return -1;
    }
    ByteBuffer header = found.get();
    int nameLength = header.getShort(NAME_LENGTH_AT) & SHORT;
    long content = at + HEADER + nameLength + (header.getShort(EXTRA_LENGTH_AT) & SHORT);
    Optional<ByteBuffer> name = read(at + HEADER, nameLength);
    int flags = header.getShort(FLAGS_AT);
    int method = header.getShort(METHOD_AT);
    boolean sizesBehind = (flags & SIZES_BEHIND) != 0;
    boolean readable =
        name.isPresent()
            && (flags & ENCRYPTED) == 0
            && (method == DEFLATED || method == STORED && !sizesBehind);
    if (!readable) {
      return -1;
    }
    String text = new String(name.get().array(), StandardCharsets.UTF_8);
    Unpacking one = unpack(content, method == DEFLATED, header);
    long next = one.whole() ? behind(content + one.used(), sizesBehind) : -1;
    if (!text.endsWith("/")) {
      files.add(
          new InputFile(
              new ArchiveEntry(path, content, method == DEFLATED, one.size()),
              InputFile.printable(archive.name() + "/" + ArchiveEntry.path(text))));
      boolean right = sizesBehind || one.checksum() == header.getInt(CHECKSUM_AT);
      if (!one.whole() || !right) {
        unfinished = unfinished.or(() -> Optional.of(text));
      }
    }
    return next;
  }

  private record Unpacking(long size, long used, int checksum, boolean whole) {}

  private Unpacking unpack(long at, boolean deflated, ByteBuffer header) throws IOException {
    channel.position(at);
    long stated = Integer.toUnsignedLong(header.getInt(PACKED_SIZE_AT));
    CRC32 checksum = new CRC32();
    long size = 0;
    boolean whole;
    long used = stated;
    byte[] buffer = new byte[BUFFER];
    // Not closed, because the channel is still used.
    InputStream raw = Channels.newInputStream(channel);
    Inflated inflated = new Inflated(raw);
    try {
      InputStream in = deflated ? inflated : raw;
      long most = deflated ? Long.MAX_VALUE : stated;
      int read = 0;
      while (read >= 0 && size < most && !Unpacked.isBomb(unpacked, packedSize)) {
        read = in.read(buffer, 0, (int) Math.min(BUFFER, most - size));
        if (read > 0) {
          size += read;
          unpacked += read;
          checksum.update(buffer, 0, read);
        }
      }
      whole = deflated ? read < 0 : size == stated;
      used = deflated ? inflated.used() : stated;
    } catch (IOException e) {
      // Everything up to here could be unpacked.
      whole = false;
    }
    return new Unpacking(size, used, (int) checksum.getValue(), whole);
  }

  /** The offset of the next header or of the list, after a file that ends at an offset. */
  private long behind(long at, boolean sizesBehind) throws IOException {
    if (!sizesBehind) {
      return at;
    }
    for (int length : BEHIND) {
      Optional<ByteBuffer> mark = read(at + length, Integer.BYTES);
      int signature = mark.map(bytes -> bytes.getInt(0)).orElse(0);
      if (signature == SIGNATURE || signature == LIST_SIGNATURE) {
        return at + length;
      }
    }
    // The cut is inside the data descriptor or just after it; the file itself is complete.
    boolean atTheEnd = packedSize - at <= BEHIND[BEHIND.length - 1];
    return atTheEnd || isBehind(at) ? packedSize : -1;
  }

  private boolean isBehind(long at) throws IOException {
    return read(at, Integer.BYTES).filter(mark -> mark.getInt(0) == BEHIND_SIGNATURE).isPresent();
  }

  private Optional<ByteBuffer> read(long at, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    while (bytes.hasRemaining()) {
      if (channel.read(bytes, at + bytes.position()) < 0) {
        return Optional.empty();
      }
    }
    return Optional.of(bytes);
  }

  /** Whether the archive is complete up to the list of its files. */
  boolean isWhole() {
    return listed && unfinished.isEmpty();
  }

  /** What is missing, as a note. */
  String loss() {
    return loss(files.size(), unfinished);
  }

  /**
   * What is missing of a truncated archive, as a note.
   *
   * @param files number of its files that were found
   * @param unfinished the last of them, if it is truncated
   */
  static String loss(int files, Optional<String> unfinished) {
    int whole = files - (unfinished.isPresent() ? 1 : 0);
    return "the archive is cut or damaged: "
        + Numbers.count(whole)
        + (whole == 1 ? " file of it is" : " files of it are")
        + " whole"
        + unfinished
            .map(name -> ", of " + InputFile.printable(name) + " what came before the damage")
            .orElse("")
        + "; the rest is lost";
  }
}
