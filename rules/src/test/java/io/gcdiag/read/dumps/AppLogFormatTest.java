package io.gcdiag.read.dumps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.LoggedError;
import io.gcdiag.evidence.threads.LoggedError.Kind;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.fixtures.SampleFiles;
import io.gcdiag.read.Ingest;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.read.bytes.Redactor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AppLogFormatTest {

  @TempDir Path folder;

  private static Timeline read(Path path) {
    return Ingest.read(
        List.of(new Ingest.Request(path, Optional.empty(), Optional.empty())),
        OperatorFacts.none(),
        Redactor.off(),
        ReadOptions.STANDARD);
  }

  private static Timeline sample(String name) {
    return read(SampleFiles.file("app-logs/" + name));
  }

  private static List<LoggedError> errors(Timeline timeline) {
    return timeline.samples(LoggedError.class);
  }

  private static MetricSeries series(Timeline timeline, MetricMeaning meaning) {
    return timeline.metrics().stream()
        .filter(one -> one.meaning() == meaning)
        .findFirst()
        .orElseThrow();
  }

  /** Of its 27 lines with figures the first and that with most threads waiting. */
  @Test
  void figuresOfPoolsBecomeItsMeters() {
    Timeline timeline = sample("spring-boot-hikari.log.gz");
    MetricSeries.Point first = series(timeline, MetricMeaning.POOL_ACTIVE).points().get(0);
    assertEquals(Instant.parse("2026-11-30T00:37:53.216Z"), first.at());
    assertEquals(1, first.value());
    MetricSeries.Point most =
        series(timeline, MetricMeaning.POOL_PENDING).points().stream()
            .max(Comparator.comparingDouble(MetricSeries.Point::value))
            .orElseThrow();
    assertEquals(Instant.parse("2026-11-30T00:38:33.428Z"), most.at());
    assertEquals(6, most.value());
    MetricSeries size = series(timeline, MetricMeaning.POOL_MAX);
    assertEquals(4, size.points().get(0).value());
    assertEquals("orders-db", size.labels().get("pool"));
  }

  /** Until version 6.2 HikariCP wrote no limits: the size shows where threads wait. */
  @Test
  void figuresOfOlderPoolsAreRead() throws IOException {
    Timeline timeline =
        read(
            Files.writeString(
                folder.resolve("app.log"),
                """
                2026-11-23T10:00:30.004+01:00 DEBUG HikariPool-1 - Pool stats (total=8, active=4, idle=4, waiting=0)
                2026-11-23T10:01:00.006+01:00 DEBUG HikariPool-1 - Pool stats (total=10, active=9, idle=1, waiting=25)
                """));
    assertEquals(
        List.of(0.0, 25.0),
        series(timeline, MetricMeaning.POOL_PENDING).points().stream()
            .map(MetricSeries.Point::value)
            .toList());
    assertEquals(1, series(timeline, MetricMeaning.POOL_IDLE).points().get(1).value());
    assertEquals(
        List.of(10.0),
        series(timeline, MetricMeaning.POOL_MAX).points().stream()
            .map(MetricSeries.Point::value)
            .toList());
  }

  /** Six requests, of which two pairs log and throw their timeouts in turn. */
  @Test
  void aTimeoutThatIsLoggedAndThrownIsNotOneMore() {
    List<LoggedError> errors = errors(sample("spring-boot-hikari.log.gz"));
    assertEquals(
        Map.of(Kind.POOL_TIMEOUT, 6L, Kind.CONNECTION_HELD, 4L, Kind.STARVED, 1L),
        errors.stream().collect(Collectors.groupingBy(LoggedError::kind, Collectors.counting())));
    List<LoggedError> held =
        errors.stream().filter(error -> error.kind() == Kind.CONNECTION_HELD).toList();
    assertEquals("http-nio-18180-exec-6", held.get(0).subject());
    assertEquals("shop.Exporter.export", held.get(0).place());
  }

  /** Warnings before the fifth second have no stack. */
  @ParameterizedTest
  @ValueSource(strings = {"vertx-jul.log", "vertx-5-jul.log"})
  void blockedEventLoopsHaveTheirPlace(String name) {
    List<LoggedError> errors = errors(sample(name));
    assertEquals(
        List.of(Kind.THREAD_BLOCKED), errors.stream().map(LoggedError::kind).distinct().toList());
    assertEquals("vert.x-eventloop-thread-0", errors.get(3).subject());
    assertEquals(
        List.of("", "", "", "shop.Report.handle"),
        errors.stream().map(LoggedError::place).toList());
    assertEquals(Optional.of(WaitKind.SLEEP), errors.get(3).waits());
  }

  @Test
  void errorsOfMemoryAreToldApart() {
    List<LoggedError> errors = errors(sample("tomcat-stuck-and-memory.log"));
    assertEquals(
        List.of(
            Kind.REQUEST_STUCK,
            Kind.HEAP_FULL,
            Kind.DIRECT_MEMORY_FULL,
            Kind.DIRECT_MEMORY_FULL,
            Kind.NO_THREAD,
            Kind.METASPACE_FULL),
        errors.stream().map(LoggedError::kind).toList());
    assertEquals("shop.Shop$Stock.sum", errors.get(0).place());
    // Its own line has no time: that of the line above.
    assertEquals(Instant.parse("2026-11-30T00:51:11.162Z"), errors.get(1).at());
  }

  /** The other process that the kernel killed there ran Python. */
  @Test
  void aKilledJvmIsFoundInTheKernelsLog() {
    List<LoggedError> errors = errors(sample("kernel.log"));
    assertEquals(1, errors.size());
    assertEquals(Kind.KILLED_FOR_MEMORY, errors.get(0).kind());
    assertEquals("3970 (java)", errors.get(0).subject());
    assertEquals(Instant.parse("2026-11-30T00:37:47Z"), errors.get(0).at());
  }

  @Test
  void messagesInJsonAreRead() throws IOException {
    Path log =
        Files.writeString(
            folder.resolve("app.json"),
            """
            {"@timestamp":"2026-11-23T10:00:01.5Z","level":"ERROR","message":"java.lang.OutOfMemoryError: Java heap space"}
            """);
    List<LoggedError> errors = errors(read(log));
    assertEquals(1, errors.size());
    assertEquals(Instant.parse("2026-11-23T10:00:01.5Z"), errors.get(0).at());
  }

  @Test
  void aTextThatSpeaksOfAnErrorIsNoLog() throws IOException {
    Path notes =
        Files.writeString(
            folder.resolve("notes.md"), "We saw OutOfMemoryError: Java heap space twice.\n");
    assertEquals(List.of(), errors(read(notes)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "OTHER_POOL_TIMEOUT | Pool empty. Unable to fetch a connection"
            + " | PoolExhaustedException: [exec-1] Timeout: Pool empty. Unable to fetch a connection"
            + " in 30 seconds, none available[size:50; busy:50; idle:0; lastwait:30000].",
        "OTHER_POOL_TIMEOUT | Timeout waiting for idle object"
            + " | Cannot get a connection, pool error Timeout waiting for idle object",
        "OTHER_POOL_TIMEOUT | Timeout waiting for connection from pool"
            + " | ConnectionPoolTimeoutException: Timeout waiting for connection from pool",
        "WORK_REJECTED | DubboServerHandler-10.0.0.7:20880"
            + " | Thread pool is EXHAUSTED! Thread Name: DubboServerHandler-10.0.0.7:20880, Pool Size:"
            + " 200 (active: 200, core: 200, max: 200, largest: 200)",
        "WORK_REJECTED | pool size = 8, active threads = 8, queued tasks = 100"
            + " | RejectedExecutionException: Task java.util.concurrent.FutureTask@1b2 rejected from"
            + " java.util.concurrent.ThreadPoolExecutor@77[Running, pool size = 8, active threads = 8,"
            + " queued tasks = 100, completed tasks = 4]",
        "WORK_REJECTED | search, queue capacity = 1000"
            + " | EsRejectedExecutionException: rejected execution of org.elasticsearch.transport"
            + ".TransportService$7@52b on EsThreadPoolExecutor[search, queue capacity = 1000,"
            + " org.elasticsearch.common.util.concurrent.EsThreadPoolExecutor@49c[Running, pool size = 7",
        "STARVED | housekeeper delta=1m5s"
            + " | HikariPool-1 - Thread starvation or clock leap detected (housekeeper"
            + " delta=1m5s466ms577µs431ns).",
        "POLLED_LATE | billing | [Consumer clientId=consumer-billing-2, groupId=billing] consumer poll"
            + " timeout has expired. This means",
        "CALL_TIMEOUT | Read timed out | Caused by: java.net.SocketTimeoutException: Read timed out",
        "OTHER_POOL_TIMEOUT | Acquire operation took longer than the configured maximum time"
            + " | SdkClientException: Unable to execute HTTP request: Acquire operation took longer than the configured maximum time. This indicates",
        "OTHER_POOL_TIMEOUT | Pending acquire queue has reached its maximum size of 1000"
            + " | PoolAcquirePendingLimitException: Pending acquire queue has reached its maximum size of 1000",
        "OTHER_POOL_TIMEOUT | Timed out after 2000 ms while waiting for a connection to server"
            + " | MongoTimeoutException: Timed out after 2000 ms while waiting for a connection to server db-1:27017. Details: maxPoolSize: 100",
        "OTHER_POOL_TIMEOUT | Could not get a resource since the pool is exhausted"
            + " | JedisExhaustedPoolException: Could not get a resource since the pool is exhausted",
        "OTHER_POOL_TIMEOUT | Pool is busy (no available connection"
            + " | BusyPoolException: [db-1/10.0.0.3:9042] Pool is busy (no available connection and the queue has reached its max size 256)",
        "OTHER_POOL_TIMEOUT | ConnectionRequestTimeoutException: Timeout deadline: 180000 MILLISECONDS"
            + " | ConnectionRequestTimeoutException: Timeout deadline: 180000 MILLISECONDS, actual: 180001 MILLISECONDS",
        "CALL_TIMEOUT | Command timed out after 1 minute(s)"
            + " | RedisCommandTimeoutException: Command timed out after 1 minute(s)",
        "CALL_TIMEOUT | DEADLINE_EXCEEDED: deadline exceeded after 2.999924s"
            + " | StatusRuntimeException: DEADLINE_EXCEEDED: deadline exceeded after 2.999924s. [remote_addr=orders/10.0.0.9:9090]",
        "CALL_TIMEOUT | timeout" + " | java.net.SocketTimeoutException: timeout",
        "CALL_TIMEOUT | Query timed out after PT2S"
            + " | DriverTimeoutException: Query timed out after PT2S",
        "CALL_TIMEOUT | '''inventory'' recorded a timeout exception'"
            + " | TimeoutException: TimeLimiter 'inventory' recorded a timeout exception.",
        "CALL_TIMEOUT | Did not observe any item or terminal signal within 3000ms"
            + " | TimeoutException: Did not observe any item or terminal signal within 3000ms in 'flatMap' (and no fallback has been configured)",
        "WORK_REJECTED | Bulkhead 'orders' is full"
            + " | BulkheadFullException: Bulkhead 'orders' is full and does not permit further calls",
        "STARVED | pause of approximately 2310ms"
            + " | Detected pause in JVM or host machine (eg GC): pause of approximately 2310ms",
        "CALL_TIMEOUT | Command timed out after 2 second(s)"
            + " | RedisCommandTimeoutException: GET. Command timed out after 2 second(s)",
        "CALL_TIMEOUT | DEADLINE_EXCEEDED: CallOptions deadline exceeded after 0.999999500s"
            + " | StatusRuntimeException: DEADLINE_EXCEEDED: CallOptions deadline exceeded after 0.999999500s. Name resolution delay",
        "CALL_TIMEOUT | '30,000 milliseconds timeout on connection'"
            + " | java.net.SocketTimeoutException: 30,000 milliseconds timeout on connection http-outgoing-4 [ACTIVE]",
        "CALL_TIMEOUT | timeout | java.io.InterruptedIOException: timeout",
        "CALL_TIMEOUT | HTTP connect timed out"
            + " | java.net.http.HttpConnectTimeoutException: HTTP connect timed out",
        "CALL_TIMEOUT | connection timed out"
            + " | io.netty.channel.ConnectTimeoutException: connection timed out after 5000 ms: stock/10.0.0.9:80",
        "CALL_TIMEOUT | Client execution did not complete before the specified timeout configuration"
            + " | ApiCallTimeoutException: Client execution did not complete before the specified timeout configuration: 1000 millis",
        "CALL_TIMEOUT | The timeout period of 30000ms has been exceeded while executing"
            + " | NoStackTraceTimeoutException: The timeout period of 30000ms has been exceeded while executing GET /stock",
        "STARVED | timer thread slept for [6.2s"
            + " | [o.e.t.ThreadPool] [n1] timer thread slept for [6.2s/6201ms] on absolute clock which is above the warn threshold of [5000ms]",
        "STARVED | local pause of 7163471235ns"
            + " | [GossipTasks:1] FailureDetector.java:329 - Not marking nodes down due to local pause of 7163471235ns > 5000000000ns",
        "STARVED | G1 Young Generation GC in 2731ms"
            + " | [Service Thread] GCInspector.java:294 - G1 Young Generation GC in 2731ms.  G1 Eden Space: 3 -> 0; ",
        "STARVED | System clock apparently jumped"
            + " | [10.0.0.4]:5701 [dev] System clock apparently jumped from 2026-11-23 09:59:40.115 to 2026-11-23 09:59:58.231 since last heartbeat (+13116 ms)",
        "STARVED | Scheduled sending of heartbeat was delayed. Previous heartbeat was sent [4206] ms ago"
            + " | Cluster Node [akka://shop] - Scheduled sending of heartbeat was delayed. Previous heartbeat was sent [4206] ms ago, expected interval is [1000] ms.",
        "LOOP_SPINS | returned prematurely 512 times in a row"
            + " | i.n.c.nio.NioEventLoop - Selector.select() returned prematurely 512 times in a row; rebuilding Selector sun.nio.ch.EPollSelectorImpl@1b.",
        "STARVED | 1337 milliseconds"
            + " | [jvm-pause-detector-worker] Possible too long JVM pause: 1337 milliseconds.",
        "DISK_SLOW | 1334ms"
            + " | fsync-ing the write ahead log in SyncThread:1 took 1334ms which will adversely effect operation latency.",
        "DISK_SLOW | Slow BlockReceiver write data to disk cost:412ms"
            + " | Slow BlockReceiver write data to disk cost:412ms (threshold=300ms)",
        "DISK_SLOW | Slow BlockReceiver write data to disk cost: 412ms"
            + " | Slow BlockReceiver write data to disk cost: 412ms (threshold=300ms), volume=file:/data/",
        "DISK_SLOW | Slow flushOrSync took 345ms"
            + " | Slow flushOrSync took 345ms (threshold=300ms), isSync:true, flushTotalNanos=9",
        "DISK_SLOW | Slow sync cost: 845 ms"
            + " | [sync.3] wal.FSHLog: Slow sync cost: 845 ms, current pipeline: [10.0.0.4:9866]",
        "DISK_SLOW | Out of 29 commit log syncs"
            + " | [PERIODIC-COMMIT-LOG-SYNCER] Out of 29 commit log syncs over the past 283.30s with average duration of 101.69ms, 1 have exceeded the configured commit interval by an average of 2.11ms",
        "DISK_SLOW | health check of [/data/nodes/0] took [6213ms]"
            + " | [o.e.m.f.FsHealthService] [n1] health check of [/data/nodes/0] took [6213ms] which is above the warn threshold of [5s]",
        "THREAD_BLOCKED | sys-stripe-3-#4"
            + " | Blocked system-critical thread has been detected. This can lead to cluster-wide undefined behaviour [workerName=sys-stripe-3, threadName=sys-stripe-3-#4, blockedFor=12s]",
        "CALL_TIMEOUT | Cassandra timeout during read query"
            + " | ReadTimeoutException: Cassandra timeout during read query at consistency ONE (1 responses",
        "CALL_TIMEOUT | Cassandra timeout during SIMPLE write query"
            + " | WriteTimeoutException: Cassandra timeout during SIMPLE write query at consistency ONE (1 replica were required but only 0 acknowledged the write)",
        "CALL_TIMEOUT | Timed out waiting for server response"
            + " | OperationTimedOutException: [/10.0.0.3:9042] Timed out waiting for server response",
        "SLOW_STATEMENT | 1234 milliseconds"
            + " | org.hibernate.SQL_SLOW - Slow query took 1234 milliseconds [select 1]",
        "SLOW_STATEMENT | 1234 milliseconds"
            + " | org.hibernate.SQL_SLOW - SlowQuery: 1234 milliseconds. SQL: 'select 1'",
        "CALL_TIMEOUT | Timed out while waiting for a server that matches"
            + " | MongoTimeoutException: Timed out while waiting for a server that matches ReadPreferenceServerSelector{readPreference=primary}. Client view of cluster state is",
        "CALL_TIMEOUT | Timed out after 30000 ms while waiting for a server that matches"
            + " | MongoTimeoutException: Timed out after 30000 ms while waiting for a server that matches WritableServerSelector. Client",
        "CALL_TIMEOUT | 300 MILLISECONDS"
            + " | ExecutionException: java.net.SocketTimeoutException: 300 MILLISECONDS",
        "CALL_TIMEOUT | Connect timed out"
            + " | org.apache.http.conn.ConnectTimeoutException: Connect to stock:80 [stock/10.0.0.9] failed: Connect timed out",
        "CALL_TIMEOUT | HTTP request execution did not complete before the specified timeout configuration"
            + " | ApiCallAttemptTimeoutException: HTTP request execution did not complete before the specified timeout configuration: 300 millis (SDK Attempt Count: 1)",
        "OTHER_POOL_TIMEOUT | Maximum pending connection acquisitions exceeded"
            + " | SdkClientException: Unable to execute HTTP request: Maximum pending connection acquisitions exceeded. The request rate is too high",
        "OTHER_POOL_TIMEOUT | Too many outstanding acquire operations"
            + " | Caused by: java.lang.IllegalStateException: Too many outstanding acquire operations",
        "CALL_TIMEOUT | timed out after 5000 ms"
            + " | DriverTimeoutException: [id: 0x1, L:/10.0.0.1:1 - R:/10.0.0.3:9042] Protocol initialization request, step 1 (OPTIONS): timed out after 5000 ms",
        "OTHER_POOL_TIMEOUT | Pool exhausted"
            + " | Caused by: java.util.NoSuchElementException: Pool exhausted",
        "SLOW_STATEMENT | 5003.211 ms"
            + " | [812] LOG:  duration: 5003.211 ms  execute <unnamed>: SELECT 1",
        "MEMORY_REFUSED | 12288 | OpenJDK 64-Bit Server VM warning: INFO:"
            + " os::commit_memory(0x00007f4a6c2b2000, 12288, 0) failed; error='Cannot allocate memory'"
            + " (errno=12)",
        "CODE_CACHE_FULL | CodeCache | CodeCache is full. Compiler has been disabled.",
        "CODE_CACHE_FULL | CodeHeap 'profiled nmethods'"
            + " | CodeHeap 'profiled nmethods' is full. Compiler has been disabled.",
        "BUFFER_LEAKED | ByteBuf"
            + " | LEAK: ByteBuf.release() was not called before it's garbage-collected.",
        "COLLECTOR_BUSY | spent [1.4s] collecting in the last [1.8s]"
            + " | [o.e.m.j.JvmGcMonitorService] [n1] [gc][3434] overhead, spent [1.4s] collecting in"
            + " the last [1.8s]",
        "CONNECTION_HELD | http-nio-8080-exec-7 | Connection leak detection triggered for"
            + " org.postgresql.jdbc.PgConnection@5f3b9c57 on thread http-nio-8080-exec-7, stack"
            + " trace follows",
        "THREAD_BLOCKED | vert.x-eventloop-thread-0"
            + " | Thread Thread[#22,vert.x-eventloop-thread-0,5,main]=Thread[#22,vert.x-eventloop-thread-0,5,main]"
            + " has been blocked for 5346 ms, time limit is 2000 ms",
        "COLLECTOR_BUSY | 'GC for ConcurrentMarkSweep: 14490 ms, 84168 reclaimed'"
            + " | GC for ConcurrentMarkSweep: 14490 ms, 84168 reclaimed leaving 6395477472 used; max is 6552551424",
        "STARVED | GC for ParNew: 9866 ms"
            + " | GCInspector.java (line 122) GC for ParNew: 9866 ms for 8 collections, 2910124308 used; max is 6358564864",
        "WORK_REJECTED | 1155 READ messages dropped | 1155 READ messages dropped in last 5000ms",
        "WORK_REJECTED | MUTATION messages were dropped | MUTATION messages were dropped in last 5000 ms: 44 internal",
        "CALL_TIMEOUT | Acquisition timeout while waiting for new connection"
            + " | SQLException: Acquisition timeout while waiting for new connection",
        "COLLECTOR_BUSY | 'duration [27.3s], collections [1]/[28.3s]'"
            + " | [o.e.m.j.JvmGcMonitorService] [n1] [gc][old][14344034][35856] duration [27.3s],"
            + " collections [1]/[28.3s], total [27.3s]/[2.1h], memory [30.1gb]->[29.9gb]/[31gb]",
        "DATABASE_LOCK | still waiting for ShareLock"
            + " | [2012] LOG:  process 2012 still waiting for ShareLock on transaction 12 after 1000.123 ms",
        "DATABASE_LOCK | deadlock detected | [2014] ERROR:  deadlock detected",
        "DATABASE_LOCK | Deadlock found when trying to get lock"
            + " | MySQLTransactionRollbackException: Deadlock found when trying to get lock; try restarting",
        "CALL_REFUSED | too many clients already | FATAL: sorry, too many clients already",
        "CALL_REFUSED | '''stock'' is OPEN'"
            + " | CallNotPermittedException: CircuitBreaker 'stock' is OPEN and does not permit further calls",
        "REQUEST_SLOW | QTime=12000"
            + " | o.a.s.c.SolrCore - [core1] webapp=/solr path=/select params={q=*} status=0 QTime=12000",
        "REQUEST_SLOW | responseTooSlow | ipc.RpcServer - (responseTooSlow): {\"call\":\"Multi\"}",
        "REQUEST_SLOW | Request took 12000 ms | c.a.Filter - Request took 12000 ms",
        "OTHER_POOL_TIMEOUT | Sorry, acquisition timeout! | SQLException: Sorry, acquisition timeout!",
        "CONNECTION_HELD | '' | Connection leak detection triggered for connection"
            + " com.mysql.jdbc.JDBC4Connection@5fb33dc0, stack trace follows"
      })
  void messagesOfOtherLibrariesAreRead(Kind kind, String subject, String message)
      throws IOException {
    Path log =
        Files.writeString(
            folder.resolve("app.log"), "2026-11-23 10:00:01,500 WARN [main] " + message + "\n");
    List<LoggedError> errors = errors(read(log));
    assertEquals(List.of(kind), errors.stream().map(LoggedError::kind).toList());
    assertEquals(subject, errors.get(0).subject());
  }

  /** {@code -Djdk.tracePinnedThreads}, as JDK 21 writes it, before and from 21.0.2 on. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Thread[#60,ForkJoinPool-1-worker-10,5,CarrierThreads]",
        "VirtualThread[#81,tomcat-handler-3]/runnable@ForkJoinPool-1-worker-3 reason:MONITOR"
      })
  void tracesOfPinnedThreadsAreRead(String heading) throws IOException {
    Path log =
        Files.writeString(
            folder.resolve("app.log"),
            "2026-11-23 10:00:01,500 INFO [main] ready\n"
                + heading
                + """

                    java.base/java.lang.VirtualThread.park(VirtualThread.java:596)
                    java.base/sun.nio.ch.NioSocketImpl.park(NioSocketImpl.java:175)
                    com.acme.store.Entries.find(Entries.java:71) <== monitors:1
                """);
    LoggedError error = errors(read(log)).get(0);
    assertEquals(Kind.THREAD_PINNED, error.kind());
    assertEquals("com.acme.store.Entries.find", error.place());
    assertEquals(Instant.parse("2026-11-23T10:00:01.500Z"), error.at());
  }

  /** It says how long a collection took, not when. */
  @Test
  void aLengthInAMessageIsNoTime() throws IOException {
    Path log =
        Files.writeString(
            folder.resolve("es.json"),
            """
            {"type": "server", "timestamp": "2021-10-19T11:52:40,512Z", "component": "o.e.m.j.JvmGcMonitorService", "message": "[gc][268] overhead, spent [900ms] collecting in the last [1.1s]"}
            """);
    Timeline timeline = read(log);
    assertEquals(
        List.of(Instant.parse("2021-10-19T11:52:40.512Z")),
        errors(timeline).stream().map(LoggedError::at).toList());
    assertEquals(Optional.empty(), timeline.jvm().version());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "' INFO [ScheduledTasks:1] 2013-03-07 18:44:46,795' | 2013-03-07T18:44:46.795Z",
        "' WARN 15:42:08,119' | 1970-01-01T15:42:08.119Z",
        "'[712301.118433]' | 1970-01-09T05:51:41.118433Z"
      })
  void timesBehindAPaddedLevelAndTheKernelsAreRead(String before, Instant at) throws IOException {
    Path log =
        Files.writeString(
            folder.resolve("app.log"),
            before + " Memory cgroup out of memory: Kill process 21088 (java) score 1977\n");
    assertEquals(List.of(at), errors(read(log)).stream().map(LoggedError::at).toList());
  }

  /**
   * Errors as thirteen client libraries raised them: 33 lines with ERROR or WARN that are about a
   * timeout or a full pool, of which one was logged twice within a second.
   */
  @Test
  void whatClientsLoggedIsRead() throws IOException {
    List<LoggedError> errors = errors(read(SampleFiles.file("app-logs/clients-logback.log")));
    assertEquals(
        Map.of(Kind.CALL_TIMEOUT, 21L, Kind.OTHER_POOL_TIMEOUT, 9L, Kind.WORK_REJECTED, 2L),
        errors.stream().collect(Collectors.groupingBy(LoggedError::kind, Collectors.counting())));
  }

  /** It is the network's, or that of the next node's disk. */
  @Test
  void aSlowMirrorIsNoSlowDisk() throws IOException {
    Path log =
        Files.writeString(
            folder.resolve("datanode.log"),
            "2026-11-23 10:00:01,500 WARN DataNode: Slow BlockReceiver write packet to mirror took"
                + " 412ms (threshold=300ms), downstream DNs=[], blockId=1, seqno=2\n");
    assertEquals(List.of(), errors(read(log)));
  }

  /** Elasticsearch logs a quarter of the time at INFO. */
  @Test
  void aCollectorThatTakesAThirdOfTheTimeIsNotBusy() throws IOException {
    Path log =
        Files.writeString(
            folder.resolve("app.log"),
            """
            [2017-04-05T19:19:19,052][INFO ][o.e.m.j.JvmGcMonitorService] [n1] [gc][3437] overhead, spent [337ms] collecting in the last [1s]
            [2017-04-05T19:19:21,052][WARN ][o.e.m.j.JvmGcMonitorService] [n1] [gc][3438] overhead, spent [601ms] collecting in the last [1s]
            """);
    assertEquals(
        List.of("spent [601ms] collecting in the last [1s]"),
        errors(read(log)).stream().map(LoggedError::subject).toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "12-Mar-2024 10:00:11.004 SEVERE [main] | 2024-03-12T10:00:11.004Z",
        "'ERROR  | jvm 1    | 2024/03/12 10:00:11 |' | 2024-03-12T10:00:11Z",
        "Apr 28, 2016 2:30:10 PM com.acme.Main run\\nSEVERE: | 2016-04-28T14:30:10Z",
        "Mar 1, 2024, 12:05:00 AM com.acme.Main run\\nSEVERE: | 2024-03-01T00:05:00Z",
        "'####<May 1, 2026 10:00:00,123 AM UTC> <Error> <HTTP>' | 2026-05-01T10:00:00.123Z",
        "[5/1/26 10:00:00:123 UTC] 0000004a WebApp E | 2026-05-01T10:00:00.123Z",
        "20260501-10:00:00.123 ERROR | 2026-05-01T10:00:00.123Z",
        "[1/May/2026:10:00:00 +0200] ERROR | 2026-05-01T08:00:00Z",
        "'[10:00:00,123][ERROR]' | 1970-01-01T10:00:00.123Z",
        "E0501 10:00:00.123456 1 a.cc:1] | 1970-01-01T10:00:00.123Z"
      })
  void datesOfTomcatAndOfTheJdksOwnLoggerAreRead(String before, Instant at) throws IOException {
    Path log =
        Files.writeString(
            folder.resolve("app.log"),
            before.replace("\\n", "\n") + " java.lang.OutOfMemoryError: Java heap space\n");
    assertEquals(List.of(at), errors(read(log)).stream().map(LoggedError::at).toList());
  }

  @Test
  void theStackBelowAWarningSaysWhatTheThreadWaitsFor() throws IOException {
    Path log =
        Files.writeString(
            folder.resolve("app.log"),
            """
            12-Mar-2024 10:00:11.004 WARNING [util-1] Thread [exec-4] (id=[61]) has been active for [65,012] milliseconds (since [3/12/24]) to serve the same request and may be stuck
            \tat java.base/java.net.SocketInputStream.socketRead0(Native Method)
            \tat org.postgresql.core.VisibleBufferedInputStream.readMore(VisibleBufferedInputStream.java:161)
            \tat com.acme.ExportDao.rows(ExportDao.java:77)
            """);
    List<LoggedError> errors = errors(read(log));
    assertEquals(Optional.of(WaitKind.DOWNSTREAM), errors.get(0).waits());
    assertEquals("com.acme.ExportDao.rows", errors.get(0).place());
  }

  @Test
  void uptimesWithoutAStartAreThoseOfTheGcLogBesideThem() throws IOException {
    Path log =
        Files.writeString(
            folder.resolve("jvm.log"),
            """
            [2.100s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 400M->120M(1024M) 8.100ms
            [276.581s][warning][codecache] CodeCache is full. Compiler has been disabled.
            """);
    List<LoggedError> errors = errors(read(log));
    assertEquals(
        List.of(Instant.parse("1970-01-01T00:04:36.581Z")),
        errors.stream().map(LoggedError::at).toList());
  }

  private List<LoggedError> withGcLog(String log) throws IOException {
    return errors(withGcLog("[2026-03-02T00:20:00.000+0100][1802.100s]", log));
  }

  private Timeline withGcLog(String end, String log) throws IOException {
    String pause = "Pause Young (Normal) (G1 Evacuation Pause) 400M->120M(1024M) 8.100ms\n";
    Path gc =
        Files.writeString(
            folder.resolve("gc.log"),
            "[2026-03-01T23:50:00.000+0100][2.100s][info][gc] GC(0) "
                + pause
                + end
                + "[info][gc] GC(1) "
                + pause);
    Path app = Files.writeString(folder.resolve("app.log"), log);
    return Ingest.read(
        List.of(
            new Ingest.Request(gc, Optional.empty(), Optional.empty()),
            new Ingest.Request(app, Optional.empty(), Optional.empty())),
        OperatorFacts.none(),
        Redactor.off(),
        ReadOptions.STANDARD);
  }

  /** The GC log ends on the third of March: 00:05 is of the second or of the third. */
  @Test
  void aTimeThatFitsSeveralDaysIsNotUsed() throws IOException {
    Timeline timeline =
        withGcLog(
            "[2026-03-03T00:20:00.000+0100][88202.100s]",
            """
            00:05:00,004 ERROR [c.a.X] java.lang.OutOfMemoryError: Metaspace
            12:00:00,500 ERROR [c.a.X] java.lang.OutOfMemoryError: Java heap space
            """);
    assertEquals(
        List.of(Instant.parse("2026-03-02T11:00:00.500Z")),
        errors(timeline).stream().map(LoggedError::at).toList());
    List<String> notes = timeline.coverage().notes();
    assertTrue(
        notes.contains(
            "app.log: messages on pools, memory and threads without a date, of a time of the day"
                + " that fits several days, are left out: 1"),
        notes::toString);
    assertTrue(
        notes.contains(
            "app.log states times of the day without a date; taken as of the day of the other"
                + " inputs, in UTC+01:00"),
        notes::toString);
  }

  /** 23:55 is of the first of March, 00:05 of the second, both in the zone of the GC log. */
  @Test
  void timesOfTheDayAreOfTheDayOfTheOtherFiles() throws IOException {
    assertEquals(
        List.of(Instant.parse("2026-03-01T23:05:00.004Z")),
        withGcLog("00:05:00.004 [main] ERROR c.a.X - java.lang.OutOfMemoryError: Java heap space\n")
            .stream()
            .map(LoggedError::at)
            .toList());
    assertEquals(
        List.of(Instant.parse("2026-03-01T22:55:11.250Z")),
        withGcLog("23:55:11,250 ERROR [c.a.X] java.lang.OutOfMemoryError: Metaspace\n").stream()
            .map(LoggedError::at)
            .toList());
  }

  @Test
  void timesThatGoBackAreOfSeveralDaysAndNotUsed() throws IOException {
    assertEquals(
        List.of(),
        withGcLog(
            """
            23:55:11,250 ERROR [c.a.X] java.lang.OutOfMemoryError: Metaspace
            00:05:00,004 INFO [c.a.X] a new day
            """));
  }

  /** Without another file its messages are all there is, as those with uptimes are. */
  @Test
  void aLogOfTimesOfTheDayAloneIsRead() throws IOException {
    Path log =
        Files.writeString(
            folder.resolve("app.log"),
            "10:00:11.004 [main] ERROR c.a.X - java.lang.OutOfMemoryError: Java heap space\n");
    Timeline timeline = read(log);
    assertEquals(
        List.of(Kind.HEAP_FULL), errors(timeline).stream().map(LoggedError::kind).toList());
    assertTrue(
        timeline
            .coverage()
            .notes()
            .contains(
                "app.log states times of the day without a date; taken as of the day of the other"
                    + " inputs, in UTC"),
        () -> timeline.coverage().notes().toString());
  }

  /**
   * As Logstash's encoder, ECS, Quarkus and Log4j write an exception: each in fields of its own.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"stack_trace\":\"java.net.SocketTimeoutException: Read timed out\\n\\tat shop.A.b(A.java:1)\"",
        "\"error.type\":\"java.net.SocketTimeoutException\",\"error.message\":\"Read timed out\","
            + "\"error.stack_trace\":\"java.net.SocketTimeoutException: Read timed out\\n\\tat"
            + " shop.A.b(A.java:1)\"",
        "\"exception\":{\"refId\":1,\"exceptionType\":\"java.net.SocketTimeoutException\",\"message\":\"Read"
            + " timed out\",\"frames\":[{\"class\":\"shop.A\",\"method\":\"b\",\"line\":1}]}",
        "\"thrown\":{\"message\":\"Read timed out\",\"name\":\"java.net.SocketTimeoutException\","
            + "\"extendedStackTrace\":[{\"class\":\"shop.A\",\"method\":\"b\",\"file\":\"A.java\",\"line\":1}]}"
      })
  void anExceptionInFieldsOfJsonIsRead(String exception) throws IOException {
    String line = "{\"@timestamp\":\"2026-05-01T10:00:%s.123Z\",\"message\":\"failed\",%s}\n";
    Path log =
        Files.writeString(
            folder.resolve("app.log"),
            line.formatted("01", exception) + line.formatted("02", exception));
    List<LoggedError> errors = errors(read(log));
    assertEquals(
        List.of(
            Instant.parse("2026-05-01T10:00:01.123Z"), Instant.parse("2026-05-01T10:00:02.123Z")),
        errors.stream().map(LoggedError::at).toList());
    assertEquals(Kind.CALL_TIMEOUT, errors.get(0).kind());
    assertEquals("shop.A.b", errors.get(0).place());
  }

  @Test
  void aLineOfJsonMayStateSecondsSince1970() throws IOException {
    Path log =
        Files.writeString(
            folder.resolve("app.log"),
            "{\"time\":1777629600123,\"msg\":\"SocketTimeoutException: Read timed out\"}\n");
    assertEquals(Instant.parse("2026-05-01T10:00:00.123Z"), errors(read(log)).get(0).at());
  }

  @Test
  void aLogWithoutAnyOfTheseMessagesIsKnownAndNotUsed() throws IOException {
    Path log =
        Files.writeString(
            folder.resolve("app.log"), "2026-05-01T10:00:00.000Z INFO 1 --- [main] Shop : hello\n");
    Timeline timeline = read(log);
    assertEquals("app-log", timeline.inputs().get(0).format());
    assertEquals(
        "log: read, not used: no message that a cause needs", timeline.inputs().get(0).note());
  }

  /** Each statement has the time above it. Statements of less than a second are not slow. */
  @ParameterizedTest
  @ValueSource(strings = {"2026-11-23T10:00:05.250000Z", "261123 10:00:05"})
  void theSlowLogOfMysqlIsRead(String time) throws IOException {
    Path log =
        Files.writeString(
            folder.resolve("mysql-slow.log"),
            """
            # Time: %s
            # User@Host: shop[shop] @ app-1 [10.0.0.5]  Id: 17
            # Query_time: 12.345678  Lock_time: 0.000012 Rows_sent: 1  Rows_examined: 9000000
            SET timestamp=1795428005;
            SELECT COUNT(*) FROM orders;
            # Time: %s
            # Query_time: 0.345678  Lock_time: 0.000012 Rows_sent: 1  Rows_examined: 9
            """
                .formatted(time, time));
    List<LoggedError> errors = errors(read(log));
    assertEquals(List.of(Kind.SLOW_STATEMENT), errors.stream().map(LoggedError::kind).toList());
    assertEquals("Query_time: 12.345678", errors.get(0).subject());
    assertEquals(
        Instant.parse("2026-11-23T10:00:05Z"), errors.get(0).at().truncatedTo(ChronoUnit.SECONDS));
  }

  /** It writes the time once for the statements of a second. */
  @Test
  void allStatementsOfASecondInTheSlowLogOfMariadbAreRead() {
    assertEquals(
        List.of("Query_time: 1.200226", "Query_time: 3.000181", "Query_time: 2.504582"),
        errors(sample("mariadb-slow.log")).stream().map(LoggedError::subject).toList());
  }
}
