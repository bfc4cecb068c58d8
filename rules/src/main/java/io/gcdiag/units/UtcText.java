package io.gcdiag.units;

import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** Instants in UTC, to the second, as texts write them. */
public final class UtcText {

  private static final DateTimeFormatter DAY_AND_TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

  private UtcText() {}

  /** {@code 14:05:09}. */
  public static String time(Instant at) {
    return dayAndTime(at).substring("uuuu-MM-dd ".length());
  }

  /** {@code 2026-03-01 14:05:09}. */
  public static String dayAndTime(Instant at) {
    return DAY_AND_TIME.format(at);
  }

  /** As a log wrote it; times of the day alone stand for the first day of all. */
  public static String exact(Instant at) {
    return at.truncatedTo(ChronoUnit.DAYS).equals(Instant.EPOCH)
        ? LocalTime.ofInstant(at, ZoneOffset.UTC).toString()
        : at.toString();
  }

  /** {@code 14:05:09 UTC}, or {@code 14:05:09 to 14:05:12 UTC} where that is later. */
  public static String span(Instant first, Instant last) {
    String from = time(first);
    String to = time(last);
    return from + (to.equals(from) ? "" : " to " + to) + " UTC";
  }
}
