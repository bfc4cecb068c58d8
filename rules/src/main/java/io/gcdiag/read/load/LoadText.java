package io.gcdiag.read.load;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gcdiag.read.bytes.Unpacked;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PushbackInputStream;
import java.io.Reader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The text of a load generator: unpacked, decoded, with lines of bounded length, and a report of
 * what could not be read.
 */
final class LoadText extends Reader {

  /**
   * A saved response body may fill a line of a megabyte; a row of empty columns uses much memory.
   */
  static final int LONGEST_LINE = 4 * 1024 * 1024;

  private static final int MARK_LENGTH = 3;

  /** The mark's three bytes in UTF-8, each taken for a character. */
  private static final String MARK_AS_LATIN = "\u00EF\u00BB\u00BF";

  /** The content of what is no text, in place of its characters. */
  final InputStream bytes;

  private final Reader text;

  /** Whether it begins with a zero byte, and so is no text. */
  final boolean binary;

  private final Optional<Unpacked> packed;
  private long line = 1;
  private int column;
  private long damagedLines;
  private String end = "";
  private final List<String> notes = new ArrayList<>();

  private LoadText(InputStream bytes, Charset charset, boolean binary, Optional<Unpacked> packed) {
    this.bytes = bytes;
    this.text = new InputStreamReader(bytes, charset);
    this.binary = binary;
    this.packed = packed;
  }

  /**
   * Decodes bytes: UTF-8, unless a byte order mark says UTF-16, which is what a console of Windows
   * writes into a file. Bytes that are not UTF-8 become replacement characters.
   */
  static LoadText of(InputStream bytes) throws IOException {
    PushbackInputStream in = new PushbackInputStream(bytes, MARK_LENGTH);
    byte[] head = in.readNBytes(MARK_LENGTH);
    Charset charset = StandardCharsets.UTF_8;
    int mark = 0;
    if (startsWith(head, 0xff, 0xfe)) {
      charset = StandardCharsets.UTF_16LE;
      mark = 2;
    } else if (startsWith(head, 0xfe, 0xff)) {
      charset = StandardCharsets.UTF_16BE;
      mark = 2;
    } else if (startsWith(head, 0xef, 0xbb, 0xbf)) {
      mark = MARK_LENGTH;
    }
    in.unread(head, mark, head.length - mark);
    return new LoadText(
        in,
        charset,
        startsWith(head, 0),
        bytes instanceof Unpacked packed ? Optional.of(packed) : Optional.empty());
  }

  private static boolean startsWith(byte[] head, int... bytes) {
    for (int i = 0; i < bytes.length; i++) {
      if (i >= head.length || (head[i] & 0xff) != bytes[i]) {
        return false;
      }
    }
    return true;
  }

  /**
   * {@inheritDoc}
   *
   * <p>A compressed file that is cut or damaged ends where it cannot be unpacked any further.
   *
   * @throws IOException also for a line that is longer than {@link #LONGEST_LINE}
   */
  @Override
  public int read(char[] buffer, int offset, int length) throws IOException {
    int read = text.read(buffer, offset, length);
    if (read < 0) {
      packed.flatMap(Unpacked::damage).ifPresent(damage -> end = damage);
    }
    for (int i = offset; i < offset + read; i++) {
      if (buffer[i] == '\n') {
        line++;
        column = 0;
      } else if (++column > LONGEST_LINE) {
        throw new IOException("line " + line + " is longer than " + LONGEST_LINE + " characters");
      }
    }
    return read;
  }

  /**
   * A first line without its byte order mark, as {@link io.gcdiag.read.bytes.FileHead} shows it.
   */
  static String withoutMark(String line) {
    return line.startsWith(MARK_AS_LATIN)
        ? line.substring(MARK_LENGTH)
        : line.startsWith("\uFEFF") ? line.substring(1) : line;
  }

  /** The beginning of a text, which is still to be read. */
  static String beginning(BufferedReader text, int length) throws IOException {
    char[] first = new char[length];
    text.mark(length);
    int count = 0;
    for (int read = 0; read >= 0 && count < length; count += Math.max(0, read)) {
      read = text.read(first, count, length - count);
    }
    text.reset();
    return new String(first, 0, count);
  }

  /**
   * The JSON value that is all of the text.
   *
   * @param what the text in the message of the exception
   */
  JsonNode json(String what) throws IOException {
    try {
      return new ObjectMapper().readTree(this);
    } catch (JsonProcessingException e) {
      int at = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
      throw new IOException(what + " is no valid JSON at line " + at, e);
    }
  }

  /** One line, or one record, could not be read. */
  void damaged() {
    damagedLines++;
  }

  /** Records that the rest cannot be read. */
  void endsAt(String reason) {
    end = end.isEmpty() ? reason + "; what stands before it was read" : end;
  }

  /** Adds a note about what was read on purpose in one way or another. */
  void note(String note) {
    notes.add(note);
  }

  List<String> notes() {
    return List.copyOf(notes);
  }

  /** What could not be read, one line; empty if nothing. */
  String lost() {
    String lines =
        damagedLines == 0
            ? ""
            : damagedLines == 1
                ? "1 line is cut or damaged and was left out"
                : damagedLines + " lines are cut or damaged and were left out";
    return lines.isEmpty() || end.isEmpty() ? lines + end : lines + "; " + end;
  }

  @Override
  public void close() throws IOException {
    text.close();
  }
}
