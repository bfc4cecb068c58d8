package io.gcdiag.read.dumps;

import io.gcdiag.read.bytes.TimeText;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The prefix that a container runtime or log collector adds to each line: {@code
 * 2026-01-02T03:04:05.678Z stdout F }. Learnt from the heading of a dump, where it precedes known
 * words; the numbers in it may differ from line to line.
 */
final class LinePrefix {

  private static final Pattern NUMBERS = Pattern.compile("\\d[\\d.]*");

  static final LinePrefix NONE = new LinePrefix("");

  private final String text;
  private final Pattern pattern;

  private LinePrefix(String text) {
    this.text = text;
    StringBuilder regex = new StringBuilder();
    Matcher numbers = NUMBERS.matcher(text);
    int from = 0;
    while (numbers.find()) {
      String between = text.substring(from, numbers.start());
      // Numbered lines (cat -n) are padded by the length of their number.
      regex.append(from == 0 && between.isBlank() ? "\\s*+" : Pattern.quote(between));
      regex.append("\\d[\\d.]*+");
      from = numbers.end();
    }
    String rest = text.substring(from);
    String words = rest.stripTrailing();
    regex.append(Pattern.quote(words));
    if (words.length() < rest.length()) {
      // In an empty line, the blanks after the prefix may be missing.
      regex.append("(?:").append(Pattern.quote(rest.substring(words.length()))).append("|$)");
    }
    pattern = Pattern.compile(regex.toString());
  }

  static LinePrefix before(String heading, int words) {
    return words == 0 ? NONE : new LinePrefix(heading.substring(0, words));
  }

  /** The line without the prefix; the line itself if it has none. */
  String strip(String line) {
    if (text.isEmpty()) {
      return line;
    }
    Matcher matcher = pattern.matcher(line);
    return matcher.lookingAt() ? line.substring(matcher.end()) : line;
  }

  Optional<Instant> instant() {
    return TimeText.in(text).instant();
  }
}
