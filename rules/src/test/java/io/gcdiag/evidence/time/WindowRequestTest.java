package io.gcdiag.evidence.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.time.WindowRequest.RefusedException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class WindowRequestTest {

  private static final Window FIVE_MINUTES = window("2026-03-01T10:00:00Z", "2026-03-01T10:05:00Z");

  private static Window window(String from, String to) {
    return new Window(Instant.parse(from), Instant.parse(to));
  }

  private static Window resolve(String text, Window span) {
    return WindowRequest.parse(text).resolve(span);
  }

  @Test
  void offsetsCountFromTheStartOfWhatWasRecorded() {
    Window expected = window("2026-03-01T10:01:00Z", "2026-03-01T10:01:30.500Z");
    assertEquals(expected, resolve("60s..90.5s", FIVE_MINUTES));
    assertEquals(expected, resolve(" 1m .. 90500ms ", FIVE_MINUTES));
    assertEquals(
        window("2026-03-01T10:00:00Z", "2026-03-01T10:01:00Z"), resolve("0..1m", FIVE_MINUTES));
  }

  @Test
  void timesOfDayAreInUtcOnTheDayThatWasRecorded() {
    Window expected = window("2026-03-01T10:01:00Z", "2026-03-01T10:02:30.250Z");
    assertEquals(expected, resolve("10:01..10:02:30.250", FIVE_MINUTES));
    assertEquals(expected, resolve("10:01:00..10:02:30,250", FIVE_MINUTES));
  }

  @Test
  void datesMayStateAZone() {
    Window expected = window("2026-03-01T10:01:00Z", "2026-03-01T10:02:00Z");
    assertEquals(expected, resolve("2026-03-01T10:01:00Z..2026-03-01T10:02:00Z", FIVE_MINUTES));
    assertEquals(
        expected, resolve("2026-03-01T11:01:00+01:00..2026-03-01T11:02:00+01:00", FIVE_MINUTES));
    assertEquals(expected, resolve("2026-03-01 10:01:00..2026-03-01 10:02:00", FIVE_MINUTES));
  }

  @Test
  void aWindowMayCrossMidnight() {
    Window night = window("2026-03-01T23:50:00Z", "2026-03-02T00:20:00Z");
    assertEquals(
        window("2026-03-01T23:55:00Z", "2026-03-02T00:05:00Z"), resolve("23:55..00:05", night));
    assertEquals(
        window("2026-03-02T00:05:00Z", "2026-03-02T00:10:00Z"), resolve("00:05..00:10", night));
    Window after = window("2026-03-02T00:10:00Z", "2026-03-02T00:40:00Z");
    assertEquals(
        window("2026-03-02T00:10:00Z", "2026-03-02T00:20:00Z"), resolve("23:55..00:20", after));
  }

  @Test
  void aTimeOfDayThatTheFirstDayDoesNotHoldIsOfTheNext() {
    Window twoDays = window("2026-03-01T10:00:00Z", "2026-03-03T10:00:00Z");
    assertEquals(
        window("2026-03-02T09:00:00Z", "2026-03-02T09:30:00Z"), resolve("9:00..9:30", twoDays));
    assertEquals(
        window("2026-03-01T11:00:00Z", "2026-03-02T09:30:00Z"), resolve("11:00..9:30", twoDays));
  }

  @Test
  void whatWasNotRecordedIsLeftOff() {
    assertEquals(FIVE_MINUTES, resolve("0..10h", FIVE_MINUTES));
    assertEquals(
        window("2026-03-01T10:00:00Z", "2026-03-01T10:01:00Z"),
        resolve("09:00..10:01", FIVE_MINUTES));
  }

  @Test
  void aWindowOutsideOfWhatWasRecordedIsRefused() {
    for (String text :
        List.of("6m..7m", "11:00..11:05", "2026-03-02T10:00:00Z..2026-03-02T11:00:00Z")) {
      RefusedException refused =
          assertThrows(RefusedException.class, () -> resolve(text, FIVE_MINUTES), text);
      assertEquals(
          "window "
              + text
              + " lies outside the recorded time, 2026-03-01 10:00:00 to 2026-03-01 10:05:00 UTC",
          refused.getMessage());
    }
  }

  @Test
  void aWindowThatEndsBeforeItStartsIsRefused() {
    for (String text :
        List.of(
            "2m..1m",
            "1m..0",
            "10:03..10:01",
            "2026-03-01T10:03:00Z..2026-03-01T10:01:00Z",
            "10:03..2026-03-01T10:01:00Z")) {
      RefusedException refused =
          assertThrows(RefusedException.class, () -> resolve(text, FIVE_MINUTES), text);
      assertTrue(refused.getMessage().contains("ends before it starts"), refused::getMessage);
    }
  }

  @Test
  void anEmptyWindowIsRefused() {
    for (String text : List.of("1m..1m", "0..0", "10:01..10:01", "10:01:00..10:01")) {
      RefusedException refused =
          assertThrows(RefusedException.class, () -> resolve(text, FIVE_MINUTES), text);
      assertEquals("window " + text + " is empty: it ends when it starts", refused.getMessage());
    }
  }

  /** In the first day it would be reversed; of two days both have the time. */
  @Test
  void aTimeBeforeTheStartIsOfTheNextDayWhereThatIsMeant() {
    Window evening = window("2026-03-01T23:50:00Z", "2026-03-01T23:58:00Z");
    assertEquals(
        window("2026-03-01T23:55:00Z", "2026-03-01T23:58:00Z"), resolve("23:55..00:05", evening));
    assertThrows(RefusedException.class, () -> resolve("23:57..23:55", evening));
  }

  @Test
  void otherTextIsNoWindow() {
    for (String text :
        List.of(
            "",
            "..",
            "60s",
            "60s..",
            "..60s",
            "60..90",
            "60s-90s",
            "soon..later",
            "25:00..26:00",
            "10:61..10:62",
            "2026-13-01T00:00:00Z..2026-13-02T00:00:00Z",
            "-10s..20s",
            "1s..2s..3s",
            "0..P99999999999999D",
            "0..P999999999999D",
            "0..999999999999h",
            "\u0661s..\u0662s")) {
      IllegalArgumentException refused =
          assertThrows(IllegalArgumentException.class, () -> WindowRequest.parse(text), text);
      assertTrue(refused.getMessage().startsWith("'"), refused::getMessage);
    }
  }
}
