package io.gcdiag.causes.memory;

import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.PauseSketch.full;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Place;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.memory.MemoryLeakCause.HeldObjectsRule;
import io.gcdiag.evidence.jvm.GcSample.OldObjects;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.sketches.IncidentBuilder;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HeldObjectsRuleTest {

  private final Rule rule = new HeldObjectsRule();

  private static final String NODES = "java.util.HashMap$Node.value";

  /** Objects that were allocated in these seconds. */
  private static OldObjects held(String className, String holders, int... seconds) {
    return new OldObjects(
        at(119),
        className,
        "",
        holders,
        Arrays.stream(seconds).mapToObj(IncidentBuilder::at).toList(),
        new Source(IncidentBuilder.RECORDING, "jdk.OldObjectSample"));
  }

  /** Full collections leave so many MiB more each second, from 60 to 120. */
  private static IncidentBuilder growing(double slope, OldObjects... held) {
    IncidentBuilder builder = incident().maxHeap(512);
    Arrays.stream(held).forEach(builder::sample);
    for (int second = 65; second < 120; second += 5) {
      builder.pause(full(second, 50).heap(400, 200 + slope * (second - 60), 512));
    }
    return builder;
  }

  private static Optional<Place.Part> place(IncidentBuilder incident) {
    PlaceParts found = new PlaceParts(incident.build());
    new MemoryLeakCause().place(found);
    return found.parts().stream().findFirst();
  }

  private static final OldObjects CART =
      held("byte[]", "shop.Cart.items < " + NODES, 66, 72, 78, 84, 90, 96, 102, 108);

  @Test
  void whereTheLiveSetGrowsWithoutEndWhatIsHeldIsNamed() {
    Finding finding = only(rule, growing(3, CART, held("shop.Item", "", 70, 80)));
    // 8 / 10 = 80 %; two objects are too few to be seen growing.
    assertEquals(
        "of 10 sampled objects that are still held, 80.0 % are parts of shop.Cart, held by"
            + " java.util.HashMap$Node.value",
        finding.statement());
    assertEquals(1, finding.arithmetic().size());
    assertTrue(supports(finding, Hypothesis.MEMORY_LEAK));
  }

  @Test
  void whatIsOfOneMomentOrOneObjectIsNotTheLeak() {
    // 12 buffers of the parsers of 12 connections, all within a second: they do not grow.
    OldObjects parsers =
        held("char[]", "http.Parser.cache", 61, 61, 61, 61, 61, 61, 62, 62, 62, 62, 62, 118);
    OldObjects timer = held("http.Timeout", "", 118);
    Place.Part part = place(growing(3, parsers, timer, CART)).orElseThrow();
    assertEquals("shop.Cart", part.name());
    assertEquals("held by " + NODES, part.detail());
    assertEquals(Optional.empty(), place(growing(3, parsers, timer)));
    assertSilent(rule, growing(3, parsers, timer));
  }

  @Test
  void anArrayWhoseHolderIsNotRecordedIsNamedAsSuch() {
    OldObjects arrays = held("java.lang.Object[]", "", 62, 70, 80, 90, 100, 110);
    Place.Part part = place(growing(3, arrays, held("http.Timeout", "", 118))).orElseThrow();
    assertEquals("java.lang.Object[]", part.name());
    assertEquals("growing; holder not recorded: record with path-to-gc-roots=true", part.detail());
  }

  @Test
  void oldObjectsOfAServiceThatDoesNotGrowShowNothing() {
    assertSilent(rule, growing(0, CART));
  }
}
