package io.gcdiag.read.gclog;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.read.gclog.GcLogFormat.GcLogReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogPartsTest {

  private final LogParts parts = new LogParts();

  private void log(String file, long... numbers) throws IOException {
    StringBuilder text = new StringBuilder();
    for (long number : numbers) {
      text.append(
          "[%d.000s][info][gc] GC(%d) Pause Young (Normal) 24M->4M(99M) 2.000ms\n"
              .formatted(number + 1, number));
    }
    byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
    parts.add(file, GcLogReader.read(new ByteArrayInputStream(bytes)));
  }

  @Test
  void aWholeLogIsNotWorthAWord() throws IOException {
    // Number 2 is a concurrent cycle that was given up.
    log("gc.log", 0, 1, 3, 4);
    assertEquals(List.of(), parts.missing());
  }

  @Test
  void aSetIsWholeInWhateverOrderItsPartsCome() throws IOException {
    log("gc.log", 20, 21, 22);
    log("gc.log.0", 0, 5, 10);
    log("gc.log.1", 11, 15, 19);
    assertEquals(List.of(), parts.missing());
  }

  @Test
  void whatRotationTookIsNamed() throws IOException {
    log("gc.log.1", 100, 101, 150);
    log("gc.log", 300, 301);
    assertEquals(
        List.of(
            "gc.log.1 lacks collections 102 to 149: a part of it is missing",
            "gc.log.1 begins with collection 100 of its JVM: what was before is not in these"
                + " inputs",
            "collections 151 to 299 lie between gc.log.1 and gc.log and are not in these inputs"),
        parts.missing());
  }

  @Test
  void aCycleThatEndsInTheNextPartHidesNoGap() throws IOException {
    log("gc.log.0", 0, 1, 2, 4, 5, 6);
    log("gc.log", 3, 7, 8);
    log("gc.log.1", 40, 41);
    assertEquals(
        List.of("collections 9 to 39 lie between gc.log and gc.log.1 and are not in these inputs"),
        parts.missing());
  }

  @Test
  void logsOfTwoJvmsAreNoSet() throws IOException {
    log("a.log", 50, 51, 52);
    log("b.log", 20, 25, 30, 35, 40, 45, 50, 55);
    assertEquals(List.of(), parts.missing());
  }

  @Test
  void severalRunsEachBeginTheirNumbersAnew() throws IOException {
    log("gc.log", 100, 101, 102, 0);
    assertEquals(List.of(), parts.missing());
  }
}
