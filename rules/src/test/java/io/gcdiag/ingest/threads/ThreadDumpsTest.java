package io.gcdiag.ingest.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.fixtures.Samples;
import io.gcdiag.ingest.text.TextEncoding;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ThreadDumpsTest {

  private static List<ParsedDump> sample(String name) throws IOException {
    try (InputStream in = Files.newInputStream(Samples.file("thread-dumps/" + name))) {
      return ThreadDumps.parse(in);
    }
  }

  private static String sampleText(String name) throws IOException {
    return Files.readString(Samples.file("thread-dumps/" + name));
  }

  private static List<ParsedDump> text(String text) throws IOException {
    return ThreadDumps.parse(new StringReader(text));
  }

  private static ParsedThread named(ParsedDump dump, String name) {
    List<ParsedThread> found =
        dump.threads().stream().filter(thread -> thread.name().equals(name)).toList();
    assertEquals(1, found.size(), name);
    return found.get(0);
  }

  private static long count(ParsedDump dump, String state) {
    return dump.threads().stream().filter(thread -> thread.state().equals(state)).count();
  }

  // Expected: grep -c 'Full thread dump OpenJDK', then grep -c 'java.lang.Thread.State' and
  // grep -c 'Thread.State: BLOCKED', RUNNABLE, TIMED_WAITING and WAITING, divided by the dumps,
  // which are equal within each of these files.
  @ParameterizedTest
  @CsvSource({
    "jcmd-jdk8.txt, 1, 15, 4, 5, 2, 4",
    "jcmd-jdk11.txt, 1, 17, 4, 7, 3, 3",
    "jcmd-jdk17.txt, 1, 19, 4, 9, 3, 3",
    "jcmd-jdk25.txt, 1, 22, 4, 9, 5, 4",
    "jcmd-jdk17-locks-extended.txt, 1, 19, 4, 9, 3, 3",
    "jcmd-jdk17-crlf.txt, 1, 19, 4, 9, 3, 3",
    "jcmd-jdk17-interleaved.txt, 1, 19, 4, 9, 3, 3",
    "jcmd-jdk17-container-prefix.txt, 1, 19, 4, 9, 3, 3",
    "jstack-l-jdk8.txt, 1, 15, 4, 5, 2, 4",
    "jstack-l-jdk11.txt, 1, 17, 4, 7, 3, 3",
    "jstack-l-jdk17.txt, 1, 19, 4, 9, 3, 3",
    "jstack-l-jdk25.txt, 1, 22, 4, 9, 5, 4",
    "sigquit-jdk8.txt, 2, 15, 4, 5, 2, 4",
    "sigquit-jdk11.txt, 2, 17, 4, 7, 3, 3",
    "sigquit-jdk17.txt, 2, 19, 4, 9, 3, 3",
    "sigquit-jdk25.txt, 2, 22, 4, 9, 5, 4"
  })
  void everyDialectGivesItsThreadsAndStates(
      String name, int dumps, int threads, int blocked, int runnable, int timed, int waiting)
      throws IOException {
    List<ParsedDump> parsed = sample(name);
    assertEquals(dumps, parsed.size());
    for (ParsedDump dump : parsed) {
      assertEquals(threads, dump.threads().size());
      assertEquals(blocked, count(dump, "BLOCKED"));
      assertEquals(runnable, count(dump, "RUNNABLE"));
      assertEquals(timed, count(dump, "TIMED_WAITING"));
      assertEquals(waiting, count(dump, "WAITING"));
      assertEquals(List.of("dead-0", "dead-1"), dump.deadlocked().stream().sorted().toList());
      assertTrue(dump.localTime().isPresent());
      assertFalse(dump.listsVirtualThreads());
    }
  }

  // Expected: grep -E -c '^\s+at ' of the file less the frames repeated below "Java stack
  // information", one for each of two threads.
  @ParameterizedTest
  @CsvSource({"jcmd-jdk17.txt", "jcmd-jdk17-interleaved.txt", "jstack-l-jdk25.txt"})
  void everyFrameIsReadOnce(String name) throws IOException {
    long lines = sampleText(name).lines().filter(line -> line.startsWith("\tat ")).count();
    long frames =
        sample(name).get(0).threads().stream().mapToLong(thread -> thread.frames().size()).sum();
    assertEquals(lines - 2, frames);
  }

  @Test
  void aThreadIsReadWithItsAttributes() throws IOException {
    // Lines of the sample:
    // "holder "quoted" #1" #23 [21531] daemon ... cpu=0.09ms ... TIMED_WAITING (sleeping)
    ParsedDump dump = sample("jstack-l-jdk25.txt").get(0);
    ParsedThread holder = named(dump, "holder \"quoted\" #1");
    assertEquals("TIMED_WAITING", holder.state());
    assertTrue(holder.daemon());
    assertFalse(holder.virtual());
    assertEquals(Optional.of(Duration.ofNanos(90_000)), holder.cpu());
    assertEquals(
        List.of(
            "java.lang.Thread.sleepNanos0",
            "java.lang.Thread.sleepNanos",
            "java.lang.Thread.sleep",
            "Dumps$2.run"),
        holder.frames());
    assertEquals(Optional.empty(), holder.parkedClass());
    assertFalse(named(dump, "main").daemon());
    assertEquals(Optional.of("java.lang.Object"), named(dump, "blocked-0").parkedClass());
    assertEquals(
        Optional.of("java.util.concurrent.locks.ReentrantLock$NonfairSync"),
        named(dump, "pool-1-thread-2").parkedClass());
    assertTrue(
        named(dump, "VirtualThread-unblocker")
            .frames()
            .contains("java.lang.VirtualThread$$Lambda.run"));
    assertEquals(Optional.empty(), named(sample("jcmd-jdk8.txt").get(0), "main").cpu());
  }

  @Test
  void theTimeIsTheLineAboveTheHeadingWhateverStandsBetween() throws IOException {
    // sed -n '2p;176p' sigquit-jdk17.txt; headings are in lines 3 and 177 (grep -n).
    List<ParsedDump> dumps = sample("sigquit-jdk17.txt");
    LocalDateTime time = LocalDateTime.of(2026, 11, 21, 7, 16, 26);
    assertEquals(Optional.of(time), dumps.get(0).localTime());
    assertEquals(Optional.of(time), dumps.get(1).localTime());
    assertEquals(3, dumps.get(0).line());
    assertEquals(177, dumps.get(1).line());
    // The second dump of this file is 22 threads of JDK 25, 4 s later: 41 - 19 = 22.
    List<ParsedDump> two = sample("jcmd-jdk17-two-dumps.txt");
    assertEquals(List.of(19, 22), two.stream().map(dump -> dump.threads().size()).toList());
    assertEquals(Optional.of(LocalDateTime.of(2026, 11, 21, 7, 16, 25)), two.get(0).localTime());
    assertEquals(Optional.of(LocalDateTime.of(2026, 11, 21, 7, 16, 29)), two.get(1).localTime());
    assertEquals(Optional.empty(), two.get(0).instant());
  }

  @Test
  void aContainersTimeStampIsAnInstant() throws IOException {
    ParsedDump dump = sample("jcmd-jdk17-container-prefix.txt").get(0);
    assertEquals(Optional.of(Instant.parse("2026-11-21T10:00:00.123Z")), dump.instant());
    assertEquals(Optional.of(LocalDateTime.of(2026, 11, 21, 7, 16, 25)), dump.localTime());
  }

  @Test
  void timeStampsThatDifferFromLineToLineAreStillAPrefix() throws IOException {
    String dump =
        """
        2026-01-02T03:04:05.12Z app-1 | 2026-01-02 03:04:05
        2026-01-02T03:04:05.12Z app-1 | Full thread dump OpenJDK 64-Bit Server VM (17 mixed mode):
        2026-01-02T03:04:05.123456Z app-1 |
        2026-01-02T03:04:06Z app-1 | "main" #1 prio=5 os_prio=0 tid=0x1 nid=0x2 runnable
        2026-01-02T03:04:06.1Z app-1 |    java.lang.Thread.State: RUNNABLE
        2026-01-02T03:04:06.1Z app-1 | \tat com.acme.Main.main(Main.java:1)
        """;
    ParsedDump parsed = text(dump).get(0);
    assertEquals(List.of("com.acme.Main.main"), named(parsed, "main").frames());
    assertTrue(parsed.localTime().isPresent());
  }

  // grep -Ec '^#[0-9]+ "' of the text and grep -c '"tid"' of the JSON give 23; grep -c ' virtual '
  // and grep -c '"virtual": true' give 5.
  @ParameterizedTest
  @ValueSource(strings = {"dump-to-file-jdk25.txt", "dump-to-file-jdk25.json"})
  void aDumpToFileListsVirtualThreads(String name) throws IOException {
    List<ParsedDump> dumps = sample(name);
    assertEquals(1, dumps.size());
    ParsedDump dump = dumps.get(0);
    assertEquals(23, dump.threads().size());
    assertEquals(5, dump.threads().stream().filter(ParsedThread::virtual).count());
    assertTrue(dump.listsVirtualThreads());
    assertEquals(4, count(dump, "BLOCKED"));
    assertEquals(
        Instant.parse("2026-11-21T07:16:30Z").getEpochSecond(),
        dump.instant().orElseThrow().getEpochSecond());
    ParsedThread virtual = named(dump, "virt-1");
    assertEquals("java.lang.VirtualThread.park", virtual.frames().get(0));
    assertEquals(9, virtual.frames().size());
    assertEquals(
        Optional.of("java.util.concurrent.locks.ReentrantLock$NonfairSync"), virtual.parkedClass());
    assertEquals(Optional.of("java.lang.Object"), named(dump, "blocked-1").parkedClass());
    assertEquals("TIMED_WAITING", named(dump, "holder \"quoted\" #1").state());
  }

  @Test
  void aDumpToFileWithoutStatesIsRead() throws IOException {
    // The layout of JDK 21: no state, frames without "at".
    String dump =
        """
        4711
        2026-01-02T03:04:05.678901Z
        21.0.5+11

        #1 "main"
              java.base/java.lang.Thread.sleep0(Native Method)
              com.acme.Main.main(Main.java:3)

        #30 "" virtual
              java.base/java.lang.VirtualThread.park(VirtualThread.java:592)
        """;
    ParsedDump parsed = text(dump).get(0);
    assertEquals(2, parsed.threads().size());
    assertEquals("", named(parsed, "main").state());
    assertEquals(
        List.of("java.lang.Thread.sleep0", "com.acme.Main.main"), named(parsed, "main").frames());
    assertTrue(named(parsed, "").virtual());
    assertEquals(Optional.of(Instant.parse("2026-01-02T03:04:05.678901Z")), parsed.instant());
    assertEquals(2, text(dump + dump).size());
  }

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

  @Test
  void ofSeveralDumpsOnlyTheLastCanBeCut() throws IOException {
    String dump = sampleText("jcmd-jdk17-truncated.txt");

    List<ParsedDump> dumps = text(dump + "\n" + dump);

    assertFalse(dumps.get(0).cut());
    assertTrue(dumps.get(1).cut());
  }

  @Test
  void anExceptionLoggedAfterTheDumpBelongsToNoThread() throws IOException {
    String dump =
        """
        Full thread dump OpenJDK 64-Bit Server VM (17 mixed mode):

        "main" #1 prio=5 os_prio=0 tid=0x1 nid=0x2 runnable
           java.lang.Thread.State: RUNNABLE
        \tat com.acme.Main.main(Main.java:1)

        java.lang.IllegalStateException: late
        \tat com.acme.Other.run(Other.java:1)
        """;
    assertEquals(List.of("com.acme.Main.main"), text(dump).get(0).threads().get(0).frames());
  }

  @Test
  void theJvmsOwnThreadsAreLeftOut() throws IOException {
    // "VM Thread", "GC task thread#0 (ParallelGC)" and "VM Periodic Task Thread" of the sample.
    List<String> names =
        sample("jstack-l-jdk8.txt").get(0).threads().stream().map(ParsedThread::name).toList();
    assertTrue(sampleText("jstack-l-jdk8.txt").contains("\"VM Thread\" os_prio=0"));
    assertFalse(names.contains("VM Thread"));
    assertTrue(names.contains("Signal Dispatcher"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"empty.txt", "not-a-dump.txt", "jcmd-jdk25-vthread-scheduler.txt"})
  void aFileWithoutADumpGivesNoneAndIsNotTakenForOne(String name) throws IOException {
    assertEquals(List.of(), sample(name));
    assertFalse(ThreadDumps.looksLikeThreadDump(sampleText(name)));
  }

  @Test
  void dumpsAreRecognisedByTheirBeginning() throws IOException {
    for (String name :
        List.of(
            "jcmd-jdk8.txt",
            "jcmd-jdk17-container-prefix.txt",
            "sigquit-jdk25.txt",
            "dump-to-file-jdk25.txt",
            "dump-to-file-jdk25.json")) {
      String head = sampleText(name).substring(0, 1_000);
      assertTrue(ThreadDumps.looksLikeThreadDump(head), name);
    }
    assertFalse(ThreadDumps.looksLikeThreadDump("#3 \"heading\"\n# \"other\"\n"));
    assertFalse(ThreadDumps.looksLikeThreadDump("{\"metrics\": {\"threadDump\": 1}}"));
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
    BoundedLines lines =
        new BoundedLines(TextEncoding.open(new Repeated("", BoundedLines.LONGEST * 3L)));
    assertEquals(BoundedLines.LONGEST, lines.read().orElseThrow().length());
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

  @Test
  void framesOfEverySpellingAreBroughtToOneForm() {
    List<String> printed =
        List.of(
            "java.lang.Thread.run(java.base@17.0.15/Thread.java:840)",
            "java.base/java.lang.Thread.run(Thread.java:1474)",
            "app//com.acme.A$B.<init>(A.java:1)",
            "java.base/java.lang.VirtualThread$$Lambda/0x0000000085007108.run(Unknown Source)",
            "com.acme.A$$Lambda$12/1234567.apply(Unknown Source)",
            "no frame",
            "(a)");
    assertEquals(
        List.of(
            "java.lang.Thread.run",
            "java.lang.Thread.run",
            "com.acme.A$B.<init>",
            "java.lang.VirtualThread$$Lambda.run",
            "com.acme.A$$Lambda.apply"),
        printed.stream()
            .flatMap(frame -> FrameText.parse(frame).stream())
            .collect(Collectors.toList()));
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

  @Test
  void dumpsOfToolsThatAskOverTheManagementInterfaceAreRead() throws IOException {
    String text =
        """
        Full thread dump OpenJDK 64-Bit Server VM 17.0.15+6

        "http-1" id=31 in BLOCKED on lock=com.shop.Cart@1b2c3d
            at com.shop.Cart.add(Cart.java:18)

        "http-2" prio=5 Id=32 RUNNABLE (in native)
            at java.net.SocketInputStream.socketRead0(Native Method)
        """;
    List<ParsedThread> threads = ThreadDumps.parse(new StringReader(text)).get(0).threads();
    assertEquals(
        List.of("BLOCKED", "RUNNABLE"), threads.stream().map(ParsedThread::state).toList());
    assertEquals(Optional.of("com.shop.Cart"), threads.get(0).parkedClass());
    assertEquals(List.of("com.shop.Cart.add"), threads.get(0).frames());
  }
}
