package io.gcdiag.accounts.heap;

import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.causes.Finding;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.causes.Rule;
import io.gcdiag.evidence.heap.AllocationSite;
import io.gcdiag.evidence.heap.AllocationSite.Path;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.PauseSketch;
import io.gcdiag.units.Bytes;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OutsideTlabRuleTest {

  private final Rule rule = new OutsideTlabRule();

  private static AllocationSite site(String root, Path path, long kibi, Optional<Bytes> size) {
    return new AllocationSite(
        "byte[]", "Buffers.allocate", root, false, path, Bytes.ofKibi(kibi), 10, size);
  }

  @Test
  void theLargestSiteIsNamedWithItsSizeAndShare() {
    // 750 of 1,000 KiB.
    Finding finding =
        only(
            rule,
            incident()
                .allocationSite(
                    site("NioEndpoint", Path.OUTSIDE_TLAB, 750, Optional.of(Bytes.ofKibi(8))))
                .allocationSite(
                    site("Scrape", Path.OUTSIDE_TLAB, 250, Optional.of(Bytes.ofKibi(115)))));
    assertEquals(
        "top allocator outside TLABs: byte[] of about 8 KiB under NioEndpoint,"
            + " 75.0 % of the recorded bytes",
        finding.statement());
    assertEquals(
        List.of("75.0 %  byte[] (8 KiB)  at Buffers.allocate, from NioEndpoint"),
        finding.arithmetic());
  }

  /** Objects of 600 KiB, and regions of so many MiB. */
  private static IncidentBuilder buffersOf600KiB(int regionMebi) {
    return incident()
        .flag("G1HeapRegionSize", Long.toString((long) regionMebi << 20))
        .allocationSite(site("Photos", Path.OUTSIDE_TLAB, 6_000, Optional.of(Bytes.ofKibi(600))));
  }

  @Test
  void objectsOfHalfARegionSpeakForTheCollectionsThatTheyForce() {
    Finding finding =
        only(
            rule,
            buffersOf600KiB(1).pause(PauseSketch.young(90, 5).cause("G1 Humongous Allocation")));
    assertEquals(
        "objects larger than half a G1 region (512 KiB): byte[] (600 KiB) at Buffers.allocate",
        finding.arithmetic().get(1));
    assertTrue(supports(finding, Hypothesis.HUMONGOUS_ALLOCATION));
  }

  @Test
  void largeObjectsThatForceNoCollectionSpeakForNothing() {
    assertFalse(supports(only(rule, buffersOf600KiB(1)), Hypothesis.HUMONGOUS_ALLOCATION));
  }

  @Test
  void whereNoneIsThatLargeThereIsNoHumongousAllocation() {
    Finding finding = only(rule, buffersOf600KiB(2));
    assertEquals(
        "objects larger than half a G1 region (1 MiB): none by typical size",
        finding.arithmetic().get(1));
    assertTrue(weakens(finding, Hypothesis.HUMONGOUS_ALLOCATION));
  }

  /** G1 puts an object of exactly half a region into the young generation. */
  @Test
  void anObjectOfHalfARegionIsNotHumongous() {
    Finding finding =
        only(
            rule,
            incident()
                .flag("G1HeapRegionSize", Long.toString(1L << 20))
                .allocationSite(
                    site("Photos", Path.OUTSIDE_TLAB, 512, Optional.of(Bytes.ofKibi(512)))));
    assertEquals(
        "objects larger than half a G1 region (512 KiB): none by typical size",
        finding.arithmetic().get(1));
  }

  @Test
  void eachKindOfRecordIsNamedByItself() {
    List<Finding> findings =
        rule.examine(
            incident()
                .allocationSite(site("A", Path.SAMPLED, 100, Optional.empty()))
                .allocationSite(site("B", Path.OUTSIDE_TLAB, 50, Optional.of(Bytes.ofKibi(8))))
                .build());
    assertEquals(
        List.of(
            "top allocator outside TLABs: byte[] of about 8 KiB under B,"
                + " 100.0 % of the recorded bytes",
            "top allocator by samples: byte[] under A, 100.0 % of the recorded bytes"),
        findings.stream().map(Finding::statement).toList());
  }

  @Test
  void whatAllocatedBeforeTheIncidentIsNotNamed() {
    Finding finding =
        only(
            rule,
            incident()
                .allocationSite(site("Startup", Path.SAMPLED, 900, Optional.empty()), 10)
                .allocationSite(site("Orders", Path.SAMPLED, 100, Optional.empty()), 70));
    assertEquals(
        "top allocator by samples: byte[] under Orders, 100.0 % of the recorded bytes",
        finding.statement());
  }

  @Test
  void aNameAloneSpeaksForNoCauseAndAgainstNone() {
    Finding finding =
        only(rule, incident().allocationSite(site("A", Path.SAMPLED, 100, Optional.empty())));
    assertEquals(List.of(), finding.bearings());
  }

  @Test
  void withoutASiteThereIsNothingToSay() {
    assertSilent(rule, incident());
  }
}
