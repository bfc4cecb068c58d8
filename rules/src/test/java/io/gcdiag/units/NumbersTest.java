package io.gcdiag.units;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NumbersTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "0.004, 0",
    "-0.001, 0",
    "4.32, 4.32",
    "4.3, 4.3",
    "4, 4",
    "9.994, 9.99",
    "9.996, 10",
    "24.8, 24.8",
    "99.94, 99.9",
    "99.96, 100",
    "256, 256",
    "999.4, 999",
    "999.6, '1,000'",
    "12345, '12,345'",
    "-24.8, -24.8",
    "NaN, unknown",
    "Infinity, unknown"
  })
  void printsAboutThreeDigitsWithoutNeedlessZeros(double value, String text) {
    assertEquals(text, Numbers.threeDigits(value));
  }

  @Test
  void countsAreGroupedByThousands() {
    assertEquals("60,045", Numbers.count(60_045));
    assertEquals("1,234.50", Numbers.decimals(1234.5, 2));
  }

  /** 60 x 34.6 = 2,076, and 60.05 x 34.62 = 2,078.9. */
  @Test
  void factorsHaveAsManyDigitsAsMakeTheFigure() {
    assertEquals(
        Optional.of("60.05 x 34.62 s"),
        Numbers.exactly("%s x %s s", 2_079, both -> both[0] * both[1], 60.048, 34.624));
    assertEquals(
        Optional.of("2.5 x 20 s"),
        Numbers.exactly("%s x %s s", 50, both -> both[0] * both[1], 2.5, 20));
    assertEquals(
        Optional.empty(), Numbers.exactly("%s x %s s", 60, both -> both[0] * both[1], 2.5, 20));
  }

  @Test
  void printsAlikeInEveryLocale() {
    for (Locale locale : List.of(Locale.GERMANY, Locale.forLanguageTag("ar-EG"))) {
      Locales.with(locale, () -> assertEquals("12,345", Numbers.threeDigits(12_345)));
    }
  }
}
