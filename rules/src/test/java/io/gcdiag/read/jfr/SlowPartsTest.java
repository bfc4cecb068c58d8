package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.jvm.SafepointStop;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSample.SlowRequests;
import io.gcdiag.evidence.threads.WaitSample.SlowRequests.Part;
import io.gcdiag.evidence.threads.WaitSample.SlowRequests.Side;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.frames.FrameBook;
import io.gcdiag.read.frames.StackKind;
import io.gcdiag.read.jfr.PoolHolds.Step;
import io.gcdiag.read.jfr.RequestEvents.Span;
import io.gcdiag.read.jfr.SlowParts.Allocated;
import io.gcdiag.read.jfr.SlowParts.Stop;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Two hundred requests of one thread, one every 500 ms; each tenth takes ten times as long. */
class SlowPartsTest {

  private static final long MILLI = 1_000_000;
  private static final long START = 1_767_225_600_000L * MILLI;

  private static final Source SOURCE = new Source("recording.jfr", "any");

  private static final StackKind CALL =
      stack("org.postgresql.core.PGStream.receive", "shop.Ledger.post", "shop.Shop.serve");

  private static final StackKind RUNNING = stack("java.util.Arrays.sort", "shop.Report.build");

  private final ThreadSpans<Step> steps = new ThreadSpans<>();
  private final ThreadSpans<Allocated> allocations = new ThreadSpans<>();
  private final List<SafepointStop> stops = new ArrayList<>();
  private final List<GcPause> pauses = new ArrayList<>();
  private final List<Span> requests = new ArrayList<>();

  private SlowPartsTest() {
    for (int i = 0; i < 200; i++) {
      long start = START + i * 500 * MILLI;
      boolean slow = i % 10 == 0;
      requests.add(new Span(1, "worker", start, (slow ? 200 : 20) * MILLI, "", false));
      // Each calls for 10 ms and allocates 1 MB; a slow one waits for a lock after that, runs in
      // one sample, allocates 9 MB more, and its thread does much more when it has ended.
      steps.add(1, start, 10 * MILLI, step(WaitKind.DOWNSTREAM, "db"));
      allocations.add(1, start + 5 * MILLI, 0, new Allocated(CALL, 1_000_000));
      if (slow) {
        steps.add(1, start + 10 * MILLI, 150 * MILLI, step(WaitKind.LOCK, "Ledger"));
        steps.add(1, start + 165 * MILLI, 0, new Step(Optional.empty(), "", RUNNING));
        allocations.add(1, start + 166 * MILLI, 0, new Allocated(RUNNING, 9_000_000));
        allocations.add(1, start + 300 * MILLI, 0, new Allocated(RUNNING, 50_000_000));
        // Twice 10 ms until all threads have stopped: then 15 ms for a dump, and 12 ms for a
        // collection, whose pause is recorded.
        stops.add(stop(start + 50 * MILLI, "FindDeadlocks"));
        stops.add(stop(start + 100 * MILLI, "G1CollectForAllocation"));
        pauses.add(pause(start + 110 * MILLI));
        steps.add(1, start + 200 * MILLI, 250 * MILLI, step(WaitKind.SLEEP, ""));
      }
    }
  }

  private static Instant at(long nanos) {
    return Instant.ofEpochSecond(0, nanos);
  }

  private static SafepointStop stop(long start, String operation) {
    return new SafepointStop(
        at(start),
        Duration.ofMillis(10),
        Duration.ofMillis(15),
        operation,
        operation.startsWith("G1"),
        SOURCE);
  }

  private static GcPause pause(long start) {
    return new GcPause(
        at(start),
        Duration.ofMillis(12),
        PauseKind.YOUNG,
        "",
        OptionalLong.empty(),
        Optional.empty(),
        false,
        SOURCE);
  }

  private static StackKind stack(String... frames) {
    return new StackKind(WaitKind.OTHER, "", true, "", frames[0], false, List.of(frames));
  }

  private static Step step(WaitKind kind, String what) {
    return new Step(Optional.of(kind), what, CALL);
  }

  private SlowParts parts() {
    return new SlowParts(
        steps, allocations, Stop.of(Pauses.of(pauses), stops), 0.028, FrameBook.standard());
  }

  @Test
  void whatOnlySlowRequestsDoStandsOut() {
    SlowRequests slow = parts().of(requests, SOURCE).orElseThrow();
    assertEquals(new Side(20, 0.2), slow.slow());
    assertEquals(new Side(180, 0.02), slow.others());
    // 150 ms of waiting contain stops of 25 and 22 ms. Of 200 ms 10 + 103 + 47 + 28 are known.
    assertEquals(
        List.of(
            "waiting for a lock: Ledger 103 0",
            "running: java.util.Arrays.sort 28 0",
            "stopped for a safepoint: FindDeadlocks 25 0",
            "stopped for GC 22 0",
            "not recorded: waiting for CPU, or running unsampled 12 10",
            "in a call: db 10 10"),
        millis(slow.parts()));
    assertEquals(
        List.of("shop.Ledger.post 113 10", "shop.Report.build 28 0"), millis(slow.callers()));
    assertEquals(
        List.of(
            new SlowRequests.Allocated("all methods", 10e6, 1e6),
            new SlowRequests.Allocated("shop.Report.build", 9e6, 0),
            new SlowRequests.Allocated("shop.Ledger.post", 1e6, 1e6)),
        slow.allocated());
  }

  private static List<String> millis(List<Part> parts) {
    return parts.stream()
        .map(
            part ->
                "%s %.0f %.0f"
                    .formatted(
                        part.doing(), 1_000 * part.slowSeconds(), 1_000 * part.otherSeconds()))
        .toList();
  }

  @Test
  void fewSamplesOfAllocationSayNothing() {
    ThreadSpans<Allocated> few = new ThreadSpans<>();
    for (int i = 0; i < 15; i++) {
      few.add(1, requests.get(i).start(), 0, new Allocated(CALL, 1));
    }
    SlowRequests slow =
        new SlowParts(steps, few, List.of(), 0.028, FrameBook.standard())
            .of(requests, SOURCE)
            .orElseThrow();
    assertEquals(List.of(), slow.allocated());
  }

  @Test
  void requestsThatAreAllAlikeHaveNoProfile() {
    List<Span> alike =
        requests.stream()
            .map(one -> new Span(1, "worker", one.start(), 20 * MILLI, "", false))
            .toList();
    assertEquals(Optional.empty(), parts().of(alike, SOURCE));
  }
}
