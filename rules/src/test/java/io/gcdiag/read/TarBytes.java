package io.gcdiag.read;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Tar archives as an honest program writes them, and as a hostile one might. */
public final class TarBytes {

  private static final int BLOCK = 512;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  /** A file. */
  public TarBytes file(String name, byte[] content) {
    return entry(name, '0', content.length, content);
  }

  /** A file in text. */
  public TarBytes file(String name, String content) {
    return file(name, content.getBytes(StandardCharsets.UTF_8));
  }

  /** Any entry, of a size that may be another one than that of its bytes. */
  public TarBytes entry(String name, char type, long size, byte[] content) {
    return entry(
        name, type, "%011o\0".formatted(size).getBytes(StandardCharsets.US_ASCII), content);
  }

  /** The same, with the size as bytes. */
  public TarBytes entry(String name, char type, byte[] size, byte[] content) {
    byte[] header = new byte[BLOCK];
    put(header, 0, name.getBytes(StandardCharsets.UTF_8));
    put(header, 100, "0000644\0".getBytes(StandardCharsets.US_ASCII));
    put(header, 124, size);
    header[156] = (byte) type;
    put(header, 257, "ustar\00000".getBytes(StandardCharsets.US_ASCII));
    Arrays.fill(header, 148, 156, (byte) ' ');
    int sum = 0;
    for (byte one : header) {
      sum += one & 0xff;
    }
    put(header, 148, "%06o\0 ".formatted(sum).getBytes(StandardCharsets.US_ASCII));
    out.writeBytes(header);
    out.writeBytes(content);
    out.writeBytes(new byte[(BLOCK - content.length % BLOCK) % BLOCK]);
    return this;
  }

  /** Properties of the next file. */
  public TarBytes properties(String records) {
    byte[] text = records.getBytes(StandardCharsets.UTF_8);
    return entry("PaxHeaders/x", 'x', text.length, text);
  }

  private static void put(byte[] header, int at, byte[] text) {
    System.arraycopy(text, 0, header, at, text.length);
  }

  /** The archive without the blocks that end it. */
  public byte[] unended() {
    return out.toByteArray();
  }

  /** The archive. */
  public byte[] bytes() {
    byte[] all = unended();
    return Arrays.copyOf(all, all.length + 2 * BLOCK);
  }
}
