package io.gcdiag.causes.memory;

import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.PauseSketch.full;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.memory.MetaspacePressureCause.ClassMetadataRule;
import io.gcdiag.evidence.jvm.JvmSample.ClassLoads;
import io.gcdiag.evidence.jvm.MemorySample.MetaspaceUse;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.OwnCodeSketch;
import io.gcdiag.units.Bytes;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClassMetadataRuleTest {

  private static final Source SOURCE = new Source(IncidentBuilder.RECORDING, "jdk.Metaspace");

  private final Rule rule = new ClassMetadataRule();

  private static IncidentBuilder metaspace(long committed) {
    return incident()
        .sample(
            new MetaspaceUse(
                at(90), Bytes.ofMebi(15), Bytes.ofMebi(committed), Bytes.ofMebi(25), SOURCE));
  }

  @Test
  void collectionsForMetadataAreSeenBesideTheClassesThatCome() {
    // 20 / 25 MiB = 80 %; (13,000 - 1,000) / 40 s = 300 a second.
    Finding finding =
        only(
            rule,
            metaspace(20)
                .sample(new ClassLoads(at(70), 1_000))
                .sample(new ClassLoads(at(110), 13_000))
                .pause(full(80, 100).cause("Metadata GC Threshold")));
    assertEquals(
        "the metaspace uses 15 MiB, 20 MiB committed, up to 80.0 % of the size that "
            + "triggers a GC; 300 classes loaded per second",
        finding.statement());
    assertTrue(supports(finding, Hypothesis.METASPACE_PRESSURE));
  }

  /** The window is from 60 to 120 s. */
  @Test
  void collectionsOfTheStartAloneAreTheLoadingOfTheService() {
    assertFalse(supports(onlyWithoutBaseline(65, 80), Hypothesis.METASPACE_PRESSURE));
    assertTrue(supports(onlyWithoutBaseline(65, 100), Hypothesis.METASPACE_PRESSURE));
  }

  private Finding onlyWithoutBaseline(double first, double last) {
    return only(
        rule,
        metaspace(20)
            .withoutBaseline()
            .pause(full(first, 100).cause("Metadata GC Threshold"))
            .pause(full(last, 100).cause("Metadata GC Threshold")));
  }

  /**
   * Ten classes a second before, and so many now, at 100 requests a second; 20 % of two cores are
   * in use before.
   */
  private static IncidentBuilder loadingClasses(int perSecond, double cpu) {
    return metaspace(20)
        .requests(100, 10, 20)
        .cpus(2)
        .cpu(30, 0.2, 0.2)
        .cpu(90, cpu, cpu)
        .sample(new ClassLoads(at(10), 600))
        .sample(new ClassLoads(at(50), 1_000))
        .sample(new ClassLoads(at(70), 1_200))
        .sample(new ClassLoads(at(110), 1_200 + 40 * perSecond))
        .pause(full(80, 100).cause("Metadata GC Threshold"));
  }

  private Finding loading(int perSecond, double cpu) {
    return only(rule, loadingClasses(perSecond, cpu));
  }

  @Test
  void whatIsComputedWhereClassesAreMadeIsPartOfTheSameCause() {
    // Three of five samples are where one a second defines a class.
    IncidentBuilder incident =
        loadingClasses(300, 0.6)
            .sample(OwnCodeSketch.steady(Activity.RUNNING, 0, 3, "shop.Letter.render"))
            .sample(OwnCodeSketch.steady(Activity.RUNNING, 2, 2, "shop.Cart.add"))
            .sample(OwnCodeSketch.steady(Activity.DEFINING_CLASSES, 0, 1, "shop.Letter.render"));
    Finding finding = only(rule, incident);
    assertEquals(0.6, explains(finding, Hypothesis.METASPACE_PRESSURE, Effect.RUNNING), 1e-9);
    assertEquals(List.of(), finding.inseparable());
  }

  @Test
  void classesThatEachRequestLoadsCostItsCpuTimeAsWell() {
    // 60 % of two cores: 8 ms more for each request, of the 10 ms that it takes longer.
    Finding each = loading(300, 0.6);
    assertEquals(Hypothesis.CPU_SATURATION, each.inseparable().get(0).one());
    assertEquals(Hypothesis.METASPACE_PRESSURE, each.inseparable().get(0).other());
    // Half of the requests load none.
    assertEquals(List.of(), loading(50, 0.6).inseparable());
    // As much CPU time as before: what requests lose is elsewhere.
    assertEquals(List.of(), loading(300, 0.2).inseparable());
  }

  @Test
  void farFromTheThresholdItIsRuledOut() {
    assertTrue(refutes(only(rule, metaspace(10)), Hypothesis.METASPACE_PRESSURE));
  }

  @Test
  void nearTheThresholdWithoutACollectionItIsNotIndicated() {
    assertTrue(weakens(only(rule, metaspace(24)), Hypothesis.METASPACE_PRESSURE));
  }

  @Test
  void withoutARecordingThereIsNothingToSay() {
    assertSilent(rule, incident().pause(full(80, 100)));
  }
}
