package io.gcdiag.read.bytes;

import java.util.Arrays;
import java.util.Optional;

/** Compression of a file, recognised by its first bytes. */
public enum FileCompression {

  /** Unpacked while it is read. */
  GZIP("gzip", true, 0x1f, 0x8b),

  /** The frame format of LZ4, which some profilers use for recordings. */
  LZ4("lz4", true, 0x04, 0x22, 0x4d, 0x18),

  /** Read file by file, unless it is inside another archive. */
  ZIP("zip", false, 'P', 'K', 3, 4),
  LZ4_OF_OLD("the old format of lz4", false, 0x02, 0x21, 0x4c, 0x18),
  BZIP2("bzip2", false, 'B', 'Z', 'h'),
  XZ("xz", false, 0xfd, '7', 'z', 'X', 'Z', 0),
  ZSTD("zstd", false, 0x28, 0xb5, 0x2f, 0xfd),
  SEVEN_ZIP("7z", false, '7', 'z', 0xbc, 0xaf),
  RAR("rar", false, 'R', 'a', 'r', '!', 0x1a);

  private final String label;
  private final boolean unpacked;
  private final int[] magic;

  FileCompression(String label, boolean unpacked, int... magic) {
    this.label = label;
    this.unpacked = unpacked;
    this.magic = magic;
  }

  /** The compression of bytes that begin like this; empty if they are not compressed. */
  public static Optional<FileCompression> of(byte[] head) {
    return Arrays.stream(values()).filter(packing -> packing.begins(head)).findFirst();
  }

  private boolean begins(byte[] head) {
    for (int i = 0; i < magic.length; i++) {
      if (i >= head.length || (head[i] & 0xff) != magic[i]) {
        return false;
      }
    }
    return true;
  }

  /** Whether such a file is unpacked while it is read. */
  boolean isUnpacked() {
    return unpacked;
  }

  /** The usual name. */
  public String label() {
    return label;
  }
}
