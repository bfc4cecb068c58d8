package io.gcdiag;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.fixtures.Incidents;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
@Tag("incidents")
class IncidentDiagnosesTest {

  @ParameterizedTest
  @ValueSource(strings = {"desk-transfers", "orders-small-heap", "pool-queue-small-heap-fixed"})
  void whatIsKeptIsWhatAnAnalysisSays(String name) {
    Path folder = Incidents.folder(name);
    assertEquals(Analysis.run(AnalysisRequest.of(folder)), IncidentDiagnoses.of(folder));
  }
}
