package io.gcdiag.evidence.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StackProfileTest {

  private static final Instant START = Instant.parse("2026-03-01T01:14:00Z");
  private static final Source SOURCE = new Source("r.jfr", "jdk.ExecutionSample");

  private static Window seconds(int from, int to) {
    return new Window(START.plusSeconds(from), START.plusSeconds(to));
  }

  private static long nanos(Instant at) {
    return at.getEpochSecond() * 1_000_000_000;
  }

  @Test
  void stacksThatBeginAlikeShareTheirBeginning() {
    var builder = new StackProfile.Builder(StackProfile.Kind.CPU);
    int run = builder.place(StackProfile.NONE, "java.lang.Thread.run", frame -> false);
    int list = builder.place(run, "shop.Orders.list", frame -> true);
    int sort = builder.place(run, "shop.Orders.sort", frame -> true);
    assertEquals(list, builder.place(run, "shop.Orders.list", frame -> true));
    builder.add(list, nanos(START.plusSeconds(1)), 1);
    builder.add(list, nanos(START.plusSeconds(2)), 1);
    builder.add(sort, nanos(START.plusSeconds(30)), 1);
    StackProfile profile = builder.build(SOURCE).orElseThrow();
    assertEquals(3, profile.nodes().size());
    assertEquals(Map.of(list, 2L), profile.within(seconds(0, 10)));
    assertEquals(Map.of(list, 2L, sort, 1L), profile.within(seconds(0, 60)));
    assertEquals(START.plusSeconds(1), profile.at());
  }

  @Test
  void whereThereIsNoRoomForMoreTheCallerIsCounted() {
    var builder = new StackProfile.Builder(StackProfile.Kind.ALLOCATION);
    int root = builder.place(StackProfile.NONE, "root", frame -> false);
    for (int i = 1; i < StackProfile.MOST_NODES; i++) {
      builder.place(root, "f" + i, frame -> false);
    }
    assertEquals(root, builder.place(root, "one too many", frame -> false));
    assertEquals(1, builder.place(root, "f1", frame -> false));
  }

  @Test
  void whatWasNeverSeenIsNoProfile() {
    var builder = new StackProfile.Builder(StackProfile.Kind.CPU);
    builder.add(builder.place(StackProfile.NONE, "root", frame -> false), nanos(START), 0);
    assertEquals(Optional.empty(), builder.build(SOURCE));
  }
}
