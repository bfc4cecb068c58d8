package io.gcdiag.properties;

import io.gcdiag.Analysis;
import io.gcdiag.AnalysisRequest;
import io.gcdiag.IncidentDiagnoses;
import io.gcdiag.SoftCache;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.fixtures.Incidents;
import io.gcdiag.fixtures.RecordedIncident;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.verdict.Diagnosis;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The files of a recorded incident, by the kind of source they are. */
public final class IncidentFiles {

  private static final SoftCache<List<Path>, Diagnosis> KNOWN = new SoftCache<>();

  private IncidentFiles() {}

  /**
   * The lab's services stand before the first dash of an incident's name; one incident of each, the
   * last, stands for those that were made with the same framework.
   */
  public static List<RecordedIncident> onePerService() {
    TreeMap<String, RecordedIncident> services = new TreeMap<>();
    Incidents.recorded().stream()
        .filter(incident -> incident.truth().primarySuspect().isPresent())
        .forEach(incident -> services.put(incident.name().split("-")[0], incident));
    return List.copyOf(services.values());
  }

  /** What one has or has not: a recording, a log, dumps, a load test, metrics, spans. */
  public enum Kind {
    RECORDING("recording"),
    GC_LOG("gc"),
    DUMPS("threads"),
    LOAD("load", "requests"),
    METRICS("metrics"),
    SPANS("spans");

    private final List<String> starts;

    Kind(String... starts) {
      this.starts = List.of(starts);
    }

    private boolean holds(Path file) {
      String name = file.getFileName().toString();
      return starts.stream().anyMatch(name::startsWith);
    }
  }

  /** The files of each kind that the incident has. */
  public static TreeMap<Kind, List<Path>> of(RecordedIncident incident) {
    TreeMap<Kind, List<Path>> files = new TreeMap<>();
    try (Stream<Path> all = Files.list(incident.folder())) {
      List<Path> sorted = all.filter(Files::isRegularFile).sorted().toList();
      for (Kind kind : Kind.values()) {
        List<Path> own = sorted.stream().filter(kind::holds).toList();
        if (!own.isEmpty()) {
          files.put(kind, own);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return files;
  }

  public static List<Path> flat(Collection<List<Path>> files) {
    return files.stream().flatMap(List::stream).toList();
  }

  /** Every choice of some of the kinds. */
  public static List<TreeMap<Kind, List<Path>>> choices(TreeMap<Kind, List<Path>> files) {
    List<Kind> kinds = List.copyOf(files.keySet());
    List<TreeMap<Kind, List<Path>>> choices = new ArrayList<>();
    for (int choice = 1; choice < 1 << kinds.size(); choice++) {
      TreeMap<Kind, List<Path>> some = new TreeMap<>();
      for (int i = 0; i < kinds.size(); i++) {
        if ((choice >> i & 1) == 1) {
          some.put(kinds.get(i), files.get(kinds.get(i)));
        }
      }
      choices.add(some);
    }
    return choices;
  }

  /** The files of every choice of some of the kinds. */
  static List<List<Path>> subsets(TreeMap<Kind, List<Path>> files) {
    return choices(files).stream().map(some -> flat(some.values())).toList();
  }

  /** What is said of these files of one incident; asked once for all properties. */
  public static Diagnosis diagnose(List<Path> files) {
    Diagnosis whole = IncidentDiagnoses.of(files.get(0).getParent());
    return isOf(whole, files)
        ? whole
        : KNOWN.get(
            files.stream().sorted().toList(), () -> diagnoseSome(files, ReadOptions.STANDARD));
  }

  /** Whether these are all that the diagnosis was made of: a folder may hold other inputs, too. */
  private static boolean isOf(Diagnosis whole, List<Path> files) {
    return whole.inputs().stream()
        .map(InputReport::file)
        .collect(Collectors.toSet())
        .equals(Set.copyOf(names(files)));
  }

  /** What is said of these files of one incident if they are read in some other way. */
  public static Diagnosis diagnoseSome(List<Path> files, ReadOptions options) {
    List<Path> recordings = files.stream().filter(Kind.RECORDING::holds).toList();
    return recordings.size() > 1
        ? Analysis.run(AnalysisRequest.of(files.toArray(Path[]::new)).with(options))
        : IncidentDiagnoses.ofSome(files, recordings.stream().findFirst(), options);
  }

  static Diagnosis diagnoseAnew(List<Path> files) {
    return Analysis.run(AnalysisRequest.of(files.toArray(Path[]::new)));
  }

  static List<String> names(List<Path> files) {
    return files.stream().map(file -> file.getFileName().toString()).toList();
  }
}
