package io.gcdiag.causes.waits;

import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Advice;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Finding.KeyFigure;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.causes.Causes;
import io.gcdiag.evidence.jvm.CodePlace;
import io.gcdiag.evidence.jvm.OwnCode;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.jvm.OwnCode.Spot;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.PlaceCounts;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.OwnCodeSketch;
import io.gcdiag.sketches.Threads;
import io.gcdiag.sketches.WorkerSketch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** More calls for each request, none of them slower. */
class ManyCallsTest {

  private static final CodePlace PAGE = new CodePlace("shop.Page.show", 12);
  private static final CodePlace BASKET = new CodePlace("shop.Basket.total", 31);
  private static final CodePlace PRICE = new CodePlace("shop.Prices.of", 8);

  /** One call of 20 ms and then seven, or one of the other length, of 60 requests a second. */
  private static IncidentBuilder calls(int count, double millis) {
    return incident()
        .recorded(Signal.SOCKET_READS, 10)
        .requests(60, 60)
        .waits(3_600, 0, 60, WaitKind.DOWNSTREAM, "partner:80", 20)
        .waits(count, 60, 120, WaitKind.DOWNSTREAM, "partner:80", millis);
  }

  private static OwnCode calling(Spot... spots) {
    PlaceCounts amounts = new PlaceCounts();
    for (int i = 0; i < spots.length; i++) {
      amounts.add(i, at(70).getEpochSecond() * 1_000_000_000L, 1_000);
    }
    amounts.close();
    Source read = new Source("recording.jfr", "jdk.SocketRead");
    return new OwnCode(at(70), Activity.CALLING, List.of(spots), amounts, read);
  }

  private static Spot spot(CodePlace place, CodePlace user) {
    return new Spot("", place, user, PAGE, true, true);
  }

  private static Advice advice(IncidentBuilder builder) {
    List<Finding> found = new ArrayList<>(List.of(only(new DownstreamTimeRule(), builder)));
    return Causes.advice(
        builder.build(), Causes.of(Hypothesis.SLOW_DOWNSTREAM), found, "7 calls per request");
  }

  @Test
  void theFigureIsHowManyEachRequestMakes() {
    Finding finding = only(new DownstreamTimeRule(), calls(25_200, 20));
    assertEquals(
        new KeyFigure("calls per request", Optional.of("1"), "7"), finding.figures().get(0));
    assertEquals(1, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT));
  }

  /** Events have one call of 10 ms of each request, as before; dumps find five threads in calls. */
  private static KeyFigure firstByDumps(String named) {
    IncidentBuilder builder =
        incident()
            .recorded(Signal.SOCKET_READS, 10)
            .requests(20, 20, 12, 262)
            .waits(1_200, 0, 60, WaitKind.DOWNSTREAM, named, 10)
            .waits(1_200, 60, 120, WaitKind.DOWNSTREAM, named, 10);
    for (int second = 65; second < 120; second += 10) {
      List<ThreadState> dump = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        ThreadActivity calling = ThreadActivity.IN_DOWNSTREAM_CALL;
        dump.add(Threads.thread("exec-" + second + i, "WAITING", calling, "Elasticsearch", true));
      }
      builder.dump(second, dump);
    }
    return only(new DownstreamTimeRule(), builder).figures().get(0);
  }

  @Test
  void threadsInDumpsAreSoManyCallsOfTheRecordedLength() {
    // At most 20/s x 12 ms = 0.24 in calls before: 0.24 / 20/s / 10 ms; now 5 / 20/s / 10 ms.
    assertEquals(
        new KeyFigure(
            "calls per request, each as long as those recorded", Optional.of("1.2"), "at least 25"),
        firstByDumps("Elasticsearch"));
    // Those that events show may be other ones, which say nothing of how long these take.
    assertEquals("request threads in calls, mean", firstByDumps("partner:80").what());
  }

  @Test
  void theyAreToBeTakenOutOfTheLoop() {
    Advice advice = advice(calls(25_200, 20).sample(calling(spot(PRICE, BASKET))));
    assertEquals(Optional.of("Too many downstream calls per request"), advice.title());
    Edit edit = advice.edits().get(0);
    assertEquals(Edit.Kind.CODE, edit.kind());
    assertEquals("shop.Prices.of:8", edit.name());
    assertEquals(
        "fetch everything in one query or call, not one per row (a batch); the loop is at or below"
            + " shop.Basket.total:31",
        edit.to());
  }

  @Test
  void theLoopIsAboveAllOfTheCalls() {
    // Half of the time in each of two places that are used by different code of one page.
    Spot stock = spot(new CodePlace("shop.Stock.of", 5), new CodePlace("shop.Shelf.left", 44));
    Advice advice = advice(calls(25_200, 20).sample(calling(spot(PRICE, BASKET), stock)));
    assertTrue(advice.edits().get(0).to().endsWith("at or below shop.Page.show:12"));
  }

  @Test
  void whereNobodyCountsRequestsWhatTheyAllocateElsewhereDoes() {
    // As many bytes a second as before, and seven times as many calls.
    IncidentBuilder builder =
        incident()
            .recorded(Signal.SOCKET_READS, 10)
            .recorded(Signal.THREAD_PARKS, 10)
            .waits(3_600, 0, 60, WaitKind.DOWNSTREAM, "partner:80", 20)
            .waits(25_200, 60, 120, WaitKind.DOWNSTREAM, "partner:80", 20)
            .sample(OwnCodeSketch.steady(Activity.CALLING, 1_000, 7_000, "shop.Prices.of"))
            .sample(OwnCodeSketch.steady(Activity.ALLOCATING, 102_400, 102_400, "shop.Page.list"));
    // Where nobody lacks a free thread, an empty cache may do no harm.
    WorkerSketch.group(builder, 0, 60, "http-N", true, 8, 1.2, Map.of(WaitKind.IDLE, 34.0));
    WorkerSketch.group(builder, 60, 120, "http-N", true, 8, 8, Map.of());
    Finding finding = only(new DownstreamTimeRule(), builder);
    assertEquals(1, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT));
    assertEquals(
        List.of(
            new KeyFigure("calls a second", Optional.of("60"), "420"),
            new KeyFigure(
                "allocated a second by the requests that make them, elsewhere",
                Optional.of("100 KiB"),
                "100 KiB")),
        finding.figures().subList(0, 2));
    // 60 and 420 calls of 20 ms: 1.2 and 8.4 threads.
    assertEquals(7.2 * 60, builder.build().effects().excessSeconds(Effect.DOWNSTREAM_WAIT), 2);
  }

  @Test
  void newSlowCallsBesideTheUsualOnesAreNoneOfALoops() {
    Finding finding =
        only(
            new DownstreamTimeRule(),
            calls(3_600, 20).waits(3_600, 60, 120, WaitKind.DOWNSTREAM, "names:53", 900));
    assertEquals(1, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT));
    assertEquals(Map.of(), finding.actions());
  }

  @Test
  void callsThatTakeLongerAreASlowServices() {
    Advice advice = advice(calls(3_600, 140).sample(calling(spot(PRICE, BASKET))));
    assertEquals(Optional.of("Slow remote service"), advice.title());
    assertFalse(Edit.together(advice.edits()).contains("one per row"));
  }
}
