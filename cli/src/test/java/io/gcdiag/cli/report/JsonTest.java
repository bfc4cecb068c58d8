package io.gcdiag.cli.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class JsonTest {

  private record One(double value) {}

  private static String written(double value) {
    return Json.document(new One(value)).path("value").toString();
  }

  @Test
  void aNumberIsWrittenInOneWayByEveryJdk() {
    // 2^-44 = 5.6843418860808015E-14; JDK 17 prints 17 digits of it and JDK 25 prints 16.
    assertEquals("5.6843418860808E-14", written(Math.pow(2, -44)));
    assertEquals("0.1", written(0.1));
  }

  @Test
  void wholeNumbersHaveNoFraction() {
    assertEquals("742", written(742.0));
    assertEquals("0", written(-0.0));
  }

  @Test
  void whatIsNoNumberIsNull() {
    assertEquals("null", written(Double.NaN));
    assertEquals("null", written(Double.POSITIVE_INFINITY));
  }
}
