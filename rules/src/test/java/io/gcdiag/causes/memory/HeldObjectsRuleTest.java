package io.gcdiag.causes.memory;

import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.PauseSketch.full;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.memory.MemoryLeakCause.HeldObjectsRule;
import io.gcdiag.evidence.jvm.GcSample.OldObjects;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.sketches.IncidentBuilder;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeldObjectsRuleTest {

  private final Rule rule = new HeldObjectsRule();

  private static OldObjects held(String className, long count) {
    return new OldObjects(
        at(119),
        className,
        "shop.Cart.add",
        "shop.Cart.items < java.util.HashMap$Node.value",
        count,
        Duration.ofSeconds(2),
        Duration.ofSeconds(90),
        new Source(IncidentBuilder.RECORDING, "jdk.OldObjectSample"));
  }

  /** Full collections leave so many MiB more each second. */
  private static IncidentBuilder growing(double slope) {
    IncidentBuilder builder =
        incident().maxHeap(512).sample(held("byte[]", 8)).sample(held("shop.Item", 2));
    for (int second = 65; second < 120; second += 5) {
      builder.pause(full(second, 50).heap(400, 200 + slope * (second - 60), 512));
    }
    return builder;
  }

  @Test
  void whereTheLiveSetGrowsWithoutEndWhatIsHeldIsNamed() {
    Finding finding = only(rule, growing(3));
    // 8 / 10 = 80 %.
    assertEquals(
        "of 10 sampled objects that are still held, 80.0 % are byte[] allocated at shop.Cart.add,"
            + " held by shop.Cart.items < java.util.HashMap$Node.value",
        finding.statement());
    assertEquals(
        List.of("byte[]", "shop.Item"),
        finding.arithmetic().stream().map(line -> line.split(" +")[2]).toList());
    assertTrue(supports(finding, Hypothesis.MEMORY_LEAK));
  }

  @Test
  void oldObjectsOfAServiceThatDoesNotGrowShowNothing() {
    assertSilent(rule, growing(0));
  }
}
