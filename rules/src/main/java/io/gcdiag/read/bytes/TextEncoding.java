package io.gcdiag.read.bytes;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/**
 * Opens text of unknown encoding. A console of Windows redirected to a file writes UTF-16;
 * everything else is read as UTF-8, with a replacement character for any byte that is not.
 */
public final class TextEncoding {

  /** Enough bytes to tell UTF-16 without a mark: every second one is zero in English text. */
  private static final int PROBE = 64;

  private static final int BYTE_ORDER_MARK = 0xFEFF;

  private TextEncoding() {}

  /** Reads the text behind these bytes, without its byte order mark. */
  public static BufferedReader open(InputStream bytes) throws IOException {
    BufferedInputStream in = new BufferedInputStream(bytes);
    in.mark(PROBE);
    byte[] head = in.readNBytes(PROBE);
    in.reset();
    BufferedReader text = new BufferedReader(new InputStreamReader(in, charset(head)));
    text.mark(1);
    if (text.read() != BYTE_ORDER_MARK) {
      text.reset();
    }
    return text;
  }

  private static Charset charset(byte[] head) {
    if (head.length < 2) {
      return StandardCharsets.UTF_8;
    }
    boolean littleMark = head[0] == (byte) 0xFF && head[1] == (byte) 0xFE;
    boolean bigMark = head[0] == (byte) 0xFE && head[1] == (byte) 0xFF;
    int zeroEven = 0;
    int zeroOdd = 0;
    for (int i = 0; i + 1 < head.length; i += 2) {
      zeroEven += head[i] == 0 ? 1 : 0;
      zeroOdd += head[i + 1] == 0 ? 1 : 0;
    }
    int most = head.length / 2 - head.length / 8;
    if (littleMark || zeroOdd >= most && zeroEven == 0) {
      return StandardCharsets.UTF_16LE;
    }
    if (bigMark || zeroEven >= most && zeroOdd == 0) {
      return StandardCharsets.UTF_16BE;
    }
    return StandardCharsets.UTF_8;
  }
}
