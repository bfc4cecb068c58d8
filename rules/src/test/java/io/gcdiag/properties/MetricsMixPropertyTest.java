package io.gcdiag.properties;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.fixtures.Incidents;
import io.gcdiag.fixtures.RecordedIncident;
import io.gcdiag.properties.IncidentFiles.Kind;
import io.gcdiag.verdict.Conclusion;
import io.gcdiag.verdict.Diagnosis;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is said by a service's own metrics, alone and with dumps and a load test, where there is
 * neither a recording nor a GC log: no cause but the true one, and no incident is called healthy.
 */
@Tag("slow")
@Tag("incidents")
class MetricsMixPropertyTest {

  private static final List<Set<Kind>> MIXES =
      List.of(
          EnumSet.of(Kind.METRICS),
          EnumSet.of(Kind.METRICS, Kind.DUMPS),
          EnumSet.of(Kind.METRICS, Kind.LOAD),
          EnumSet.of(Kind.METRICS, Kind.LOAD, Kind.DUMPS));

  static Stream<String> metered() {
    return Incidents.recorded().stream()
        .filter(incident -> IncidentFiles.of(incident).containsKey(Kind.METRICS))
        .map(RecordedIncident::name);
  }

  private static RecordedIncident named(String name) {
    return Incidents.recorded().stream()
        .filter(incident -> incident.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static Diagnosis diagnose(String name, Set<Kind> mix) {
    List<Path> files = new ArrayList<>();
    for (Map.Entry<Kind, List<Path>> kind : IncidentFiles.of(named(name)).entrySet()) {
      if (mix.contains(kind.getKey())) {
        files.addAll(kind.getValue());
      }
    }
    return IncidentFiles.diagnose(files);
  }

  private static Optional<String> suspect(Diagnosis diagnosis) {
    return diagnosis.primarySuspect().map(cause -> cause.id());
  }

  @ParameterizedTest
  @MethodSource("metered")
  void noMixNamesAnotherCauseThanTheTrueOne(String incident) {
    Optional<String> truth = named(incident).truth().primarySuspect();
    for (Set<Kind> mix : MIXES) {
      Diagnosis diagnosis = diagnose(incident, mix);
      Optional<String> suspect = suspect(diagnosis);
      assertTrue(suspect.isEmpty() || suspect.equals(truth), mix + ": " + suspect);
      boolean during = truth.isPresent();
      assertTrue(!during || diagnosis.conclusion() != Conclusion.HEALTHY, mix + ": healthy");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "orders-export-keeps-rows-open",
        "orders-pool-of-three",
        "orders-slow-database",
        "relay-pool-of-two"
      })
  void whatThePoolsAndTheCollectorsMetersShowIsNamed(String incident) {
    Optional<String> truth = named(incident).truth().primarySuspect();
    assertEquals(
        truth, suspect(diagnose(incident, EnumSet.of(Kind.METRICS, Kind.LOAD, Kind.DUMPS))));
    assertEquals(truth, suspect(diagnose(incident, EnumSet.of(Kind.METRICS, Kind.LOAD))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"collections-but-healthy", "orders-healthy"})
  void aServiceWithoutIncidentIsHealthyByItsMetricsAndALoadTest(String incident) {
    assertEquals(
        Conclusion.HEALTHY,
        diagnose(incident, EnumSet.of(Kind.METRICS, Kind.LOAD, Kind.DUMPS)).conclusion());
  }
}
