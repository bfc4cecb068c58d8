package io.gcdiag.read.dumps;

import static io.gcdiag.read.dumps.DumpScene.count;
import static io.gcdiag.read.dumps.DumpScene.named;
import static io.gcdiag.read.dumps.DumpScene.sample;
import static io.gcdiag.read.dumps.DumpScene.sampleText;
import static io.gcdiag.read.dumps.DumpScene.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.threads.DumpTotals;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThreadDumpsTest {

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
  void theJvmsAgeAndWhatItsOwnThreadsUsedAreAddedUp() throws IOException {
    // Read in the file: "main" is 2.52 s old; the seven threads without a number used 1.86 + 0.98 +
    // 0.40 + 0.14 + 0.03 + 0.04 + 0.05 = 3.50 ms.
    assertEquals(
        Optional.of(new DumpTotals(Duration.ofMillis(2_520), Duration.ofNanos(3_500_000))),
        sample("jcmd-jdk17.txt").get(0).totals());
  }

  @Test
  void jdk8SaysNothingOfEither() throws IOException {
    assertEquals(Optional.empty(), sample("jcmd-jdk8.txt").get(0).totals());
  }
}
