package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSample.SlowRequests;
import io.gcdiag.evidence.threads.WaitSample.SlowRequests.Part;
import io.gcdiag.evidence.threads.WaitSample.SlowRequests.Side;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.frames.StackKind;
import io.gcdiag.read.jfr.PoolHolds.Step;
import io.gcdiag.read.jfr.RequestEvents.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Two hundred requests of one thread, one every 500 ms; each tenth takes ten times as long. */
class SlowPartsTest {

  private static final long MILLI = 1_000_000;
  private static final long START = 1_767_225_600_000L * MILLI;

  private final ThreadSpans<Step> steps = new ThreadSpans<>();
  private final List<Span> requests = new ArrayList<>();

  private SlowPartsTest() {
    for (int i = 0; i < 200; i++) {
      long start = START + i * 500 * MILLI;
      boolean slow = i % 10 == 0;
      requests.add(new Span(1, "worker", start, (slow ? 200 : 20) * MILLI, "", false));
      // Each calls for 10 ms; a slow one waits for a lock before that, and its thread does much
      // more when it has ended.
      steps.add(1, start, 10 * MILLI, step(WaitKind.DOWNSTREAM, "db"));
      if (slow) {
        steps.add(1, start + 10 * MILLI, 150 * MILLI, step(WaitKind.LOCK, "Ledger"));
        steps.add(1, start + 200 * MILLI, 250 * MILLI, step(WaitKind.SLEEP, ""));
      }
    }
  }

  private static Step step(WaitKind kind, String what) {
    return new Step(
        Optional.of(kind),
        what,
        new StackKind(kind, what, true, "", "shop.Shop.serve", false, List.of()));
  }

  @Test
  void whatOnlySlowRequestsDoStandsOut() {
    SlowRequests slow =
        new SlowParts(steps, Pauses.none(), 0.02)
            .of(requests, new Source("recording.jfr", "any"))
            .orElseThrow();
    assertEquals(new Side(20, 0.2), slow.slow());
    assertEquals(new Side(180, 0.02), slow.others());
    Map<String, Part> parts =
        slow.parts().stream().collect(Collectors.toMap(Part::doing, part -> part));
    assertEquals(0.15, parts.get("waiting for a lock: Ledger").slowSeconds(), 1e-9);
    assertEquals(0, parts.get("waiting for a lock: Ledger").otherSeconds(), 1e-9);
    assertEquals(0.01, parts.get("in a call: db").otherSeconds(), 1e-9);
    // 200 - 10 - 150 ms, and 20 - 10 ms.
    Part unseen = parts.get("not recorded: waiting for CPU, or running unsampled");
    assertEquals(0.04, unseen.slowSeconds(), 1e-9);
    assertEquals(0.01, unseen.otherSeconds(), 1e-9);
    assertEquals(3, parts.size());
  }

  @Test
  void requestsThatAreAllAlikeHaveNoProfile() {
    List<Span> alike =
        requests.stream()
            .map(one -> new Span(1, "worker", one.start(), 20 * MILLI, "", false))
            .toList();
    assertEquals(
        Optional.empty(),
        new SlowParts(steps, Pauses.none(), 0.02).of(alike, new Source("recording.jfr", "any")));
  }
}
