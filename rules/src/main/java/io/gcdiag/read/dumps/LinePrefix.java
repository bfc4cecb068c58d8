package io.gcdiag.read.dumps;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
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
  private static final Pattern STAMP =
      Pattern.compile(
          "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,9})?(?:Z|[+-]\\d\\d:\\d\\d)");

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
    Matcher stamp = STAMP.matcher(text);
    return stamp.find() ? parse(stamp.group()) : Optional.empty();
  }

  /** An ISO 8601 time with a zone, or nothing. */
  static Optional<Instant> parse(String stamp) {
    try {
      return Optional.of(OffsetDateTime.parse(stamp).toInstant());
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
