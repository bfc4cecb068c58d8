package io.gcdiag.causes.memory;

import static io.gcdiag.sketches.Findings.assertSilent;
import static io.gcdiag.sketches.Findings.explains;
import static io.gcdiag.sketches.Findings.only;
import static io.gcdiag.sketches.Findings.supports;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.causes.memory.ContainerMemoryCause.PageFetchRule;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.jvm.CpuLoad;
import io.gcdiag.evidence.jvm.CpuSample.HardwareThreads;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.MeterSketch;
import org.junit.jupiter.api.Test;

class PageFetchRuleTest {

  private final PageFetchRule rule = new PageFetchRule();

  /**
   * On two cores the JVM uses 5 % and then 40 %, of it the kernel none and then so much. Scrapes
   * every ten seconds, the incident from the seventh on.
   */
  private static IncidentBuilder service(double kernel, double pagesPerScrape, double reached) {
    IncidentBuilder builder = incident().sample(new HardwareThreads(at(0), 2));
    for (int second = 0; second < 120; second++) {
      boolean late = second >= 60;
      builder
          .timeline()
          .cpu(new CpuLoad(at(second), late ? 0.4 - kernel : 0.05, late ? kernel : 0, 0.5));
    }
    double[] pages = new double[12];
    double[] times = new double[12];
    for (int i = 7; i < 12; i++) {
      pages[i] = pages[i - 1] + pagesPerScrape;
      times[i] = times[i - 1] + reached;
    }
    return builder
        .metered(MeterSketch.counter("faults", MetricMeaning.PAGES_FETCHED, pages))
        .metered(MeterSketch.counter("failcnt", MetricMeaning.MEMORY_LIMIT_REACHED, times));
  }

  @Test
  void kernelTimeThatRisesWithPagesReadAgainAtTheLimitIsTheLimits() {
    // 100,000 pages each ten seconds; (0.4 - 0.05) x 2 = 0.7 more cores, 0.28 x 2 = 0.56 of them
    // the kernel's; 10,000 pages a second take at most one core. The scrapes from 60 to 110 s.
    Finding finding = only(rule, service(0.28, 100_000, 50));
    assertEquals(
        "10,000 pages a second were read from disk again (before: 0), while the memory limit was"
            + " reached 250 times; of 0.7 more cores in use 0.56 are kernel time",
        finding.statement());
    assertTrue(supports(finding, Hypothesis.CONTAINER_MEMORY));
    assertEquals(10_000, finding.values().get("pagesPerSecond"), 1);
    // 0.56 of 0.7; threads are taken to wait for pages in the same proportion.
    assertEquals(0.8, explains(finding, Hypothesis.CONTAINER_MEMORY, Effect.RUNNING), 1e-9);
    assertEquals(0.8, explains(finding, Hypothesis.CONTAINER_MEMORY, Effect.UNACCOUNTED), 1e-9);
  }

  @Test
  void fewPagesTakeLittleOfTheKernelsTime() {
    // 100 pages a second take at most 0.01 cores.
    assertEquals(0.01, only(rule, service(0.28, 1_000, 50)).values().get("kernelCores"), 1e-9);
  }

  @Test
  void withoutTheLimitOrKernelTimeNothingIsSaid() {
    assertSilent(rule, service(0.28, 100_000, 0));
    assertSilent(rule, service(0, 100_000, 50));
  }
}
