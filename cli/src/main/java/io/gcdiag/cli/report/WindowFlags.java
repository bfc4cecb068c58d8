package io.gcdiag.cli.report;

import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.Windows;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** The options of the command line that choose the same windows. */
final class WindowFlags {

  private static final DateTimeFormatter SECONDS =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter MILLIS =
      DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneOffset.UTC);

  private WindowFlags() {}

  /** {@code --incident 01:14:00..01:15:00 --baseline 01:13:00..01:14:00}, in UTC. */
  static String of(Windows windows) {
    boolean dated = spansDays(windows);
    return "--incident "
        + flag(windows.incident(), dated)
        + windows.baseline().map(window -> " --baseline " + flag(window, dated)).orElse("");
  }

  /** A time of day stands for the first day that has it. */
  private static boolean spansDays(Windows windows) {
    LocalDate day = day(windows.incident().from());
    return !day.equals(day(windows.incident().to()))
        || windows.baseline().filter(w -> !day.equals(day(w.from()))).isPresent();
  }

  private static LocalDate day(Instant at) {
    return at.atOffset(ZoneOffset.UTC).toLocalDate();
  }

  private static String flag(Window window, boolean dated) {
    return time(window.from(), dated) + ".." + time(window.to(), dated);
  }

  private static String time(Instant at, boolean dated) {
    Instant rounded = FigureText.toMillis(at);
    if (dated) {
      return rounded.toString();
    }
    boolean whole = rounded.truncatedTo(ChronoUnit.SECONDS).equals(rounded);
    return (whole ? SECONDS : MILLIS).format(rounded);
  }
}
