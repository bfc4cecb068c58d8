package io.gcdiag.fleet;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Whether the inputs of a case are those of an earlier run: SHA-256 over the name, the size, the
 * beginning and the end of each file. Logs and recordings are appended to or replaced; what changes
 * only the middle of a file is not noticed.
 */
public final class CaseDigest {

  /** At most so many bytes of each end of a file. */
  private static final int END = 64 * 1024;

  /** So many hexadecimal digits distinguish the few names that look the same. */
  private static final int BRIEF = 8;

  private CaseDigest() {}

  /**
   * The digest of a case, in hexadecimal digits.
   *
   * @param options what else the answer depends on, as text
   */
  public static String of(FleetCase one, String options) {
    MessageDigest digest = sha256();
    add(digest, options);
    for (Path file : one.files()) {
      add(digest, String.valueOf(file.getFileName()));
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
        long size = channel.size();
        add(digest, String.valueOf(size));
        digest.update(bytes(channel, 0, Math.min(size, END)));
        digest.update(bytes(channel, Math.max(0, size - END), Math.min(size, END)));
      } catch (IOException e) {
        // One that cannot be read stays so until something about it changes.
        add(digest, "unreadable");
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /** The digest of a text, in hexadecimal digits. */
  public static String ofText(String text) {
    return HexFormat.of().formatHex(sha256().digest(text.getBytes(StandardCharsets.UTF_8)));
  }

  /**
   * The first 64 bits of the same: of a million texts two have one number once in 37 million runs.
   */
  public static long number(String text) {
    return ByteBuffer.wrap(sha256().digest(text.getBytes(StandardCharsets.UTF_8))).getLong();
  }

  /** The beginning of the same, for names that people read. */
  static String brief(String text) {
    return ofText(text).substring(0, BRIEF);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** With an end that no text holds, so that two texts are not taken for one. */
  private static void add(MessageDigest digest, String text) {
    digest.update(text.getBytes(StandardCharsets.UTF_8));
    digest.update((byte) 0);
  }

  private static ByteBuffer bytes(FileChannel channel, long from, long length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate((int) length);
    while (bytes.hasRemaining() && channel.read(bytes, from + bytes.position()) >= 0) {
      // Reads on until all is there, or the file became shorter.
    }
    return bytes.flip();
  }
}
