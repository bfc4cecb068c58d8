package io.gcdiag.read.dumps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.fixtures.SampleFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JavacoreTest {

  private static List<ParsedDump> parse(String text) throws IOException {
    assertTrue(ThreadDumps.looksLikeThreadDump(text));
    return ThreadDumps.parse(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static String sample() throws IOException {
    return Files.readString(SampleFiles.file("thread-dumps/javacore-openj9.txt"));
  }

  private static ParsedThread thread(ParsedDump dump, String name) {
    return dump.threads().stream()
        .filter(thread -> thread.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void timeDeadlockAndThreadsAreRead() throws IOException {
    ParsedDump dump = parse(sample()).get(0);
    assertEquals(Optional.of(Instant.parse("2026-03-01T10:00:05.250Z")), dump.instant());
    assertEquals(List.of("transfer-1", "transfer-2"), dump.deadlocked());
    // grep -c '^3XMTHREADINFO  *"' is 5: one of them is a compiler, which runs no Java.
    assertEquals(4, dump.threads().size());
  }

  @Test
  void aThreadHasItsStateStackAndLock() throws IOException {
    ParsedDump dump = parse(sample()).get(0);
    ParsedThread blocked = thread(dump, "transfer-1");
    assertEquals("BLOCKED", blocked.state());
    assertEquals(Optional.of("com.example.Account"), blocked.parkedClass());
    assertEquals(
        List.of(
            "com.example.Bank.transfer", "com.example.Bank.lambda$main$0", "java.lang.Thread.run"),
        blocked.frames());
    assertEquals(Optional.of(Duration.ofNanos(912_330)), blocked.cpu());
    ParsedThread idle = thread(dump, "http-nio-8080-exec-1");
    assertEquals("WAITING", idle.state());
    assertEquals(
        Optional.of("java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject"),
        idle.parkedClass());
    assertEquals("org.apache.tomcat.util.threads.TaskQueue.take", idle.frames().get(3));
    // Waits to be notified, for no lock.
    assertEquals(Optional.empty(), thread(dump, "main").parkedClass());
  }

  @Test
  void olderFilesStateTheirLocalTimeAlone() throws IOException {
    ParsedDump dump = parse(sample().replaceAll("1TIDATETIMEUTC.*\n", "")).get(0);
    assertEquals(Optional.empty(), dump.instant());
    assertEquals(
        Optional.of(LocalDateTime.of(2026, 3, 1, 11, 0, 5, 250_000_000)), dump.localTime());
  }

  /** {@code "main" TID:0x000A9C00, j9thread_t:0x00015370, state:CW, prio=5}. */
  @Test
  void threadsOfJava6AreReadToo() throws IOException {
    ParsedDump dump = parse(sample().replace("J9VMThread:", "TID:")).get(0);
    assertEquals(4, dump.threads().size());
    assertEquals("BLOCKED", thread(dump, "transfer-1").state());
  }

  @Test
  void severalInOneFileAreSeveralDumps() throws IOException {
    List<ParsedDump> dumps = parse(sample() + sample().replace("10:00:05", "10:00:35"));
    assertEquals(
        List.of(
            Optional.of(Instant.parse("2026-03-01T10:00:05.250Z")),
            Optional.of(Instant.parse("2026-03-01T10:00:35.250Z"))),
        dumps.stream().map(ParsedDump::instant).toList());
  }

  @Test
  void aFileThatIsCutGivesTheThreadsBeforeTheCut() throws IOException {
    String cut = sample().substring(0, sample().indexOf("\"transfer-2\" J9VMThread"));
    assertEquals(2, parse(cut).get(0).threads().size());
  }
}
