package io.gcdiag.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.jvm.CodePlace;
import io.gcdiag.evidence.threads.Deadlocks;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadGroupSample.CallersRead;
import io.gcdiag.evidence.threads.ThreadGroupSample.GroupTime;
import io.gcdiag.evidence.threads.ThreadGroupSample.InferredServer;
import io.gcdiag.evidence.threads.ThreadGroupSample.WorkerTime;
import io.gcdiag.evidence.threads.ThreadPosition;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.threads.WaitSite;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.fixtures.Incidents;
import io.gcdiag.read.bytes.IngestContext;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.read.frames.FrameBook;
import io.gcdiag.read.frames.StackKind;
import io.gcdiag.read.jfr.RecordingFormat;
import io.gcdiag.sketches.Threads;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OwnServerTest {

  private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");
  private static final String METHOD = "mill.Mill.grind";

  private final TimelineBuilder timeline = new TimelineBuilder();

  /**
   * Ten requests a second: for 20 s of 100 ms, so that 10 x 0.1 = 1 is in progress, then for 20 s
   * of 3 s, so that from 3 s later on 10 x 3 = 30 are.
   */
  OwnServerTest() {
    requests(timeline, 3_000);
  }

  private static void requests(TimelineBuilder timeline, long millisFromThen) {
    List<RequestInterval> intervals = new ArrayList<>();
    for (int second = 0; second < 40; second++) {
      Latencies.Counter took = new Latencies.Counter();
      for (int i = 0; i < 10; i++) {
        took.add(Duration.ofMillis(second < 20 ? 100 : millisFromThen));
      }
      intervals.add(
          new RequestInterval(
              START.plusSeconds(second), Duration.ofSeconds(1), 10, 0, took.latencies()));
    }
    timeline.requestSeries(
        new RequestSeries("k6", Duration.ofSeconds(1), intervals, new Source("requests.csv", "")));
  }

  private static List<ThreadState> threads(
      int count, ThreadActivity activity, boolean serving, int firstNumber) {
    ThreadPosition place =
        new ThreadPosition(
            1,
            METHOD,
            ThreadPosition.UNKNOWN_CPU,
            ThreadPosition.NO_VIRTUAL_THREAD,
            Optional.of(new CodePlace(METHOD, 7)),
            Optional.empty(),
            true,
            false,
            false);
    List<ThreadState> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      threads.add(
          Threads.thread("miller-" + (firstNumber + i), "WAITING", activity, "", serving, place));
    }
    return threads;
  }

  private void dump(int second, List<ThreadState> threads) {
    timeline.dump(snapshot(second, threads));
  }

  private static ThreadSnapshot snapshot(int second, List<ThreadState> threads) {
    return new ThreadSnapshot(
        Optional.of(START.plusSeconds(second)),
        threads,
        Deadlocks.NONE,
        List.of(),
        Optional.empty(),
        new Source("threads-" + second + ".txt", ""));
  }

  private void dumps(List<ThreadState> threads) {
    dump(28, threads);
    dump(34, threads);
  }

  /** All rounds of reading the same files. */
  private OwnServer server(Timeline read) {
    OwnServer server = OwnServer.NONE;
    Optional<OwnServer> next = server.next(read);
    while (next.isPresent()) {
      server = next.get();
      next = server.next(read);
    }
    return server;
  }

  private static WaitKind atPermits(FrameBook book) {
    return book.classify(
            List.of(
                "jdk.internal.misc.Unsafe.park",
                "java.util.concurrent.locks.LockSupport.park",
                "java.util.concurrent.Semaphore.acquire",
                METHOD,
                "mill.Mill.run",
                "java.lang.Thread.run"),
            "WAITING",
            Optional.of("java.util.concurrent.Semaphore$FairSync"))
        .waitsFor();
  }

  private static List<ThreadState> and(List<ThreadState> some, List<ThreadState> others) {
    List<ThreadState> all = new ArrayList<>(some);
    all.addAll(others);
    return all;
  }

  private static final List<ThreadState> HOLDER =
      threads(1, ThreadActivity.IN_DOWNSTREAM_CALL, false, 90);

  @Test
  void threadsThatWaitAsManyAsRequestsAreInProgressServeThem() {
    // 30 - 1 = 29 more are in progress; 20 are more than half of them.
    dumps(and(threads(20, ThreadActivity.OTHER, false, 1), HOLDER));
    OwnServer server = server(timeline.build());
    FrameBook book = server.in(FrameBook.standard());
    assertTrue(book.isRequestThread("miller-3"));
    assertFalse(book.isRequestThread("clerk-3"));
    assertEquals(WaitKind.POOL, atPermits(book));
    TimelineBuilder again = new TimelineBuilder();
    server.said(again);
    assertEquals(
        List.of(new InferredServer(START.plusSeconds(28), "miller-*", METHOD)),
        again.build().samples(InferredServer.class));
  }

  /**
   * What a recording has of a group, in steps of five seconds: 20 s of the first, 20 of the second.
   */
  private void recorded(String group, WaitKind kind, double first, double second) {
    for (int from = 0; from < 40; from += 5) {
      Instant at = START.plusSeconds(from);
      Duration step = Duration.ofSeconds(5);
      double seconds = 5 * (from < 20 ? first : second);
      String pattern = group.replace('N', '*');
      timeline.sample(new WorkerTime(at, step, group, false, 40, 0, Map.of(kind, seconds)));
      timeline.sample(new GroupTime(at, step, group, pattern, false, 200, seconds, 0));
    }
  }

  @Test
  void threadsWhoseRecordedWaitsGrowAsTheRequestsInProgressServeThem() {
    // 30 - 1 = 29 more are in progress.
    recorded("miller-N", WaitKind.SLEEP, 0.5, 27);
    recorded("clerk-N", WaitKind.SLEEP, 25, 28);
    recorded("cleaner-N", WaitKind.IDLE, 5, 35);
    OwnServer server = server(timeline.build());
    assertTrue(server.in(FrameBook.standard()).isRequestThread("miller-3"));
    assertFalse(server.in(FrameBook.standard()).isRequestThread("clerk-3"));
    assertFalse(server.in(FrameBook.standard()).isRequestThread("cleaner-3"));
    TimelineBuilder again = new TimelineBuilder();
    server.said(again);
    assertEquals(
        List.of("miller-*"),
        again.build().samples(InferredServer.class).stream().map(InferredServer::threads).toList());
  }

  @Test
  void waitsThatGrowByFarLessThanTheRequestsInProgressAreNotTheirs() {
    recorded("miller-N", WaitKind.SLEEP, 0.5, 14);
    assertFalse(server(timeline.build()).in(FrameBook.standard()).isRequestThread("miller-3"));
  }

  @Test
  void withoutTheLoadTestThatShowedItNoThreadIsTakenToServe() {
    dumps(and(threads(20, ThreadActivity.OTHER, false, 1), HOLDER));
    OwnServer server = OwnServer.NONE.next(timeline.build()).orElseThrow();
    TimelineBuilder leftOut = new TimelineBuilder();
    leftOut.dump(snapshot(28, threads(20, ThreadActivity.WAITING_FOR_POOL, true, 1)));
    waited(leftOut, 20, 40, 20);
    assertFalse(
        server
            .next(leftOut.build())
            .orElseThrow()
            .in(FrameBook.standard())
            .isRequestThread("miller-3"));
  }

  @Test
  void requestsThatTakeLessThanTheStepAreInProgressAsWell() {
    TimelineBuilder shorter = new TimelineBuilder();
    requests(shorter, 900);
    for (int second : new int[] {28, 34}) {
      // 10 x 0.9 - 10 x 0.1 = 8 more are in progress.
      shorter.dump(snapshot(second, threads(6, ThreadActivity.SLEEPING, false, 1)));
    }
    FrameBook book = server(shorter.build()).in(FrameBook.standard());
    assertTrue(book.isRequestThread("miller-3"));
  }

  @Test
  void fewerThanHalfOfTheRequestsMayBeAnybodys() {
    dumps(and(threads(14, ThreadActivity.OTHER, false, 1), HOLDER));
    assertFalse(server(timeline.build()).in(FrameBook.standard()).isRequestThread("miller-3"));
  }

  @Test
  void allThreadsOfAGroupMayBeFewerThanTheRequestsThatWaitForThem() {
    dumps(threads(8, ThreadActivity.OTHER, false, 1));
    waited(22, 40, 8);
    assertTrue(server(timeline.build()).in(FrameBook.standard()).isRequestThread("miller-3"));
  }

  @Test
  void allThreadsOfAGroupMayAlwaysWaitThere() {
    dumps(threads(8, ThreadActivity.OTHER, false, 1));
    assertFalse(server(timeline.build()).in(FrameBook.standard()).isRequestThread("miller-3"));
  }

  @Test
  void whereAServerIsKnownItsThreadsServe() {
    dumps(
        and(
            threads(20, ThreadActivity.OTHER, false, 1),
            threads(1, ThreadActivity.IN_DOWNSTREAM_CALL, true, 90)));
    assertFalse(server(timeline.build()).in(FrameBook.standard()).isRequestThread("miller-3"));
  }

  @Test
  void threadsThatWaitAsLongInBaselineTimesWaitForWork() {
    dumps(and(threads(20, ThreadActivity.OTHER, false, 1), HOLDER));
    waited(0, 40, 20);
    assertFalse(server(timeline.build()).in(FrameBook.standard()).isRequestThread("miller-3"));
  }

  @Test
  void recordedWaitsThatRoseAsWellConfirmIt() {
    dumps(and(threads(20, ThreadActivity.OTHER, false, 1), HOLDER));
    waited(22, 40, 20);
    assertTrue(server(timeline.build()).in(FrameBook.standard()).isRequestThread("miller-3"));
  }

  /** So many threads wait all the time, a second at a time. */
  private void waited(int from, int to, int threads) {
    waited(timeline, from, to, threads);
  }

  private static void waited(TimelineBuilder timeline, int from, int to, int threads) {
    WaitSeries.Builder waits =
        new WaitSeries.Builder(
            new WaitSite(WaitKind.OTHER, "java.util.concurrent.Semaphore$FairSync", false, METHOD),
            new Source("recording.jfr", "jdk.ThreadPark"));
    for (int second = from; second < to; second++) {
      for (int thread = 0; thread < threads; thread++) {
        waits.add(START.plusSeconds(second), Duration.ofSeconds(1));
      }
    }
    timeline.waits(waits.build());
  }

  @Test
  void whatNothingIsSeenToComeOutOfIsNoPool() {
    dumps(threads(20, ThreadActivity.OTHER, false, 1));
    FrameBook book = server(timeline.build()).in(FrameBook.standard());
    assertTrue(book.isRequestThread("miller-3"));
    assertEquals(WaitKind.OTHER, atPermits(book));
  }

  @Test
  void aQueueThatNothingIsSeenToComeOutOfMayBringNewWork() {
    dumps(threads(20, ThreadActivity.IDLE, false, 1));
    assertFalse(server(timeline.build()).in(FrameBook.standard()).isRequestThread("miller-3"));
  }

  @Test
  void threadsThatSleepAreInNoPool() {
    dumps(and(threads(20, ThreadActivity.SLEEPING, false, 1), HOLDER));
    FrameBook book = server(timeline.build()).in(FrameBook.standard());
    assertTrue(book.isRequestThread("miller-3"));
    assertEquals(WaitKind.OTHER, atPermits(book));
  }

  @Test
  void oneDumpShowsAMoment() {
    dump(28, and(threads(20, ThreadActivity.OTHER, false, 1), HOLDER));
    assertFalse(server(timeline.build()).in(FrameBook.standard()).isRequestThread("miller-3"));
  }

  /** Writes of a second each by one method to so many ports, the first as given. */
  private void writes(int ports, int first) {
    writes(ports, first, 1_000);
  }

  private void writes(int ports, int first, long millis) {
    for (int port = first; port < first + ports; port++) {
      WaitSite site =
          new WaitSite(WaitKind.DOWNSTREAM, "127.0.0.1:" + port, false, METHOD, "socket");
      WaitSeries.Builder waits =
          new WaitSeries.Builder(site, new Source("recording.jfr", "jdk.SocketWrite"));
      waits.add(START, Duration.ofMillis(millis));
      timeline.waits(waits.build());
    }
  }

  private WaitKind whileWriting() {
    return server(timeline.build())
        .in(FrameBook.standard())
        .classify(
            List.of("java.net.Socket$SocketOutputStream.write", METHOD, "java.lang.Thread.run"),
            "RUNNABLE",
            Optional.empty())
        .waitsFor();
  }

  @Test
  void eightPortsThatSystemsGiveAreCallers() {
    writes(8, 40_000);
    assertEquals(WaitKind.CLIENT, whileWriting());
  }

  @Test
  void writesThatNoThreadWaitsInForLongAreNotLookedInto() {
    // 8 x 0.4 s in 40 s: 0.08 threads.
    writes(8, 40_000, 400);
    assertEquals(WaitKind.DOWNSTREAM, whileWriting());
  }

  @Test
  void sevenMayBeServicesOfATest() {
    writes(7, 40_000);
    assertEquals(WaitKind.DOWNSTREAM, whileWriting());
  }

  @Test
  void servicesListenOnLowerPorts() {
    writes(8, 8_080);
    assertEquals(WaitKind.DOWNSTREAM, whileWriting());
  }

  @Test
  void threadsWhoseRecordedWaitsDidNotGrowAreNoReasonToReadAgain() {
    int[] reads = {0};

    Timeline read =
        Ingest.read(
            List.of(
                new Ingest.Request(
                    Incidents.folder("lantern-one-lock"), Optional.empty(), Optional.empty())),
            OperatorFacts.none(),
            new IngestContext(Redactor.off(), ReadOptions.STANDARD),
            (format, file, into) -> {
              reads[0] += format.id().equals(RecordingFormat.ID) ? 1 : 0;
              return format.read(file, into);
            });

    assertEquals(List.of(), read.samples(InferredServer.class));
    assertEquals(1, reads[0]);
  }

  /** The meaning of a sleep in what a session does, and of its read from the caller. */
  private List<StackKind> sleepAndRead(int callers, int threads) {
    timeline.sample(new CallersRead(START, "mail.Lines.next", "mail.Session.run", callers));
    dumps(threads(threads, ThreadActivity.RUNNING, false, 0));
    FrameBook book = server(timeline.build()).in(FrameBook.standard());
    return List.of(
        book.classify(
            List.of("java.lang.Thread.sleep", "mail.Box.put", "mail.Session.run"),
            "TIMED_WAITING",
            Optional.empty()),
        book.classify(
            List.of(
                "sun.nio.ch.NioSocketImpl.read",
                "java.net.Socket$SocketInputStream.read",
                "mail.Lines.next",
                "mail.Session.run"),
            "RUNNABLE",
            Optional.empty()));
  }

  @Test
  void codeThatReadsFromCallersServesThem() {
    List<StackKind> meaning = sleepAndRead(12, 12);
    assertTrue(meaning.get(0).requestThread());
    assertEquals(WaitKind.OTHER, meaning.get(1).waitsFor());
  }

  @Test
  void whereThereAreMoreConnectionsThanThreadsAReadMayKeepAThreadFromTheNext() {
    List<StackKind> meaning = sleepAndRead(13, 12);
    assertFalse(meaning.get(0).requestThread());
    assertEquals(WaitKind.DOWNSTREAM, meaning.get(1).waitsFor());
  }
}
