package io.gcdiag.properties;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.Analysis;
import io.gcdiag.AnalysisRequest;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.WindowRequest;
import io.gcdiag.evidence.time.Windows;
import io.gcdiag.fixtures.Incidents;
import io.gcdiag.fixtures.RecordedIncident;
import io.gcdiag.verdict.Diagnosis;
import io.gcdiag.verdict.Judgement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whole incidents of the lab in slow motion have the same causes to the same shares, by their GC
 * logs and k6's summaries: see {@link ScaledTimePropertyTest} for what may differ. The windows are
 * those that are found in the incident as it was. What delayed no user as it was (less than 5 ms a
 * request) may be some in slow motion, and is left out.
 */
@Tag("slow")
@Tag("incidents")
class SlowMotionPropertyTest {

  private static final List<Double> FACTORS = List.of(5.0);

  /** Logs round dates to milliseconds, and pauses to microseconds. */
  private static final double ROUNDING = 0.02;

  /** Of those chosen, log and summary alone tell of more than this many. */
  private static final int MANY = 5;

  @TempDir private Path folder;

  @Test
  void theSharesAreThoseOfTheIncidentAsItWas() {
    List<Slowed> told =
        Incidents.recorded().parallelStream()
            .filter(SlowMotionPropertyTest::isChosen)
            .flatMap(one -> slowed(one).stream())
            .toList();
    assertEquals(List.of(), told.stream().flatMap(one -> one.differences().stream()).toList());
    assertTrue(told.size() > MANY, "only " + told.size());
    double mean = told.stream().mapToDouble(Slowed::explained).average().orElseThrow();
    assertTrue(mean > 0.5, "of their time only " + mean + " is shared out");
  }

  /**
   * Every second incident, or with {@code -Dgcdiag.choices=all} all. They are chosen by name, so
   * that a new incident changes nothing for the others.
   */
  private static boolean isChosen(RecordedIncident incident) {
    return "all".equals(System.getProperty("gcdiag.choices"))
        || incident.name().hashCode() % 2 == 0;
  }

  /** How much of an incident's time is shared out, and what differs in slow motion. */
  private record Slowed(double explained, List<String> differences) {}

  private Optional<Slowed> slowed(RecordedIncident incident) {
    try {
      Optional<List<Path>> asItWas = written(incident, 1);
      if (asItWas.isEmpty()) {
        return Optional.empty();
      }
      AnalysisRequest request = AnalysisRequest.of(asItWas.get().toArray(Path[]::new));
      Windows windows = Analysis.run(request).windows();
      Diagnosis quick = diagnosis(incident, 1, windows);
      if (!isTold(quick)) {
        return Optional.empty();
      }
      List<String> differences = new ArrayList<>();
      for (double factor : FACTORS) {
        difference(quick, diagnosis(incident, factor, windows))
            .ifPresent(d -> differences.add(incident.name() + " x " + factor + ": " + d));
      }
      return Optional.of(new Slowed(1 - quick.lostTime().unexplainedShare(), differences));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Log and summary alone tell a suspect, by its share of the incident. */
  private static boolean isTold(Diagnosis diagnosis) {
    return diagnosis.primarySuspect().isPresent()
        && diagnosis.judgements().get(0).share().explained().isPresent();
  }

  private Diagnosis diagnosis(RecordedIncident incident, double factor, Windows windows)
      throws IOException {
    SlowMotion motion = new SlowMotion(factor);
    Optional<WindowRequest> baseline = Optional.empty();
    if (windows.baseline().isPresent()) {
      baseline = Optional.of(request(motion, incident, windows.baseline().get()));
    }
    return Analysis.run(
        AnalysisRequest.of(written(incident, factor).orElseThrow().toArray(Path[]::new))
            .within(Optional.of(request(motion, incident, windows.incident())), baseline));
  }

  private Optional<List<Path>> written(RecordedIncident incident, double factor)
      throws IOException {
    Path into = Files.createDirectories(folder.resolve(incident.name() + factor));
    return new SlowMotion(factor).write(incident, into);
  }

  private static WindowRequest request(SlowMotion motion, RecordedIncident incident, Window window)
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
      shares.put(judgement.hypothesis(), judgement.share().explained().orElse(0));
    }
    return shares;
  }
}
