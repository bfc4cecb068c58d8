package io.gcdiag.causes.pool;

import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Advice;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.Causes;
import io.gcdiag.causes.pool.ConnectionChurnCause.OpenedConnectionsRule;
import io.gcdiag.causes.waits.DownstreamTimeRule;
import io.gcdiag.evidence.jvm.CodePlace;
import io.gcdiag.evidence.jvm.OwnCode;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.jvm.OwnCode.Spot;
import io.gcdiag.evidence.threads.CallPart;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSite;
import io.gcdiag.evidence.time.PlaceCounts;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.OpenedConnections;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.Threads;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Requests that wait until a new connection has logged in. */
class OpenedConnectionsRuleTest {

  private static final String POOLED = CallPart.name("PostgreSQL", CallPart.OPENING_IN_POOL);
  private static final String OPENED = CallPart.name("PostgreSQL", CallPart.OPENING);

  private final Rule rule = new OpenedConnectionsRule();

  /** So many of that length from the second given on, one after the other for a minute. */
  private static IncidentBuilder opened(
      IncidentBuilder builder, int from, int count, double millis, String client) {
    WaitSite site = new WaitSite(WaitKind.DOWNSTREAM, "db:5432", true, "Shop.order", client);
    for (int i = 0; i < count; i++) {
      builder.waited(site, from + 59.0 * i / count, millis);
    }
    return builder;
  }

  /** 30 statements of 20 ms a second before and during. */
  private static IncidentBuilder statements() {
    return incident()
        .recorded(Signal.SOCKET_READS, 10)
        .requests(30, 30)
        .waits(3_600, 0, 120, WaitKind.DOWNSTREAM, "db:5432", 20);
  }

  @Test
  void newConnectionsThatRequestsDidNotWaitForBeforeExplainTheirTime() {
    // 1,800 of 50 ms in a minute are 1.5 threads; statements keep 0.6 busy before and during.
    IncidentBuilder builder = opened(statements(), 60, 1_800, 50, POOLED);
    Finding finding = only(rule, builder);
    assertEquals(
        "request threads that wait until a new connection has logged in: 0 -> 1.5 on average, 100.0 %"
            + " of the time lost in calls",
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.CONNECTION_CHURN, Effect.DOWNSTREAM_WAIT), 1e-9);
  }

  @Test
  void whatTheyExplainIsNoSlowAnswer() {
    IncidentBuilder builder = opened(statements(), 60, 1_800, 50, POOLED);
    assertEquals(
        0,
        explains(
            only(new DownstreamTimeRule(), builder),
            Hypothesis.SLOW_DOWNSTREAM,
            Effect.DOWNSTREAM_WAIT),
        1e-9);
  }

  @Test
  void statementsThatAreSlowerAsWellKeepTheirPart() {
    // 30 a second of 70 ms in place of 20 are 1.5 threads more, as many as open connections.
    IncidentBuilder builder =
        incident()
            .recorded(Signal.SOCKET_READS, 10)
            .requests(30, 30)
            .waits(1_800, 0, 60, WaitKind.DOWNSTREAM, "db:5432", 20)
            .waits(1_800, 60, 119, WaitKind.DOWNSTREAM, "db:5432", 70);
    opened(builder, 60, 1_800, 50, POOLED);
    assertEquals(
        0.5,
        explains(only(rule, builder), Hypothesis.CONNECTION_CHURN, Effect.DOWNSTREAM_WAIT),
        0.01);
  }

  @Test
  void asManyAsBeforeThatTakeLongerHaveASlowPartner() {
    IncidentBuilder builder = opened(statements(), 0, 1_800, 20, OPENED);
    assertEquals(List.of(), rule.examine(opened(builder, 60, 1_800, 200, OPENED).build()));
  }

  @Test
  void asManyAsBeforeAndAsLongAreUsual() {
    IncidentBuilder builder = opened(statements(), 0, 1_800, 50, OPENED);
    assertEquals(List.of(), rule.examine(opened(builder, 60, 1_800, 50, OPENED).build()));
  }

  @Test
  void withoutABaselineTheyMayBeUsual() {
    IncidentBuilder builder = opened(statements().withoutBaseline(), 60, 1_800, 50, OPENED);
    assertTrue(supports(only(rule, builder), Hypothesis.CONNECTION_CHURN));
    // What is only a lead takes nothing from slow answers.
    MeasuredIncident incident = builder.build();
    assertEquals(0, OpenedConnections.shareOfCalls(incident, incident.effects()));
  }

  private static OwnCode code(String client) {
    PlaceCounts amounts = new PlaceCounts();
    amounts.add(0, at(70).getEpochSecond() * 1_000_000_000L, 1_000);
    amounts.close();
    CodePlace order = new CodePlace("shop.Orders.find", 35);
    Spot spot = new Spot(client, order, order, order, true, true);
    Source read = new Source("recording.jfr", "jdk.SocketRead");
    return new OwnCode(at(70), Activity.CALLING, List.of(spot), amounts, read);
  }

  private static Advice advice(String client) {
    IncidentBuilder builder = opened(statements(), 60, 1_800, 50, client).sample(code(client));
    return Causes.advice(
        builder.build(),
        Causes.of(Hypothesis.CONNECTION_CHURN),
        List.of(only(new OpenedConnectionsRule(), builder)),
        "30 a second");
  }

  @Test
  void aPoolIsToKeepWhatItOpens() {
    Edit edit = advice(POOLED).edits().get(0);
    assertEquals("connection pool", edit.name());
    assertTrue(edit.to().contains("maxIdle"), edit.to());
    assertEquals(
        "shop.Orders.find:35, remote host db:5432 (PostgreSQL)",
        advice(POOLED).place().orElseThrow().toString());
  }

  @Test
  void withoutAPoolTheCodeIsToKeepTheConnection() {
    Edit edit = advice(OPENED).edits().get(0);
    assertEquals("shop.Orders.find:35", edit.name());
    assertTrue(edit.to().contains("from a pool"), edit.to());
  }

  @Test
  void dumpsShowThemWhereNoEventDoes() {
    IncidentBuilder builder =
        incident()
            .requests(30, 30)
            .dump(70, Threads.serving(3, ThreadActivity.IN_DOWNSTREAM_CALL, OPENED, "Shop.order"))
            .dump(90, Threads.serving(5, ThreadActivity.IN_DOWNSTREAM_CALL, OPENED, "Shop.order"));
    assertEquals(
        4, only(rule, builder).values().get("threadsOpening"), "(3 + 5) / 2, no event beside");
  }
}
