package io.gcdiag.units;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RateTest {

  @ParameterizedTest
  @CsvSource({
    "1000, 1000",
    "1000/s, 1000",
    "813.5 / sec, 813.5",
    "60000/min, 1000",
    "60000/M, 1000",
    "3600/h, 1",
    "'12,345/s', 12345",
    "0, 0"
  })
  void readsARateWhichIsPerSecondUnlessSaidOtherwise(String text, double perSecond) {
    assertEquals(perSecond, Rate.parse(text).perSecond(), 1e-9);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0/s", "4.32/s", "813/s", "12,345/s"})
  void whatIsPrintedIsReadBackAndPrintedAlike(String text) {
    assertEquals(text, Rate.parse(text).toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "1000/d", "1000 rps", "NaN", "1,5", "/s"})
  void saysHowToWriteARateThatItCannotRead(String text) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> Rate.parse(text));
    assertEquals(
        "'" + text + "' is not a rate; write it like 1000, 1000/s or 60000/min", e.getMessage());
  }

  @Test
  void isFiniteAndNotNegative() {
    for (double bad : new double[] {-1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThrows(IllegalArgumentException.class, () -> new Rate(bad));
    }
  }

  @Test
  void readsAndPrintsAlikeInEveryLocale() {
    for (Locale locale : List.of(Locale.GERMANY, Locale.forLanguageTag("tr-TR"))) {
      Locales.with(locale, () -> assertEquals("16.7/s", Rate.parse("1000/MIN").toString()));
    }
  }
}
