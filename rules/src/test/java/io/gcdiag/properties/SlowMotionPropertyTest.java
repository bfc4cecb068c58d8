package io.gcdiag.properties;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.Analysis;
import io.gcdiag.AnalysisRequest;
import io.gcdiag.diagnosis.Diagnosis;
import io.gcdiag.diagnosis.Judgement;
import io.gcdiag.diagnosis.WindowRequest;
import io.gcdiag.evidence.Window;
import io.gcdiag.evidence.Windows;
import io.gcdiag.fixtures.Incident;
import io.gcdiag.fixtures.Incidents;
import io.gcdiag.rules.Hypothesis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whole incidents of the lab in slow motion have the same causes to the same shares, by their GC
 * logs and k6's summaries: see {@link ScaledTimePropertyTest} for what may differ. The windows are
 * those that are found in the incident as it was. What was no trouble as it was (less than 5 ms a
 * request) may be some in slow motion, and is left out.
 */
@Tag("slow")
class SlowMotionPropertyTest {

  /** Logs round dates to milliseconds, and pauses to microseconds. */
  private static final double ROUNDING = 0.02;

  /** The lab has more than this many incidents that log and summary tell of. */
  private static final int MANY = 12;

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(doubles = {2, 5})
  void theSharesAreThoseOfTheIncidentAsItWas(double factor) throws IOException {
    List<String> differences = new ArrayList<>();
    List<Double> explained = new ArrayList<>();
    for (Incident incident : Incidents.recorded()) {
      Optional<Diagnosis> quick = diagnosis(incident, 1).filter(SlowMotionPropertyTest::isTold);
      if (quick.isPresent()) {
        Diagnosis slow = diagnosis(incident, factor).orElseThrow();
        explained.add(1 - quick.get().unexplainedShare());
        difference(quick.get(), slow).ifPresent(d -> differences.add(incident.name() + ": " + d));
      }
    }
    assertEquals(List.of(), differences);
    assertTrue(explained.size() > MANY, "only " + explained.size());
    double mean = explained.stream().mapToDouble(share -> share).average().orElseThrow();
    assertTrue(mean > 0.5, "of their time only " + mean + " is shared out");
  }

  /** Log and summary alone tell a suspect, by its share of the trouble. */
  private static boolean isTold(Diagnosis diagnosis) {
    return diagnosis.primarySuspect().isPresent()
        && diagnosis.judgements().get(0).explainedShare().isPresent();
  }

  private Optional<Diagnosis> diagnosis(Incident incident, double factor) throws IOException {
    Path into = Files.createDirectories(folder.resolve(incident.name() + factor));
    SlowMotion motion = new SlowMotion(factor);
    Optional<List<Path>> files = motion.write(incident, into);
    if (files.isEmpty()) {
      return Optional.empty();
    }
    Path asItWas = Files.createDirectories(folder.resolve(incident.name() + "-as-it-was"));
    Windows windows =
        Analysis.run(
                AnalysisRequest.of(
                    new SlowMotion(1).write(incident, asItWas).orElseThrow().toArray(Path[]::new)))
            .windows();
    Optional<WindowRequest> calm = Optional.empty();
    if (windows.baseline().isPresent()) {
      calm = Optional.of(request(motion, incident, windows.baseline().get()));
    }
    return Optional.of(
        Analysis.run(
            AnalysisRequest.of(files.get().toArray(Path[]::new))
                .within(Optional.of(request(motion, incident, windows.incident())), calm)));
  }

  private static WindowRequest request(SlowMotion motion, Incident incident, Window window)
      throws IOException {
    return new WindowRequest(
        motion.at(incident, window.from()).toString(), motion.at(incident, window.to()).toString());
  }

  private static Optional<String> difference(Diagnosis quick, Diagnosis slow) {
    Map<Hypothesis, Double> shares = shares(slow);
    List<String> differences = new ArrayList<>();
    if (!quick.primarySuspect().equals(slow.primarySuspect())) {
      differences.add(quick.primarySuspect() + " became " + slow.primarySuspect());
    }
    shares(quick)
        .forEach(
            (cause, share) -> {
              if (Math.abs(share - shares.get(cause)) > ROUNDING) {
                differences.add(cause.id() + " " + share + " became " + shares.get(cause));
              }
            });
    return differences.isEmpty() ? Optional.empty() : Optional.of(differences.toString());
  }

  private static Map<Hypothesis, Double> shares(Diagnosis diagnosis) {
    Map<Hypothesis, Double> shares = new EnumMap<>(Hypothesis.class);
    for (Judgement judgement : diagnosis.judgements()) {
      shares.put(judgement.hypothesis(), judgement.explainedShare().orElse(0));
    }
    return shares;
  }
}
