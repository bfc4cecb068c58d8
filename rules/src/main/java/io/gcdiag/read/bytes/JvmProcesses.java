package io.gcdiag.read.bytes;

import io.gcdiag.evidence.time.Window;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The processes of the files in an analysis. Figures of two JVMs cannot be combined: if files
 * contradict each other, one process is taken as the incident's, and files of other processes are
 * left out.
 */
public final class JvmProcesses {

  private final List<JvmProcess> all = new ArrayList<>();
  private final SortedMap<String, String> refuted = new TreeMap<>();

  /** Adds what a file states about its process. */
  public void add(JvmProcess process) {
    all.add(process);
  }

  /** Records that a file is not of the recorded process, and why. */
  public void refute(String file, String why) {
    refuted.put(file, "not of the JVM of the recording: " + why);
  }

  /**
   * The JVM's start by the age of threads in dumps, whose timestamps mostly have whole seconds and
   * no zone. Empty if no dump has both, or if the dumps are of several JVMs.
   */
  public Optional<Instant> startByDumps() {
    List<JvmProcess.Start> starts =
        all.stream()
            .filter(process -> process.kind() == JvmProcess.Kind.DUMP)
            .flatMap(process -> process.start().stream())
            .sorted(Comparator.comparing(JvmProcess.Start::at))
            .toList();
    return starts.stream()
        .findFirst()
        .filter(first -> starts.stream().allMatch(first::agrees))
        .map(JvmProcess.Start::at);
  }

  /**
   * The files of other processes than the main one, with the reason.
   *
   * <p>The main process is that of a recording if there is any, else of a log, else of a dump;
   * among several, the one that most files agree with, then the one that covers the longest time.
   * If recordings are of several processes, only these are listed: the files that belong to the
   * main one can be determined after the others are removed.
   */
  public SortedMap<String, String> foreign() {
    Map<Object, Long> agreeing = agreeing();
    Optional<JvmProcess> main =
        all.stream()
            .min(
                Comparator.comparing(JvmProcess::kind)
                    .thenComparing(
                        process -> agreeing.get(process.traits()), Comparator.reverseOrder())
                    .thenComparing(JvmProcesses::seconds, Comparator.reverseOrder())
                    .thenComparing(JvmProcess::file));
    if (main.isEmpty()) {
      return refuted;
    }
    SortedMap<String, String> recordings = foreign(main.get(), true);
    if (!recordings.isEmpty()) {
      return recordings;
    }
    SortedMap<String, String> foreign = foreign(main.get(), false);
    refuted.forEach(foreign::putIfAbsent);
    return foreign;
  }

  private SortedMap<String, String> foreign(JvmProcess main, boolean recordings) {
    SortedMap<String, String> foreign = new TreeMap<>();
    for (JvmProcess one : all) {
      // Everything in one file, such as the output of a JVM and its application, is of one JVM.
      boolean another = !one.file().equals(main.file());
      if (another && recordings == (one.kind() == JvmProcess.Kind.RECORDING)) {
        one.differenceTo(main)
            .ifPresent(
                why ->
                    foreign.putIfAbsent(
                        one.file(), "of another JVM than " + main.file() + ": " + why));
      }
    }
    return foreign;
  }

  /**
   * How many files agree with each set of traits. Grouped by traits, because thousands of files
   * have only a few different ones.
   */
  private Map<Object, Long> agreeing() {
    Map<Object, List<JvmProcess>> groups =
        all.stream()
            .collect(
                Collectors.groupingBy(JvmProcess::traits, LinkedHashMap::new, Collectors.toList()));
    Map<Object, Long> counts = new HashMap<>();
    groups.forEach(
        (traits, group) ->
            counts.put(
                traits,
                groups.values().stream()
                    .filter(other -> group.get(0).isLike(other.get(0)))
                    .flatMap(List::stream)
                    .map(JvmProcess::file)
                    .distinct()
                    .count()));
    return counts;
  }

  private static double seconds(JvmProcess process) {
    return process.span().map(Window::seconds).orElse(0.0);
  }
}
