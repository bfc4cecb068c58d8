package io.gcdiag;

import io.gcdiag.diagnosis.Diagnosis;
import io.gcdiag.fixtures.RecordedIncident;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What gcdiag says of each recorded incident; each is analysed once for all tests. */
final class IncidentDiagnoses {

  private static final Map<Path, Diagnosis> KNOWN = new ConcurrentHashMap<>();

  private IncidentDiagnoses() {}

  static Diagnosis of(RecordedIncident incident) {
    return KNOWN.computeIfAbsent(
        incident.folder(), folder -> Analysis.run(AnalysisRequest.of(folder)));
  }
}
