package io.gcdiag.causes.memory;

import static io.gcdiag.sketches.Findings.assertSilent;
import static io.gcdiag.sketches.Findings.explains;
import static io.gcdiag.sketches.Findings.only;
import static io.gcdiag.sketches.Findings.supports;
import static io.gcdiag.sketches.Findings.value;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.MeterSketch.counter;
import static io.gcdiag.sketches.MeterSketch.gauge;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Bearing;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.memory.MemoryPressureCause.MeteredCollectionsRule;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class MeteredCollectionsRuleTest {

  private final Rule rule = new MeteredCollectionsRule();

  /** No pause in the baseline; from the seventh scrape to the twelfth, 50 s, 100 of 50 ms each. */
  private static IncidentBuilder scraped(double oldInUse) {
    return incident()
        .loadTest(100, 10)
        .metered(
            counter(
                "jvm_gc_pause_seconds_count",
                MetricMeaning.GC_PAUSES,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                20,
                40,
                60,
                80,
                100))
        .metered(
            counter(
                "jvm_gc_pause_seconds_sum",
                MetricMeaning.GC_PAUSE_SECONDS,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                1,
                2,
                3,
                4,
                5))
        .metered(
            gauge(
                "jvm_memory_usage_after_gc",
                MetricMeaning.OLD_AFTER_GC,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                oldInUse,
                oldInUse,
                oldInUse,
                oldInUse,
                oldInUse));
  }

  @Test
  void aFullOldGenerationMakesTheStopsTheHeaps() {
    Finding finding = only(rule, scraped(0.97));
    assertEquals(1, explains(finding, Hypothesis.MEMORY_PRESSURE, Effect.STOPPED), 1e-9);
    assertEquals(0.1, value(finding, "shareStopped"), 1e-9);
    assertEquals(
        "by the service's own meters GC paused it 10.0 % of the time: 120 pauses per "
            + "minute, mean 50 ms, longest at least 50 ms; after GC 97.0 % of the old "
            + "generation is in use",
        finding.statement());
  }

  /** Of the 5 s in pauses 4 s are full GCs. */
  private static IncidentBuilder withFullGcs(double oldInUse, String cause) {
    MetricSeries full =
        counter("full", MetricMeaning.FULL_GC_SECONDS, 0, 0, 0, 0, 0, 0, 0, 0.8, 1.6, 2.4, 3.2, 4);
    return scraped(oldInUse)
        .metered(
            new MetricSeries(
                full.name(),
                new TreeMap<>(Map.of("cause", cause)),
                full.meaning(),
                true,
                full.points(),
                full.source()));
  }

  @Test
  void requestedFullGcsAreNotTheHeaps() {
    Finding finding = only(rule, withFullGcs(0.97, "System.gc()"));
    assertEquals(0.4, explains(finding, Hypothesis.EXPLICIT_GC, Effect.STOPPED), 1e-9);
    assertEquals(0.4, explains(finding, Hypothesis.DIRECT_MEMORY, Effect.STOPPED), 1e-9);
    assertEquals(0.2, explains(finding, Hypothesis.MEMORY_PRESSURE, Effect.STOPPED), 1e-9);
    Finding metadata = only(rule, withFullGcs(0.5, "Metadata GC Threshold"));
    assertEquals(0.8, explains(metadata, Hypothesis.METASPACE_PRESSURE, Effect.STOPPED), 1e-9);
    assertTrue(metadata.statement().contains(", 80.0 % of that time in full GCs; after GC 50.0 %"));
  }

  @Test
  void fullGcsInAHalfEmptyHeapAreALeadToARequest() {
    assertTrue(supports(only(rule, withFullGcs(0.5, "")), Hypothesis.EXPLICIT_GC));
    assertFalse(supports(only(rule, withFullGcs(0.97, "")), Hypothesis.EXPLICIT_GC));
    assertFalse(supports(only(rule, scraped(0.5)), Hypothesis.EXPLICIT_GC));
  }

  @Test
  void whatPausesHoldUpIsBounded() {
    // At 100/s and 10 ms one request is in service, 1 / 0.9 with the gaps between the pauses; of
    // 100 x 50 ms each holds up 5 / 2 more, 0.05 x (1.11 + 2.5) x 100 = 18.1 s. Five of a second
    // each, all that was stopped between two scrapes, hold up 100 / 2: 5 x 51.1 = 256 s.
    Finding finding = only(rule, scraped(0.97));
    assertEquals(0.05 * (1 / 0.9 + 2.5) * 100, value(finding, "lostAtLeastSeconds"), 1e-6);
    assertEquals(5 * (1 / 0.9 + 50), value(finding, "lostAtMostSeconds"), 1e-6);
  }

  @Test
  void anOldGenerationWithRoomClearsTheHeap() {
    Finding finding = only(rule, scraped(0.5));
    assertTrue(
        finding.bearings().contains(new Bearing.Refutes(Hypothesis.MEMORY_PRESSURE)),
        finding.bearings().toString());
    // Three quarters in use are neither.
    assertEquals(0, only(rule, scraped(0.75)).bearings().size());
  }

  /** From the seventh scrape on a pause of 6 s of each 10 s, in a heap of 1,000 bytes. */
  private static IncidentBuilder mostlyStopped(double used) {
    double u = used;
    return incident()
        .loadTest(100, 10)
        .metered(counter("count", MetricMeaning.GC_PAUSES, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5))
        .metered(
            counter("sum", MetricMeaning.GC_PAUSE_SECONDS, 0, 0, 0, 0, 0, 0, 0, 6, 12, 18, 24, 30))
        .metered(
            gauge("used", MetricMeaning.HEAP_USED, 400, 400, 400, 400, 400, 400, u, u, u, u, u, u))
        .metered(
            gauge(
                "committed",
                MetricMeaning.HEAP_COMMITTED,
                1000,
                1000,
                1000,
                1000,
                1000,
                1000,
                1000,
                1000,
                1000,
                1000,
                1000,
                1000));
  }

  @Test
  void aHeapInUseThatIsCollectedMostOfTheTimeIsALead() {
    assertTrue(supports(only(rule, mostlyStopped(900)), Hypothesis.MEMORY_PRESSURE));
    assertEquals(0, only(rule, mostlyStopped(800)).bearings().size());
  }

  @Test
  void itIsSilentWhereThePausesThemselvesAreKnownOrNothingIsMetered() {
    assertSilent(rule, scraped(0.97).recorded(Signal.GC_PAUSES));
    assertSilent(rule, incident());
  }
}
