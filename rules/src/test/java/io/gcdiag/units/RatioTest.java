package io.gcdiag.units;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class RatioTest {

  @Test
  void isPrintedInPercentWithOneDecimal() {
    assertEquals("21.1 %", new Ratio(54 / 256.0).toString());
    assertEquals("100.0 %", new Ratio(1).toString());
    assertEquals("2,044.3 %", new Ratio(20.4433).toString());
  }

  @Test
  void aChangeCarriesItsSign() {
    // 1250 / 308 - 1 and 355 / 1040 - 1.
    assertEquals("+306 %", new Ratio(1250 / 308.0 - 1).signed());
    assertEquals("-65.9 %", new Ratio(355 / 1040.0 - 1).signed());
  }

  @Test
  void aZeroHasNoMinus() {
    assertEquals("0.0 %", new Ratio(-0.0004).toString());
    assertEquals("+0.0 %", new Ratio(-0.0004).signed());
    assertEquals("-0.1 %", new Ratio(-0.0005).signed());
  }

  @Test
  void percentAndRatioAreInverse() {
    assertEquals(40, Ratio.ofPercent(40).percent(), 1e-12);
    assertEquals(0.4, Ratio.ofPercent(40).value(), 1e-12);
  }

  @Test
  void isFinite() {
    assertThrows(IllegalArgumentException.class, () -> new Ratio(Double.NaN));
    assertThrows(IllegalArgumentException.class, () -> new Ratio(Double.NEGATIVE_INFINITY));
  }

  @Test
  void printsAlikeInEveryLocale() {
    for (Locale locale : List.of(Locale.GERMANY, Locale.forLanguageTag("ar-EG"))) {
      Locales.with(locale, () -> assertEquals("x 1,235", new Ratio(1234).signed()));
    }
  }

  @Test
  void anIntervalIsToldInWholePercents() {
    assertEquals("34 to 100 %", Ratio.range(0.3424, 1));
    assertEquals("0 to 7 %", Ratio.range(0, 0.066));
  }
}
