package io.gcdiag.evidence.time;

import io.gcdiag.units.Durations;
import io.gcdiag.units.UtcText;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/**
 * A window as the user writes it: {@code FROM..TO}, where each end is an ISO instant, a time of day
 * (UTC), or an offset from the start of the recording such as {@code 60s} or {@code 1m}.
 */
public record WindowRequest(String from, String to) {

  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration HALF_A_DAY = DAY.dividedBy(2);

  /** The requested window is invalid, outside the recorded time, or overlaps with the other one. */
  public static final class RefusedException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public RefusedException(String message) {
      super(message);
    }
  }

  public WindowRequest {
    Window anySpan = new Window(Instant.EPOCH, Instant.EPOCH.plus(DAY));
    resolveBound(from, anySpan);
    resolveBound(to, anySpan);
  }

  /**
   * Parses {@code FROM..TO}.
   *
   * @throws IllegalArgumentException if the text has another form
   */
  public static WindowRequest parse(String text) {
    int dots = text.indexOf("..");
    if (dots <= 0 || dots + 2 >= text.length()) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a window; write FROM..TO, like 60s..120s or 01:14:00..01:15:30");
    }
    return new WindowRequest(text.substring(0, dots).trim(), text.substring(dots + 2).trim());
  }

  /**
   * The window on the recording's clock.
   *
   * <p>Parts outside the recording are cut off, because they would lower every rate. If the end is
   * a time of day before the start, it is meant on the next day, provided that this was recorded or
   * is less than half a day later.
   *
   * @throws RefusedException if it is empty or contains none of the recorded time
   */
  public Window resolve(Window span) {
    Instant start = resolveBound(from, span);
    Instant end = resolveBound(to, span);
    if (isTimeOfDay(to) && end.isBefore(start) && isOfTheNextDay(start, end.plus(DAY), span)) {
      end = end.plus(DAY);
    }
    if (isTimeOfDay(from) && isTimeOfDay(to) && !end.isAfter(span.from())) {
      // The first of the recorded days that has this time.
      start = start.plus(DAY);
      end = end.plus(DAY);
    }
    if (start.equals(end)) {
      throw new RefusedException("window " + this + " is empty: it ends when it starts");
    }
    if (end.isBefore(start)) {
      throw new RefusedException("window " + this + " ends before it starts");
    }
    if (!start.isBefore(span.to()) || !end.isAfter(span.from())) {
      throw new RefusedException(
          "window %s lies outside the recorded time, %s to %s UTC"
              .formatted(this, UtcText.dayAndTime(span.from()), UtcText.dayAndTime(span.to())));
    }
    return new Window(
        start.isBefore(span.from()) ? span.from() : start,
        end.isAfter(span.to()) ? span.to() : end);
  }

  /**
   * Whether a time of day before the start is meant on the next day; otherwise the two may be
   * swapped.
   */
  private static boolean isOfTheNextDay(Instant start, Instant nextDay, Window span) {
    return !nextDay.isAfter(span.to()) || !nextDay.isAfter(start.plus(HALF_A_DAY));
  }

  /** As the user wrote it. */
  @Override
  public String toString() {
    return from + ".." + to;
  }

  private static Instant resolveBound(String text, Window span) {
    try {
      if (isTimeOfDay(text)) {
        return timeOfDay(LocalTime.parse(pad(text.replace(',', '.'))), span);
      }
      if (text.matches("\\d{4}-\\d{2}-\\d{2}[T ].*")) {
        String iso = text.replace(' ', 'T');
        return iso.matches(".*(Z|[+-]\\d{2}:?\\d{2})$")
            ? OffsetDateTime.parse(iso).toInstant()
            : LocalDateTime.parse(iso).toInstant(ZoneOffset.UTC);
      }
      return text.equals("0") ? span.from() : span.from().plus(Durations.parse(text));
    } catch (DateTimeException | ArithmeticException e) {
      throw new IllegalArgumentException("'" + text + "' is not a point in time", e);
    }
  }

  private static boolean isTimeOfDay(String text) {
    return text.matches("\\d{1,2}:\\d{2}(:\\d{2}([.,]\\d+)?)?");
  }

  private static String pad(String time) {
    return time.indexOf(':') == 1 ? "0" + time : time;
  }

  /** That time of day on the day on which the span starts, or less than half a day away. */
  private static Instant timeOfDay(LocalTime time, Window span) {
    Instant candidate =
        span.from().atOffset(ZoneOffset.UTC).toLocalDate().atTime(time).toInstant(ZoneOffset.UTC);
    if (candidate.isBefore(span.from().minus(HALF_A_DAY))) {
      return candidate.plus(DAY);
    }
    return candidate.isAfter(span.to().plus(HALF_A_DAY)) ? candidate.minus(DAY) : candidate;
  }
}
