package io.gcdiag.units;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Locale;
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

  @Test
  void printsAlikeInEveryLocale() {
    for (Locale locale : List.of(Locale.GERMANY, Locale.forLanguageTag("ar-EG"))) {
      Locales.with(locale, () -> assertEquals("12,345", Numbers.threeDigits(12_345)));
    }
  }
}
