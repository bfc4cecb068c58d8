package io.gcdiag.read.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.MetricSeries.Point;
import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.CpuLoad;
import io.gcdiag.evidence.jvm.CpuSample.CpuQuota;
import io.gcdiag.evidence.jvm.CpuSample.ThrottleCount;
import io.gcdiag.evidence.jvm.CpuSample.UndatedProfile;
import io.gcdiag.evidence.jvm.MemorySample.MachineMemory;
import io.gcdiag.evidence.jvm.MemorySample.MemoryLimit;
import io.gcdiag.evidence.jvm.MemorySample.NativeMemory;
import io.gcdiag.evidence.jvm.MemorySample.ResidentMemory;
import io.gcdiag.evidence.jvm.MemorySample.SwapSpace;
import io.gcdiag.evidence.threads.LoggedError;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.InputReport.Status;
import io.gcdiag.fixtures.SampleFiles;
import io.gcdiag.read.Ingest;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.units.Bytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The expected figures are read off the samples by eye or with awk. */
class ToolFormatTest {

  private static final Instant AT = Instant.parse("2026-03-01T10:00:00Z");

  @TempDir Path folder;

  private static Timeline read(Path... paths) {
    return Ingest.read(
        Stream.of(paths)
            .map(path -> new Ingest.Request(path, Optional.empty(), Optional.empty()))
            .toList(),
        OperatorFacts.none(),
        Redactor.hiding(),
        ReadOptions.STANDARD);
  }

  private static Timeline sample(String name) {
    return read(SampleFiles.file("tools/" + name));
  }

  /** A file that was written at that time. */
  private Path file(String name, Instant written, String... lines) throws IOException {
    Path file = Files.write(folder.resolve(name), List.of(lines));
    return Files.setLastModifiedTime(file, FileTime.from(written));
  }

  private static List<Double> values(Timeline timeline, MetricMeaning meaning) {
    return timeline.metrics(meaning).stream()
        .flatMap(series -> series.points().stream())
        .map(point -> Math.round(1e4 * point.value()) / 1e4)
        .toList();
  }

  private static List<Instant> times(Timeline timeline, MetricMeaning meaning) {
    return timeline.metrics(meaning).stream()
        .map(MetricSeries::points)
        .flatMap(List::stream)
        .map(Point::at)
        .toList();
  }

  private static String note(Timeline timeline) {
    return timeline.inputs().get(0).note();
  }

  @Test
  void countersOfTheQuotaHaveTheTimeAboveThem() throws IOException {
    Path one =
        file(
            "cpu.stat-1",
            Instant.EPOCH,
            "Sun Mar  1 10:00:00 UTC 2026",
            "usage_usec 100000000",
            "nr_periods 1000",
            "nr_throttled 100",
            "throttled_usec 5000000");
    Path two =
        file(
            "cpu.stat-2",
            Instant.EPOCH,
            "2026-03-01T10:00:30Z",
            "nr_periods 1300",
            "nr_throttled 350",
            "throttled_usec 17000000");
    List<ThrottleCount> counts = read(one, two).samples(ThrottleCount.class);
    assertEquals(List.of(AT, AT.plusSeconds(30)), counts.stream().map(ThrottleCount::at).toList());
    assertEquals(350, counts.get(1).throttled());
    assertEquals(Duration.ofSeconds(17), counts.get(1).throttledTime());
  }

  /** Version 1 counts nanoseconds; grep -H puts the path before each line. */
  @Test
  void withoutATimeThatOfTheFileCountsAndIsNamed() throws IOException {
    Path one =
        file(
            "cpu.stat",
            AT,
            "/sys/fs/cgroup/cpu/cpu.stat:nr_periods 1000",
            "/sys/fs/cgroup/cpu/cpu.stat:nr_throttled 100",
            "/sys/fs/cgroup/cpu/cpu.stat:throttled_time 5000000000");
    Timeline timeline = read(one);
    ThrottleCount count = timeline.samples(ThrottleCount.class).get(0);
    assertEquals(AT, count.at());
    assertEquals(Duration.ofSeconds(5), count.throttledTime());
    assertTrue(
        timeline.coverage().notes().stream()
            .anyMatch(note -> note.startsWith("cpu.stat states no time")),
        () -> timeline.coverage().notes().toString());
  }

  @Test
  void aQuotaIsReadAndItsAbsence() throws IOException {
    assertEquals(
        Optional.of(Duration.ofMillis(150)),
        read(file("cpu.max", AT, "150000 100000")).samples(CpuQuota.class).get(0).quota());
    assertEquals(
        Optional.empty(),
        read(file("cpu.max-2", AT, "max 100000")).samples(CpuQuota.class).get(0).quota());
  }

  /** Version 1 has the period in a file of its own, which was printed a second later. */
  @Test
  void aFileOfTheKernelThatWasPrintedAloneHasTheNameOfTheFile() throws IOException {
    String date = "Sun Mar  1 10:00:00 UTC 2026";
    Timeline one =
        read(
            file("cpu.cfs_quota_us-1.txt", Instant.EPOCH, date, "150000"),
            file("cpu.cfs_period_us-1.txt", Instant.EPOCH, date.replace(":00 ", ":01 "), "100000"),
            file("memory.limit_in_bytes-1.txt", Instant.EPOCH, date, "1073741824"));
    CpuQuota quota = one.samples(CpuQuota.class).get(0);
    assertEquals(AT, quota.at());
    assertEquals(Optional.of(Duration.ofMillis(150)), quota.quota());
    assertEquals(
        Optional.of(Duration.ofMillis(200)),
        read(file("cpu.max-1.txt", Instant.EPOCH, date, "200000 100000"))
            .samples(CpuQuota.class)
            .get(0)
            .quota());
    String some = "some avg10=62.11 avg60=40.00 avg300=20.00 total=123456";
    Timeline pressure = read(file("cpu.pressure-1.txt", Instant.EPOCH, date, some));
    assertEquals(List.of(0.6211), values(pressure, MetricMeaning.CPU_WAITING));
    assertEquals(
        List.of(1073741824.0),
        values(
            read(file("memory.max", Instant.EPOCH, date, "1073741824")),
            MetricMeaning.MEMORY_LIMIT));
    assertEquals(
        "control group: read, not used: it is a number without a name; print that before it: grep"
            + " . /sys/fs/cgroup/*",
        note(read(file("a.txt", Instant.EPOCH, date, "1073741824"))));
  }

  /** Rows of one second; the first is a mean since the start of the machine. */
  @Test
  void vmstatHasTheMachineAndItsRunQueue() {
    Timeline timeline = sample("vmstat-t.txt");
    assertEquals(List.of(12.0, 10.0, 10.0, 12.0), values(timeline, MetricMeaning.RUNNABLE));
    // 80 and 21 % are rounded figures of all of the CPUs.
    assertEquals(List.of(1.0, 1.0, 1.01), values(timeline, MetricMeaning.MACHINE_CPU));
    assertEquals(
        Instant.parse("2026-11-29T08:44:31Z"), times(timeline, MetricMeaning.RUNNABLE).get(3));
    assertEquals(Bytes.ZERO, timeline.samples(SwapSpace.class).get(0).used());
  }

  @Test
  void rowsWithoutATimeEndAtThatOfTheFile() throws IOException {
    Path copy = Files.copy(SampleFiles.file("tools/vmstat.txt"), folder.resolve("vmstat.txt"));
    Files.setLastModifiedTime(copy, FileTime.from(AT));
    assertEquals(
        List.of(AT.minusSeconds(3), AT.minusSeconds(2), AT.minusSeconds(1), AT),
        times(read(copy), MetricMeaning.RUNNABLE));
  }

  /** 82.0 and 59.0 % of one core, in the reports that span a second. */
  @Test
  void topHasTheProcessAndTheMachine() {
    Timeline timeline = sample("top.txt");
    assertEquals(List.of(0.82, 0.59), values(timeline, MetricMeaning.PROCESS_CORES));
    // 48.3 + 23.3 + 28.0 + 0.4 and 58.5 + 18.0 + 22.5 + 0.5.
    assertEquals(List.of(1.0, 0.995), values(timeline, MetricMeaning.MACHINE_CPU));
    assertEquals(Bytes.ofKibi(335_688), timeline.samples(ResidentMemory.class).get(2).inUse());
  }

  /** awk: the sum of %CPU of the 23 threads in the second report, and in the third. */
  @Test
  void threadsOfTheProcessAreAddedUp() {
    assertEquals(List.of(1.37, 1.29), values(sample("top-H.txt"), MetricMeaning.PROCESS_CORES));
  }

  @Test
  void pidstatAndMpstatTogetherAreTheLoad() {
    Timeline timeline =
        read(SampleFiles.file("tools/pidstat.txt"), SampleFiles.file("tools/mpstat.txt"));
    // 73, 84 and 103 % of one core on two; the machine was full 12 s later, which is too late.
    assertEquals(
        List.of(0.365, 0.42, 0.515), timeline.cpu().stream().map(CpuLoad::jvmUser).toList());
    assertEquals(2, timeline.jvm().cpus().orElseThrow());
    assertEquals(List.of(1.0, 1.0), values(timeline, MetricMeaning.MACHINE_CPU));
    assertEquals(
        Instant.parse("2026-11-29T08:44:20Z"), timeline.cpu().get(2).at(), "local time is UTC");
  }

  @Test
  void pidstatOfThreadsAndMemoryIsReadByProcess() {
    assertEquals(2, values(sample("pidstat-t.txt"), MetricMeaning.PROCESS_CORES).size());
    assertEquals(
        List.of(0.98, 0.99, 0.99), values(sample("pidstat-h.txt"), MetricMeaning.PROCESS_CORES));
    assertEquals(
        List.of(318_612L, 339_860L, 340_116L),
        sample("pidstat-h.txt").samples(ResidentMemory.class).stream()
            .map(one -> one.inUse().value() / 1024)
            .toList());
  }

  @Test
  void aDiskIsReadButNotItsMeanSinceTheStart() {
    Timeline timeline = sample("iostat-xt.txt");
    assertEquals(2, values(timeline, MetricMeaning.DISK_BUSY).size());
    assertEquals(
        List.of(0.0, 0.0003, 0.0003, 0.0),
        values(timeline, MetricMeaning.DISK_AWAIT).stream().toList());
    assertEquals(
        Instant.parse("2026-11-29T08:44:37Z"), times(timeline, MetricMeaning.DISK_BUSY).get(1));
  }

  @Test
  void theCollectorsCountersNeedTheTimeOfARow() {
    Timeline timeline = sample("jstat-gcutil-t.txt");
    assertEquals(List.of(157.0, 223.0, 280.0, 376.0), values(timeline, MetricMeaning.GC_PAUSES));
    assertEquals(
        List.of(0.911, 1.111, 1.33, 1.668), values(timeline, MetricMeaning.GC_PAUSE_SECONDS));
    List<Instant> at = times(timeline, MetricMeaning.GC_PAUSES);
    assertEquals(Duration.ofMillis(3_100), Duration.between(at.get(0), at.get(3)));
    assertEquals(
        "jstat: read, not used: its rows have no time; print it: jstat -gcutil -t PID 1000",
        note(sample("jstat-gcutil.txt")));
  }

  private static Map<String, Double> fullGcs(Timeline timeline) {
    Map<String, Double> seconds = new TreeMap<>();
    for (MetricSeries one : timeline.metrics(MetricMeaning.FULL_GC_SECONDS)) {
      double last = one.points().get(one.points().size() - 1).value();
      seconds.put(one.labels().get("cause"), Math.round(1e3 * last) / 1e3);
    }
    return seconds;
  }

  /**
   * FGC 14 to 185, FGCT 0.328 to 2.405 s; 0.097 and 0.078 s of it in rows with another GC under
   * way. The log of the same JVM has 172 full GCs of 2.092 s in that time.
   */
  @Test
  void fullGcsHaveACauseAndWhatTheyLeave() {
    Timeline full = sample("jstat-gccause-t-parallel.txt");
    List<Double> pauses = values(full, MetricMeaning.GC_PAUSES);
    assertEquals(List.of(16.0, 187.0), List.of(pauses.get(0), pauses.get(19)));
    List<Double> seconds = values(full, MetricMeaning.GC_PAUSE_SECONDS);
    assertEquals(2.077, seconds.get(19) - seconds.get(0), 1e-9);
    assertEquals(
        Map.of("Allocation Failure", 1.902, "Allocation Failure Ergonomics", 0.175), fullGcs(full));
    assertEquals(Collections.nCopies(19, 0.9558), values(full, MetricMeaning.OLD_AFTER_GC));
  }

  /**
   * 0.013 + 0.022 + 0.043 + 0.032 + 0.036 + 0.019 + 0.034 + 0.020 s in rows whose latest or present
   * GC was requested. G1's old generation takes what is free, so that its share is that of the
   * heap: awk '$9 / ($2 + $3 + $6 + $8)' of rows with more full GCs, the lowest of three.
   */
  @Test
  void requestedFullGcsOfG1LeaveAHalfEmptyHeap() {
    Timeline causes = sample("jstat-gccause-t-g1.txt");
    assertEquals(Map.of("System.gc()", 0.219, "G1 Evacuation Pause", 0.22), fullGcs(causes));
    assertEquals(List.of(), values(causes, MetricMeaning.OLD_AFTER_GC));
    assertEquals(
        List.of(0.2763, 0.2655, 0.1417, 0.1417),
        values(sample("jstat-gc-t-g1.txt"), MetricMeaning.OLD_AFTER_GC).subList(0, 4));
  }

  @Test
  void memoryIsThatOfTheMachine() {
    for (String name : List.of("free.txt", "meminfo.txt")) {
      MachineMemory memory = sample(name).samples(MachineMemory.class).get(0);
      assertEquals(Bytes.ofKibi(24_684_092), memory.total(), name);
    }
    assertEquals(
        Bytes.ofMebi(24_105), sample("free-m.txt").samples(MachineMemory.class).get(0).total());
    assertEquals(
        Bytes.ofMebi(23 * 1024), sample("free-h.txt").samples(MachineMemory.class).get(0).total());
    assertEquals(
        Optional.of(Bytes.ZERO), sample("free.txt").samples(SwapSpace.class).get(0).total());
  }

  @Test
  void memoryOfTheProcessIsRead() {
    assertEquals(
        Bytes.ofKibi(335_600), sample("ps.txt").samples(ResidentMemory.class).get(0).inUse());
    assertEquals(1, sample("proc-status.txt").samples(ResidentMemory.class).size());
  }

  @Test
  void theCommittedMemoryOfEachPartOfTheJvmIsRead() {
    assertEquals(
        Optional.of(Bytes.ofKibi(1_161)),
        sample("nmt.txt").samples(NativeMemory.class).stream()
            .filter(one -> one.part().equals("Thread"))
            .map(NativeMemory::committed)
            .findFirst());
  }

  @Test
  void aControlGroupHasALimitUnlessItIsThatOfNone() throws IOException {
    assertEquals(List.of(), sample("memory.stat-v1").samples(MemoryLimit.class));
    Path limited =
        file(
            "memory.stat",
            AT,
            "rss 400000000",
            "hierarchical_memory_limit 536870912",
            "total_rss 500000000");
    assertEquals(Bytes.ofMebi(512), read(limited).samples(MemoryLimit.class).get(0).limit());
    assertEquals(Bytes.of(500_000_000), read(limited).samples(ResidentMemory.class).get(0).inUse());
  }

  private static final String[] DESCRIBED = {
    "Containers:",
    "  checkout:",
    "    Container ID:   containerd://0c1b",
    "    Last State:     Terminated",
    "      Reason:       OOMKilled",
    "      Exit Code:    137",
    "      Started:      Mon, 02 Dec 2024 09:12:01 +0000",
    "      Finished:     Mon, 02 Dec 2024 10:11:12 +0000",
    "    Limits:",
    "      cpu:     1500m",
    "      memory:  512Mi",
    "    Requests:",
    "      cpu:     4",
    "      memory:  4Gi",
    "    Environment:",
    "      DB_PASSWORD:  hunter2",
    "Events:",
    "  Normal  Killing  2m (x4 over 18m)  kubelet  Container checkout failed liveness probe,"
        + " will be restarted"
  };

  /** Requests of the pod are no limits; 1.5 cores are 150 ms of each 100 ms. */
  @Test
  void aDescribedPodHasItsEndItsLimitsAndItsProbes() throws IOException {
    Timeline timeline = read(file("describe.txt", AT, DESCRIBED));
    LoggedError killed = timeline.samples(LoggedError.class).get(0);
    assertEquals(LoggedError.Kind.KILLED_FOR_MEMORY, killed.kind());
    assertEquals(Instant.parse("2024-12-02T10:11:12Z"), killed.at());
    assertEquals(
        List.of(Bytes.ofMebi(512)),
        timeline.samples(MemoryLimit.class).stream().map(MemoryLimit::limit).toList());
    assertEquals(
        Optional.of(Duration.ofMillis(150)), timeline.samples(CpuQuota.class).get(0).quota());
    LoggedError restarted = timeline.samples(LoggedError.class).get(1);
    assertEquals(LoggedError.Kind.RESTARTED, restarted.kind());
    assertEquals(AT.minusSeconds(120), restarted.at());
    assertEquals("checkout", restarted.subject());
  }

  private static final List<String> SESSIONS =
      List.of(
          "2026-03-01 10:00:00+00",
          " pid  | state               | wait_event_type | wait_event    | query_start",
          "------+---------------------+-----------------+---------------+---------------------",
          " 2011 | active              | Lock            | transactionid | 2026-03-01 09:59:01.11+00",
          " 2012 | idle in transaction | Client          | ClientRead    | 2026-03-01 09:58:01.11+00",
          "(2 rows)");

  private static final List<String> RECORDS =
      List.of(
          "2026-03-01 10:00:00+00",
          "-[ RECORD 1 ]----+---------------",
          "pid              | 2011",
          "wait_event_type  | Lock",
          "wait_event       | transactionid",
          "query_start      | 2026-03-01 09:59:01.11+00",
          "-[ RECORD 2 ]----+---------------",
          "pid              | 2012",
          "state            | idle in transaction",
          "wait_event_type  | Client");

  static List<List<String>> sessions() {
    return List.of(SESSIONS, RECORDS);
  }

  @ParameterizedTest
  @MethodSource("sessions")
  void sessionsThatWaitForALockAreRead(List<String> lines) throws IOException {
    LoggedError lock =
        read(file("pg.txt", Instant.EPOCH, lines.toArray(String[]::new)))
            .samples(LoggedError.class)
            .get(0);
    assertEquals(LoggedError.Kind.DATABASE_LOCK, lock.kind());
    assertEquals("transactionid; idle in transaction: 2012", lock.subject());
    assertEquals(AT, lock.at());
  }

  @Test
  void theStateOfAContainerIsReadFromYamlAndFromDocker() throws IOException {
    Path yaml =
        file(
            "pod.yaml",
            AT,
            "  containerStatuses:",
            "  - lastState:",
            "      terminated:",
            "        exitCode: 137",
            "        finishedAt: \"2024-12-02T10:11:12Z\"",
            "        reason: OOMKilled",
            "        startedAt: \"2024-12-02T09:12:01Z\"");
    Path docker =
        file(
            "inspect.json",
            AT,
            "        \"State\": {",
            "            \"OOMKilled\": true,",
            "            \"ExitCode\": 137,",
            "            \"FinishedAt\": \"2024-12-02T10:11:12.123456789Z\"");
    Path alive = file("alive.json", AT, "            \"OOMKilled\": false,");
    for (Path one : List.of(yaml, docker)) {
      assertEquals(
          List.of(Instant.parse("2024-12-02T10:11:12Z")),
          read(one).samples(LoggedError.class).stream()
              .map(error -> error.at().truncatedTo(ChronoUnit.SECONDS))
              .toList(),
          one::toString);
    }
    assertEquals(List.of(), read(alive).samples(LoggedError.class));
  }

  /** Of the nodes' events only the end of a Java process counts. */
  @Test
  void anEventIsAsOldAsItSaysWhenTheFileWasWritten() throws IOException {
    Path events =
        file(
            "events.txt",
            AT,
            "LAST SEEN   TYPE      REASON       OBJECT          MESSAGE",
            "2m30s       Warning   OOMKilling   node/node-3     Memory cgroup out of memory: Killed"
                + " process 4711 (java) total-vm:1kB",
            "5m          Warning   OOMKilling   node/node-3     Memory cgroup out of memory: Killed"
                + " process 17 (python) total-vm:1kB");
    assertEquals(
        List.of(AT.minusSeconds(150)),
        read(events).samples(LoggedError.class).stream().map(LoggedError::at).toList());
  }

  /** 1.5 s, and 15 ms, which is not long. */
  @Test
  void commandsThatKeptRedisBusyAreSlowStatements() throws IOException {
    Path slowlog =
        file(
            "slowlog.txt",
            AT,
            "1) 1) (integer) 14",
            "   2) (integer) 1772359200",
            "   3) (integer) 1500000",
            "   4) 1) \"KEYS\"",
            "      2) \"session:secret*\"",
            "2) 1) (integer) 13",
            "   2) (integer) 1772359201",
            "   3) (integer) 15000",
            "   4) 1) \"GET\"");
    List<LoggedError> errors = read(slowlog).samples(LoggedError.class);
    assertEquals(List.of("Redis, 1.5 s"), errors.stream().map(LoggedError::subject).toList());
    assertEquals(Instant.ofEpochSecond(1_772_359_200), errors.get(0).at());
  }

  /** As redis-cli writes them to a file, with numbers among the arguments; 215 ms, 15 and 9 us. */
  @ParameterizedTest
  @ValueSource(strings = {"slowlog-piped.txt", "slowlog-tty.txt"})
  void commandsThatRedisCliWroteAreRead(String name) {
    List<LoggedError> errors = sample(name).samples(LoggedError.class);
    assertEquals(List.of("Redis, 215 ms"), errors.stream().map(LoggedError::subject).toList());
    assertEquals(Instant.ofEpochSecond(1_796_094_116), errors.get(0).at());
  }

  @Test
  void impossibleTimesAndNumbersAreNoDefect() throws IOException {
    Timeline timeline =
        read(
            file(
                "top.txt",
                AT,
                "top - 99:99:99 up 1 day,  1 user,  load average: 1.00, 1.00, 1.00",
                "  PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND",
                "    1 root      20   0       0 999999999999999t      0 S  50.0   0.0   0:00.01 java"));
    assertEquals(Status.OK, timeline.inputs().get(0).status());
  }

  @Test
  void everySampleIsRecognised() throws IOException {
    try (Stream<Path> files = Files.list(SampleFiles.file("tools/top.txt").getParent())) {
      for (Path file : files.sorted().toList()) {
        InputReport report = read(file).inputs().get(0);
        assertEquals("tool-output", report.format(), file::toString);
        assertEquals(Status.OK, report.status(), file::toString);
      }
    }
  }

  @Test
  void pressureOfTheCpuIsAShareOfTheTime() {
    // pressure/cpu:some avg10=89.99
    MetricSeries waiting = sample("pressure.txt").metrics(MetricMeaning.CPU_WAITING).get(0);
    assertEquals(0.8999, waiting.points().get(0).value(), 1e-9);
  }

  /** Also by thread, where those of the JVM's own have no run of Java's. */
  @ParameterizedTest
  @ValueSource(strings = {"java/lang/Thread.run;", "[http-nio-8080-exec-1 tid=1234];"})
  void collapsedStacksAreNamedWithWhatToTakeInstead(String root) throws IOException {
    Path stacks = folder.resolve("out.collapsed");
    Files.writeString(
        stacks,
        (root + "com/shop/Orders.find;java/util/HashMap.get 12\n")
            + (root + "com/shop/Orders.find 3\n"));
    Timeline timeline = read(stacks);
    assertEquals(
        "collapsed stacks: read, not used: they have no time (-o jfr has it); 100.0 % of 15 samples"
            + " are in com.shop.Orders.find",
        timeline.inputs().get(0).note());
    assertEquals(
        List.of("com.shop.Orders.find"),
        timeline.samples(UndatedProfile.class).stream().map(one -> one.place().method()).toList());
  }

  /** A profile of the wall clock's time is no CPU profile. */
  @Test
  void collapsedStacksOfThreadsThatWaitAreNoProfile() throws IOException {
    Path stacks = folder.resolve("out.collapsed");
    Files.writeString(
        stacks,
        """
        java/lang/Thread.run;com/shop/Orders.find;java/util/HashMap.get 3
        java/lang/Thread.run;com/shop/Feed.poll;java/util/concurrent/locks/LockSupport.park_[j];jdk/internal/misc/Unsafe.park 90
        """);
    Timeline timeline = read(stacks);
    assertEquals(
        "collapsed stacks: read, not used: they have no time; have async-profiler write a recording:"
            + " -o jfr -f profile.jfr",
        timeline.inputs().get(0).note());
    assertEquals(List.of(), timeline.samples(UndatedProfile.class));
  }

  /** The script of yCrash puts the time of day before each line, without a blank. */
  @Test
  void vmstatWithATimeOfDayBeforeEachLineIsRead() throws IOException {
    Path file = folder.resolve("vmstat.out");
    Files.writeString(
        file,
        """
        10:00:00procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
        10:00:00 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
        10:00:00 7  0      0 6172104 167900 11323564   0    0   269  2177  548 2417 62  7 31  0  0
        10:00:03 6  0   1024 6172104 167900 11323564   0    0   433     0 2780 6378 15  4 81  0  0
        10:00:0614  0   1024 6172104 167900 11323564   0    0     0   797 2730 6179 25  4 81  0  0
        """);
    Timeline timeline = read(file);
    assertEquals(List.of(7.0, 6.0, 14.0), values(timeline, MetricMeaning.RUNNABLE));
    // us + sy: 15 + 4, 25 + 4; the first report is a mean since the start of the machine.
    assertEquals(List.of(0.19, 0.29), values(timeline, MetricMeaning.MACHINE_CPU));
    List<Instant> times = times(timeline, MetricMeaning.RUNNABLE);
    assertEquals(Duration.ofSeconds(6), Duration.between(times.get(0), times.get(2)));
  }

  /** A script copies the log first and then starts its tools; one of an hour later is another's. */
  @ParameterizedTest
  @CsvSource({"10:01:03, OK", "11:01:03, LEFT_OUT"})
  void whatAScriptCollectsAfterTheLogBelongsToIt(String begin, InputReport.Status status)
      throws IOException {
    Path log = folder.resolve("gc.log");
    Files.writeString(
        log,
        """
        [2026-11-23T10:00:00.000+0000][1.000s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 24M->4M(64M) 5.000ms
        [2026-11-23T10:01:00.000+0000][61.000s][info][gc] GC(1) Pause Young (Normal) (G1 Evacuation Pause) 24M->4M(64M) 5.000ms
        """);
    Path tool = folder.resolve("vmstat.txt");
    Files.writeString(
        tool,
        "2026-11-23T%sZ\n".formatted(begin)
            + """
              procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
               r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
               7  0      0 6172104 167900 11323564   0    0   269  2177  548 2417 62  7 31  0  0
               6  0      0 6172104 167900 11323564   0    0   433     0 2780 6378 15  4 81  0  0
               4  0      0 6172104 167900 11323564   0    0     0   797 2730 6179 25  4 81  0  0
              """);
    Timeline timeline = read(log, tool);
    assertEquals(
        List.of(status),
        timeline.inputs().stream()
            .filter(input -> input.file().endsWith("vmstat.txt"))
            .map(InputReport::status)
            .toList());
  }

  /** Azul documents the header of its logs, and not the lines of its collector. */
  @ParameterizedTest
  @ValueSource(strings = {"", "2017-09-27T22:10:20.059-0700: "})
  void logsOfZingAreNamedWithWhatToTakeInstead(String date) throws IOException {
    Path log = folder.resolve("gc.log");
    Files.writeString(
        log,
        date
            + "0.092: [GCHH : Zing name : Zing 64-Bit Tiered VM mixed mode ]\n"
            + (date + "0.092: [GCHH : ncpus : 12 12 12 12 12 ]\n"));
    String note = read(log).inputs().get(0).note();
    assertTrue(note.startsWith("GC log of Azul Zing: read, not used: "), note);
    assertTrue(note.contains("-XX:StartFlightRecording"), note);
  }

  /** As {@code oc adm must-gather} keeps the events of a namespace. */
  @Test
  void eventsAsYamlHaveTheRestartsForAProbe() throws IOException {
    String events =
        """
        apiVersion: v1
        items:
        - apiVersion: v1
          involvedObject:
            kind: Pod
            name: checkout-1
          kind: Event
          lastTimestamp: "2026-11-21T07:09:11Z"
          message: Container checkout failed liveness probe, will be restarted
          reason: Killing
        kind: EventList
        """;
    LoggedError restarted =
        read(file("events.yaml", AT, events.split("\n"))).samples(LoggedError.class).get(0);
    assertEquals(LoggedError.Kind.RESTARTED, restarted.kind());
    assertEquals(Instant.parse("2026-11-21T07:09:11Z"), restarted.at());
  }
}
