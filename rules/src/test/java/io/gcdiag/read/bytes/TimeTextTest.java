package io.gcdiag.read.bytes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TimeTextTest {

  @Test
  void aStampWithAZoneIsAnInstant() {
    assertEquals(
        instant("2026-03-01T10:00:05.120Z"), TimeText.in("[2026-03-01T11:00:05.120+0100]"));
    assertEquals(
        instant("2026-03-01T10:00:05Z"), TimeText.in("pod-1 2026-03-01T10:00:05Z stdout F"));
    assertEquals(instant("2026-03-01T10:00:05Z"), TimeText.in("Sun Mar  1 10:00:05 UTC 2026"));
    for (String http : List.of("Date: %s GMT", "date: %s GMT", "%s +0000")) {
      String line = http.formatted("Sun, 01 Mar 2026 10:00:05");
      assertEquals(instant("2026-03-01T10:00:05Z"), TimeText.in(line));
      assertEquals(TimeText.NONE, TimeText.in("Expires: " + line));
    }
    assertEquals(
        instant("2026-03-01T10:00:05Z"),
        TimeText.in("Time: Sun Mar  1 10:00:05 2026 UTC elapsed time: 5.6 seconds"));
  }

  @Test
  void withoutAZoneItIsLocal() {
    TimeText local =
        new TimeText(
            Optional.empty(),
            Optional.of(LocalDateTime.of(2026, 3, 1, 10, 0, 5)),
            Optional.empty());
    assertEquals(local, TimeText.in("2026-03-01 10:00:05"));
    assertEquals(local, TimeText.in("INFO   | jvm 1    | 2026/03/01 10:00:05 | started"));
    // CST is a zone of three continents.
    assertEquals(local, TimeText.in("Sun Mar  1 10:00:05 CST 2026"));
    assertEquals(local, TimeText.in("[Sun Mar  1 10:00:05 2026] oom-kill:"));
  }

  @Test
  void anUptimeIsUsedWhereThereIsNoDate() {
    TimeText up =
        new TimeText(Optional.empty(), Optional.empty(), Optional.of(Duration.ofMillis(4_526)));
    assertEquals(up, TimeText.in("[4.526s][trace][gc,classhisto] GC(0) num"));
    assertEquals(up, TimeText.in("4.526: [Class Histogram (after full gc): "));
  }

  @Test
  void whatIsNoTimeIsNone() {
    assertEquals(TimeText.NONE, TimeText.in("2026-13-45T99:99:99Z"));
    assertEquals(TimeText.NONE, TimeText.in("jvm 1    | 2026/13/45 10:00:05 | started"));
    assertEquals(TimeText.NONE, TimeText.in("Sun Foo  1 10:00:05 UTC 2026"));
    assertEquals(TimeText.NONE, TimeText.in(" num     #instances"));
  }

  private static TimeText instant(String text) {
    return new TimeText(Optional.of(Instant.parse(text)), Optional.empty(), Optional.empty());
  }
}
