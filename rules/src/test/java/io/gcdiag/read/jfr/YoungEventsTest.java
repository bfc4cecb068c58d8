package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.jvm.GcSample.YoungCollections;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;

/** Expected figures are sums over what {@code jfr print --json} shows of each collection. */
class YoungEventsTest {

  private static List<YoungCollections> read(String incident) {
    return Recordings.read(Path.of("../fixtures/incidents", incident, "recording.jfr.gz"))
        .samples(YoungCollections.class);
  }

  private static void expect(
      int count, long before, long survived, long promoted, List<YoungCollections> young) {
    assertEquals(
        List.of((long) count, before, survived, promoted),
        List.of(
            sum(young, YoungCollections::count),
            sum(young, one -> one.before().value()),
            sum(young, one -> one.survived().value()),
            sum(young, one -> one.promoted().value())));
  }

  private static long sum(List<YoungCollections> young, ToLongFunction<YoungCollections> figure) {
    return young.stream().mapToLong(figure).sum();
  }

  @Test
  void g1StatesWhatItCopiedAndWhereTo() {
    // Of all collections but the mixed ones.
    expect(470, 10_322_116_704L, 1_528_831_512L, 349_472_600L, read("orders-small-heap"));
  }

  @Test
  void parallelStatesWhatItsGenerationsHold() {
    expect(19, 1_778_255_528L, 787_139_728L, 319_502_896L, read("depot-heap-parallel"));
  }
}
