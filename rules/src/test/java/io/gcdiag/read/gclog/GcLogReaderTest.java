package io.gcdiag.read.gclog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.read.gclog.GcLog.LogExtent;
import io.gcdiag.read.gclog.GcLogFormat.GcLogReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GcLogReaderTest {

  private static final String TWO_PAUSES =
      "[0.003s][info][gc] Using G1\n"
          + "[0.034s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 6M->3M(66M)"
          + " 1.567ms\n"
          + "[0.038s][info][gc] GC(1) Pause Young (Normal) (G1 Evacuation Pause) 6M->5M(66M)"
          + " 3.465ms\n";

  @ParameterizedTest
  @ValueSource(strings = {"UTF-8", "UTF-16", "UTF-16LE", "UTF-16BE", "windows-1252"})
  void everyEncodingOfPlainLettersIsRead(String charset) throws IOException {
    assertTwoPauses(read(TWO_PAUSES.getBytes(Charset.forName(charset))));
  }

  @Test
  void aByteOrderMarkAndWindowsLineEndsDoNotMatter() throws IOException {
    String text = "\uFEFF" + TWO_PAUSES.replace("\n", "\r\n");

    GcLog log = read(text.getBytes(StandardCharsets.UTF_8));

    assertTwoPauses(log);
    assertEquals(3, log.extent().lines());
    assertEquals(3, LogRow.of(log).get(1).line());
  }

  @Test
  void aWrongByteCostsItsOwnLineAtMost() throws IOException {
    byte[] text = ("caf\u00e9\n" + TWO_PAUSES).getBytes(StandardCharsets.ISO_8859_1);

    GcLog log = read(text);

    assertTwoPauses(log);
    assertEquals(1, log.extent().linesNotUnderstood());
  }

  @ParameterizedTest
  @ValueSource(strings = {"[19778] ", "[19778][19783] ", "[web-3.example.com][19778][19783] "})
  void decorationsWithoutTimeAndSubjectAreUnderstood(String decorations) throws IOException {
    String text =
        TWO_PAUSES.replaceAll("(?m)^.*?\\[gc] ", "").replaceAll("(?m)^(?=.)", decorations)
            + decorations
            + "Heap Region Size: 1M\n"
            + decorations
            + "Periodic GC: Disabled\n";
    assertTrue(GcLogReader.looksLikeGcLog(text));

    GcLog log = read(text.getBytes(StandardCharsets.UTF_8));

    assertEquals(2, log.pauses.size());
    assertEquals(Duration.ofNanos(3_465_000), LogRow.of(log).get(1).duration());
    assertEquals("G1", log.origin().collector().orElseThrow());
    assertEquals(0, log.extent().linesNotUnderstood());
  }

  @Test
  void aFileKeptThroughAMoveFromJdk8IsReadToItsEnd() throws IOException {
    String text =
        "100.500: [GC (Allocation Failure)  65536K->1000K(251392K), 0.0100000 secs]\n" + TWO_PAUSES;

    GcLog log = read(text.getBytes(StandardCharsets.UTF_8));

    assertEquals(
        List.of(10_000_000L, 1_567_000L, 3_465_000L),
        LogRow.of(log).stream().map(pause -> pause.duration().toNanos()).toList());
    assertEquals(2, log.extent().runs());
    assertTrue(log.notes().contains("from line 2 on its lines are those of another JDK"));
    assertEquals(0, log.extent().linesNotUnderstood());
  }

  @Test
  void aFileKeptThroughAMoveBackToJdk8IsReadToItsEnd() throws IOException {
    String text =
        TWO_PAUSES + "0.500: [GC (Allocation Failure)  65536K->1000K(251392K), 0.0100000 secs]\n";

    GcLog log = read(text.getBytes(StandardCharsets.UTF_8));

    assertEquals(3, log.pauses.size());
    assertEquals(2, log.extent().runs());
  }

  @Test
  void linesOfTheApplicationAreCountedAndPassedOver() throws IOException {
    String text = "Started in 2 s\n" + TWO_PAUSES.replace("\n", "\nGET /orders [main] Pause 3ms\n");

    GcLog log = read(text.getBytes(StandardCharsets.UTF_8));

    assertTwoPauses(log);
    assertEquals(4, log.extent().linesNotUnderstood());
  }

  @Test
  void aCutLineIsLeftOut() throws IOException {
    String cut = TWO_PAUSES.substring(0, TWO_PAUSES.length() - 5);

    assertEquals(1, read(cut.getBytes(StandardCharsets.UTF_8)).pauses.size());
  }

  @Test
  void ofACutGzipFileTheReadablePartIsRead() throws IOException {
    byte[] random = new byte[60_000];
    new Random(7).nextBytes(random);
    StringBuilder filler = new StringBuilder();
    for (byte b : random) {
      filler.append(Integer.toHexString(b & 0xff)).append(b % 20 == 0 ? "\n" : "");
    }
    byte[] packed = gzip(TWO_PAUSES + filler);

    GcLog log = read(Arrays.copyOf(packed, packed.length - 100));

    assertTwoPauses(log);
    assertTrue(log.notes().contains("the packed file is cut; what came out of it before was read"));
    assertTwoPauses(read(gzip(TWO_PAUSES)));
  }

  @Test
  void anEndlessLineIsCutAndNoted() throws IOException {
    GcLog log = read((TWO_PAUSES + "x".repeat(1_000_000)).getBytes(StandardCharsets.UTF_8));

    assertTwoPauses(log);
    assertTrue(log.notes().stream().anyMatch(note -> note.startsWith("lines longer than 32768")));
  }

  @Test
  void severalRunsInOneFileAreNoted() throws IOException {
    String later = TWO_PAUSES.replace("[0.", "[5.");

    GcLog log = read((later + TWO_PAUSES).getBytes(StandardCharsets.UTF_8));

    assertEquals(4, log.pauses.size());
    assertEquals(2, log.extent().runs());
    assertTrue(log.notes().get(0).startsWith("the log starts over once, at line 4:"));
  }

  @Test
  void theExtentIsFromTheFirstStampToTheLast() throws IOException {
    LogExtent extent = read(TWO_PAUSES.getBytes(StandardCharsets.UTF_8)).extent();

    assertEquals(Duration.ofMillis(3), extent.first().uptime().orElseThrow());
    assertEquals(Duration.ofMillis(38), extent.last().uptime().orElseThrow());
  }

  @Test
  void aLogWithoutAPauseIsALogWithANote() throws IOException {
    GcLog log = read("[0.003s][info][gc] Using G1\n".getBytes(StandardCharsets.UTF_8));

    assertEquals(0, log.pauses.size());
    assertEquals("G1", log.origin().collector().orElseThrow());
    assertEquals("the log has no pause of a collector", log.notes().get(0));
  }

  @Test
  void whatIsNoLogIsRefusedInOneLine() {
    assertEquals("the file is empty, expected a gc log", refusal(new byte[0]));
    assertEquals(
        "expected a gc log, but no line of the file is one of a collector",
        refusal(
            "Full thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode):\n"
                .getBytes(StandardCharsets.UTF_8)));
    assertEquals(
        "the gzip file is cut inside its header", refusal(new byte[] {0x1f, (byte) 0x8b, 8}));
    byte[] noise = new byte[200_000];
    new Random(1).nextBytes(noise);
    assertFalse(refusal(noise).contains("\n"));
  }

  @Test
  void damageAnywhereNeverGivesMoreThanAnIoException() {
    Random random = new Random(42);
    String jdk8 =
        "0.5: [GC (Allocation Failure) 0.5: [ParNew: 17K->2K(19K), 0.001 secs] 17K->7K(63K),"
            + " 0.0035052 secs] [Times: user=0.01 sys=0.00, real=0.01 secs]\n";
    for (int i = 0; i < 2_000; i++) {
      byte[] text = ((i % 10 == 0 ? jdk8 : "") + TWO_PAUSES).getBytes(StandardCharsets.UTF_8);
      for (int hits = 0; hits < 1 + i % 7; hits++) {
        text[random.nextInt(text.length)] = (byte) (random.nextBoolean() ? '9' : random.nextInt());
      }
      try {
        read(text);
      } catch (IOException e) {
        assertFalse(e.getMessage().isBlank());
      }
    }
  }

  @Test
  void logsAreRecognisedByContent() {
    assertTrue(GcLogReader.looksLikeGcLog(TWO_PAUSES));
    assertTrue(GcLogReader.looksLikeGcLog("Using G1\nGC(0) Pause Remark 1M->1M(2M) 0.1ms\n"));
    assertTrue(GcLogReader.looksLikeGcLog("Hello\n0.5: [GC 17K->2K(19K), 0.001 secs]\n"));
    assertTrue(GcLogReader.looksLikeGcLog("CommandLine flags: -XX:+UseG1GC\n"));
    assertFalse(GcLogReader.looksLikeGcLog(""));
    assertFalse(GcLogReader.looksLikeGcLog("\"GC Thread#0\" os_prio=0 cpu=1.2ms tid=0x1\n"));
    assertFalse(GcLogReader.looksLikeGcLog("{\"metrics\": [1, 2]}\n"));
    assertFalse(GcLogReader.looksLikeGcLog("2026-11-21 INFO [main] Using G1 as engine\n"));
  }

  private static void assertTwoPauses(GcLog log) {
    assertEquals(2, log.pauses.size());
    assertEquals(Duration.ofNanos(1_567_000), LogRow.of(log).get(0).duration());
    assertEquals(Duration.ofNanos(3_465_000), LogRow.of(log).get(1).duration());
  }

  private static String refusal(byte[] bytes) {
    return assertThrows(IOException.class, () -> read(bytes)).getMessage();
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return out.toByteArray();
  }

  private static GcLog read(byte[] bytes) throws IOException {
    return GcLogReader.read(new ByteArrayInputStream(bytes));
  }
}
