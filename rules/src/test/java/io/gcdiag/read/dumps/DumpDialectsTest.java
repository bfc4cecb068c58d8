package io.gcdiag.read.dumps;

import static io.gcdiag.read.dumps.DumpScene.count;
import static io.gcdiag.read.dumps.DumpScene.named;
import static io.gcdiag.read.dumps.DumpScene.sample;
import static io.gcdiag.read.dumps.DumpScene.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.fixtures.SampleFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DumpDialectsTest {

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

  // Of its 11 threads (grep -c '^Thread \[') exec-1 sleeps in a monitor that three others want.
  @Test
  void aDumpInTheLogOfIgniteIsRead() throws IOException {
    List<ParsedDump> dumps = sample("ignite-2.17.txt");
    assertEquals(1, dumps.size());
    ParsedDump dump = dumps.get(0);
    assertEquals(Optional.of(Instant.parse("2026-11-29T18:49:37Z")), dump.instant());
    assertEquals(11, dump.threads().size());
    assertEquals(3, count(dump, "BLOCKED"));
    ParsedThread owner = named(dump, "http-nio-8080-exec-1");
    assertEquals("Ig.work", owner.frames().get(1));
    assertEquals(List.of(Optional.of("java.lang.Object@574caa3f")), wantedBy(dump, "exec-2"));
    assertTrue(owner.locks().owned().contains("java.lang.Object@574caa3f"));
    assertEquals(
        Optional.of("java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject"),
        named(dump, "sys-stripe-0-#1%shop%").parkedClass());
  }

  /** CPU time behind each stack; the lock in the thread's line. */
  @Test
  void aReportOfPayaraIsRead() throws IOException {
    String report =
        """
        Full Java Thread Dump Java HotSpot(TM) 64-Bit Server VM 25.121-b13 Oracle Corporation
        Number of threads: 2

        Thread Execution Information:
        -----------------------
        Thread "expirer(1)" thread-id: 58 thread-state: RUNNABLE
        \t at: java.lang.Thread.interrupt0(Native Method)
        \t at: org.glassfish.grizzly.threadpool.AbstractThreadPool$4.doWork(AbstractThreadPool.java:163)
        Thread Synchronization Statistics:
        -----------------------
        Total CPU time for this thread: 98,305 seconds 906,250,000 nanoseconds.

        Thread Execution Information:
        -----------------------
        Thread "http(1)" thread-id: 60 thread-state: BLOCKED Waiting on lock: com.acme.Cache@1a2b
        \t at: com.acme.Cache.get(Cache.java:30)
        Thread Synchronization Statistics:
        """;
    assertTrue(ThreadDumps.looksLikeThreadDump(report));
    List<ParsedDump> dumps = text(report + report);
    assertEquals(2, dumps.size());
    ParsedThread expirer = named(dumps.get(1), "expirer(1)");
    assertEquals(Optional.of(Duration.ofNanos(98_305_906_250_000L)), expirer.cpu());
    assertEquals(2, expirer.frames().size());
    ParsedThread waits = named(dumps.get(1), "http(1)");
    assertEquals("BLOCKED", waits.state());
    assertEquals(Optional.of("com.acme.Cache@1a2b"), waits.locks().wanted());
    assertFalse(dumps.get(1).cut());
  }

  @Test
  void theBusiestThreadsOfArthasAreRead() throws IOException {
    ParsedDump dump =
        text("""
            Threads Total: 16, NEW: 0, RUNNABLE: 7, BLOCKED: 1
            "http-1" Id=31 cpuUsage=97.75% deltaTime=195ms time=12345ms RUNNABLE
                at com.acme.Price.of(Price.java:7)

            "http-2" Id=32 cpuUsage=0.0% deltaTime=0ms time=3ms BLOCKED on com.acme.Cache@1a2b owned by "http-1" Id=31
                at com.acme.Cache.get(Cache.java:30)
            """)
            .get(0);
    assertEquals(Optional.of(Duration.ofMillis(12_345)), named(dump, "http-1").cpu());
    assertEquals("RUNNABLE", named(dump, "http-1").state());
    assertEquals(Optional.of("com.acme.Cache@1a2b"), named(dump, "http-2").locks().wanted());
  }

  /** It writes no states and no packages, but who owns what. */
  @Test
  void aCopyOfTheDebugViewOfEclipseIsRead() throws IOException {
    String view =
        """
        Thread [http-1] (Suspended)\t
        \towns: Cache  (id=45)\t
        \tCache.get(String) line: 30\t
        \tShop(Base).buy() line: 3\t
        \tThread.run() line: not available [native method]\t
        Daemon Thread [http-2] (Suspended)\t
        \twaiting for: Cache  (id=45)\t
        \tCache.get(String) line: 30\t
        """;
    assertTrue(ThreadDumps.looksLikeThreadDump(view));
    ParsedDump dump = text(view).get(0);
    assertEquals(List.of("Cache.get", "Base.buy", "Thread.run"), named(dump, "http-1").frames());
    assertEquals(List.of("Cache@45"), named(dump, "http-1").locks().owned());
    assertEquals(Optional.of("Cache@45"), named(dump, "http-2").locks().wanted());
    assertEquals("BLOCKED", named(dump, "http-2").state());
    assertFalse(dump.cut());
  }

  /** Who passes on a part of a dump begins with the first thread. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"worker-1\" #31 daemon prio=5 os_prio=0 tid=0x00007f1 nid=0x1a waiting for monitor entry",
        "\"worker-1\" prio=10 tid=0x00007f1 nid=0x1a waiting for monitor entry [0x00007f2]",
        "\"worker-1\" #31"
      })
  void aDumpWithoutItsHeadingIsRead(String heading) throws IOException {
    String text =
        heading
            + """

               java.lang.Thread.State: BLOCKED (on object monitor)
            \tat com.acme.Stock.take(Stock.java:12)
            \t- waiting to lock <0x0000000712345678> (a com.acme.Stock)
            """;
    assertTrue(ThreadDumps.looksLikeThreadDump(text));
    assertEquals("BLOCKED", named(text(text).get(0), "worker-1").state());
  }

  private static final String DEADLOCK =
      """
      Found one Java-level deadlock:
      =============================
      "left":
        waiting to lock monitor 0x00007f (object 0x0000000712345678, a com.acme.Stock),
        which is held by "right"
      "right":
        waiting to lock monitor 0x00008f (object 0x0000000787654321, a com.acme.Order),
        which is held by "left"

      Java stack information for the threads listed above:
      ===================================================
      "left":
      \tat com.acme.Stock.take(Stock.java:12)
      \t- waiting to lock <0x0000000712345678> (a com.acme.Stock)
      "right":
      \tat com.acme.Order.put(Order.java:9)
      \t- waiting to lock <0x0000000787654321> (a com.acme.Order)

      Found 1 deadlock.
      """;

  /** The lines may be numbered, as by {@code grep -n} or {@code cat -n}. */
  @ParameterizedTest
  @ValueSource(strings = {"", "%d:", "%d ", "%6d\t"})
  void aDeadlockAloneIsReadWithItsStacks(String number) throws IOException {
    String[] lines = DEADLOCK.split("\n");
    StringBuilder numbered = new StringBuilder();
    for (int i = 0; i < lines.length; i++) {
      numbered.append(number.formatted(i + 95)).append(lines[i]).append('\n');
    }
    assertTrue(ThreadDumps.looksLikeThreadDump(numbered.toString()));
    ParsedDump dump = text(numbered.toString()).get(0);
    assertEquals(List.of("left", "right"), dump.deadlocked());
    assertEquals(List.of("com.acme.Order.put"), named(dump, "right").frames());
    assertEquals(2, count(dump, "BLOCKED"));
  }

  /** {@code jstack -F} knows no names, and calls all waits blocked. */
  @Test
  void aForcedDumpIsRead() throws IOException {
    String text =
        """
        Deadlock Detection:

        Found one Java-level deadlock:
        =============================

        "left":
          waiting to lock Monitor@0x00007f (Object@0x00000000e1, a java/io/PrintStream),
          which is held by "right"
        "right":
          waiting to lock Monitor@0x00008f (Object@0x00000000e2, a java/io/Writer),
          which is held by "left"

        Found a total of 1 deadlock.

        Thread 14338: (state = BLOCKED)
         - java.io.PrintStream.write(byte[], int, int) @bci=4, line=480 (Interpreted frame)
         - com.acme.Report.print() @bci=4, line=12 (Compiled frame)

        Thread 14325: (state = BLOCKED)
         - sun.misc.Unsafe.park(boolean, long) @bci=0 (Compiled frame; information may be imprecise)
         - java.lang.Thread.run() @bci=11, line=722 (Interpreted frame)

        Thread 14324: (state = IN_NATIVE)
         - java.net.SocketInputStream.socketRead0(byte[]) @bci=0 (Interpreted frame)

        """;
    assertTrue(ThreadDumps.looksLikeThreadDump(text));
    ParsedDump dump = text(text).get(0);
    assertEquals(List.of("left", "right"), dump.deadlocked());
    ParsedThread first = named(dump, "Thread 14338");
    assertEquals(List.of("java.io.PrintStream.write", "com.acme.Report.print"), first.frames());
    assertEquals(List.of(480, 12), first.lines());
    assertEquals(
        List.of("BLOCKED", "WAITING", "RUNNABLE"),
        dump.threads().stream().map(ParsedThread::state).toList());
  }

  /** Jenkins names the group of a thread, Karaf puts a word before its state. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"exec-2\" Id=36 Group=main BLOCKED on com.acme.Stock@42d24189 owned by \"exec-1\" Id=44",
        "\"exec-2\" Id=36 in BLOCKED on lock=com.acme.Stock@42d24189"
      })
  void threadsOfOtherToolsOverJmxAreRead(String heading) throws IOException {
    String text = heading + "\n     at com.acme.Stock.take(Stock.java:12)\n";
    assertTrue(ThreadDumps.looksLikeThreadDump(text));
    ParsedThread thread = named(text(text).get(0), "exec-2");
    assertEquals("BLOCKED", thread.state());
    assertEquals(Optional.of("com.acme.Stock@42d24189"), thread.locks().wanted());
  }

  /** Below the carrier's own stack, newer JVMs print that of the virtual thread. */
  @Test
  void theStackOfAMountedVirtualThreadIsThatOfItsCarrier() throws IOException {
    String text =
        """
        Full thread dump OpenJDK 64-Bit Server VM (25+36 mixed mode):

        "ForkJoinPool-1-worker-1" #52 [71] daemon prio=5 os_prio=0 cpu=401.10ms elapsed=512.40s tid=0x00007f3 nid=71  [0x00007f39]
           Carrying virtual thread #20311
        \tat jdk.internal.vm.Continuation.run(java.base@25/Continuation.java:251)
        \tat java.util.concurrent.ForkJoinWorkerThread.run(java.base@25/ForkJoinWorkerThread.java:188)
           Mounted virtual thread #20311
        \tat com.acme.Offers.find(Offers.java:58)
        \tat java.lang.VirtualThread.run(java.base@25/VirtualThread.java:329)

        """;
    ParsedThread carrier = named(text(text).get(0), "ForkJoinPool-1-worker-1");
    assertEquals(List.of("com.acme.Offers.find", "java.lang.VirtualThread.run"), carrier.frames());
    assertEquals(OptionalLong.of(20311), carrier.carries());
    assertFalse(carrier.virtual());
  }

  private static List<Optional<String>> wantedBy(ParsedDump dump, String end) {
    return dump.threads().stream()
        .filter(thread -> thread.name().endsWith(end))
        .map(thread -> thread.locks().wanted())
        .toList();
  }

  @Test
  void linesThatAnEarlierDumpHadSayTheSame() throws IOException {
    String text = DumpScene.sampleText("jcmd-jdk11.txt");
    KnownLines lines = new KnownLines();
    List<ParsedThread> threads = ThreadDumps.parse(new StringReader(text), lines).get(0).threads();
    int known = lines.frames().size();
    assertTrue(known > 0);
    assertEquals(threads, ThreadDumps.parse(new StringReader(text), lines).get(0).threads());
    assertEquals(known, lines.frames().size());
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

  @Test
  void framesOfEverySpellingAreBroughtToOneForm() {
    List<String> printed =
        List.of(
            "java.lang.Thread.run(java.base@17.0.15/Thread.java:840)",
            "java.base/java.lang.Thread.run(Thread.java:1474)",
            "app//com.acme.A$B.<init>(A.java:1)",
            "java.base/java.lang.VirtualThread$$Lambda/0x0000000085007108.run(Unknown Source)",
            "com.acme.A$$Lambda$12/1234567.apply(Unknown Source)",
            "java.lang.invoke.LambdaForm$MH/0x00007fc740490000.invoke(java.base@21/LambdaForm$MH)",
            "no frame",
            "(a)");
    assertEquals(
        List.of(
            "java.lang.Thread.run",
            "java.lang.Thread.run",
            "com.acme.A$B.<init>",
            "java.lang.VirtualThread$$Lambda.run",
            "com.acme.A$$Lambda.apply",
            "java.lang.invoke.LambdaForm$MH.invoke"),
        printed.stream()
            .flatMap(frame -> FrameText.parse(frame).stream())
            .collect(Collectors.toList()));
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

  /** {@code ThreadInfo.toString} of each thread, and nothing above. */
  @Test
  void aDumpWithoutAHeadingIsRead() throws IOException {
    String text =
        """
        "handler-1" Id=846 BLOCKED on com.shop.Cart@1001d0e owned by "handler-2" Id=624
        \tat com.shop.Cart.add(Cart.java:18)
        \t-  blocked on com.shop.Cart@1001d0e

        "handler-2" daemon prio=5 Id=624 RUNNABLE
        \tat com.shop.Cart.sum(Cart.java:31)
        """;
    assertTrue(ThreadDumps.looksLikeThreadDump(text));
    assertFalse(ThreadDumps.looksLikeThreadDump("\"handler-1\" Id=846 RUNNABLE, said the log\n"));
    List<ParsedDump> dumps = ThreadDumps.parse(new StringReader(text));
    assertEquals(1, dumps.size());
    assertEquals("handler-1", dumps.get(0).threads().get(0).name());
    List<ParsedThread> threads = dumps.get(0).threads();
    assertEquals(
        List.of("BLOCKED", "RUNNABLE"), threads.stream().map(ParsedThread::state).toList());
    assertEquals(Optional.of("com.shop.Cart"), threads.get(0).parkedClass());
  }

  @Test
  void aCarrierSaysWhichVirtualThreadIsOnIt() throws IOException {
    String text =
        """
        Full thread dump OpenJDK 64-Bit Server VM (21.0.5+11 mixed mode, sharing):

        "ForkJoinPool-1-worker-1" #25 [4711] daemon prio=5 os_prio=0 cpu=66.42ms elapsed=31.93s tid=0x01  [0x02]
           Carrying virtual thread #38
        \tat jdk.internal.vm.Continuation.run(java.base@21.0.5/Continuation.java:248)

        "ForkJoinPool-1-worker-2" #26 [4712] daemon prio=5 os_prio=0 cpu=1.20ms elapsed=31.93s tid=0x03  [0x04]
           java.lang.Thread.State: WAITING (parking)
        \tat jdk.internal.misc.Unsafe.park(java.base@21.0.5/Native Method)
        """;
    List<ParsedThread> threads = ThreadDumps.parse(new StringReader(text)).get(0).threads();
    assertEquals(OptionalLong.of(38), threads.get(0).carries());
    assertEquals(OptionalLong.empty(), threads.get(1).carries());
  }

  /** Written by JDK 25: #23 parks in a class initialiser, #24 is its carrier, #25 has none. */
  @Test
  void dumpsToAFileShowVirtualThreadsThatParkOnTheirCarriers() throws IOException {
    String text =
        """
        5490
        2026-11-23T11:19:17.050446289Z
        25.0.3+9-LTS

        #23 "orders-1" virtual WAITING 2026-11-23T11:19:17.133312454Z
            at java.base/jdk.internal.misc.Unsafe.park(Native Method)
            at java.base/java.lang.VirtualThread.parkOnCarrierThread(VirtualThread.java:817)
            at java.base/java.lang.VirtualThread.park(VirtualThread.java:755)

        #24 "ForkJoinPool-1-worker-1" WAITING 2026-11-23T11:19:17.143312454Z
            at java.base/jdk.internal.vm.Continuation.run(Continuation.java:251)
            at java.base/java.lang.VirtualThread.runContinuation(VirtualThread.java:297)

        #25 "orders-2" virtual WAITING 2026-11-23T11:19:17.153312454Z
            at java.base/java.lang.VirtualThread.park(VirtualThread.java:738)
        """;
    List<ParsedThread> threads = ThreadDumps.parse(new StringReader(text)).get(0).threads();
    assertEquals(
        List.of(OptionalLong.of(23), OptionalLong.empty(), OptionalLong.empty()),
        threads.stream().map(ParsedThread::carries).toList());
  }

  @Test
  void soDoThoseInJson() throws IOException {
    String text =
        """
        {"threadDump": {"time": "2026-11-23T11:19:18Z", "threadContainers": [{"threads": [
          {"tid": "23", "name": "orders-1", "stack": [
            "java.base/java.lang.VirtualThread.parkOnCarrierThread(VirtualThread.java:817)",
            "java.base/java.lang.VirtualThread.run(VirtualThread.java:309)"]}]}]}}
        """;
    ParsedThread pinned = ThreadDumps.parse(new StringReader(text)).get(0).threads().get(0);
    assertEquals(OptionalLong.of(23), pinned.carries());
    assertTrue(pinned.virtual());
  }

  /** As Spring Boot's actuator writes each: hashes as decimal and as hexadecimal numbers. */
  private static String info(String name, String wants, int owns) {
    return """
    {"threadName": "%s", "threadId": 31, "lockName": "%s", "threadState": "BLOCKED",
     "lockInfo": {"className": "com.acme.Cart", "identityHashCode": 1},
     "stackTrace": [
      {"moduleName": "java.base", "className": "java.lang.Thread", "methodName": "yield0",
       "lineNumber": -2, "nativeMethod": true},
      {"className": "com.acme.Cart", "methodName": "add", "lineNumber": 29}],
     "lockedMonitors": [{"className": "com.acme.Cart", "identityHashCode": %d,
      "lockedStackDepth": 1, "lockedStackFrame": {"className": "com.acme.Cart"}}],
     "lockedSynchronizers": []}"""
        .formatted(name, wants, owns);
  }

  /** 255 = 0xff and 4096 = 0x1000. */
  @ParameterizedTest
  @ValueSource(strings = {"{\"threads\": [%s, %s]}", "[%s,%s]"})
  void threadsOfAnActuatorHaveStatesFramesAndLocks(String layout) throws IOException {
    String json =
        layout.formatted(
            info("exec-1", "com.acme.Cart@ff", 4096), info("exec-2", "com.acme.Cart@1000", 255));
    assertTrue(ThreadDumps.looksLikeThreadDump(json));
    ParsedDump dump = text(json).get(0);
    ParsedThread first = named(dump, "exec-1");
    assertEquals("BLOCKED", first.state());
    assertEquals(List.of("java.lang.Thread.yield0", "com.acme.Cart.add"), first.frames());
    assertEquals(List.of(0, 29), first.lines());
    assertEquals(List.of("exec-1", "exec-2"), SnapshotScene.snapshot(dump).deadlocks().threads());
  }

  /** As the thread dump servlet of Dropwizard's metrics writes it. */
  @Test
  void threadsOfDropwizardHaveTheirStateInTheHeading() throws IOException {
    String dump =
        """
        "dw-24" id=24 state=WAITING
            - waiting on <0x1b2c3d4e> (a java.util.concurrent.locks.ReentrantLock$NonfairSync)
            - locked <0x1b2c3d4e> (a java.util.concurrent.locks.ReentrantLock$NonfairSync)
            at jdk.internal.misc.Unsafe.park(Native Method)
            at com.acme.Cart.add(Cart.java:29)

            Locked synchronizers: count = 0

        "dw-25" id=25 state=RUNNABLE
            at com.acme.Cart.sum(Cart.java:40)

        """;
    assertTrue(ThreadDumps.looksLikeThreadDump(dump));
    ParsedDump read = text(dump).get(0);
    assertEquals(2, read.threads().size());
    assertEquals("WAITING", named(read, "dw-24").state());
    assertEquals(
        Optional.of("java.util.concurrent.locks.ReentrantLock$NonfairSync"),
        named(read, "dw-24").parkedClass());
    assertEquals(List.of(), named(read, "dw-24").locks().owned());
  }

  /** Saved with curl -si; the time is that of the Date header. */
  @ParameterizedTest
  @CsvSource({
    "actuator-with-headers.json.gz, 22, 2026-12-01T03:32:46Z",
    "dropwizard-with-headers.txt.gz, 24, 2026-12-01T03:32:47Z"
  })
  void headersAboveADumpHaveItsTime(String name, int threads, Instant at) throws IOException {
    try (InputStream in =
        new GZIPInputStream(Files.newInputStream(SampleFiles.file("thread-dumps/" + name)))) {
      ParsedDump dump = ThreadDumps.parse(in).get(0);
      assertEquals(threads, dump.threads().size());
      assertEquals(Optional.of(at), dump.instant());
    }
  }

  /** As Elasticsearch lists them; the second stack of a thread was seen less often. */
  @Test
  void hotThreadsOfElasticsearchAreThreadsThatCompute() throws IOException {
    String hot =
        """
        ::: {node-1}{abc}{10.0.0.1}
           Hot threads at 2024-03-19T13:30:33.282Z, interval=500ms, busiestThreads=3, ignoreIdleThreads=true:

           100.0% [cpu=99.2%, other=0.8%] (500ms out of 500ms) cpu usage by thread 'es[n][search][T#1]'
             6/10 snapshots sharing following 2 elements
               app//org.apache.lucene.Terms.next(Terms.java:500)
               java.base@21/java.lang.Thread.run(Thread.java:834)
             4/10 snapshots sharing following 2 elements
               app//org.apache.lucene.Terms.seek(Terms.java:40)
               java.base@21/java.lang.Thread.run(Thread.java:834)

           79.9% (399.5ms out of 500ms) cpu usage by thread 'es[n][search][T#2]'
             unique snapshot
               app//org.apache.lucene.Bits.get(Bits.java:7)

        ::: {node-2}{def}{10.0.0.2}
           Hot threads at 2024-03-19T13:30:33.290Z, interval=500ms, busiestThreads=3, ignoreIdleThreads=true:

           1.0% (5ms out of 500ms) cpu usage by thread 'es[m][search][T#1]'
             10/10 snapshots sharing following 1 elements
               app//org.apache.lucene.Other.get(Other.java:7)
        """;
    assertTrue(ThreadDumps.looksLikeThreadDump(hot));
    List<ParsedDump> dumps = text(hot);
    assertEquals(1, dumps.size());
    assertEquals(Optional.of(Instant.parse("2024-03-19T13:30:33.282Z")), dumps.get(0).instant());
    assertEquals(
        List.of("es[n][search][T#1]", "es[n][search][T#2]"),
        dumps.get(0).threads().stream().map(ParsedThread::name).toList());
    assertEquals(
        List.of("org.apache.lucene.Terms.next", "java.lang.Thread.run"),
        dumps.get(0).threads().get(0).frames());
    assertFalse(dumps.get(0).cut());
    // Threads that wait are not in it.
    assertFalse(SnapshotScene.snapshot(dumps.get(0)).deadlocks().complete());
  }
}
