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

  /** Rounded, the first make 99.9 % and the others 100.1 %. */
  @Test
  void partsAddUpAsTheyArePrinted() {
    assertEquals(List.of(0.846, 0.085, 0.069), Ratio.parts(List.of(0.8454, 0.0853, 0.0693)));
    assertEquals(List.of(0.845, 0.086, 0.069), Ratio.parts(List.of(0.8456, 0.0857, 0.0687)));
    // A tenth of a percent would become none.
    assertEquals(List.of(0.998, 0.001, 0.001), Ratio.parts(List.of(0.99885, 0.00055, 0.0006)));
    assertEquals(List.of(0.3, 0.1), Ratio.parts(0.4, List.of(0.3, 0.0996)));
  }
}
