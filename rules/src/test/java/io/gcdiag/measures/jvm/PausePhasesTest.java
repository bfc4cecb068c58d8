package io.gcdiag.measures.jvm;

import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.IncidentBuilder.millis;
import static io.gcdiag.sketches.PauseSketch.full;
import static io.gcdiag.sketches.PauseSketch.young;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.jvm.GcSample.PausePhase;
import io.gcdiag.evidence.jvm.PausePart;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.sketches.IncidentBuilder;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PausePhasesTest {

  private static PausePhase phase(double second, double pause, PausePart part, double millis) {
    return new PausePhase(
        at(second), millis(pause), part, millis(millis), new Source("gc.log", "line 7"));
  }

  private static PausePhases of(IncidentBuilder builder) {
    Incident incident = builder.build();
    return PausePhases.of(incident.timeline(), incident.window());
  }

  /** Of 100 + 400 ms: 310 ms are 62 %. CMS processes references by one thread. */
  @Test
  void thePhaseThatIsMostOfTheLongestPauseIsNamedWithItsFlag() {
    String beginning =
        "Of the time in pauses 62.0 % is reference processing (310 ms of the longest pause, 400 ms): ";
    String own = "find what creates references in a class histogram.";
    assertEquals(
        Optional.of(beginning + own),
        of(references("G1").jdk("17.0.9")).most().map(PausePhases.Most::sentence));
    assertEquals(
        Optional.of(
            beginning + "-XX:+ParallelRefProcEnabled processes them by all GC threads; " + own),
        of(references("CMS").jdk("1.8.0_40")).most().map(PausePhases.Most::sentence));
    assertEquals(
        Optional.of(beginning + own),
        of(references("CMS").jdk("1.8.0_40").flag("ParallelRefProcEnabled", "true"))
            .most()
            .map(PausePhases.Most::sentence));
  }

  private static IncidentBuilder references(String collector) {
    return incident()
        .pause(young(70, 100))
        .pause(young(80, 400))
        .sample(phase(80, 400, PausePart.REFERENCES, 310))
        .collector(collector);
  }

  /** 200 + 90 ms of kinds are all that is known of their processing: 290 of 400 ms. */
  @Test
  void theKindOfReferencesThatTakesMostIsNamed() {
    IncidentBuilder incident =
        incident()
            .pause(young(80, 400))
            .sample(phase(80, 400, PausePart.SOFT_REFERENCES, 200))
            .sample(phase(80, 400, PausePart.JNI_WEAK_REFERENCES, 90));
    assertEquals(
        Optional.of(
            "Of the time in pauses 72.5 % is reference processing, most of it of soft references: a"
                + " smaller -XX:SoftRefLRUPolicyMSPerMB (default 1000) clears them sooner; better,"
                + " bound the cache by its size."),
        of(incident).most().map(PausePhases.Most::sentence));
  }

  @Test
  void shortPausesAreNamedByWhatIsMostOfThemAll() {
    // 30 of 40 ms.
    assertEquals(
        Optional.of(
            "Of the time in pauses 75.0 % is weak processing: find what fills the JVM's tables of"
                + " weak references (JNI, agents, interned strings)."),
        of(incident().pause(young(80, 40)).sample(phase(80, 40, PausePart.WEAK, 30)))
            .most()
            .map(PausePhases.Most::sentence));
  }

  /** 390 of 400 ms; of pauses of 40 ms it is the ordinary part. */
  @Test
  void copyingIsNamedWhereAPauseIsFelt() {
    PausePhases felt =
        of(incident().pause(young(80, 400)).sample(phase(80, 400, PausePart.OBJECT_COPY, 390)));
    assertTrue(
        felt.most()
            .map(PausePhases.Most::sentence)
            .orElseThrow()
            .startsWith(
                "Of the time in pauses 97.5 % is object copy (390 ms of the longest pause, 400 ms):"
                    + " a shorter -XX:MaxGCPauseMillis"));
    assertEquals(0, felt.ownSeconds());
    assertEquals(
        Optional.empty(),
        of(incident().pause(young(80, 40)).sample(phase(80, 40, PausePart.OBJECT_COPY, 39)))
            .most()
            .map(PausePhases.Most::sentence));
  }

  @Test
  void whereMovingObjectsTakesMostThereIsNothingToSay() {
    assertEquals(
        Optional.empty(),
        of(incident().pause(young(80, 400)).sample(phase(80, 400, PausePart.CLASSES, 190)))
            .most()
            .map(PausePhases.Most::sentence));
  }

  @Test
  void aCollectorWithOneThreadIsNamedWhereThereMayBeMoreCpus() {
    String words =
        "Serial collects with one thread (the longest pause took 7.5 s); a JVM chooses it with one"
            + " CPU or less than 1,792 MiB of memory: -XX:+UseG1GC or -XX:+UseParallelGC, with two"
            + " CPUs or more.";
    assertEquals(
        Optional.of(words),
        of(incident().collector("Serial").pause(full(80, 7_500)))
            .most()
            .map(PausePhases.Most::sentence));
    assertEquals(
        Optional.empty(),
        of(incident().cpus(1).collector("Serial").pause(full(80, 7_500)))
            .most()
            .map(PausePhases.Most::sentence));
    assertEquals(
        Optional.empty(),
        of(incident().collector("Serial").pause(young(80, 150)))
            .most()
            .map(PausePhases.Most::sentence));
    assertEquals(
        Optional.empty(),
        of(incident().collector("G1").pause(full(80, 7_500)))
            .most()
            .map(PausePhases.Most::sentence));
  }

  /** Kinds are inside their processing, and an evacuation failure is for want of room. */
  @Test
  void thePhasesThatRoomDoesNotShortenAreCountedOnce() {
    PausePhases phases =
        of(
            incident()
                .pause(young(80, 900))
                .sample(phase(80, 900, PausePart.REFERENCES, 300))
                .sample(phase(80, 900, PausePart.PHANTOM_REFERENCES, 250))
                .sample(phase(80, 900, PausePart.CLASSES, 100))
                .sample(phase(80, 900, PausePart.FAILED_EVACUATION, 400)));
    assertEquals(0.4, phases.ownSeconds(), 1e-9);
  }
}
