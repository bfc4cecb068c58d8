package io.gcdiag.read.dumps;

import static io.gcdiag.read.dumps.DumpScene.sample;
import static io.gcdiag.read.dumps.DumpScene.sampleText;
import static io.gcdiag.read.dumps.DumpScene.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.read.bytes.TextEncoding;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class DamagedDumpsTest {

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16", "UTF-16LE", "UTF-16BE", "UTF-8"})
  void theEncodingIsFound(String encoding) throws IOException {
    byte[] bytes = sampleText("jcmd-jdk17.txt").getBytes(Charset.forName(encoding));
    List<ParsedDump> dumps = ThreadDumps.parse(new ByteArrayInputStream(bytes));
    assertEquals(19, dumps.get(0).threads().size());
  }

  @Test
  void bytesThatAreNoTextCostOnlyTheirOwnLine() throws IOException {
    byte[] bytes =
        ("\u00e9\u00e8 log line\n" + sampleText("jcmd-jdk17.txt"))
            .getBytes(StandardCharsets.ISO_8859_1);
    assertEquals(19, ThreadDumps.parse(new ByteArrayInputStream(bytes)).get(0).threads().size());
  }

  @Test
  void theThreadsBeforeACutAreKept() throws IOException {
    // grep -c 'java.lang.Thread.State' gives 12; the last stack has 7 whole frames.
    ParsedDump dump = sample("jcmd-jdk17-truncated.txt").get(0);
    assertEquals(12, dump.threads().size());
    String json = sampleText("dump-to-file-jdk25.json");
    List<ParsedDump> cut = text(json.substring(0, json.indexOf("\"blocked-1\"")));
    // head -n of the line with "blocked-1", grep -c '"name"' less that line: the thread cut in its
    // name is kept without it.
    long names = json.substring(0, json.indexOf("\"blocked-1\"")).split("\"tid\"").length - 1;
    assertEquals(names, cut.get(0).threads().size());
    assertTrue(dump.cut());
    assertTrue(cut.get(0).cut());
  }

  @Test
  void aNameWithLineEndsIsOneThread() throws IOException {
    String dump = sampleText("jcmd-jdk17.txt");
    for (String name : List.of("two\nlines", "two\rlines", "two\u2028lines")) {
      ParsedDump read = text(dump.replace("\"main\" #", '"' + name + "\" #")).get(0);
      assertEquals(19, read.threads().size(), name);
      assertEquals(0, read.lost(), name);
    }
  }

  @Test
  void threadsThatADumpCountsAndDoesNotHoldAreMissed() throws IOException {
    String dump = sampleText("jcmd-jdk17.txt");
    assertEquals(0, text(dump).get(0).lost());
    assertEquals(1, text(dump.replace("\"main\" #1 ", "")).get(0).lost());
  }

  @Test
  void aDumpThatEndsBehindAThreadIsWhole() throws IOException {
    assertFalse(sample("jcmd-jdk17.txt").get(0).cut());
    assertFalse(sample("dump-to-file-jdk21.txt").get(0).cut());
    assertFalse(sample("dump-to-file-jdk25.json").get(0).cut());
    String pasted =
        """
        Full thread dump OpenJDK 64-Bit Server VM (17 mixed mode):

        "main" #1 prio=5 os_prio=0 tid=0x1 nid=0x2 runnable
           java.lang.Thread.State: RUNNABLE
        \tat com.acme.Main.main(Main.java:1)
        """;
    assertTrue(text(pasted).get(0).cut());
    // HotSpot prints its own threads and the count of references after those of Java.
    assertTrue(text(pasted + "\n").get(0).cut());
    assertFalse(text(pasted + "\n\"VM Thread\" os_prio=0 tid=0x3 nid=0x4 runnable\n").get(0).cut());
    assertFalse(text(pasted.replace(" tid=0x1 nid=0x2", "") + "\n").get(0).cut());
    assertFalse(text(pasted + "JNI global refs: 24, weak refs: 0\n").get(0).cut());
  }

  @ParameterizedTest
  @ValueSource(strings = {"jcmd-jdk8.txt", "jcmd-jdk11.txt", "jcmd-jdk17.txt", "jcmd-jdk25.txt"})
  void aDumpCutBetweenTwoThreadsIsNotWhole(String name) throws IOException {
    String dump = sampleText(name);
    int last = dump.lastIndexOf("java.lang.Thread.State");
    assertFalse(text(dump).get(0).cut());
    assertTrue(text(dump.substring(0, dump.lastIndexOf("\n\"", last) + 1)).get(0).cut());
  }

  /** ThreadInfo, Dropwizard and hot threads print no end. */
  @Test
  void aDumpOfAnotherToolEndsWithALine() throws IOException {
    String managed =
        """
        "http-1" Id=31 BLOCKED on com.acme.Cache@1a2b owned by "http-2" Id=32
        \tat com.acme.Cache.get(Cache.java:30)
        \t-  blocked on com.acme.Cache@1a2b
        \tat com.acme.R.get(R.java:3)""";
    assertFalse(text(managed).get(0).cut());
    assertFalse(text(managed.substring(0, managed.lastIndexOf('\n'))).get(0).cut());
    assertTrue(text(managed.substring(0, managed.length() - 2)).get(0).cut());
  }

  /** Tools leave out the threads of the JVM and the count of references. */
  @Test
  void aDumpWithAllThreadsThatItCountsIsWholeWithoutItsEnd() throws IOException {
    String dump = sampleText("jcmd-jdk17.txt");
    ParsedDump whole = text(dump.substring(0, dump.indexOf("\"VM Periodic Task Thread\""))).get(0);
    assertFalse(whole.cut());
    assertEquals(0, whole.lost());
    // What the JVM found is behind its threads.
    assertFalse(whole.searched());
  }

  @Test
  void ofSeveralDumpsOnlyTheLastCanBeCut() throws IOException {
    String dump = sampleText("jcmd-jdk17-truncated.txt");

    List<ParsedDump> dumps = text(dump + "\n" + dump);

    assertFalse(dumps.get(0).cut());
    assertTrue(dumps.get(1).cut());
  }

  @ParameterizedTest
  @ValueSource(strings = {"empty.txt", "not-a-dump.txt", "jcmd-jdk25-vthread-scheduler.txt"})
  void aFileWithoutADumpGivesNoneAndIsNotTakenForOne(String name) throws IOException {
    assertEquals(List.of(), sample(name));
    assertFalse(ThreadDumps.looksLikeThreadDump(sampleText(name)));
  }

  @Test
  void brokenJsonGivesNoDump() throws IOException {
    for (String json :
        List.of(
            "{\"threadDump\": ",
            "{\"threadDump\": {\"threadContainers\": 3}}",
            "{\"threadDump\": {\"threadContainers\": [{\"threads\": {}}]}}",
            "{\"threadDump\": \u0000}")) {
      assertEquals(List.of(), text(json), json);
    }
  }

  @Test
  void oneLineOfAHundredMegabytesIsNoDumpAndFillsNoMemory() throws IOException {
    long size = 100L * 1024 * 1024;
    for (String start : List.of("", "\"", "Full thread dump VM", "{\"threadDump\": \"")) {
      assertEquals(List.of(), ThreadDumps.parse(new Repeated(start, size)), start);
    }
    TextLines lines = new TextLines(TextEncoding.open(new Repeated("", TextLines.LONGEST * 3L)));
    assertEquals(TextLines.LONGEST, lines.read().orElseThrow().length());
    assertEquals(Optional.empty(), lines.read());
  }

  @Test
  void linesOfManyQuotesAreReadInOnePass() throws IOException {
    String line = "\"" + "\" ".repeat(8_000) + "\n";
    String dump = "Full thread dump OpenJDK 64-Bit Server VM (17):\n" + line.repeat(50);
    assertEquals(List.of(), text(dump));
  }

  @Test
  void aStackDeeperThanAJvmPrintsIsCut() throws IOException {
    String frames = "\tat com.acme.Loop.run(Loop.java:1)\n".repeat(DumpBuilder.MOST_FRAMES + 10);
    String dump =
        "Full thread dump OpenJDK 64-Bit Server VM (17):\n\"a\" #1 prio=5 tid=0x1 nid=0x1\n";
    ParsedDump parsed = text(dump + frames).get(0);
    assertEquals(DumpBuilder.MOST_FRAMES, parsed.threads().get(0).frames().size());
  }

  @Test
  void randomBytesAreNoDump() throws IOException {
    byte[] bytes = new byte[200_000];
    new Random(7).nextBytes(bytes);
    assertEquals(List.of(), ThreadDumps.parse(new ByteArrayInputStream(bytes)));
    assertEquals(List.of(), ThreadDumps.parse(new ByteArrayInputStream(new byte[100_000])));
  }

  @Test
  void aDumpCutAnywhereIsReadWithoutAnException() throws IOException {
    for (String name : List.of("dump-to-file-jdk25.json", "dump-to-file-jdk25.txt")) {
      String whole = sampleText(name);
      for (int end = 0; end < whole.length(); end += 97) {
        assertTrue(text(whole.substring(0, end)).size() <= 1);
      }
    }
  }

  /** A beginning, then the same byte up to a size, without a line end. */
  private static final class Repeated extends InputStream {
    private final byte[] start;
    private final long size;
    private long position;

    Repeated(String start, long size) {
      this.start = start.getBytes(StandardCharsets.UTF_8);
      this.size = size;
    }

    @Override
    public int read() {
      if (position == size) {
        return -1;
      }
      int at = (int) Math.min(position++, Integer.MAX_VALUE);
      return at < start.length ? start[at] : 'x';
    }

    @Override
    public int read(byte[] bytes, int from, int length) {
      if (position < start.length || position == size) {
        int one = read();
        if (one < 0) {
          return -1;
        }
        bytes[from] = (byte) one;
        return 1;
      }
      int some = (int) Math.min(length, size - position);
      Arrays.fill(bytes, from, from + some, (byte) 'x');
      position += some;
      return some;
    }
  }
}
