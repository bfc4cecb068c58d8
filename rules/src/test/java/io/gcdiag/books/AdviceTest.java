package io.gcdiag.books;

import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.Threads.serving;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.Made;
import io.gcdiag.books.Place.Role;
import io.gcdiag.causes.Causes;
import io.gcdiag.evidence.jvm.CodePlace;
import io.gcdiag.evidence.jvm.JvmSample.RequestFramework;
import io.gcdiag.evidence.jvm.OwnCode;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.jvm.OwnCode.Spot;
import io.gcdiag.evidence.threads.Deadlocks;
import io.gcdiag.evidence.threads.LockOwner;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadPosition;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSite;
import io.gcdiag.evidence.time.PlaceCounts;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.LoadSketch.Endpoint;
import io.gcdiag.sketches.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AdviceTest {

  private static final Source READ = new Source("recording.jfr", "jdk.ThreadPark");

  /** 200/s x 30 ms = 6 connections, and there are 4; by Erlang's formula 9 or 10 are enough. */
  private static IncidentBuilder smallPool() {
    return incident()
        .waits(600, 60, 120, WaitKind.POOL, "HikariCP", 500)
        .rate(200)
        .hold(30)
        .poolSize(4);
  }

  private static Advice advice(IncidentBuilder incident, Hypothesis hypothesis) {
    return Causes.advice(incident.build(), Causes.of(hypothesis), List.of(), "");
  }

  private static String edit(IncidentBuilder incident, Hypothesis hypothesis) {
    return Edit.together(advice(incident, hypothesis).edits());
  }

  @Test
  void whatReadsStandardOutputIsNoDisk() {
    IncidentBuilder console =
        incident()
            .waits(60, 60, 120, WaitKind.FILE, WaitSite.STANDARD_OUTPUT, 200)
            .sample(
                seen(Activity.FILE_IO, spot(WaitSite.STANDARD_OUTPUT, "com.acme.Log", 9, true)));
    String edit = edit(console, Hypothesis.SLOW_DISK);
    assertTrue(edit.contains("what reads standard output"), edit);
  }

  @Test
  void noPasswordHashIsToBeWeakened() {
    String bcrypt = "org.springframework.security.crypto.bcrypt.BCrypt.hashpw";
    IncidentBuilder logins =
        incident()
            .cpus(4)
            .sample(seen(Activity.RUNNING, spot(bcrypt, "com.acme.Login.matches", 9, true)));
    String edit = edit(logins, Hypothesis.CPU_SATURATION);
    assertTrue(edit.contains("keep its strength: let no more than 4 of these calls run"), edit);
    assertFalse(edit.contains("cheaper"), edit);
  }

  private static IncidentBuilder locked(String type, String method) {
    return incident()
        .waits(600, 60, 120, WaitKind.LOCK, type, 500)
        .sample(seen(Activity.LOCKING, spot(type, method, 145, true)));
  }

  @Test
  void theCodeOfALibraryThatHoldsALockIsNotToBeEdited() {
    String type = "org.gelf.Sender";
    assertEquals(
        "com.acme.Api.get:7: call org.gelf.Sender.send:145 less often, on fewer threads or with an"
            + " object for each thread, or look for a setting or a newer version of its library"
            + " without the lock",
        edit(locked(type, "org.gelf.Sender.send"), Hypothesis.LOCK_CONTENTION));
    assertEquals(
        "com.acme.Outbox.send:145: do less inside the lock, or hold one lock per key",
        edit(locked(type, "com.acme.Outbox.send"), Hypothesis.LOCK_CONTENTION));
  }

  @Test
  void rowsAndPermitsAreNoLocksOfAKey() {
    assertEquals(
        "com.acme.Api.get:7: shorten the transactions that lock the same rows or tables: commit"
            + " after fewer changes",
        edit(
            locked("H2 (lock of a row or table)", "org.mybatis.Session.run"),
            Hypothesis.LOCK_CONTENTION));
    assertEquals(
        "com.acme.Gate.pass:145: allow more permits, or do less while one is held",
        edit(
            locked("java.util.concurrent.Semaphore$FairSync", "com.acme.Gate.pass"),
            Hypothesis.LOCK_CONTENTION));
  }

  private static OwnCode seen(Activity activity, Spot... spots) {
    PlaceCounts amounts = new PlaceCounts();
    for (int i = 0; i < spots.length; i++) {
      // The first was seen least.
      amounts.add(i, at(70).getEpochSecond() * 1_000_000_000L, i + 1);
    }
    amounts.close();
    return new OwnCode(at(70), activity, List.of(spots), amounts, READ);
  }

  private static Spot spot(String subject, String method, int line, boolean own) {
    CodePlace place = new CodePlace(method, line);
    return new Spot(subject, place, place, new CodePlace("com.acme.Api.get", 7), own, true);
  }

  @Test
  void theEndpointWhoseRequestsAreSlowIsNamed() {
    // 10/s x 1.8 s against 90/s x 0.01 s: 18 of 18.9 s a second are of the export.
    Optional<Place> place =
        advice(
                smallPool()
                    .endpoints(
                        new Endpoint("GET /export", 10, 0.2, 2),
                        new Endpoint("GET /orders/{id}", 90, 0.02, 0.03)),
                Hypothesis.CONNECTION_POOL_UNDERSIZED)
            .place();
    assertEquals(
        "GET /export (200 ms -> 2 s, 95 % of the delay)",
        place.flatMap(one -> one.part(Role.ENDPOINT)).orElseThrow().toString().substring(9));
  }

  @Test
  void noEndpointIsNamedForWhatTheWholeProcessMeets() {
    // A fifth of the time is stopped: 2 s take 400 ms longer, 10 ms take 20 ms.
    Optional<Place> place =
        advice(
                smallPool()
                    .endpoints(
                        new Endpoint("GET /export", 10, 2, 2.4),
                        new Endpoint("GET /orders/{id}", 90, 0.01, 0.03)),
                Hypothesis.EXPLICIT_GC)
            .place();
    assertEquals(Optional.empty(), place.flatMap(one -> one.part(Role.ENDPOINT)));
  }

  @Test
  void anEndpointThatIsNewIsNotNamedSlow() {
    Optional<Place> place =
        advice(
                smallPool()
                    .endpoints(
                        new Endpoint("GET /export", 0, 10, 0, 2),
                        new Endpoint("GET /orders/{id}", 90, 90, 0.02, 0.03)),
                Hypothesis.CONNECTION_POOL_UNDERSIZED)
            .place();
    assertEquals(Optional.empty(), place.flatMap(one -> one.part(Role.ENDPOINT)));
  }

  @Test
  void withoutRequestsInTheBaselineNoEndpointIsSlow() {
    Optional<Place> place =
        advice(
                smallPool()
                    .endpoints(
                        new Endpoint("GET /export", 0, 10, 0, 2),
                        new Endpoint("GET /orders/{id}", 0, 90, 0, 0.03)),
                Hypothesis.CONNECTION_POOL_UNDERSIZED)
            .place();
    assertEquals(Optional.empty(), place.flatMap(one -> one.part(Role.ENDPOINT)));
  }

  @Test
  void noEndpointIsNamedWhereAllAreDelayedAlike() {
    // Nine of ten requests are of one, and so is the delay: each takes 100 ms longer.
    Optional<Place> place =
        advice(
                smallPool()
                    .endpoints(
                        new Endpoint("GET /export", 10, 0.2, 0.3),
                        new Endpoint("GET /orders/{id}", 90, 0.02, 0.12)),
                Hypothesis.CONNECTION_POOL_UNDERSIZED)
            .place();
    assertEquals(Optional.empty(), place.flatMap(one -> one.part(Role.ENDPOINT)));
  }

  @Test
  void theSizeOfAPoolIsSetByTheSetterOfItsLibrary() {
    String edit = edit(smallPool(), Hypothesis.CONNECTION_POOL_UNDERSIZED);
    assertTrue(edit.matches("HikariConfig\\.setMaximumPoolSize\\((?:9|10)\\) \\(now 4\\)"), edit);
  }

  @Test
  void whereSpringServesRequestsItsPropertyIsNamed() {
    String edit =
        edit(
            smallPool().sample(new RequestFramework(at(1), "Spring", READ)),
            Hypothesis.CONNECTION_POOL_UNDERSIZED);
    assertTrue(
        edit.matches("spring\\.datasource\\.hikari\\.maximum-pool-size=(?:9|10) \\(now 4\\)"),
        edit);
  }

  @Test
  void theOnlyPropertyOfThatValueOnTheCommandLineIsNamedBeforeAll() {
    IncidentBuilder pool =
        smallPool()
            .flag("-Dshop.db.connections", "4")
            .flag("-Dshop.offers", "4")
            .flag("-Dshop.pool.wait", "30");
    String edit = edit(pool, Hypothesis.CONNECTION_POOL_UNDERSIZED);
    assertTrue(edit.matches("-Dshop\\.db\\.connections=(?:9|10) \\(now 4\\)"), edit);
  }

  @Test
  void ofTwoSuchPropertiesNoneIsNamed() {
    IncidentBuilder pool =
        smallPool().flag("-Dshop.db.connections", "4").flag("-Dshop.threads", "4");
    String edit = edit(pool, Hypothesis.CONNECTION_POOL_UNDERSIZED);
    assertTrue(edit.startsWith("HikariConfig.setMaximumPoolSize("), edit);
  }

  @Test
  void thePlaceOfAPoolIsWhereMostBorrowWithThePoolAndItsSize() {
    IncidentBuilder pool =
        smallPool()
            .sample(
                seen(
                    Activity.BORROWING,
                    spot("HikariCP", "com.acme.Seldom.find", 3, true),
                    spot("HikariCP", "com.acme.OrderDao.find", 88, true)));
    Place place = advice(pool, Hypothesis.CONNECTION_POOL_UNDERSIZED).place().orElseThrow();
    assertEquals(
        "com.acme.OrderDao.find:88, called by com.acme.Api.get:7, HikariCP (4 connections)",
        place.toString());
    assertEquals(READ, place.part(Role.CODE).orElseThrow().source());
  }

  @Test
  void ownCodeComesBeforeWhatIsNobodys() {
    IncidentBuilder hot =
        incident()
            .sample(
                seen(
                    Activity.RUNNING,
                    spot("", "com.acme.Search.match", 12, true),
                    spot("", "org.library.Matcher.run", 5, false)));
    assertEquals(
        "com.acme.Search.match:12",
        advice(hot, Hypothesis.CPU_SATURATION).place().orElseThrow().part(Role.CODE).get().name());
  }

  /** The second of two spots has more samples; it is on threads that serve no request. */
  @Test
  void cpuTimeCountsOnWhateverThreadItIs() {
    CodePlace hash = new CodePlace("com.acme.Login.hash", 52);
    IncidentBuilder hot =
        incident()
            .sample(
                seen(
                    Activity.RUNNING,
                    spot("", "com.acme.Accounts.find", 24, true),
                    new Spot("", hash, hash, hash, true, false)));
    assertEquals(
        "com.acme.Login.hash:52",
        advice(hot, Hypothesis.CPU_SATURATION).place().orElseThrow().toString());
  }

  @Test
  void withoutALineTheMethodIsNamed() {
    IncidentBuilder hot =
        incident()
            .sample(
                seen(Activity.RUNNING, spot("", "com.acme.Search.match", CodePlace.NO_LINE, true)));
    assertEquals(
        "com.acme.Search.match, called by com.acme.Api.get:7",
        advice(hot, Hypothesis.CPU_SATURATION).place().orElseThrow().toString());
  }

  @Test
  void aHeapThatGrowsStartsWithItsLargestSize() {
    IncidentBuilder heap = incident().heapSizes(64, 2048);
    assertEquals("-Xms2g (now 64m)", edit(heap, Hypothesis.HEAP_RESIZING));
    assertEquals(
        "-Xms64m, -Xmx2g", advice(heap, Hypothesis.HEAP_RESIZING).place().get().toString());
  }

  @Test
  void whereTooFewCollectionsAreKnownTheHeapIsDoubled() {
    assertEquals(
        "-Xms1g -Xmx1g (now 512m)",
        edit(incident().heapSizes(512, 512), Hypothesis.MEMORY_PRESSURE));
  }

  @Test
  void whatIsNotKnownHasNoPlaceAndNoEdit() {
    assertEquals(Advice.NONE, advice(incident(), Hypothesis.LOCK_CONTENTION));
  }

  private static String pollsOf(String version) {
    return edit(incident().jdk(version), Hypothesis.SAFEPOINT_STALL);
  }

  /** JDK 8 and 9 know no LoopStripMiningIter, and do not start with it. */
  @Test
  void loopsAreCutIntoStripesFromJdk10On() {
    assertEquals("-XX:+UseCountedLoopSafepoints", pollsOf("1.8.0_504-b01"));
    assertEquals("-XX:+UseCountedLoopSafepoints", pollsOf("9.0.4"));
    assertEquals("-XX:+UseCountedLoopSafepoints", pollsOf("9 to 13"));
    assertEquals("-XX:+UseCountedLoopSafepoints -XX:LoopStripMiningIter=1000", pollsOf("17.0.15"));
  }

  @Test
  void stopsThatRevokeBiasedLocksEndWithTheLocks() {
    assertEquals(
        "-XX:-UseBiasedLocking",
        edit(incident().safepoint(70, 900, 1, "RevokeBias", false), Hypothesis.SAFEPOINT_STALL));
  }

  private static IncidentBuilder redis(String jdk) {
    return incident()
        .jdk(jdk)
        .sample(new RequestFramework(at(1), "Spring", READ))
        .waits(600, 60, 120, WaitKind.POOL, "Jedis", 500)
        .rate(200)
        .hold(30)
        .poolSize(4);
  }

  /** Spring Boot 3 needs JDK 17; on it Spring Boot 2 runs as well. */
  @Test
  void thePropertyOfRedisIsThatOfTheSpringBootThatRunsOnTheJdk() {
    String of8 = edit(redis("1.8.0_504"), Hypothesis.CONNECTION_POOL_UNDERSIZED);
    assertTrue(of8.matches("spring\\.redis\\.jedis\\.pool\\.max-active=\\d+ \\(now 4\\)"), of8);
    String of17 = edit(redis("17.0.15"), Hypothesis.CONNECTION_POOL_UNDERSIZED);
    assertTrue(
        of17.matches(
            "spring\\.data\\.redis\\.jedis\\.pool\\.max-active=(\\d+) \\(now 4\\);"
                + " spring\\.redis\\.jedis\\.pool\\.max-active=\\1 \\(now 4\\)"),
        of17);
  }

  @Test
  void thePoolOfDbcp1HasTheSetterOfDbcp1() {
    IncidentBuilder pool =
        incident().waits(600, 60, 120, WaitKind.POOL, "DBCP 1", 500).rate(200).hold(30).poolSize(4);
    String edit = edit(pool, Hypothesis.CONNECTION_POOL_UNDERSIZED);
    assertTrue(edit.startsWith("BasicDataSource.setMaxActive("), edit);
  }

  /** BoneCP's setting is of one partition. */
  @Test
  void theSizeOfBoneCpIsThatOfItsOnlyPartition() {
    IncidentBuilder pool =
        incident().waits(600, 60, 120, WaitKind.POOL, "BoneCP", 500).rate(200).hold(30).poolSize(4);
    String edit = edit(pool, Hypothesis.CONNECTION_POOL_UNDERSIZED);
    assertTrue(
        edit.matches(
            "BoneCPConfig\\.setPartitionCount\\(1\\);"
                + " BoneCPConfig\\.setMaxConnectionsPerPartition\\(\\d+\\)"),
        edit);
  }

  private static IncidentBuilder fullLogQueue(String library) {
    return incident().waits(600, 60, 120, WaitKind.LOG_QUEUE, library, 500);
  }

  /** Nothing of the code is known; with it the second edit says what to do where no line may go. */
  @Test
  void aFullLogQueueDropsLinesByTheSettingOfItsLibrary() {
    assertEquals(
        "-Dlog4j2.asyncQueueFullPolicy=Discard (now Default)",
        edit(fullLogQueue("Log4j 2 AsyncAppender"), Hypothesis.LOG_QUEUE_FULL));
    assertEquals(
        "AsyncAppender.neverBlock=true (now false)",
        edit(fullLogQueue("Logback AsyncAppender"), Hypothesis.LOG_QUEUE_FULL));
    assertEquals("", edit(fullLogQueue("Logstash encoder"), Hypothesis.LOG_QUEUE_FULL));
  }

  private static String title(String host) {
    return advice(
            incident().waits(600, 60, 120, WaitKind.DOWNSTREAM, host, 500),
            Hypothesis.SLOW_DOWNSTREAM)
        .title()
        .orElse("");
  }

  @Test
  void theTitleNamesTheKindThatWasFound() {
    assertEquals("Slow remote service", title("10.0.0.7:8080"));
    assertEquals("Slow database", title("10.0.0.7:5432 (PostgreSQL)"));
    assertEquals("Slow random numbers: the host has too little entropy", title("/dev/random"));
  }

  @Test
  void aLockThatOnlyDumpsShowIsNamedByTheClassThatLocksItAndItsOwnerMayBeInALibrary() {
    String cache = "org.apache.lucene.search.LRUQueryCache";
    String type = "java.util.concurrent.locks.ReentrantReadWriteLock$NonfairSync";
    List<ThreadState> threads =
        new ArrayList<>(serving(12, ThreadActivity.WAITING_FOR_LOCK, type, cache + ".putIfAbsent"));
    threads.add(
        Threads.thread(
            "owner",
            "RUNNABLE",
            ThreadActivity.RUNNING,
            "",
            true,
            Made.position(2, "org.apache.lucene.util.Bits.clear", ThreadPosition.UNKNOWN_CPU)));
    LockOwner owner =
        new LockOwner(
            12,
            "owner",
            Optional.empty(),
            "",
            Optional.empty(),
            Optional.of(
                new LockOwner.InLibrary(
                    new CodePlace("org.apache.lucene.util.Bits.clear", 7),
                    "java.lang.String.intern")));
    Place place =
        advice(
                incident().dump(70, threads, Deadlocks.NONE, List.of(owner)),
                Hypothesis.LOCK_CONTENTION)
            .place()
            .orElseThrow();
    assertEquals(Optional.of(type + " of " + cache), place.part(Role.LOCK).map(Place.Part::name));
    assertEquals(
        Optional.of(
            "held in org.apache.lucene.util.Bits.clear:7 (in a library, at java.lang.String.intern)"),
        place.part(Role.OWNER).map(Place.Part::toString));
  }
}
