package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.InputReport.Status;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Files of which no event can be read, and what is said of them. */
class NotARecordingTest extends DamageScene {

  @Test
  void everyLengthOfAHeaderIsUnreadableAndSaysSo() {
    for (int length : List.of(4, 8, 64, HEADER - 1, HEADER)) {
      InputReport report = report(read("header.jfr", Arrays.copyOf(all, length)));
      assertEquals(Status.UNREADABLE, report.status(), () -> "at " + length + " bytes");
      assertTrue(
          report.note().contains("cut off inside its first header")
              || report.note().contains("none of its 1 chunk can be read"),
          report::note);
    }
  }

  @Test
  void threeBytesAreNoRecording() {
    InputReport report = report(read("three.jfr", Arrays.copyOf(all, 3)));
    assertEquals(Status.UNREADABLE, report.status());
    assertEquals(
        "not recognised; expected a Java Flight Recorder recording (it begins with the letters"
            + " FLR)",
        report.note());
  }

  @Test
  void aTextNamedLikeARecordingIsNoRecording() {
    InputReport report =
        report(read("text.jfr", "Could not copy recording\n".getBytes(StandardCharsets.UTF_8)));
    assertEquals(Status.UNREADABLE, report.status());
    assertTrue(report.note().startsWith("not recognised; expected a Java Flight Recorder"));
  }

  @Test
  void anEmptyRecordingSaysWhereTheEventsMayBe() {
    InputReport report = report(read("empty.jfr"));
    assertEquals(Status.UNREADABLE, report.status());
    assertTrue(report.note().startsWith("file is empty; a JVM that was killed leaves its events"));
  }

  @Test
  void theFormatOfOracleJdk7And8IsNamed() {
    byte[] old = new byte[200];
    ByteBuffer.wrap(old).putInt(0, 0x464c5200).putShort(4, (short) 0).putShort(6, (short) 9);
    InputReport report = report(read("old.jfr", old));
    assertEquals(Status.UNREADABLE, report.status());
    assertTrue(report.note().startsWith("a recording in the old format 0.9"), report::note);
  }
}
