package io.gcdiag.read.gclog;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/**
 * The pauses of a log by searching its text, as one would with grep and a calculator. Shares
 * nothing with the reader: no line, stamp or state is parsed.
 *
 * @param pauses how many
 * @param millis their sum
 * @param longest the longest of them, in milliseconds; 0 without any
 * @param stops lines on safepoints
 */
record LogCount(long pauses, BigDecimal millis, BigDecimal longest, long stops) {

  private static final Pattern UNIFIED = Pattern.compile("(?m)GC\\(\\d+\\) ");

  private static final Pattern PAUSE =
      Pattern.compile(
          "(?m)GC\\((\\d+)\\) (?:[yYoO]: )?(Pause [A-Z]\\w*)[^\\n]* (\\d+[.,]\\d+)ms\\s*$");

  private static final Pattern RECORD =
      Pattern.compile("\\[(?:Full GC|GC)(?!(?!AdaptiveSize)[A-Za-z]|-[a-z]| ?concurrent| Worker)");

  private static final Pattern SECONDS = Pattern.compile("(\\d+[.,]\\d+) secs$");

  private static final Pattern STOP =
      Pattern.compile(
          "Safepoint \"[^\"\\n]*\", [^\\n]*At safepoint: \\d+ ns,"
              + "|threads were stopped: [\\d.,]+ seconds");

  /** No record is longer. */
  private static final int LONGEST_RECORD = 20_000;

  private static final int THOUSAND_DIGITS = 3;

  static LogCount of(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    if (bytes.length > 1 && bytes[0] == 0x1f && (bytes[1] & 0xff) == 0x8b) {
      try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
        bytes = in.readAllBytes();
      }
    }
    String text =
        new String(bytes, StandardCharsets.ISO_8859_1).replace("\r\n", "\n").replace('\r', '\n');
    List<BigDecimal> millis = UNIFIED.matcher(text).find() ? unified(text) : brackets(text);
    return new LogCount(
        millis.size(),
        millis.stream().reduce(BigDecimal.ZERO, BigDecimal::add),
        millis.stream().reduce(BigDecimal.ZERO, BigDecimal::max),
        STOP.matcher(text).results().count());
  }

  /**
   * A full collection that stands directly before the young one of the number before is in it, and
   * so is a young one for the remark of CMS in that remark.
   */
  private static List<BigDecimal> unified(String text) {
    List<BigDecimal> millis = new ArrayList<>();
    long full = -1;
    boolean forRemark = false;
    Matcher pause = PAUSE.matcher(text);
    while (pause.find()) {
      long id = Long.parseLong(pause.group(1));
      if (full == id + 1 && pause.group(2).equals("Pause Young")
          || forRemark && pause.group(2).equals("Pause Remark")) {
        millis.remove(millis.size() - 1);
      }
      full = pause.group(2).equals("Pause Full") ? id : -1;
      forRemark = pause.group().contains("(CMS Final Remark)");
      millis.add(number(pause.group(3)));
    }
    return millis;
  }

  /** From each opening bracket to the one that closes it; the seconds stand right before that. */
  private static List<BigDecimal> brackets(String text) {
    List<BigDecimal> millis = new ArrayList<>();
    int behind = 0;
    Matcher record = RECORD.matcher(text);
    while (record.find()) {
      int end = record.start() < behind ? -1 : end(text, record.start());
      if (end >= 0) {
        behind = end;
        Matcher seconds = SECONDS.matcher(text.substring(Math.max(record.start(), end - 40), end));
        if (seconds.find()) {
          millis.add(number(seconds.group(1)).movePointRight(THOUSAND_DIGITS));
        }
      }
    }
    return millis;
  }

  private static int end(String text, int from) {
    int depth = 0;
    for (int i = from; i < Math.min(text.length(), from + LONGEST_RECORD); i++) {
      if (text.charAt(i) == '[') {
        depth++;
      } else if (text.charAt(i) == ']' && --depth == 0) {
        return i;
      }
    }
    return -1;
  }

  private static BigDecimal number(String digits) {
    return new BigDecimal(digits.replace(',', '.'));
  }
}
