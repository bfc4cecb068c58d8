package io.gcdiag.verdict;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.threads.ThreadGroupSample.InferredServer;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.InputReport.Status;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Numbers;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * How much of what was given could be read. What is of another process or time takes nothing from
 * the evidence; but which of the files are those of the incident is then for the user to say.
 *
 * @param inputs what became of each file
 * @param doubt what is missing of them, one clause; empty if nothing is
 * @param foreign which of them belong to none of the others, one clause; empty if all belong
 *     together
 * @param inferred what is taken for granted of them, one clause; empty if nothing is
 */
record Completeness(List<InputReport> inputs, String doubt, String foreign, String inferred) {

  /** The format of what was not recognised: it may be anything, and nothing is known to be lost. */
  private static final String NOT_RECOGNISED = "unknown";

  /**
   * So many numbers in a row may lack a pause: a concurrent cycle that is given up has a number and
   * stops no thread.
   */
  private static final long SILENT_CYCLES = 8;

  /**
   * Pauses that come in the order of their numbers. The last ones of a concurrent cycle come behind
   * those of any number of later collections.
   */
  private static final Set<PauseKind> FIRST_OF_THEIR_NUMBER =
      EnumSet.of(PauseKind.YOUNG, PauseKind.MIXED, PauseKind.FULL, PauseKind.MARK_START);

  static Completeness of(Incident incident) {
    List<InputReport> inputs = incident.timeline().inputs();
    List<String> doubts = new ArrayList<>();
    files(inputs, Status.PARTIAL, "could be read only in part").ifPresent(doubts::add);
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

  private static String inferred(Incident incident) {
    return incident.timeline().samples(InferredServer.class).stream()
        .map(
            server ->
                (server.threads().isEmpty() ? "virtual threads" : server.threads())
                    + " in "
                    + server.method()
                    + " are taken to serve the requests, because as many wait there as the load test"
                    + " has in progress")
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
   * Collections inside the window that no input has, by the JVM's own numbers. A smaller number
   * than those before is another run of the JVM.
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
