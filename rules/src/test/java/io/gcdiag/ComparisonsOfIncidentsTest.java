package io.gcdiag;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gcdiag.figures.Metric;
import io.gcdiag.fixtures.Incidents;
import io.gcdiag.fixtures.RecordedIncident;
import io.gcdiag.loadtests.Comparer;
import io.gcdiag.loadtests.Comparer.Side;
import io.gcdiag.loadtests.Comparison;
import io.gcdiag.loadtests.Comparison.Change;
import io.gcdiag.read.bytes.Redactor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every recorded incident against the run with its cause removed. What differs between the two is
 * in the second run's {@code run.json}, as the lab was told it; how much faster it was is in the
 * load test's result. The comparison has to find both in the files.
 */
@Tag("slow")
@Tag("incidents")
class ComparisonsOfIncidentsTest {

  static Stream<RecordedIncident> fixes() {
    return IncidentDiagnoses.all().stream().filter(RecordedIncident::isFixed);
  }

  /** From what is known of both runs, but of those whose change would be hidden. */
  private static Comparison compare(Path incident, Path fixed, JsonNode change) {
    // One of the properties holds the cost of hashing a password: its name looks like a secret.
    boolean secret =
        change.path("properties").properties().stream()
            .map(property -> property.getKey() + "=" + property.getValue().asText())
            .anyMatch(text -> !Redactor.hiding().redact(text).equals(text));
    return secret
        ? Analysis.compare(run(incident), run(fixed))
        : Comparer.compare(side(incident), side(fixed));
  }

  /** Two runs of the same incident: the rank test of their P99 finds no difference. */
  @Test
  void aChangeThatChanceMayHaveMadeIsNoHeadline() {
    Comparison comparison =
        Analysis.compare(
            run(Incidents.folder("orders-small-heap")),
            run(Incidents.folder("orders-small-heap-pinned")));
    assertTrue(
        comparison
            .summary()
            .matches(
                "P99 latency 1\\.29 s -> 2\\.12 s, higher by 64\\.\\d %, which may be chance"
                    + " \\(p = 0\\.\\d+\\)\\. .*"),
        comparison::summary);
  }

  /** Full GCs in one run and none in the other: the time stopped tells them apart, not the P99. */
  @Test
  void aChangeThatIsCertainIsTheHeadline() {
    Comparison comparison =
        Analysis.compare(
            run(Incidents.folder("orders-small-heap")),
            run(Incidents.folder("orders-small-heap-fixed")));
    String first = comparison.summary().split("\\. ")[0];
    assertTrue(
        first.matches(
            "P99 latency 1\\.29 s -> 151 ms, lower by 88\\.\\d %, which may be chance"
                + " \\(p = 0\\.\\d+\\); Share of time stopped 15\\.0 % -> 1\\.4 % \\(p [<=] 0\\.00\\d\\)"),
        first);
  }

  /** The headline of two services is that they are two, and no latency. */
  @Test
  void twoServicesAreNotCompared() {
    Comparison comparison =
        Comparer.compare(
            side(Incidents.folder("orders-small-heap")),
            side(Incidents.folder("desk-transfers-fixed")));
    assertTrue(
        comparison.summary().startsWith("Two services, of which no figure is comparable. "),
        comparison::summary);
  }

  /**
   * By jfr print --events jdk.ObjectAllocationSample, weights with this frame: fewer in the run
   * that compresses in parts.
   */
  @Test
  void whatChangedIsNamedWithItsCauseAndItsStacks() {
    Comparison comparison =
        Comparer.compare(
            side(Incidents.folder("depot-compress")),
            side(Incidents.folder("depot-compress-fixed")));
    assertTrue(
        comparison.summary().contains("The first run has the suspect gc-locker, the second none."),
        comparison::summary);
    assertTrue(
        comparison.stacks().stream()
            .anyMatch(change -> change.what().endsWith("depot.archive.Archive.compressVolumes")));
  }

  private static AnalysisRequest run(Path folder) {
    return AnalysisRequest.of(folder).hiding(false, false);
  }

  private static Side side(Path folder) {
    return new Side(
        folder.getFileName().toString(),
        IncidentDiagnoses.timeline(folder),
        IncidentDiagnoses.of(folder));
  }

  @ParameterizedTest
  @MethodSource("fixes")
  void theFixIsNamedAndItsRunIsFaster(RecordedIncident fixed) throws IOException {
    JsonNode run = new ObjectMapper().readTree(fixed.folder().resolve("run.json").toFile());
    Path incident = Incidents.folder(run.get("of").asText());
    Comparison comparison = compare(incident, fixed.folder(), run.get("change"));

    assertChanges(run.get("change"), comparison, hasRecording(incident));
    boolean together = comparison.warnings().stream().anyMatch(w -> w.contains("changed together"));
    assertEquals(comparison.changes().size() > 1, together, comparison.warnings()::toString);
    assertFaster(comparison);
  }

  private static void assertChanges(JsonNode change, Comparison comparison, boolean recording) {
    List<Change> named = comparison.changes();
    JsonNode properties = change.path("properties");
    List<Change> wanted = new ArrayList<>();
    if (properties.size() > 0 && recording) {
      for (Map.Entry<String, JsonNode> property : properties.properties()) {
        String name = "-D" + property.getKey();
        wanted.add(new Change(name, before(named, name), property.getValue().asText()));
      }
      assertEquals(wanted, named);
    } else if (change.has("jvm")) {
      assertFalse(named.isEmpty(), "flags were changed: " + change);
    } else if (change.has("cpuQuota")) {
      assertEquals(List.of("CPUs"), named.stream().map(Change::what).toList());
    } else if (change.has("memoryMegabytes")) {
      assertEquals(
          List.of("memory limit of the container"), named.stream().map(Change::what).toList());
    } else {
      // What was done to the service from outside is in no file of the JVM.
      assertEquals(List.of(), named);
    }
  }

  private static String before(List<Change> changes, String what) {
    return changes.stream()
        .filter(change -> change.what().equals(what))
        .map(Change::before)
        .findFirst()
        .orElse("(not named)");
  }

  private static boolean hasRecording(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.anyMatch(file -> file.getFileName().toString().contains(".jfr"));
    }
  }

  /**
   * The 99th percentile fell. Of a run whose requests failed at once, as of a JVM that is killed,
   * it is low: then fewer fail, the headline says so, and names no latency.
   */
  private static void assertFaster(Comparison comparison) {
    Metric tail =
        comparison.figures().stream()
            .map(figure -> figure.metric())
            .filter(metric -> metric.name().equals("latency.p99"))
            .findFirst()
            .orElseThrow();
    boolean faster = tail.incident().orElseThrow() < tail.baseline().orElseThrow();
    String headline = comparison.summary().split("\\. ")[0];
    assertTrue(
        faster || headline.matches("Failed requests: [0-9.]+ % -> none"),
        () -> tail.title() + ": " + tail.baseline() + " to " + tail.incident());
    assertTrue(faster || !comparison.summary().contains("latency"), comparison::summary);
  }
}
