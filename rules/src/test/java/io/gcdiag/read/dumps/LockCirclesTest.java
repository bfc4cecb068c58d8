package io.gcdiag.read.dumps;

import static io.gcdiag.read.dumps.SnapshotScene.blocked;
import static io.gcdiag.read.dumps.SnapshotScene.snapshot;
import static io.gcdiag.read.dumps.SnapshotScene.thread;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.gcdiag.evidence.threads.Deadlocks;
import io.gcdiag.fixtures.SampleFiles;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

class LockCirclesTest {

  private static final String PRINTED =
      "2024-05-01 10:00:00\nFull thread dump OpenJDK 64-Bit Server VM (17):\n\n";

  private static Deadlocks deadlocks(String dump) throws IOException {
    return snapshot(ThreadDumps.parse(new StringReader(dump)).get(0)).deadlocks();
  }

  @Test
  void aCircleOfOwnersIsFoundThoughTheDumpIsCutBeforeTheJvmsReport() throws IOException {
    String threads =
        thread("a", blocked("0x02", "0x01"))
            + thread("waits-for-a", blocked("0x01", "0x09"))
            + thread("b", blocked("0x03", "0x02"))
            + thread("c", blocked("0x01", "0x03"));
    assertEquals(List.of("a", "b", "c"), deadlocks(PRINTED + threads).threads());
  }

  @Test
  void aChainThatEndsIsNone() throws IOException {
    String threads =
        thread("a", blocked("0x02", "0x01"))
            + thread("b", blocked("0x03", "0x02"))
            + thread("c", blocked("0x04", "0x03"));
    assertEquals(
        Deadlocks.NONE, deadlocks(PRINTED + threads + "JNI global refs: 14, weak refs: 0\n"));
    assertEquals(new Deadlocks(List.of(), false), deadlocks(PRINTED + threads));
  }

  /** As {@code jcmd PID Thread.dump_to_file} of JDK 25 writes it. */
  private static String toFile(String name, String owns, String wants) {
    return "#22 \""
        + name
        + "\" BLOCKED 2026-11-22T13:32:11.441281748Z\n"
        + "    at com.acme.Transfer.move(Transfer.java:8)\n"
        + "    - locked <com.acme.Account@"
        + owns
        + ">\n    - waiting to lock <com.acme.Account@"
        + wants
        + ">\n    at java.base/java.lang.Thread.run(Thread.java:1474)\n\n";
  }

  private static final String FILE_HEADING = "4711\n2026-11-22T13:32:10.985386335Z\n25.0.3+9\n\n";

  @Test
  void aDumpToFileInWhichTheJvmLooksForNoneShowsThemToo() throws IOException {
    String circle = toFile("mon-1", "a1", "b2") + toFile("mon-2", "b2", "a1");
    assertEquals(List.of("mon-1", "mon-2"), deadlocks(FILE_HEADING + circle).threads());
  }

  @Test
  void aDumpToFileThatLeavesAnOwnerOutCannotRuleThemOut() throws IOException {
    assertEquals(
        new Deadlocks(List.of(), false), deadlocks(FILE_HEADING + toFile("mon-1", "a1", "b2")));
  }

  /** Recorded: the JVM prints what each waits for, and finds no deadlock. */
  @Test
  void classesThatInitializeEachOtherAreADeadlock() throws IOException {
    String dump =
        Files.readString(
            SampleFiles.file("thread-dumps/jcmd-jdk17-class-initialization.txt"),
            StandardCharsets.UTF_8);
    assertEquals(List.of("source-1", "sink-1"), deadlocks(dump).threads().stream().toList());
  }

  /** JDK 8 does not print the class: all that initialize one wait for one. */
  @Test
  void classesThatInitializeEachOtherAreADeadlockOnJdk8() throws IOException {
    String both = starter("a", "A") + starter("b", "B");
    assertEquals(List.of("a", "b"), deadlocks(HEAD + both).threads());
    // A third one that runs may be the one that both wait for.
    Deadlocks open = deadlocks(HEAD + both + running("c", "C"));
    assertEquals(List.of(), open.threads());
    assertFalse(open.complete());
  }

  private static final String HEAD =
      "Full thread dump OpenJDK 64-Bit Server VM (25.265-b01 mixed mode):\n\n";

  private static String starter(String name, String type) {
    return "\""
        + name
        + "\" #7 prio=5 os_prio=0 tid=0x00007f1 nid=0x7 in Object.wait() [0x00007f2]\n"
        + "   java.lang.Thread.State: RUNNABLE\n\tat com.acme."
        + type
        + ".<clinit>("
        + type
        + ".java:3)\n\tat java.lang.Thread.run(Thread.java:748)\n\n";
  }

  private static String running(String name, String type) {
    return starter(name, type).replace("in Object.wait()", "runnable");
  }
}
