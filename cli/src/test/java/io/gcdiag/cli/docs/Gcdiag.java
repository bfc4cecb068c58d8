package io.gcdiag.cli.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.Analysis;
import io.gcdiag.AnalysisRequest;
import io.gcdiag.IncidentDiagnoses;
import io.gcdiag.SoftCache;
import io.gcdiag.cli.Main;
import io.gcdiag.cli.StandardInput;
import io.gcdiag.cli.Terminal;
import io.gcdiag.cli.settings.Settings.Folders;
import io.gcdiag.fixtures.Incidents;
import io.gcdiag.verdict.Diagnosis;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Runs gcdiag inside the test, as if from the folder of the project. */
final class Gcdiag {

  /** What runs have printed: pages show several parts of one answer. */
  private static final Map<List<String>, List<String>> PRINTED = new ConcurrentHashMap<>();

  private static final SoftCache<AnalysisRequest, Diagnosis> KEPT = new SoftCache<>();

  private Gcdiag() {}

  /** Many examples differ in their report alone, and most are of recorded incidents. */
  private static Diagnosis analysis(AnalysisRequest request) {
    return incident(request)
        .map(IncidentDiagnoses::of)
        .orElseGet(() -> KEPT.get(request, () -> Analysis.run(request)));
  }

  /** The incident whose folder is asked for, and nothing else. */
  private static Optional<Path> incident(AnalysisRequest request) {
    Path asked = request.inputs().get(0).path().normalize();
    return Incidents.all().stream()
        .filter(folder -> asked.endsWith(Path.of("incidents").resolve(folder.getFileName())))
        .filter(folder -> request.equals(AnalysisRequest.of(request.inputs().get(0).path())))
        .findFirst();
  }

  /** What a run printed, and how it ended. */
  record Ran(int code, String out, String err) {}

  static Ran run(List<String> arguments) {
    return run(arguments, InputStream.nullInputStream());
  }

  /** The same with what another program would pipe into it. */
  static Ran run(List<String> arguments, InputStream piped) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    try (StandardInput input = new StandardInput(piped, () -> false)) {
      int code =
          Main.run(
              arguments.toArray(String[]::new),
              Gcdiag::analysis,
              Terminal.NONE,
              input,
              Folders.none(),
              new PrintWriter(out),
              new PrintWriter(err));
      return new Ran(code, out.toString(), err.toString());
    }
  }

  /** The lines that a run prints, which has to succeed. */
  static List<String> succeed(List<String> arguments) {
    return PRINTED.computeIfAbsent(
        List.copyOf(arguments),
        asked -> {
          Ran ran = run(asked);
          assertEquals(0, ran.code(), () -> asked + ": " + ran.err());
          return ran.out().lines().toList();
        });
  }

  /** Files of the project lie in its folder, wherever the test runs. */
  static String located(String word) {
    return word.startsWith("fixtures/") ? Pages.ROOT.resolve(word).toString() : word;
  }
}
