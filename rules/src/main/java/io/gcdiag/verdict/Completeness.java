package io.gcdiag.verdict;

import io.gcdiag.books.Finding;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.threads.ThreadGroupSample.InferredServer;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.InputReport.Remark;
import io.gcdiag.evidence.time.InputReport.Status;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Numbers;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How much of the inputs could be read. Files of another process or time do not make the evidence
 * incomplete, but the user has to decide which files belong to the incident.
 *
 * @param inputs what was read of each file
 * @param doubt what is missing of them, one clause; empty if nothing is
 * @param foreign the files that do not belong to the others, one clause; empty if all belong
 *     together
 * @param inferred what was assumed about them, one clause; empty if nothing was
 */
record Completeness(List<InputReport> inputs, String doubt, String foreign, String inferred) {

  /** The format of unrecognised files: they may be anything, and no data is known to be lost. */
  private static final String NOT_RECOGNISED = "unknown";

  /** Formats of meters' values, each of which stands for itself. */
  private static final Set<String> METERS = Set.of("exposition", "prometheus", "metrics-csv");

  /**
   * Up to this many consecutive GC numbers may have no pause: a cancelled concurrent cycle has a
   * number and stops no thread.
   */
  private static final long SILENT_CYCLES = 8;

  /**
   * Kinds of pauses that come in the order of their GC numbers. The final pauses of a concurrent
   * cycle come after those of any number of later collections.
   */
  private static final Set<PauseKind> FIRST_OF_THEIR_NUMBER =
      EnumSet.of(PauseKind.YOUNG, PauseKind.MIXED, PauseKind.FULL, PauseKind.MARK_START);

  /**
   * Of an incident.
   *
   * @param findings of all rules; of meters that none of them read nothing is missed
   */
  static Completeness of(Incident incident, List<Finding> findings) {
    List<InputReport> inputs = incident.timeline().inputs();
    Set<String> used =
        findings.stream()
            .flatMap(finding -> finding.sources().stream())
            .map(Source::file)
            .collect(Collectors.toSet());
    List<InputReport> needed =
        inputs.stream()
            .filter(input -> !METERS.contains(input.format()) || used.contains(input.file()))
            .toList();
    List<String> doubts = new ArrayList<>();
    files(needed, Status.PARTIAL, "could be read only in part").ifPresent(doubts::add);
    files(inputs, Status.UNREADABLE, "could not be read").ifPresent(doubts::add);
    long lacking = lacking(incident);
    if (lacking > 0) {
      doubts.add(lacking + " GCs of the incident are in no file");
    }
    String foreign =
        files(inputs, Status.LEFT_OUT, "not of the same process, time and load test as the others")
            .orElse("");
    return new Completeness(inputs, String.join("; ", doubts), foreign, inferred(incident));
  }

  /** What would settle what was assumed. */
  String settlesInferred() {
    return inputs.stream().anyMatch(input -> input.remark() == Remark.UNSURE)
        ? "the option that a note on the inputs names"
        : "--frames FILE that names them below [request thread]";
  }

  private static String inferred(Incident incident) {
    Timeline timeline = incident.timeline();
    return Stream.concat(
            timeline.samples(InferredServer.class).stream()
                .map(
                    server ->
                        (server.threads().isEmpty() ? "virtual threads" : server.threads())
                            + (server.method().isEmpty() ? "" : " in " + server.method())
                            + " are taken to serve the requests, because as many"
                            + (server.method().isEmpty() ? " more" : "")
                            + " wait there as the load test has in progress"),
            timeline.inputs().stream()
                .filter(input -> input.remark() == Remark.UNSURE)
                .map(input -> input.file() + " may be meant in another way"))
        .collect(Collectors.joining("; "));
  }

  private static Optional<String> files(List<InputReport> inputs, Status status, String how) {
    List<String> names =
        inputs.stream()
            .filter(input -> input.status() == status && !input.format().equals(NOT_RECOGNISED))
            .map(InputReport::file)
            .sorted()
            .distinct()
            .toList();
    int more = names.size() - Policy.MOST_NAMED;
    return names.isEmpty()
        ? Optional.empty()
        : Optional.of(
            names.stream().limit(Policy.MOST_NAMED).collect(Collectors.joining(", "))
                + (more > 0 ? " and " + Numbers.count(more) + " more " : " ")
                + how);
  }

  /**
   * Number of collections inside the window that no input has, by the JVM's own GC numbers. If a
   * number is smaller than the ones before, it is another run of the JVM.
   */
  private static long lacking(Incident incident) {
    long lacking = 0;
    long last = -1;
    for (GcPause pause : incident.timeline().pauses(incident.window())) {
      long number = pause.gcId().orElse(-1);
      if (number < 0 || !FIRST_OF_THEIR_NUMBER.contains(pause.kind())) {
        continue;
      }
      if (last >= 0 && number - last > SILENT_CYCLES + 1) {
        lacking += number - last - 1;
      }
      last = number;
    }
    return lacking;
  }
}
