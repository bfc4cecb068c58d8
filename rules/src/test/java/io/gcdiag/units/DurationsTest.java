package io.gcdiag.units;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {

  @ParameterizedTest
  @CsvSource({
    "4.32ms, 4320000",
    "250us, 250000",
    "250\u00b5s, 250000",
    "5ns, 5",
    "1.5s, 1500000000",
    "1.5 S, 1500000000",
    "2m, 120000000000",
    "2MIN, 120000000000",
    "1h, 3600000000000",
    "PT1.5S, 1500000000",
    "pt2m, 120000000000",
    "0.4ns, 0"
  })
  void readsUnitsAndIso8601(String text, long nanos) {
    assertEquals(Duration.ofNanos(nanos), Durations.parse(text));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 ms",
    "500, 0.5 us",
    "250000, 250 us",
    "999400, 999 us",
    "999499, 999 us",
    "999500, 1 ms",
    "4320000, 4.32 ms",
    "31000000, 31 ms",
    "999400000, 999 ms",
    "999600000, 1 s",
    "1250000000, 1.25 s",
    "60000000000, 60 s",
    "119990000000, 120 s",
    "120000000000, 2 min",
    "250000000000, 4 min 10 s",
    "3599600000000, 1 h 0 min",
    "7500000000000, 2 h 5 min",
    "-31000000, -31 ms"
  })
  void printsAboutThreeDigits(long nanos, String text) {
    assertEquals(text, Durations.format(Duration.ofNanos(nanos)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.5 us", "250 us", "4.32 ms", "31 ms", "1.25 s", "60 s", "2 min"})
  void whatIsPrintedIsReadBackAndPrintedAlike(String text) {
    assertEquals(text, Durations.format(Durations.parse(text)));
  }

  @Test
  void asksForTheUnitIfThereIsNone() {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> Durations.parse("31"));
    assertEquals("'31' has no unit; write it like 31ms or 31s", e.getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "ms", "-5ms", "5 parsecs", "PT", "PT-5S", "P1Y", "1,5s", "1e3ms"})
  void saysHowToWriteADurationThatItCannotRead(String text) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> Durations.parse(text));
    assertEquals(
        "'" + text + "' is not a duration; write it like 4.32ms, 250us, 1.5s or 2m",
        e.getMessage());
  }

  @Test
  void refusesATimeThatIsTooLong() {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> Durations.parse("99999999999h"));
    assertEquals("'99999999999h' is too long a time", e.getMessage());
  }

  @Test
  void secondsKeepTheirFractions() {
    assertEquals(0.00432, Durations.seconds(Duration.ofNanos(4_320_000)), 1e-12);
    assertEquals(4.32, Durations.millis(Duration.ofNanos(4_320_000)), 1e-12);
    assertEquals(Duration.ofNanos(4_320_000), Durations.ofSeconds(0.00432));
  }

  @Test
  void readsAndPrintsAlikeInEveryLocale() {
    for (Locale locale : List.of(Locale.GERMANY, Locale.forLanguageTag("tr-TR"))) {
      Locales.with(
          locale,
          () -> {
            assertEquals("4.32 ms", Durations.format(Durations.parse("4.32MS")));
            assertEquals(Duration.ofMinutes(2), Durations.parse("2MIN"));
          });
    }
  }
}
