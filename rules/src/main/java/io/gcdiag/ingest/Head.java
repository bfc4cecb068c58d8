package io.gcdiag.ingest;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * The first bytes of a file, by which its format is recognised. A gzip file is looked into.
 *
 * @param bytes up to {@link #SIZE} bytes of the file's content
 * @param text the same as text: UTF-16 if a byte order mark or the zero bytes say so, else ISO
 *     8859-1, which maps every byte to a character and so never fails
 * @param gzip whether the file is compressed
 */
public record Head(byte[] bytes, String text, boolean gzip) {

  /**
   * How much is looked at: a JVM's own output is often preceded by some kilobytes of an
   * application's start-up messages.
   */
  public static final int SIZE = 64 * 1024;

  private static final int BUFFER = 8 * 1024;
  private static final int GZIP_MAGIC_1 = 0x1f;
  private static final int GZIP_MAGIC_2 = 0x8b;

  /** Reads the head of a file. */
  public static Head of(Path path) throws IOException {
    byte[] raw;
    try (InputStream in = Files.newInputStream(path)) {
      raw = in.readNBytes(SIZE);
    }
    boolean gzip =
        raw.length > 2 && (raw[0] & 0xff) == GZIP_MAGIC_1 && (raw[1] & 0xff) == GZIP_MAGIC_2;
    byte[] content = gzip ? inflate(raw) : raw;
    return new Head(content, new String(content, charset(content)), gzip);
  }

  /**
   * What stands from a place on, as if a file began there: for what is recognised further down.
   *
   * @param in the file's content, unpacked
   * @param before how many bytes other than zero stand before the place
   */
  static Head from(InputStream in, long before) throws IOException {
    byte[] window = new byte[SIZE];
    long skipped = 0;
    int length = 0;
    byte[] buffer = new byte[BUFFER];
    try {
      for (int read = in.read(buffer); read > 0 && length < SIZE; read = in.read(buffer)) {
        for (int i = 0; i < read && length < SIZE; i++) {
          if (buffer[i] != 0 && skipped++ >= before) {
            window[length++] = buffer[i];
          }
        }
      }
    } catch (EOFException | ZipException e) {
      // A compressed file that is cut or damaged ends here; whoever reads it will say so.
      return head(window, length);
    }
    return head(window, length);
  }

  private static Head head(byte[] window, int length) {
    byte[] content = Arrays.copyOf(window, length);
    return new Head(content, new String(content, StandardCharsets.ISO_8859_1), false);
  }

  /** Whether it is a text: only binary formats hold zero bytes, and UTF-16, which is told apart. */
  boolean isText() {
    return text.indexOf(0) < 0;
  }

  /** Whether the file is empty. */
  public boolean isEmpty() {
    return bytes.length == 0;
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

  private static byte[] inflate(byte[] raw) {
    byte[] content = new byte[SIZE];
    int length = 0;
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(raw))) {
      int read = in.read(content);
      while (read > 0) {
        length += read;
        read = in.read(content, length, SIZE - length);
      }
    } catch (IOException e) {
      // The head ends inside the compressed stream; what came out until then is enough.
      return Arrays.copyOf(content, length);
    }
    return Arrays.copyOf(content, length);
  }

  private static Charset charset(byte[] content) {
    if (content.length >= 2) {
      int first = content[0] & 0xff;
      int second = content[1] & 0xff;
      if (first == 0xff && second == 0xfe || first == 0xfe && second == 0xff) {
        return StandardCharsets.UTF_16;
      }
    }
    // Without a mark: in UTF-16 every second byte of plain text is zero.
    if (content.length >= 4 && content[1] == 0 && content[3] == 0 && content[0] * content[2] != 0) {
      return StandardCharsets.UTF_16LE;
    }
    if (content.length >= 4 && content[0] == 0 && content[2] == 0 && content[1] * content[3] != 0) {
      return StandardCharsets.UTF_16BE;
    }
    return StandardCharsets.ISO_8859_1;
  }
}
