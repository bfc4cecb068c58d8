package io.gcdiag.read.bytes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.time.Window;
import io.gcdiag.read.bytes.ClockAlignment.LoggedCollection;
import io.gcdiag.read.bytes.ClockAlignment.Shift;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClockAlignmentTest {

  private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");

  private final ClockAlignment clocks = new ClockAlignment();

  /** A recording of collections 0, 1, 2, ... that began at so many seconds after the start. */
  private void recorded(double... seconds) {
    for (int id = 0; id < seconds.length; id++) {
      clocks.recordedCollection(id, at(START, seconds[id]));
    }
  }

  private static List<LoggedCollection> logged(Instant origin, double... seconds) {
    List<LoggedCollection> collections = new ArrayList<>();
    for (int id = 0; id < seconds.length; id++) {
      collections.add(new LoggedCollection(id, at(origin, seconds[id])));
    }
    return collections;
  }

  private static Instant at(Instant origin, double seconds) {
    return origin.plusMillis(Math.round(seconds * 1e3));
  }

  private void span(String from, String to) {
    clocks.span(new Window(Instant.parse(from), Instant.parse(to)));
  }

  private Instant local(String text) {
    return clocks.ofLocal("threads.txt", LocalDateTime.parse(text));
  }

  @Test
  void uptimesAreTiedToTheRecordingByTheNumbersOfTheCollections() {
    recorded(3.0, 5.0, 9.0);
    // The log counts from the JVM's start, 1 s before START: uptimes are 1 s more.
    Optional<Shift> shift = clocks.shiftToRecording(logged(Instant.EPOCH, 4.0, 6.0, 10.0));
    Duration expected = Duration.between(Instant.EPOCH, START).minusSeconds(1);
    assertEquals(Optional.of(new Shift(expected, 3, Duration.ZERO)), shift);
  }

  @Test
  void aWallClockThatIsAnHourOffIsMovedAndSaid() {
    recorded(3, 5, 9);
    List<LoggedCollection> log = logged(START.plusSeconds(3600), 3, 5, 9, 12, 14);
    Shift shift = clocks.shiftToRecording(log).orElseThrow();
    clocks.noteShift("gc.log", shift, true);
    assertEquals(Duration.ofHours(-1), shift.by());
    assertEquals(
        List.of(
            "the clock of gc.log differs from the recording's by 1 h 0 min (from 3 GCs that both hold); its times were shifted to the recording's clock"),
        clocks.notes());
  }

  @Test
  void clocksThatAgreeWithinATenthOfASecondAreNotWorthANote() {
    clocks.noteShift("gc.log", new Shift(Duration.ofMillis(40), 20, Duration.ZERO), true);
    // An uptime log is always far away: its clock counts from 1970.
    clocks.noteShift("gc.log", new Shift(Duration.ofDays(20_000), 20, Duration.ZERO), false);
    assertEquals(List.of(), clocks.notes());
  }

  @Test
  void aLogOfAnotherJvmIsNotJoinedThoughItsNumbersAreTheSame() {
    recorded(1, 2, 3, 4, 5, 6, 7, 8);
    // The other JVM collects every 10 s: offsets of 0, 9, 18, ... 63 s, quartiles 36 s apart.
    Optional<Shift> shift = clocks.shiftToRecording(logged(START, 1, 11, 21, 31, 41, 51, 61, 71));
    assertFalse(shift.orElseThrow().mayBeOneRun());
  }

  @Test
  void oneCollectionThatIsDatedOtherwiseDoesNotPartALogFromItsRecording() {
    recorded(1, 2, 3, 4, 5, 6, 7, 8);
    // A recording dates a concurrent cycle by its first phase: here the sixth, 5 s earlier.
    Optional<Shift> shift = clocks.shiftToRecording(logged(START, 1, 2, 3, 4, 5, 11, 7, 8));
    assertEquals(Optional.of(new Shift(Duration.ZERO, 8, Duration.ZERO)), shift);
  }

  @Test
  void withoutACommonCollectionThereIsNothingToGoBy() {
    recorded(1, 2);
    assertEquals(
        Optional.empty(), clocks.shiftToRecording(List.of(new LoggedCollection(99, START))));
    assertEquals(List.of(), clocks.notes());
  }

  @Test
  void theFirstPauseOfACollectionDatesIt() {
    clocks.recordedCollection(7, START.plusSeconds(3));
    clocks.recordedCollection(7, START);
    clocks.recordedCollection(7, START.plusSeconds(9));
    assertEquals(
        Optional.of(new Shift(Duration.ZERO, 1, Duration.ZERO)),
        clocks.shiftToRecording(List.of(new LoggedCollection(7, START))));
  }

  @Test
  void theZoneThatALogTellsCounts() {
    clocks.zone(ZoneOffset.ofHours(2));
    clocks.zone(ZoneOffset.ofHours(9));
    span("2026-03-01T10:00:00Z", "2026-03-01T10:05:00Z");
    assertEquals(Instant.parse("2026-03-01T07:00:00Z"), local("2026-03-01T09:00:00"));
  }

  @Test
  void aTimeThatFitsInUtcIsUtc() {
    span("2026-03-01T10:00:00Z", "2026-03-01T10:05:00Z");
    assertEquals(Instant.parse("2026-03-01T10:01:00Z"), local("2026-03-01T10:01:00"));
    assertEquals(List.of(), clocks.notes());
  }

  @Test
  void theZoneIsTheOneThatPlacesTheTimeAmongTheOtherInputs() {
    span("2026-03-01T10:00:00Z", "2026-03-01T10:05:00Z");
    // 12:03 at UTC+2 is 10:03; 15:32 at UTC+5:30 is 10:02; 00:47 at UTC-9:15 would be 10:02, but
    // no such zone is in use, and 00:34 at UTC-9:30 is 10:04.
    assertEquals(Instant.parse("2026-03-01T10:03:00Z"), local("2026-03-01T12:03:00"));
    assertEquals(Instant.parse("2026-03-01T10:02:00Z"), local("2026-03-01T15:32:00"));
    assertEquals(Instant.parse("2026-03-01T10:04:00Z"), local("2026-03-01T00:34:00"));
    assertEquals(
        "threads.txt states its time without a zone; taken as UTC+05:30, which places it nearest to"
            + " the other inputs",
        clocks.notes().get(1));
  }

  @Test
  void aDumpShortlyAfterARecordingGetsAZoneOfWholeHoursNotOneOfQuarters() {
    span("2026-03-01T10:00:00Z", "2026-03-01T10:05:00Z");
    // Taken 8 minutes after the end, at UTC+1: 11:13 local. UTC+1:15 would be nearer to the middle.
    assertEquals(Instant.parse("2026-03-01T10:13:00Z"), local("2026-03-01T11:13:00"));
  }

  @Test
  void aDumpOfAnotherDayIsTakenAsUtcAndSaid() {
    span("2026-03-01T10:00:00Z", "2026-03-01T10:05:00Z");
    assertEquals(Instant.parse("2026-03-09T10:01:00Z"), local("2026-03-09T10:01:00"));
    assertEquals(
        List.of(
            "threads.txt states its time without a zone, and none brings it near to the other"
                + " inputs; taken as UTC"),
        clocks.notes());
  }

  @Test
  void withNothingElseDatedALocalTimeIsUtcAndSaid() {
    assertEquals(Instant.parse("2026-03-01T10:01:00Z"), local("2026-03-01T10:01:00"));
    assertEquals(
        List.of("threads.txt states its time without a zone; taken as UTC"), clocks.notes());
  }

  @Test
  void theFirstStatementOfTheJvmsStartHolds() {
    clocks.jvmStarted("recording.jfr", START);
    clocks.jvmStarted("recording.jfr", START.plusSeconds(1));
    assertEquals(Optional.of(START), clocks.jvmStart());
  }

  @Test
  void recordingsOfTwoRunsAreSaidToBe() {
    clocks.jvmStarted("one.jfr", START);
    clocks.jvmStarted("two.jfr", START.plusSeconds(3600));
    assertEquals(Optional.of(START), clocks.jvmStart());
    assertEquals(1, clocks.notes().size());
    assertTrue(
        clocks.notes().get(0).startsWith("two.jfr is of another run of a JVM than one.jfr"),
        () -> clocks.notes().get(0));
  }

  private Optional<Instant> ofClock(String clock) {
    return clocks.ofClock(LocalTime.parse(clock));
  }

  /** Thirty hours: from six to twelve in the morning there are two days. */
  @Test
  void aTimeOfTheDayIsOfTheOnlyDayThatItFits() {
    span("2026-03-01T06:00:00Z", "2026-03-02T12:00:00Z");
    assertEquals(Optional.of(Instant.parse("2026-03-01T15:00:00Z")), ofClock("15:00:00"));
    assertEquals(Optional.of(Instant.parse("2026-03-02T05:00:00Z")), ofClock("05:00:00"));
    assertEquals(Optional.empty(), ofClock("10:00:00"));
  }

  @Test
  void amongManyDaysThereIsNone() {
    span("1970-01-01T00:00:00Z", "2026-03-02T12:00:00Z");
    assertEquals(Optional.empty(), ofClock("00:00:00"));
    assertEquals(Optional.empty(), ofClock("23:59:59"));
  }

  /** In the afternoon the day before would be nearer to the first second of 1970. */
  @Test
  void withoutASpanATimeOfTheDayIsOfTheFirstDay() {
    assertEquals(Optional.of(Instant.parse("1970-01-01T15:42:08Z")), ofClock("15:42:08"));
  }

  /** Ten minutes before the span, and ten behind it. */
  @Test
  void aTimeOutsideOfAllIsOfTheNearerDay() {
    span("2026-03-01T23:00:00Z", "2026-03-02T01:00:00Z");
    assertEquals(Optional.of(Instant.parse("2026-03-01T22:50:00Z")), ofClock("22:50:00"));
    assertEquals(Optional.of(Instant.parse("2026-03-02T01:10:00Z")), ofClock("01:10:00"));
  }
}
