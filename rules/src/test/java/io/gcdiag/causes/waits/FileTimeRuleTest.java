package io.gcdiag.causes.waits;

import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.Threads.thread;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.Made;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.waits.SlowDiskCause.FileTimeRule;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadGroupSample.SampledTime;
import io.gcdiag.evidence.threads.ThreadPosition;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSite;
import io.gcdiag.measures.EffectTimes;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.MeterSketch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileTimeRuleTest {

  private final Rule rule = new FileTimeRule();

  private static SampledTime sampled(int second, boolean request, WaitKind kind, double threads) {
    return Made.sampled(
        at(second),
        Duration.ofSeconds(1),
        Optional.of(kind),
        "file",
        "Log.write",
        "http-N",
        request,
        10,
        threads);
  }

  @Test
  void fileCallsOfRequestThreadsAreTheCause() {
    // 60 x 200 ms in a minute = 0.2 threads.
    Finding finding =
        only(rule, incident().waits(60, 60, 120, WaitKind.FILE, "/var/log/shop.log", 200));
    assertEquals(
        "request threads in file I/O: 0.2 on average by events, most for "
            + "/var/log/shop.log at Shop.order (longest 200 ms), 0 by samples of I/O of "
            + "any length, against 0 in the baseline",
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.SLOW_DISK, Effect.FILE_WAIT), 1e-9);
  }

  /** Of the machine's CPU 30 % is this JVM's in both windows, and 5 and 45 % are others'. */
  @Test
  void processesThatBecomeBusyWithTheFilesAreNamedBesideThem() {
    IncidentBuilder files = incident().waits(60, 60, 120, WaitKind.FILE, "/var/log/shop.log", 200);
    for (int second = 0; second < 120; second++) {
      files.cpu(second, 0.3, second < 60 ? 0.35 : 0.75);
    }
    assertEquals(
        "CPU of other processes, which may use the same disk: 5.0 % -> 45.0 %",
        only(rule, files).figures().get(1).toString());
    IncidentBuilder alone = incident().waits(60, 60, 120, WaitKind.FILE, "/var/log/shop.log", 200);
    assertEquals(1, only(rule, alone).figures().size());
    // Without a reading in the baseline nothing shows that they were less busy.
    IncidentBuilder late = incident().waits(60, 60, 120, WaitKind.FILE, "/var/log/shop.log", 200);
    assertEquals(1, only(rule, late.cpu(90, 0.3, 0.75)).figures().size());
  }

  @Test
  void aDeviceOfTheKernelIsNoDiskAndSoTheAdviceIsAnother() {
    Finding random = only(rule, incident().waits(60, 60, 120, WaitKind.FILE, "/dev/urandom", 200));
    assertTrue(
        random
            .actions()
            .get(Hypothesis.SLOW_DISK)
            .startsWith("/dev/urandom is a kernel device, not a disk"),
        random.actions()::toString);
    Finding log = only(rule, incident().waits(60, 60, 120, WaitKind.FILE, "/var/log/a.log", 200));
    assertEquals(Map.of(), log.actions());
  }

  /** JDK 8 has no DRBG: {@code SecureRandom.getInstance} throws there. */
  @ParameterizedTest
  @CsvSource({"1.8.0_504, false, true", "17.0.15, true, false", "9 or later, true, false"})
  void randomNumbersAreAskedForAsTheJdkCan(String jdk, boolean drbg, boolean seeded) {
    String advice =
        only(rule, incident().jdk(jdk).waits(60, 60, 120, WaitKind.FILE, "/dev/random", 200))
            .actions()
            .get(Hypothesis.SLOW_DISK);
    assertEquals(drbg, advice.contains("SecureRandom.getInstance(\"DRBG\")"), advice);
    assertEquals(seeded, advice.contains("-Djava.security.egd=file:/dev/./urandom"), advice);
  }

  @Test
  void howOftenFilesAreUsedIsReckoned() {
    // 60 x 200 ms in a minute = 0.2 threads by events; 1.5 by samples.
    IncidentBuilder builder = incident().waits(60, 60, 120, WaitKind.FILE, "/var/log/a.log", 200);
    for (int second = 60; second < 120; second++) {
      builder.sample(sampled(second, true, WaitKind.FILE, 1.5));
    }
    assertEquals(
        List.of(
            "file operations of request threads, by events: none -> 1/s x 200 ms = 0.2 threads in"
                + " file I/O"),
        only(rule, builder).arithmetic());
  }

  @Test
  void samplesSeeCallsThatAreTooShortForEvents() {
    IncidentBuilder builder = incident();
    for (int second = 60; second < 120; second++) {
      builder.sample(sampled(second, true, WaitKind.FILE, 1.5));
    }
    Finding finding = only(rule, builder);
    assertEquals(1.5, finding.values().get("threadsInFilesSampled"), 1e-9);
    assertFalse(refutes(finding, Hypothesis.SLOW_DISK));
  }

  /** A minute with so many threads in short file calls, and a minute with so many more. */
  private static IncidentBuilder shortCalls(double before, double during) {
    IncidentBuilder builder = incident();
    for (int second = 0; second < 120; second++) {
      builder.sample(sampled(second, true, WaitKind.FILE, second < 60 ? before : during));
    }
    return builder;
  }

  @Test
  void shortCallsThatBecameMoreAreTimeThatUsersLose() {
    // 1.5 - 0.2 threads for a minute: 78 s.
    EffectTimes times = shortCalls(0.2, 1.5).build().effects();
    assertEquals(78, times.excessSeconds(Effect.FILE_WAIT), 1e-6);
    Finding finding = only(rule, shortCalls(0.2, 1.5));
    assertEquals(1, explains(finding, Hypothesis.SLOW_DISK, Effect.FILE_WAIT), 1e-9);
    assertEquals(0, finding.values().get("threadsInFileEvents"), 1e-9);
  }

  @Test
  void shortCallsThatAreAsEverAreWhatTheServiceNeeds() {
    assertEquals(0, shortCalls(1.5, 1.6).build().effects().excessSeconds(Effect.FILE_WAIT), 1e-6);
    assertEquals(
        0,
        shortCalls(0, 1.5).withoutBaseline().build().effects().excessSeconds(Effect.FILE_WAIT),
        1e-6);
  }

  @Test
  void filesOfBackgroundThreadsAreNobodysIncident() {
    IncidentBuilder builder = incident().waits(10, 60, 120, WaitKind.DOWNSTREAM, "db:5432", 50);
    for (int i = 0; i < 60; i++) {
      builder.waited(new WaitSite(WaitKind.FILE, "/data/segment", false, "Flush.run"), 60 + i, 900);
    }
    for (int second = 60; second < 120; second++) {
      builder
          .sample(sampled(second, false, WaitKind.FILE, 1))
          .sample(sampled(second, true, WaitKind.DOWNSTREAM, 1));
    }
    assertTrue(refutes(only(rule, builder), Hypothesis.SLOW_DISK));
  }

  /** Request threads in calls, and a thread of an asynchronous channel in three dumps. */
  private static IncidentBuilder forced(ThreadActivity activity) {
    List<ThreadState> threads =
        List.of(
            thread("http-1", "WAITING", ThreadActivity.IN_DOWNSTREAM_CALL, "", true),
            thread("Thread-7", "RUNNABLE", activity, "", false));
    return incident()
        .dump(70, threads)
        .dump(85, threads)
        .dump(100, threads)
        .waits(10, 60, 120, WaitKind.DOWNSTREAM, "db:5432", 50)
        .sample(sampled(61, true, WaitKind.DOWNSTREAM, 1));
  }

  @Test
  void fileCallsThatDumpsShowAndNoEventDoesAreNotRuledOut() {
    Finding finding = only(rule, forced(ThreadActivity.IN_FILE));
    assertEquals(
        "in 3 of 3 thread dumps threads are in file I/O that no event shows", finding.statement());
    assertTrue(leavesOpen(finding, Hypothesis.SLOW_DISK));
    assertTrue(supports(finding, Hypothesis.SLOW_DISK));
    assertTrue(refutes(only(rule, forced(ThreadActivity.RUNNING)), Hypothesis.SLOW_DISK));
  }

  @Test
  void fileCallsOfOtherThreadsThatEventsShowAreWhatDumpsMeet() {
    // 60 s of a minute: the one thread that dumps meet.
    IncidentBuilder builder = forced(ThreadActivity.IN_FILE);
    for (int i = 0; i < 60; i++) {
      builder.waited(new WaitSite(WaitKind.FILE, "/data/log", false, "Flush.run"), 60 + i, 1_000);
    }
    assertTrue(refutes(only(rule, builder), Hypothesis.SLOW_DISK));
  }

  @Test
  void fileCallsThatSamplesShowOnOtherThreadsAloneAreNotRuledOut() {
    // 30 s of a minute in files, of which no event shows any.
    IncidentBuilder builder = incident().waits(10, 60, 120, WaitKind.DOWNSTREAM, "db:5432", 50);
    for (int second = 60; second < 90; second++) {
      builder
          .sample(sampled(second, false, WaitKind.FILE, 1))
          .sample(sampled(second, true, WaitKind.DOWNSTREAM, 1));
    }
    Finding finding = only(rule, builder);
    assertEquals(
        "0.5 threads other than request threads are in file I/O by samples that no event shows",
        finding.statement());
    assertTrue(leavesOpen(finding, Hypothesis.SLOW_DISK));
    assertFalse(refutes(finding, Hypothesis.SLOW_DISK));
  }

  @Test
  void fileCallsOfTheThreadThatEmptiesALogQueueAreWhatRequestsMayWaitFor() {
    // Requests wait 60 x 200 ms for the queue; its thread writes for all of the minute.
    IncidentBuilder builder =
        forced(ThreadActivity.IN_FILE).waits(60, 60, 120, WaitKind.LOG_QUEUE, "Log4j", 200);
    for (int i = 0; i < 60; i++) {
      builder.waited(new WaitSite(WaitKind.FILE, "", false, "Appender.run"), 60 + i, 1_000);
    }
    Finding finding = only(rule, builder);
    assertEquals(
        "in 3 of 3 thread dumps threads are in file I/O, and requests may wait for these",
        finding.statement());
    assertTrue(leavesOpen(finding, Hypothesis.SLOW_DISK));
    assertFalse(refutes(finding, Hypothesis.SLOW_DISK));
  }

  @Test
  void withoutSamplesShortCallsCannotBeRuledOut() {
    Finding finding = only(rule, incident());
    assertFalse(refutes(finding, Hypothesis.SLOW_DISK));
    assertTrue(weakens(finding, Hypothesis.SLOW_DISK));
  }

  private static List<ThreadState> threads(int inFiles, int running, boolean request) {
    List<ThreadState> threads = new ArrayList<>();
    for (int i = 0; i < inFiles + running; i++) {
      ThreadActivity activity = i < inFiles ? ThreadActivity.IN_FILE : ThreadActivity.RUNNING;
      ThreadPosition standing =
          Made.position(1, "com.shop.Journal.write", ThreadPosition.UNKNOWN_CPU);
      threads.add(thread("qtp-" + i, "RUNNABLE", activity, "file", request, standing));
    }
    return threads;
  }

  @Test
  void mostOfTheThreadsAtWorkInTwoDumpsAreInFiles() {
    Finding finding =
        only(rule, incident().dump(70, threads(27, 1, true)).dump(90, threads(19, 1, true)));
    assertEquals(
        "27 of 28 threads at work are in file I/O (file), most at com.shop.Journal.write, in 2 of 2"
            + " dumps",
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.SLOW_DISK, Effect.FILE_WAIT), 1e-9);
  }

  @Test
  void oneDumpMayBeChance() {
    assertSilent(rule, incident().dump(70, threads(27, 1, true)));
  }

  @Test
  void aFewOfManyAtWorkMayAlwaysBeInFiles() {
    assertSilent(rule, incident().dump(70, threads(4, 20, true)).dump(90, threads(5, 20, true)));
  }

  @Test
  void callsThatTheRecordingShowsAreJudgedByIt() {
    Finding finding =
        only(
            rule,
            incident()
                .waits(1200, 60, 119, WaitKind.FILE, "/data/journal", 1000)
                .dump(70, threads(27, 1, true))
                .dump(90, threads(19, 1, true)));
    // 1200 x 1 s in a minute
    assertEquals(20, value(finding, "threadsInFileEvents"), 0.4);
  }

  /** A disk as iostat prints it, through baseline and incident. */
  private Finding disk(double busy, double awaitSeconds) {
    double[] share = new double[12];
    double[] await = new double[12];
    Arrays.fill(share, busy);
    Arrays.fill(await, awaitSeconds);
    Rule disks = rule.sensors().get(1);
    return only(
        disks,
        incident()
            .metered(MeterSketch.gauge("busy", MetricMeaning.DISK_BUSY, share))
            .metered(MeterSketch.gauge("await", MetricMeaning.DISK_AWAIT, await)));
  }

  @Test
  void aDiskThatIsBusyAndSlowIsALead() {
    Finding slow = disk(0.98, 0.045);
    assertEquals("disk is busy 98.0 % of the time; a request to it takes 45 ms", slow.statement());
    assertTrue(supports(slow, Hypothesis.SLOW_DISK));
    // Flash memory does many requests at a time: busy, and not slow.
    assertEquals(List.of(), disk(0.98, 0.001).bearings());
    assertEquals(List.of(), disk(0.3, 0.045).bearings());
  }
}
