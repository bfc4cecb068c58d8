package io.gcdiag.fleet;

import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.read.FileGlance;
import io.gcdiag.read.bytes.InputFile;
import io.gcdiag.read.jfr.RecordedService;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Finds cases below folders. A folder that holds files which can be read is a case, as {@code
 * analyze FOLDER} has it; one with recordings of several processes or of several hours is several,
 * see {@link CaseSplit}. An archive is a folder of its own where no other input lies beside it.
 */
public final class CaseFinder {

  private final PathPattern pattern;
  private final Set<Path> leftOut;
  private final UnaryOperator<String> hiding;
  private final Listing listing;
  private final Set<Path> searched = new TreeSet<>();
  private CaseRoots roots;

  private CaseFinder(
      CaseRoots roots,
      PathPattern pattern,
      Set<Path> leftOut,
      UnaryOperator<String> hiding,
      Listing listing) {
    this.roots = roots;
    this.pattern = pattern;
    this.leftOut = leftOut;
    this.hiding = hiding;
    this.listing = listing;
  }

  /** Takes what is found, a folder after another: all together may be too many for the memory. */
  public interface Listing {

    /**
     * Takes the cases of a folder.
     *
     * @param cases by their names
     * @param otherNames see {@link Found}
     */
    void folder(List<FleetCase> cases, Set<String> otherNames);

    /** Hears of a folder that cannot be listed, in a line. */
    void problem(String line);
  }

  /**
   * What was found.
   *
   * @param cases by their names
   * @param otherNames what cases of the same files are called while other files lie beside them, as
   *     before a second hour is recorded: an answer under such a name is of files that are found
   *     here
   * @param roots those known and those searched now
   * @param problems folders that could not be listed, with the reason, a line each
   */
  public record Found(
      List<FleetCase> cases, Set<String> otherNames, CaseRoots roots, List<String> problems) {

    public Found {
      cases = List.copyOf(cases);
      otherNames = Set.copyOf(otherNames);
      problems = List.copyOf(problems);
    }
  }

  /**
   * Looks into folders and the folders inside of them, but not behind links to folders.
   *
   * @param roots folders or archives; one inside of another is not searched twice
   * @param known those of earlier runs
   * @param pattern what paths, from a root on, say of service, host and version
   * @param leftOut folders that hold no cases, such as that of the results
   * @param hiding hides secrets in names; the same text for the same name
   */
  public static Found find(
      Collection<Path> roots,
      CaseRoots known,
      PathPattern pattern,
      Collection<Path> leftOut,
      UnaryOperator<String> hiding) {
    Map<String, FleetCase> cases = new TreeMap<>();
    Set<String> otherNames = new TreeSet<>();
    List<String> problems = new ArrayList<>();
    Listing listing =
        new Listing() {
          @Override
          public void folder(List<FleetCase> some, Set<String> names) {
            some.forEach(one -> cases.put(one.id(), one));
            otherNames.addAll(names);
          }

          @Override
          public void problem(String line) {
            problems.add(line);
          }
        };
    CaseRoots searched = find(roots, known, pattern, leftOut, hiding, listing);
    otherNames.removeAll(cases.keySet());
    return new Found(List.copyOf(cases.values()), otherNames, searched, problems);
  }

  /**
   * The same, with what is found handed over at once.
   *
   * @return the folders known and those searched now
   */
  public static CaseRoots find(
      Collection<Path> roots,
      CaseRoots known,
      PathPattern pattern,
      Collection<Path> leftOut,
      UnaryOperator<String> hiding,
      Listing listing) {
    Set<Path> absolute = new HashSet<>();
    leftOut.forEach(folder -> absolute.add(InputFile.real(folder)));
    CaseFinder finder = new CaseFinder(known, pattern, absolute, hiding, listing);
    // What holds another one comes before it.
    roots.stream().map(InputFile::real).sorted().forEach(finder::search);
    return finder.roots;
  }

  private void search(Path root) {
    if (searched.stream().anyMatch(root::startsWith)) {
      return;
    }
    searched.add(root);
    roots = roots.with(root, this::shown);
    if (!leftOut.contains(root)) {
      list(root, root);
    }
  }

  /** A folder and then those inside of it, by name. */
  private void list(Path root, Path folder) {
    List<Path> files = new ArrayList<>();
    List<Path> folders = new ArrayList<>();
    try {
      Files.walkFileTree(
          folder,
          Set.of(),
          1,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              if (attributes.isDirectory()) {
                folders.add(file);
              } else if (Files.isRegularFile(file) && !isHidden(file) && !isElsewhere(file, root)) {
                files.add(file);
              }
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
              listing.problem(shown(file + ": cannot be listed: " + e.getMessage()));
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      listing.problem(shown(folder + ": cannot be listed: " + e.getMessage()));
    }
    if (!files.isEmpty()) {
      add(root, folder, files);
    }
    folders.stream()
        .filter(inside -> !isHidden(inside) && !leftOut.contains(inside))
        .sorted()
        .forEach(inside -> list(root, inside));
  }

  private static boolean isHidden(Path file) {
    Path name = file.getFileName();
    return name != null && name.toString().startsWith(".");
  }

  /** Whether it is a link to a file that is listed by itself, such as {@code latest.jfr}. */
  private static boolean isElsewhere(Path file, Path root) {
    Path target = Files.isSymbolicLink(file) ? InputFile.real(file) : file;
    if (target.equals(file) || !target.startsWith(root)) {
      return false;
    }
    for (Path part : root.relativize(target)) {
      if (isHidden(part)) {
        return false;
      }
    }
    return true;
  }

  private void add(Path root, Path folder, List<Path> files) {
    Map<Path, FileGlance> inputs = new TreeMap<>();
    files.stream()
        .filter(file -> !file.endsWith(OperatorFacts.SETTINGS_FILE))
        .forEach(file -> FileGlance.of(file).ifPresent(glance -> inputs.put(file, glance)));
    if (inputs.isEmpty()) {
      return;
    }
    String id = roots.name(folder);
    List<FleetCase> cases = new ArrayList<>();
    Set<String> otherNames = new TreeSet<>();
    // An archive that cannot be read is still one beside others.
    Set<String> kinds = inputs.values().stream().map(FileGlance::kind).collect(Collectors.toSet());
    boolean bundles =
        kinds.contains(FileGlance.ARCHIVE)
            && Set.of(FileGlance.ARCHIVE, FileGlance.UNREADABLE).containsAll(kinds);
    otherNames.add(named(id));
    for (Path file : files) {
      String name = InputFile.of(file).name();
      otherNames.add(named(id + "/" + name));
      boolean packed = inputs.containsKey(file) && inputs.get(file).packed();
      if (packed && name.contains(".")) {
        // Its name before it was packed.
        otherNames.add(named(id + "/" + name.substring(0, name.lastIndexOf('.'))));
      }
    }
    if (bundles) {
      for (Path archive : inputs.keySet()) {
        boolean itself = archive.equals(folder);
        cases.add(
            named(
                itself ? id : id + "/" + InputFile.of(archive).name(),
                new CaseSplit.Part(
                    archive, List.of(archive), Optional.empty(), Optional.empty(), true),
                origin(root, archive)));
      }
    } else {
      for (CaseSplit.Part part : CaseSplit.of(folder, files, inputs)) {
        String name =
            part.first()
                .filter(file -> !file.equals(folder))
                .map(file -> id + "/" + InputFile.of(file).name())
                .orElse(id);
        cases.add(named(name, part, origin(root, part.files().get(0))));
      }
    }
    listing.folder(cases, otherNames);
  }

  private CaseOrigin origin(Path root, Path file) {
    Path path = file.equals(root) ? file : root.relativize(file);
    CaseOrigin origin = pattern.origin(slashes(path));
    return new CaseOrigin(
        origin.service().map(this::shown),
        origin.host().map(this::shown),
        origin.build().map(this::shown));
  }

  private FleetCase named(String name, CaseSplit.Part part, CaseOrigin origin) {
    return new FleetCase(
        named(name), part.folder(), part.files(), part.whole(), origin, part.time());
  }

  /** Names that differ in what is hidden only are distinguished by a digest of it. */
  private String named(String name) {
    String hidden = shown(name);
    return hidden.equals(name) ? name : hidden + " (" + CaseDigest.brief(name) + ")";
  }

  private String shown(String text) {
    return hiding.apply(InputFile.printable(text));
  }

  static String slashes(Path path) {
    return path.toString().replace('\\', '/');
  }

  /**
   * The cases of one folder. Recordings of one process are one case as long as each begins within
   * an hour of the first and without a gap, or lies inside of what they cover: so the parts of one
   * recording stay together, and a folder of hourly recordings is a case an hour. What else is in
   * the folder joins every case whose time it overlaps; what overlaps none is a case of its own.
   */
  private static final class CaseSplit {

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
     * @param files by name
     * @param first names the case: the first recording, so that the name stays when others come;
     *     absent for a folder without one
     * @param time if it is known
     * @param whole whether it is all of the folder
     */
    record Part(
        Path folder,
        List<Path> files,
        Optional<Path> first,
        Optional<Window> time,
        boolean whole) {}

    /**
     * Divides the files of a folder.
     *
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
                  Comparator.comparing(
                          (Map.Entry<Path, FileGlance> entry) ->
                              entry.getValue().from().orElseThrow())
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
     * The cases that a file goes with. Of a packed one only the beginning is known: a log that
     * begins before its recording goes with the next one, unless it is certain that another covers
     * it.
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
}
