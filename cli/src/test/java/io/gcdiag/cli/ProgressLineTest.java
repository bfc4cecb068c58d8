package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.cli.ReadingOptions.CaseProgress;
import io.gcdiag.cli.ReadingOptions.ProgressLine;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class ProgressLineTest {

  private static final String ERASE = "\r\u001b[K";
  private static final long MEGABYTE = 1_000_000;

  private final StringWriter screen = new StringWriter();
  private long millis;
  private final ProgressLine line =
      new ProgressLine(new PrintWriter(screen), 80, () -> millis * 1_000_000);

  private void at(long time, String file, long read, long size) {
    millis = time;
    line.at(file, read * MEGABYTE, size * MEGABYTE);
  }

  @Test
  void whatIsReadInASecondIsNotSpokenOf() {
    at(0, "gc.log", 0, 100);
    at(999, "gc.log", 100, 100);
    line.ended();

    assertEquals("", screen.toString());
  }

  @Test
  void shareRateAndTimeLeftAreToldAndErased() {
    at(0, "gc.log", 0, 1_000);
    at(2_000, "gc.log", 200, 1_000);
    line.ended();

    // 200 MB in 2 s are 100 MB/s, and the other 800 MB take 8 s.
    assertEquals(ERASE + "gc.log 20 %, 100 MB/s, 8 s left" + ERASE, screen.toString());
  }

  /** Reading goes on while the JVM ends, and the prompt must find the line empty. */
  @Test
  void afterAnInterruptNothingIsWritten() {
    at(0, "gc.log", 0, 1_000);
    at(2_000, "gc.log", 200, 1_000);
    line.interrupted();
    at(3_000, "gc.log", 300, 1_000);

    assertTrue(screen.toString().endsWith(" left" + ERASE), screen::toString);

    CaseProgress cases =
        new CaseProgress(new PrintWriter(screen), true, () -> millis++ * 1_000_000_000);
    cases.done(1, 9);
    assertTrue(screen.toString().contains("1 of 9 cases"), screen::toString);
    cases.close();
    cases.done(2, 9);
    assertFalse(screen.toString().contains("2 of 9 cases"), screen::toString);
  }

  @Test
  void itChangesFourTimesASecondAtMost() {
    for (int time = 0; time <= 3_000; time += 10) {
      at(time, "gc.log", time, 10_000);
    }

    // At 1,000 ms and then each 250 ms until 3,000 ms.
    assertEquals(9, screen.toString().split("gc.log", -1).length - 1);
  }

  @Test
  void eachFileHasARateOfItsOwnAndMinutesAreToldAsSuch() {
    at(0, "first.log", 0, 10);
    at(5_000, "second.jfr", 0, 10_000);
    at(6_000, "second.jfr", 100, 10_000);

    assertEquals(
        ERASE + "second.jfr 0 %" + ERASE + "second.jfr 1 %, 100 MB/s, 1 min 39 s left",
        screen.toString());
  }

  @Test
  void aLongNameIsCutToTheTerminalsWidth() {
    at(0, "x".repeat(200) + "/gc.log", 0, 100);
    at(2_000, "x".repeat(200) + "/gc.log", 50, 100);

    String text = screen.toString().substring(ERASE.length());
    assertTrue(text.length() <= 80, text);
    assertTrue(text.contains("x/gc.log 50 %"), text);
  }

  @Test
  void aFileThatGrowsWhileItIsReadIsWholeAndNotMore() {
    at(0, "gc.log", 0, 100);
    at(2_000, "gc.log", 150, 100);

    assertEquals(ERASE + "gc.log 100 %, 75 MB/s, 0 s left", screen.toString());
  }
}
