package io.gcdiag.read.gclog;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The text before a record of JDK 8 or earlier: date, GC number ({@code PrintGCID}, before or after
 * the uptime) and uptime, each only if it is printed.
 *
 * <pre>
 * 2020-03-25T16:16:18.390+0800: 1294233.934: #12: [GC ...
 * </pre>
 *
 * @param stamp date and uptime
 * @param end where it ends in the text
 */
record BracketStamp(LogStamp stamp, OptionalLong gcId, int end) {

  private static final int LONGEST = 80;

  private static final Pattern STAMP =
      Pattern.compile(
          "(?:(?<date>.{10}T[\\d:.,]*(?:Z|[+-]\\d{4})): ?)?(?:#(?<before>\\d{1,9}): ?)?"
              + "(?:(?<uptime>\\d{1,12}[.,]\\d{3}): ?)?(?:#(?<behind>\\d{1,9}): ?)?");

  /** The timestamp that begins there, as far as it exists. */
  static BracketStamp at(CharSequence text, int from, int to, Dates dates) {
    Matcher stamp = STAMP.matcher(text).region(from, to);
    stamp.lookingAt();
    Optional<Instant> date =
        stamp.group("date") == null
            ? Optional.empty()
            : dates.parse(text, stamp.start("date"), stamp.end("date"));
    Optional<String> uptime = Optional.ofNullable(stamp.group("uptime"));
    return new BracketStamp(
        new LogStamp(date, uptime.flatMap(word -> LogNumbers.seconds(word, 0, word.length()))),
        Stream.of("before", "behind")
            .flatMap(group -> Optional.ofNullable(stamp.group(group)).stream())
            .mapToLong(Long::parseLong)
            .findFirst(),
        stamp.end());
  }

  /** The timestamp that ends there; nearly always it also begins the line. */
  static BracketStamp before(CharSequence text, int start, int end, Dates dates) {
    for (int from = Math.max(start, end - LONGEST); from < end; from++) {
      char c = text.charAt(from);
      if (c == '#' || LogNumbers.isDigit(c)) {
        BracketStamp stamp = at(text, from, end, dates);
        if (stamp.end() == end) {
          return stamp;
        }
      }
    }
    return new BracketStamp(LogStamp.NONE, OptionalLong.empty(), end);
  }
}
