package io.gcdiag.read.bytes;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.zip.ZipException;

/**
 * The first bytes of a file, by which its format is recognised. Compressed files are unpacked for
 * it.
 *
 * @param bytes up to {@link #SIZE} bytes of the file's content
 * @param text the same as text: UTF-16 if a byte order mark or the zero bytes show it, else ISO
 *     8859-1, which maps every byte to a character and so never fails
 * @param packed whether the file is compressed
 */
public record FileHead(byte[] bytes, String text, boolean packed) {

  /**
   * How much is read: a JVM's own output often follows some kilobytes of an application's start-up
   * messages.
   */
  public static final int SIZE = 64 * 1024;

  private static final int BUFFER = 8 * 1024;
  private static final int UTF_8_MARK = 3;

  public static FileHead of(Stored file) throws IOException {
    byte[] raw;
    try (InputStream in = file.open()) {
      raw = in.readNBytes(SIZE);
    }
    boolean packed = FileCompression.of(raw).filter(FileCompression::isUnpacked).isPresent();
    byte[] content = withoutMark(packed ? unpack(file) : raw);
    if (isTextWithHoles(content)) {
      byte[] rest = withoutHoles(file);
      content = rest.length == 0 ? content : rest;
    }
    return new FileHead(content, new String(content, charset(content)), packed);
  }

  /**
   * The content from an offset on, as if a file began there, for formats recognised further down.
   *
   * @param in the file's content, unpacked
   * @param before number of relevant bytes before the offset
   * @param wide whether zero bytes are irrelevant
   */
  public static FileHead from(InputStream in, long before, boolean wide) throws IOException {
    byte[] window = new byte[SIZE];
    long skipped = 0;
    int length = 0;
    byte[] buffer = new byte[BUFFER];
    try {
      for (int read = in.read(buffer); read > 0 && length < SIZE; read = in.read(buffer)) {
        for (int i = 0; i < read && length < SIZE; i++) {
          if (!(wide && buffer[i] == 0) && skipped++ >= before) {
            window[length++] = buffer[i];
          }
        }
      }
    } catch (EOFException | ZipException e) {
      // A truncated or damaged compressed file ends here; its reader will report it.
      return head(window, length);
    }
    return head(window, length);
  }

  private static FileHead head(byte[] window, int length) {
    byte[] content = Arrays.copyOf(window, length);
    return new FileHead(content, new String(content, StandardCharsets.ISO_8859_1), false);
  }

  /**
   * Whether it is text: only binary formats contain zero bytes, and UTF-16: see {@link #isWide}.
   */
  public boolean isText() {
    return text.indexOf(0) < 0;
  }

  /** Whether it contains zero bytes, as every text in UTF-16 does. */
  public boolean isWide() {
    for (byte one : bytes) {
      if (one == 0) {
        return true;
      }
    }
    return false;
  }

  public boolean isEmpty() {
    return bytes.length == 0;
  }

  /** Whether the text contains one of the words (a fast check) and matches the pattern. */
  public boolean holds(Pattern pattern, String... words) {
    return Arrays.stream(words).anyMatch(text::contains) && pattern.matcher(text).find();
  }

  /** Whether the content begins with these bytes. */
  public boolean startsWith(int... magic) {
    if (bytes.length < magic.length) {
      return false;
    }
    for (int i = 0; i < magic.length; i++) {
      if ((bytes[i] & 0xff) != magic[i]) {
        return false;
      }
    }
    return true;
  }

  /** Whether zero bytes are only gaps in a text: they come in long runs, as in no binary format. */
  private static boolean isTextWithHoles(byte[] content) {
    int run = 0;
    boolean any = false;
    for (byte one : content) {
      if (one == 0) {
        run++;
        any = true;
      } else if (run > 0 && run < Unpacked.SHORTEST_HOLE) {
        return false;
      } else {
        run = 0;
      }
    }
    return any && (run == 0 || run >= Unpacked.SHORTEST_HOLE);
  }

  private static byte[] withoutHoles(Stored file) {
    try (InputStream in = Unpacked.open(file).asText()) {
      return withoutMark(in.readNBytes(SIZE));
    } catch (IOException e) {
      return new byte[0];
    }
  }

  /** Unpacked from the file itself, because the first block of lz4 may have several MiB. */
  private static byte[] unpack(Stored file) {
    try (InputStream in = Unpacked.open(file)) {
      return in.readNBytes(SIZE);
    } catch (IOException e) {
      return new byte[0];
    }
  }

  /** The byte order mark that Windows editors put before UTF-8 is not part of the text. */
  private static byte[] withoutMark(byte[] content) {
    boolean marked =
        content.length >= UTF_8_MARK
            && (content[0] & 0xff) == 0xef
            && (content[1] & 0xff) == 0xbb
            && (content[2] & 0xff) == 0xbf;
    return marked ? Arrays.copyOfRange(content, UTF_8_MARK, content.length) : content;
  }

  private static Charset charset(byte[] content) {
    if (content.length >= 2) {
      int first = content[0] & 0xff;
      int second = content[1] & 0xff;
      if (first == 0xff && second == 0xfe || first == 0xfe && second == 0xff) {
        return StandardCharsets.UTF_16;
      }
    }
    // Without a byte order mark: in UTF-16 every second byte of plain text is zero.
    if (content.length >= 4 && content[1] == 0 && content[3] == 0 && content[0] * content[2] != 0) {
      return StandardCharsets.UTF_16LE;
    }
    if (content.length >= 4 && content[0] == 0 && content[2] == 0 && content[1] * content[3] != 0) {
      return StandardCharsets.UTF_16BE;
    }
    return StandardCharsets.ISO_8859_1;
  }
}
