package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.EndpointSeries;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries.Point;
import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.ThreadGroupSample.TimedThreads;
import io.gcdiag.read.Ingest;
import io.gcdiag.read.bytes.JfrReader;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.read.bytes.Redactor;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Event;
import jdk.jfr.Name;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events as their libraries declare them, by name and field, in recordings made here. */
class RequestEventsTest {

  @TempDir private Path folder;

  @Name("datadog.Endpoint")
  private static final class DatadogEndpoint extends Event {
    String endpoint;
    String operation = "servlet.request";
    long localRootSpanId = 1;

    DatadogEndpoint(String endpoint) {
      this.endpoint = endpoint;
    }
  }

  @Name("profiler.Span")
  private static final class ProfilerSpan extends Event {
    String tag;

    ProfilerSpan(String tag) {
      this.tag = tag;
    }
  }

  @Name("jeffrey.HttpServerExchange")
  private static final class JeffreyExchange extends Event {
    String method = "GET";
    String uri;
    int status;

    JeffreyExchange(String uri, int status) {
      this.uri = uri;
      this.status = status;
    }
  }

  @Name("jeffrey.GrpcServerExchange")
  private static final class JeffreyCall extends Event {
    String service = "shop.Carts";
    String method = "add";
    String status;

    JeffreyCall(String status) {
      this.status = status;
    }
  }

  @Name("jeffrey.JdbcPoolStatistics")
  private static final class JeffreyPool extends Event {
    String poolName = "orders";
    int total = 10;
    int idle = 1;
    int active = 9;
    int max = 10;
    int min = 10;
    int pendingThreads;
  }

  @Name("jeffrey.JdbcQuery")
  private static final class JeffreyQuery extends Event {
    String sql = "select 1";
  }

  @Name("com.oracle.weblogic.servlet.ServletRequestRunEvent")
  private static final class WebLogicRequest extends Event {
    String uri = "/orders/17";
  }

  @Name("shop.Checkout")
  private static final class OwnEvent extends Event {
    String basket = "basket 4711";
    String kind = "gift";
    int status;
    boolean failed;
  }

  private static void take(int millis) {
    LockSupport.parkNanos(Duration.ofMillis(millis).toNanos());
  }

  private static void request(String endpoint, int millis) {
    DatadogEndpoint event = new DatadogEndpoint(endpoint);
    event.begin();
    take(millis);
    event.commit();
  }

  private static void exchange(String uri, int status) {
    JeffreyExchange event = new JeffreyExchange(uri, status);
    event.begin();
    ProfilerSpan inside = new ProfilerSpan("query");
    inside.begin();
    take(1);
    inside.commit();
    event.commit();
  }

  private Path record(String name, Runnable work) {
    return Recordings.record(folder.resolve(name), recording -> {}, work);
  }

  private static RequestInterval all(Timeline timeline) {
    return timeline.requests().series().get(0).intervals().stream()
        .reduce(RequestInterval::plus)
        .orElseThrow();
  }

  private static List<String> endpoints(RequestSeries series) {
    return series.endpoints().stream().map(EndpointSeries::endpoint).toList();
  }

  private static boolean isNoted(Timeline timeline, String words) {
    return timeline.coverage().notes().stream().anyMatch(note -> note.contains(words));
  }

  @Test
  void requestsThatAnAgentTimesAreCountedByTimeAndEndpoint() {
    Path file =
        record(
            "a.jfr",
            () -> {
              for (int i = 0; i < 6; i++) {
                request("GET /orders/" + (1000 + i), 25);
              }
              request("POST /orders", 25);
            });
    Timeline timeline = Recordings.read(file);
    double seconds =
        Recordings.events(file, "datadog.Endpoint").stream()
            .mapToDouble(event -> event.getDuration().toNanos() / 1e9)
            .sum();
    assertEquals(7, all(timeline).requests());
    assertEquals(seconds, all(timeline).latencies().totalSeconds(), 0.01 * seconds);
    RequestSeries series = timeline.mainRequestSeries().orElseThrow();
    assertEquals(List.of("GET /orders/{id}", "POST /orders"), endpoints(series));
    assertEquals("a.jfr datadog.Endpoint", series.source().toString());
    assertEquals(List.of(), timeline.requests().stats(), "no load test was run");
    assertTrue(isNoted(timeline, "datadog.Endpoint leaves out requests shorter than 10 ms"));
  }

  /** Two requests with three statements each, and a pool for which four threads wait at the end. */
  @Test
  void readingsOfAPoolAreItsMetersAndStatementsAreCounted() {
    Timeline timeline =
        Recordings.read(
            record(
                "a.jfr",
                () -> {
                  for (int i = 0; i < 2; i++) {
                    JeffreyExchange request = new JeffreyExchange("/orders", 200);
                    request.begin();
                    for (int query = 0; query < 3; query++) {
                      JeffreyQuery statement = new JeffreyQuery();
                      statement.begin();
                      take(1);
                      statement.commit();
                    }
                    request.commit();
                    JeffreyPool pool = new JeffreyPool();
                    pool.pendingThreads = 4 * i;
                    pool.commit();
                  }
                }));
    assertEquals(List.of(0.0, 4.0), values(timeline, MetricMeaning.POOL_PENDING));
    assertEquals(List.of(9.0, 9.0), values(timeline, MetricMeaning.POOL_ACTIVE));
    assertEquals(List.of(10.0, 10.0), values(timeline, MetricMeaning.POOL_MAX));
    List<Double> statements = values(timeline, MetricMeaning.QUERIES);
    assertEquals(0, statements.get(0));
    assertEquals(6, statements.get(statements.size() - 1));
    RequestSeries requests = timeline.mainRequestSeries().orElseThrow();
    assertFalse(requests.isScraped(timeline.metrics()), "each request is known");
  }

  private static List<Double> values(Timeline timeline, MetricMeaning meaning) {
    return timeline.metrics(meaning).get(0).points().stream().map(Point::value).toList();
  }

  @Test
  void wherePartOfThemIsLeftOutForBeingShortTheOthersAreNotUsed() {
    Timeline timeline =
        Recordings.read(
            record(
                "a.jfr",
                () -> {
                  for (int i = 0; i < 20; i++) {
                    request("GET /", i % 2 == 0 ? 12 : 40);
                  }
                }));
    assertEquals(List.of(), timeline.requests().series());
    assertTrue(isNoted(timeline, "shorter than 10 ms, which are many"));
  }

  @Test
  void ofSpansInsideEachOtherTheOutermostIsTheRequest() {
    Timeline timeline =
        Recordings.read(
            record(
                "a.jfr",
                () -> {
                  for (int i = 0; i < 3; i++) {
                    ProfilerSpan request = new ProfilerSpan("GET /report");
                    request.begin();
                    for (int query = 0; query < 2; query++) {
                      ProfilerSpan inside = new ProfilerSpan("query");
                      inside.begin();
                      take(1);
                      inside.commit();
                    }
                    request.commit();
                  }
                }));
    assertEquals(3, all(timeline).requests());
    assertEquals(List.of("GET /report"), endpoints(timeline.requests().series().get(0)));
    assertTrue(isNoted(timeline, "the outermost of its spans are taken for requests"));
    assertTrue(isNoted(timeline, "9 events, of which 6 are inside another one"));
  }

  /**
   * Three workers serve four requests each. Then each is given one that does not end: of these the
   * recording has no event.
   */
  @Test
  void requestsThatHadNotEndedWithTheRecordingCountAsLongAsTheyHadLasted() {
    CountDownLatch end = new CountDownLatch(1);
    ThreadPoolExecutor workers = workers(Duration.ofHours(1));
    Path file = served(workers, () -> serve(workers, () -> end.await()));
    end.countDown();
    workers.shutdown();
    Timeline timeline = timedBy(file, "shop.Checkout");
    assertEquals(15, all(timeline).requests());
    assertEquals(3, all(timeline).latencies().from(Duration.ofMillis(1_200)).count());
    assertTrue(isNoted(timeline, "shop.Checkout: 3 requests had not ended with the recording"));
  }

  /** They are woken by their own timeout, and given nothing. */
  @Test
  void workersThatAreGivenNothingAreInNoRequest() {
    ThreadPoolExecutor workers = workers(Duration.ofMillis(200));
    workers.allowCoreThreadTimeOut(false);
    Path file = served(workers, () -> {});
    workers.shutdown();
    assertEquals(12, all(timedBy(file, "shop.Checkout")).requests());
  }

  private static ThreadPoolExecutor workers(Duration keepAlive) {
    return new ThreadPoolExecutor(
        3, 3, keepAlive.toMillis(), TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>());
  }

  private interface Work {
    void run() throws InterruptedException;
  }

  private static void serve(ThreadPoolExecutor workers, Work work) {
    for (int worker = 0; worker < 3; worker++) {
      workers.execute(
          () -> {
            OwnEvent event = new OwnEvent();
            event.begin();
            try {
              work.run();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            event.commit();
          });
    }
  }

  private Path served(ThreadPoolExecutor workers, Runnable then) {
    return Recordings.record(
        folder.resolve("w.jfr"),
        recording ->
            recording
                .enable("jdk.ThreadPark")
                .withThreshold(Duration.ofMillis(10))
                .withStackTrace(),
        () -> {
          for (int round = 0; round < 4; round++) {
            serve(workers, () -> Thread.sleep(50));
            take(150);
          }
          then.run();
          take(1_500);
        });
  }

  @Test
  void spansThatEndOnAThreadOfManyRequestsAllCount() {
    Timeline timeline =
        Recordings.read(
            record(
                "a.jfr",
                () -> {
                  ProfilerSpan last = new ProfilerSpan("GET /0");
                  last.begin();
                  for (int i = 1; i <= 8; i++) {
                    ProfilerSpan next = new ProfilerSpan("GET /" + i);
                    next.begin();
                    ProfilerSpan inside = new ProfilerSpan("GET /quick");
                    inside.begin();
                    take(1);
                    inside.commit();
                    last.commit();
                    last = next;
                  }
                  last.commit();
                }));
    assertEquals(17, all(timeline).requests());
    assertTrue(isNoted(timeline, "ends on threads with several requests at a time"));
  }

  /** Name and field as Oracle's manual of the Diagnostics Framework has them. */
  @Test
  void servletsOfWebLogicAreRequests() {
    Path file =
        record(
            "w.jfr",
            () -> {
              for (int i = 0; i < 3; i++) {
                WebLogicRequest event = new WebLogicRequest();
                event.begin();
                take(5);
                event.commit();
              }
            });
    Timeline timeline = Recordings.read(file);
    assertEquals(3, all(timeline).requests());
    assertEquals(List.of("/orders/{id}"), endpoints(timeline.mainRequestSeries().orElseThrow()));
  }

  @Test
  void eventsOfRequestsArePreferredToSpans() {
    Timeline timeline =
        Recordings.read(
            record(
                "a.jfr",
                () -> {
                  exchange("/orders/{id}", 200);
                  exchange("/orders/{id}", 503);
                  exchange("/orders/{id}", 404);
                }));
    assertEquals(1, timeline.requests().series().size());
    assertEquals(3, all(timeline).requests());
    assertEquals(1, all(timeline).failed());
    assertEquals(List.of("GET /orders/{id}"), endpoints(timeline.requests().series().get(0)));
  }

  /** Of an argument that is wrong the client is to blame. */
  @Test
  void callsOfGrpcFailWithTheCodesOfTheServer() {
    Timeline timeline =
        Recordings.read(
            record(
                "a.jfr",
                () -> {
                  for (String status : List.of("OK", "UNAVAILABLE", "INVALID_ARGUMENT")) {
                    JeffreyCall call = new JeffreyCall(status);
                    call.begin();
                    take(1);
                    call.commit();
                  }
                }));
    assertEquals(3, all(timeline).requests());
    assertEquals(1, all(timeline).failed());
    assertEquals(List.of("add"), endpoints(timeline.requests().series().get(0)));
  }

  @Test
  void recordingsOfOneJvmAreOneSeries() {
    Path first = record("a.jfr", () -> exchange("/a", 200));
    Path second =
        record(
            "b.jfr",
            () -> {
              exchange("/a", 200);
              exchange("/b", 200);
            });
    Timeline timeline = Recordings.read(List.of(first, second), JfrReader.OWN);
    assertEquals(1, timeline.requests().series().size());
    assertEquals(3, all(timeline).requests());
    assertEquals(List.of("GET /a", "GET /b"), endpoints(timeline.requests().series().get(0)));
  }

  private static void checkOut(String kind) {
    OwnEvent event = new OwnEvent();
    event.kind = kind;
    event.begin();
    take(1);
    event.commit();
  }

  private static Timeline timedBy(Path file, String event) {
    return Ingest.read(
        List.of(new Ingest.Request(file, Optional.empty(), Optional.empty())),
        OperatorFacts.none(),
        Redactor.hiding(),
        ReadOptions.STANDARD.timedBy(List.of(event)));
  }

  /** One with a status of the server's, one that says that it failed, and one of the client's. */
  @Test
  void aServicesOwnEventsSayWhichRequestsFailed() {
    Path file =
        record(
            "a.jfr",
            () -> {
              checkOut(503, false);
              checkOut(200, true);
              checkOut(404, false);
            });
    assertEquals(2, all(timedBy(file, "shop.Checkout")).failed());
  }

  private static void checkOut(int status, boolean failed) {
    OwnEvent event = new OwnEvent();
    event.begin();
    take(1);
    event.status = status;
    event.failed = failed;
    event.commit();
  }

  @Test
  void aNameThatNoEventHasIsSaidWithThoseThatThereAre() {
    Path file = record("a.jfr", () -> checkOut("gift"));
    String note = timedBy(file, "shop.Chekout").inputs().get(0).note();
    assertTrue(note.startsWith("not there: shop.Chekout (--request); its events: "), note);
    assertEquals("", timedBy(file, "shop.Checkout").inputs().get(0).note());
  }

  @Test
  void aServicesOwnEventsAreRequestsIfTheUserSaysSo() {
    Path file =
        record(
            "a.jfr",
            () -> {
              checkOut("gift");
              checkOut("gift");
              checkOut("plain");
              exchange("/orders", 200);
            });
    Timeline named = timedBy(file, "shop.Checkout:kind");
    assertEquals(1, named.requests().series().size());
    assertEquals(3, all(named).requests());
    assertEquals(List.of("gift", "plain"), endpoints(named.requests().series().get(0)));
    Timeline unnamed = timedBy(file, "shop.Checkout");
    assertEquals(3, all(unnamed).requests());
    assertEquals(List.of(), endpoints(unnamed.requests().series().get(0)));
    assertEquals(1, all(Recordings.read(file)).requests(), "no option says that they are requests");
  }

  @Test
  void threadsOfNoKnownServerOnWhichRequestsAreTimedAreRequestThreads() {
    Path file =
        Recordings.record(
            folder.resolve("a.jfr"),
            recording -> recording.enable("jdk.ThreadPark").withThreshold(Duration.ofMillis(1)),
            () -> {
              // Several: of one, JDK 17 at times records no name, or it wakes too early.
              for (int i = 1; i <= 8; i++) {
                onThread("miller-" + i, () -> request("GET /", 25));
              }
            });
    Timeline timeline = Recordings.read(file);
    assertEquals(
        List.of("miller-*"),
        timeline.samples(TimedThreads.class).stream().map(TimedThreads::threads).toList());
    assertTrue(
        timeline.waits().stream().anyMatch(series -> series.site().onRequestThread()),
        () -> timeline.waits().toString());
    assertTrue(isNoted(timeline, "request threads are miller-*"));
  }

  private static void onThread(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.start();
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
