package io.gcdiag.read.bytes;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A time that stands somewhere in a line: the stamp of a log, a container runtime's prefix, or what
 * {@code date} prints.
 *
 * @param instant the time, if its zone is stated
 * @param local the time of the clock on the wall, if no zone is stated
 * @param uptime the time since the JVM started, where that is all there is
 */
public record TimeText(
    Optional<Instant> instant, Optional<LocalDateTime> local, Optional<Duration> uptime) {

  public static final TimeText NONE =
      new TimeText(Optional.empty(), Optional.empty(), Optional.empty());

  /** The characters of a date with a time in seconds: {@code 2026-11-21 14:44:02}. */
  public static final int SHORTEST = 19;

  private static final Pattern ISO =
      Pattern.compile(
          "(?<!\\d)(\\d{4}-\\d\\d-\\d\\d)[T ](\\d\\d:\\d\\d:\\d\\d)(?:[.,](\\d{1,9}))?"
              + " ?(Z|[+-]\\d\\d:?\\d\\d)?");

  /**
   * {@code Sat Nov 21 14:44:02 UTC 2026}, as {@code date} prints it in the C locale, and the same
   * with the zone behind the year or without it, as crash reports and {@code dmesg -T} have it.
   */
  private static final String DATE =
      "\\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (?<m>[A-Z][a-z]{2}) +(?<d>\\d{1,2}) (?<h>\\d\\d):(?<s>\\d\\d:\\d\\d)"
          + "(?= (?:\\d{4} )?(?<z>UTC|GMT)\\b|)(?: (?:[A-Z]{2,5}|[+-]\\d\\d))? (?<y>\\d{4})\\b(?<f>)(?<p>)";

  /** {@code [4.526s]} of unified logs, {@code 4.810: [} of those before. */
  private static final Pattern UPTIME =
      Pattern.compile(
          "\\[(\\d{1,9})[.,](\\d{1,9})s\\]|(?:^|\\s)(\\d{1,9})[.,](\\d{1,9}): \\[[A-Z]");

  /** {@code 2026/11/21 14:44:02}, as the Java Service Wrapper and Ignite write it. */
  private static final String SLASHES =
      "(?<!\\d)(?<y>\\d{4})/(?<m>\\d\\d)/(?<d>\\d\\d) (?<h>\\d\\d):(?<s>\\d\\d:\\d\\d)(?:\\.(?<f>\\d{1,9}))?"
          + "(?: (?<z>UTC|GMT)\\b)?(?<p>)";

  /** {@code Date: Tue, 01 Dec 2026 03:32:47 GMT} of HTTP, and what {@code date -R} prints. */
  private static final String HTTP =
      "^(?i:date:\\s*)?[A-Z][a-z]{2}, (?<d>\\d{1,2}) (?<m>[A-Z][a-z]{2}) (?<y>\\d{4})"
          + " (?<h>\\d\\d):(?<s>\\d\\d:\\d\\d) (?<z>GMT|[+-]\\d{4})(?<f>)(?<p>)";

  private static final List<Pattern> OTHERS =
      Stream.of(DATE, SLASHES, HTTP).map(Pattern::compile).toList();

  private static final String MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec";
  private static final Pattern OFFSET = Pattern.compile("[+-]\\d{4}");
  private static final int CENTURY = 2000;
  private static final int CENTURY_YEARS = 100;
  private static final int HALF_DAY = 12;

  public boolean isPresent() {
    return instant.isPresent() || local.isPresent() || uptime.isPresent();
  }

  /** The first time in a line; {@link #NONE} if there is none or it is no date. */
  public static TimeText in(String line) {
    try {
      Matcher iso = ISO.matcher(line);
      if (iso.find()) {
        String fraction = iso.group(3) == null ? "" : "." + iso.group(3);
        LocalDateTime local = LocalDateTime.parse(iso.group(1) + "T" + iso.group(2) + fraction);
        return iso.group(4) == null
            ? ofLocal(local)
            : ofInstant(OffsetDateTime.of(local, ZoneOffset.of(iso.group(4))).toInstant());
      }
      for (Pattern other : OTHERS) {
        Matcher date = other.matcher(line);
        if (date.find()) {
          return of(date);
        }
      }
    } catch (DateTimeException e) {
      return NONE;
    }
    Matcher up = UPTIME.matcher(line);
    if (!up.find()) {
      return NONE;
    }
    int whole = up.group(1) != null ? 1 : 3;
    return ofUptime(Duration.parse("PT" + up.group(whole) + "." + up.group(whole + 1) + "S"));
  }

  /** The last time with a zone in some lines, or {@link #NONE}. */
  public static TimeText last(Stream<String> lines) {
    return lines.map(TimeText::in).filter(t -> t.instant.isPresent()).reduce(NONE, (a, b) -> b);
  }

  /**
   * A date in another order than ISO 8601, in groups with names.
   *
   * @param date y: the year, without its century or with it; m: the month, a number or its English
   *     name; d: the day; h: the hour; s: minutes and seconds; f: a fraction; p: AM or PM; z: the
   *     zone. All but the first five may be empty
   */
  public static TimeText of(Matcher date) {
    String zone = group(date, "z");
    String fraction = group(date, "f");
    int hour = Integer.parseInt(date.group("h"));
    int half =
        switch (group(date, "p")) {
          case "AM" -> hour % HALF_DAY;
          case "PM" -> hour % HALF_DAY + HALF_DAY;
          default -> hour;
        };
    int year = Integer.parseInt(date.group("y"));
    String month = date.group("m");
    int name = MONTHS.indexOf(month.toLowerCase(Locale.ROOT));
    return in(
        "%04d-%02d-%02d %02d:%s%s%s"
            .formatted(
                year < CENTURY_YEARS ? CENTURY + year : year,
                Character.isDigit(month.charAt(0))
                    ? Integer.parseInt(month)
                    : name % 3 == 0 ? name / 3 + 1 : 0,
                Integer.parseInt(date.group("d")),
                half,
                date.group("s"),
                fraction.isEmpty() ? "" : "." + fraction,
                // Other abbreviations have several meanings: CST is one of three zones.
                List.of("UTC", "GMT").contains(zone)
                    ? "Z"
                    : OFFSET.matcher(zone).matches() ? zone : ""));
  }

  private static String group(Matcher date, String name) {
    return Optional.ofNullable(date.group(name)).orElse("");
  }

  public static TimeText ofInstant(Instant instant) {
    return CredibleTime.is(instant)
        ? new TimeText(Optional.of(instant), Optional.empty(), Optional.empty())
        : NONE;
  }

  public static TimeText ofUptime(Duration uptime) {
    return new TimeText(Optional.empty(), Optional.empty(), Optional.of(uptime));
  }

  public static TimeText ofLocal(LocalDateTime local) {
    return CredibleTime.is(local.toInstant(ZoneOffset.UTC))
        ? new TimeText(Optional.empty(), Optional.of(local), Optional.empty())
        : NONE;
  }
}
