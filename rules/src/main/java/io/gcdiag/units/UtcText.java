package io.gcdiag.units;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
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
}
