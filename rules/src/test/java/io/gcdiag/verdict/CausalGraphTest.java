package io.gcdiag.verdict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Attribution;
import io.gcdiag.books.CausalLink;
import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSample.LockHold;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.threads.Effect;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** In most scenes two threads wait for a connection all the time: 60 s x 2 = 120. */
class CausalGraphTest {

  private static final double EXACT = 1e-9;
  private static final Source SOURCE = new Source("recording.jfr", "jdk.ThreadPark");

  private static FindingBuilder finding(String statement) {
    return Finding.of("some-rule", statement).from(SOURCE);
  }

  private static MeasuredIncident twoWait() {
    return Scene.of(60).waiting(WaitKind.POOL, "HikariCP", 0, 60, 2).incident();
  }

  private static CausalGraph graph(
      Hypothesis primary, MeasuredIncident incident, Finding... findings) {
    return CausalGraph.of(
        Optional.of(primary), new Attribution(incident.effects(), List.of(findings)), List.of());
  }

  private static CausalLink step(
      String from, String to, double seconds, double share, String statement) {
    return new CausalLink(
        from,
        to,
        seconds,
        share,
        List.of(statement),
        Optional.of("some-rule"),
        List.of(SOURCE),
        List.of());
  }

  /** Of 120 s nine tenths, 108 s, go to pauses; of those the heap takes half. */
  @Test
  void theChainLeadsFromTheCauseToWhatUsersFeltWithWhatGoesEachStep() {
    CausalGraph graph =
        graph(
            Hypothesis.MEMORY_PRESSURE,
            twoWait(),
            finding("waiting follows pauses")
                .passes(Effect.POOL_WAIT, Effect.STOPPED, 0.9, "pauses pile up borrowers")
                .build(),
            finding("the heap is short of room")
                .explains(Hypothesis.MEMORY_PRESSURE, Effect.STOPPED, 0.5)
                .build());
    assertEquals(
        List.of(
            step("memory-pressure", "stopped", 54, 0.45, "the heap is short of room"),
            step("stopped", "pool-wait", 108, 0.9, "pauses pile up borrowers"),
            new CausalLink(
                "pool-wait",
                "latency",
                120,
                1,
                List.of(
                    "requests spent 2 min more than normal waiting for a connection (sum over all requests)"),
                Optional.empty(),
                List.of(),
                List.of())),
        graph.chain());
    assertEquals(List.of(), graph.beside());
  }

  @Test
  void whatOtherCausesTookStandsBesideTheChainTheLargestFirst() {
    CausalGraph graph =
        graph(
            Hypothesis.CONNECTION_POOL_UNDERSIZED,
            twoWait(),
            finding("the pool is small")
                .explains(Hypothesis.CONNECTION_POOL_UNDERSIZED, Effect.POOL_WAIT, 0.5)
                .build(),
            finding("some is leaked")
                .explains(Hypothesis.CONNECTION_LEAK, Effect.POOL_WAIT, 0.1)
                .build(),
            finding("waiting follows pauses")
                .passes(Effect.POOL_WAIT, Effect.STOPPED, 0.4, "pauses pile up borrowers")
                .build());
    assertEquals(
        List.of(
            step("stopped", "pool-wait", 48, 0.4, "pauses pile up borrowers"),
            step("connection-leak", "pool-wait", 12, 0.1, "some is leaked")),
        graph.beside());
  }

  @Test
  void theChainFollowsTheFlowThatCarriedMost() {
    MeasuredIncident incident =
        Scene.of(60)
            .waiting(WaitKind.POOL, "HikariCP", 0, 60, 1)
            .waiting(WaitKind.LOCK, "com.example.Cache", 0, 60, 3)
            .incident();
    CausalGraph graph =
        graph(
            Hypothesis.CPU_SATURATION,
            incident,
            finding("pool").passes(Effect.POOL_WAIT, Effect.CPU_QUEUE, 1, "via the pool").build(),
            finding("lock").passes(Effect.LOCK_WAIT, Effect.CPU_QUEUE, 1, "via the lock").build(),
            finding("cores").explains(Hypothesis.CPU_SATURATION, Effect.CPU_QUEUE, 1).build());
    assertEquals("via the lock", graph.chain().get(1).statement());
    assertTrue(graph.beside().stream().anyMatch(step -> step.statement().equals("via the pool")));
  }

  /** One holder at a time, and the queue before it; other locks and queues are no rows of it. */
  @Test
  void aLinkNamesTheServerItLeadsToAndWhatWaitsThere() {
    MeasuredIncident incident =
        Scene.of(60)
            .waiting(WaitKind.LOCK, "com.example.Cache", 0, 60, 3)
            .waiting(WaitKind.LOCK, "com.example.Index", 0, 60, 1)
            .waiting(WaitKind.FILE, "journal", 0, 60, 1)
            .samples(held("com.example.Cache"), held("com.example.Index"))
            .incident();
    CausalGraph graph =
        CausalGraph.of(
            Optional.of(Hypothesis.SLOW_DISK),
            new Attribution(
                incident.effects(),
                List.of(
                    finding("the disk").explains(Hypothesis.SLOW_DISK, Effect.FILE_WAIT, 1).build(),
                    finding("the owner")
                        .passes(Effect.LOCK_WAIT, Effect.FILE_WAIT, 1, "the owner writes")
                        .build())),
            incident.stations());

    assertEquals(List.of("file I/O journal"), rows(graph.chain().get(0)));
    assertEquals(
        List.of("lock held com.example.Cache", "waiting for a lock com.example.Cache"),
        rows(graph.chain().get(1)));
  }

  private static LockHold held(String lock) {
    return new LockHold(Scene.at(30), lock, 20, 50, Map.of(), Map.of(), SOURCE);
  }

  private static List<String> rows(CausalLink link) {
    return link.rows().stream().map(row -> row.kind().title() + " " + row.name()).toList();
  }

  /** Two rules each book a part of the same step: 0.5 and 0.3 of 120 s are 96 s in all. */
  @Test
  void twoFindingsOnOneStepAreOneLinkWithTheTimeOfBoth() {
    CausalGraph graph =
        graph(
            Hypothesis.CONNECTION_POOL_UNDERSIZED,
            twoWait(),
            finding("the pool is too small")
                .explains(Hypothesis.CONNECTION_POOL_UNDERSIZED, Effect.POOL_WAIT, 0.3)
                .build(),
            finding("all connections are in use")
                .explains(Hypothesis.CONNECTION_POOL_UNDERSIZED, Effect.POOL_WAIT, 0.5)
                .build());
    CausalLink step = graph.chain().get(0);
    assertEquals(96, step.seconds(), EXACT);
    assertEquals(0.8, step.share(), EXACT);
    assertEquals("all connections are in use; the pool is too small", step.statement());
    assertEquals(List.of(SOURCE), step.sources());
  }

  /** Of the waiting for a connection half goes to the lock, and of that half comes back. */
  @Test
  void aChainGoesAlongACircleOnce() {
    CausalGraph graph =
        graph(
            Hypothesis.LOCK_CONTENTION,
            twoWait(),
            finding("pool").passes(Effect.POOL_WAIT, Effect.LOCK_WAIT, 0.5, "to the lock").build(),
            finding("lock")
                .passes(Effect.LOCK_WAIT, Effect.POOL_WAIT, 0.5, "and back")
                .explains(Hypothesis.LOCK_CONTENTION, Effect.LOCK_WAIT, 0.5)
                .build());
    assertEquals(
        List.of("lock", "to the lock"),
        graph.chain().stream().limit(2).map(CausalLink::statement).toList());
    assertEquals(CausalLink.LATENCY, graph.chain().get(2).to());
    // 60 s + 60 s / 4 + 60 s / 16 ... = 80 s go to the lock, half of which comes back.
    assertEquals(80, graph.chain().get(1).seconds(), 1e-3);
    assertEquals(40, graph.beside().get(0).seconds(), 1e-3);
  }

  @Test
  void aCauseThatExplainsNothingHasNoChain() {
    CausalGraph graph = graph(Hypothesis.GC_LOCKER, twoWait());
    assertTrue(graph.chain().isEmpty());
    assertEquals(120, graph.beside().get(0).seconds(), EXACT);
  }
}
