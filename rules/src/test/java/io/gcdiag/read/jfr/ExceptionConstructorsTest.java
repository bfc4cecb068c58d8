package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.read.jfr.SampleEvents.ExceptionConstructors;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExceptionConstructorsTest {

  private final ExceptionConstructors exceptions = new ExceptionConstructors();

  @Test
  void oneStackTellsWhoseConstructorsCreateExceptions() {
    assertFalse(exceptions.isKnown("shop.Refused.<init>"));
    assertTrue(
        exceptions.isInside(
            List.of(
                "java.lang.Throwable.fillInStackTrace",
                "java.lang.Throwable.<init>",
                "java.lang.RuntimeException.<init>",
                "shop.Refused.<init>",
                "shop.Orders.check",
                "shop.Orders.<init>")));
    assertTrue(exceptions.isKnown("shop.Refused.<init>"));
    assertFalse(exceptions.isKnown("shop.Orders.<init>"));
  }

  @Test
  void otherConstructorsCreateNoExceptions() {
    assertFalse(exceptions.isInside(List.of("shop.Price.<init>", "shop.Orders.check")));
    assertFalse(exceptions.isKnown("shop.Price.<init>"));
  }
}
