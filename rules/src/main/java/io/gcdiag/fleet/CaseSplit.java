package io.gcdiag.fleet;

import io.gcdiag.evidence.time.Window;
import io.gcdiag.read.FileGlance;
import io.gcdiag.read.jfr.RecordedService;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The cases of one folder. Recordings of one process are one case as long as each begins within an
 * hour of the first and without a gap, or lies inside of what they cover: so the parts of one
 * recording stay together, and a folder of hourly recordings is a case an hour. What else is in the
 * folder joins every case whose time it overlaps; what overlaps none is a case of its own.
 */
final class CaseSplit {

  /** What continuous recording is commonly cut into. */
  private static final Duration CASE_LENGTH = Duration.ofHours(1);

  /** Dumps that a timer makes come some seconds early or late. */
  private static final Duration EARLY = Duration.ofMinutes(1);

  private final Optional<RecordedService> process;
  private final List<Path> files = new ArrayList<>();
  private final Instant from;
  private Optional<Instant> to;

  private CaseSplit(Optional<RecordedService> process, Path file, FileGlance glance) {
    this.process = process;
    this.from = glance.from().orElseThrow();
    this.to = glance.to();
    files.add(file);
  }

  /**
   * One case.
   *
   * @param folder where it is
   * @param files by name
   * @param first names the case: the first recording, so that the name stays when others come;
   *     absent for a folder without one
   * @param time if it is known
   * @param whole whether it is all of the folder
   */
  record Part(
      Path folder, List<Path> files, Optional<Path> first, Optional<Window> time, boolean whole) {}

  /**
   * Divides the files of a folder.
   *
   * @param all every file
   * @param inputs those that can be read
   */
  static List<Part> of(Path folder, List<Path> all, Map<Path, FileGlance> inputs) {
    List<CaseSplit> cases = recordings(inputs);
    if (cases.size() < 2) {
      Optional<Window> time =
          cases.stream().map(CaseSplit::time).findFirst().or(() -> covered(inputs));
      Optional<Path> first = cases.stream().map(one -> one.files.get(0)).findFirst();
      return List.of(new Part(folder, all.stream().sorted().toList(), first, time, true));
    }
    Set<Path> placed = new HashSet<>();
    cases.forEach(one -> placed.addAll(one.files));
    List<Path> rest = new ArrayList<>();
    inputs.forEach(
        (file, glance) -> {
          if (!placed.contains(file)) {
            List<CaseSplit> joined = joined(cases, glance);
            joined.forEach(one -> one.files.add(file));
            if (joined.isEmpty()) {
              rest.add(file);
            }
          }
        });
    List<Part> parts = new ArrayList<>();
    cases.forEach(
        one ->
            parts.add(
                new Part(
                    folder,
                    one.files,
                    Optional.of(one.files.get(0)),
                    Optional.of(one.time()),
                    false)));
    if (!rest.isEmpty()) {
      parts.add(new Part(folder, rest, Optional.of(rest.get(0)), Optional.empty(), false));
    }
    return parts;
  }

  /** Which process a recording is of is asked only where it matters. */
  private static List<CaseSplit> recordings(Map<Path, FileGlance> inputs) {
    List<Map.Entry<Path, FileGlance>> recordings =
        inputs.entrySet().stream()
            .filter(entry -> entry.getValue().isRecording())
            .filter(entry -> entry.getValue().from().isPresent())
            .sorted(
                Comparator.comparing((Map.Entry<Path, FileGlance> entry) -> start(entry))
                    .thenComparing(Map.Entry::getKey))
            .toList();
    List<CaseSplit> cases = new ArrayList<>();
    for (Map.Entry<Path, FileGlance> one : recordings) {
      Optional<RecordedService> process =
          recordings.size() == 1
              ? Optional.empty()
              : RecordedService.of(one.getKey(), one.getValue().packed())
                  .map(RecordedService::withoutNames);
      Optional<CaseSplit> known =
          cases.stream().filter(some -> some.continues(process, one.getValue())).findFirst();
      if (known.isPresent()) {
        known.get().add(one.getKey(), one.getValue());
      } else {
        cases.add(new CaseSplit(process, one.getKey(), one.getValue()));
      }
    }
    return cases;
  }

  private static Instant start(Map.Entry<Path, FileGlance> recording) {
    return recording.getValue().from().orElseThrow();
  }

  private boolean continues(Optional<RecordedService> other, FileGlance glance) {
    if (process.isPresent() && other.isPresent() && !process.get().isSame(other.get())) {
      return false;
    }
    Instant begins = glance.from().orElseThrow();
    boolean inside =
        to.isPresent() && glance.to().filter(end -> !end.isAfter(to.get())).isPresent();
    boolean sameHour = begins.isBefore(from.plus(CASE_LENGTH).minus(EARLY));
    boolean gap = to.filter(end -> end.plus(EARLY).isBefore(begins)).isPresent();
    return inside || sameHour && !gap;
  }

  private void add(Path file, FileGlance glance) {
    files.add(file);
    // Of a packed recording the end is not known, and then that of the case is not either.
    to =
        to.isPresent() && glance.to().isPresent()
            ? Optional.of(Collections.max(List.of(to.get(), glance.to().get())))
            : Optional.empty();
  }

  /**
   * The cases that a file goes with. Of a packed one only the beginning is known: a log that begins
   * before its recording goes with the next one, unless it is certain that another covers it.
   */
  private static List<CaseSplit> joined(List<CaseSplit> cases, FileGlance glance) {
    List<CaseSplit> joined =
        new ArrayList<>(cases.stream().filter(one -> one.overlaps(glance)).toList());
    if (glance.packed() && joined.stream().noneMatch(one -> one.to.isPresent())) {
      glance.from().flatMap(begin -> next(cases, begin)).ifPresent(joined::add);
    }
    return joined;
  }

  /** Cases are in the order in which they begin. */
  private static Optional<CaseSplit> next(List<CaseSplit> cases, Instant begin) {
    return cases.stream()
        .filter(one -> one.from.isAfter(begin) && one.from.isBefore(begin.plus(CASE_LENGTH)))
        .findFirst();
  }

  private boolean overlaps(FileGlance glance) {
    Window own = time();
    return glance
        .from()
        .map(begin -> new Window(begin, glance.to().orElse(begin).plusNanos(1)))
        .filter(its -> its.from().isBefore(own.to()) && own.from().isBefore(its.to()))
        .isPresent();
  }

  private Window time() {
    return new Window(from, to.orElse(from.plus(CASE_LENGTH)).plusNanos(1));
  }

  /** All that the dated files of a folder without recordings cover. */
  private static Optional<Window> covered(Map<Path, FileGlance> inputs) {
    Optional<Instant> first =
        inputs.values().stream().flatMap(one -> one.from().stream()).min(Instant::compareTo);
    Optional<Instant> last =
        inputs.values().stream()
            .flatMap(one -> one.to().or(one::from).stream())
            .max(Instant::compareTo);
    return first.map(begin -> new Window(begin, last.orElse(begin).plusNanos(1)));
  }
}
