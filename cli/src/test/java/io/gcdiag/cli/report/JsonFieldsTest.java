package io.gcdiag.cli.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class JsonFieldsTest {

  @Test
  void aNumberIsWrittenInOneWayByEveryJdk() {
    // 2^-44 = 5.6843418860808015E-14; JDK 17 prints 17 digits of it and JDK 25 prints 16.
    assertEquals("5.6843418860808E-14", JsonFields.number(Math.pow(2, -44)).toString());
    assertEquals("0.1", JsonFields.number(0.1).toString());
  }

  @Test
  void wholeNumbersHaveNoFraction() {
    assertEquals("742", JsonFields.number(742.0).toString());
    assertEquals("0", JsonFields.number(-0.0).toString());
  }

  @Test
  void whatIsNoNumberIsNull() {
    assertTrue(JsonFields.number(Double.NaN).isNull());
    assertTrue(JsonFields.number(Double.POSITIVE_INFINITY).isNull());
  }
}
