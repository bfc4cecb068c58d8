package io.gcdiag.causes.cores;

import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.jvm.CpuSample.ProcessList;
import io.gcdiag.evidence.jvm.CpuSample.ProcessList.Program;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.UtcText;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which other programs ran beside the service: candidates for who took the cores. The list has no
 * figure of CPU, so none of them is accused. The JDK's settings write one at the end of each chunk.
 * The highest process ids come first, as these programs usually started last.
 *
 * @param list those of the incident
 * @param earlier those before it
 */
record OtherPrograms(ProcessList list, Optional<ProcessList> earlier) {

  /** By the first list since the incident began, else by the last one before; empty without any. */
  static Optional<OtherPrograms> of(Incident incident) {
    Window window = incident.window();
    List<ProcessList> lists = incident.timeline().samples(ProcessList.class);
    Optional<ProcessList> before =
        lists.stream().filter(l -> l.at().isBefore(window.from())).reduce((a, b) -> b);
    Optional<ProcessList> since =
        lists.stream().filter(l -> !l.at().isBefore(window.from())).findFirst();
    return since
        .map(list -> new OtherPrograms(list, before))
        .or(() -> before.map(list -> new OtherPrograms(list, Optional.empty())))
        .filter(programs -> !programs.list.programs().isEmpty());
  }

  /** Names them in the finding, and to who looks for the one that took the cores. */
  void tell(FindingBuilder finding) {
    finding
        .sum(sentence())
        .from(list.source())
        .advises(
            Hypothesis.HOST_CPU_CONTENTION,
            "find the other program that uses the CPU (top, pidstat), and move it or the service;"
                + " programs beside it: "
                + names(list.programs()));
  }

  private String sentence() {
    return ("other programs running at %s UTC, highest PID first (the CPU that each used is not"
            + " recorded): %s%s")
        .formatted(
            UtcText.time(list.at()), names(list.programs()), earlier.map(this::news).orElse(""));
  }

  private String news(ProcessList before) {
    Set<String> known = before.programs().stream().map(Program::name).collect(Collectors.toSet());
    List<Program> fresh =
        list.programs().stream().filter(program -> !known.contains(program.name())).toList();
    return (fresh.isEmpty() ? "; none is new since " : "; new since ")
        + UtcText.time(before.at())
        + " UTC"
        + (fresh.isEmpty() ? "" : ": " + names(fresh));
  }

  private static String names(List<Program> programs) {
    String named =
        programs.stream()
            .limit(Policy.MOST_NAMED)
            .map(OtherPrograms::name)
            .collect(Collectors.joining(", "));
    int more = programs.size() - Policy.MOST_NAMED;
    return more <= 0 ? named : named + " and " + more + " more";
  }

  private static String name(Program program) {
    return program.processes() == 1
        ? program.name()
        : program.name() + " (" + program.processes() + ")";
  }
}
