package io.gcdiag.fleet.cases;

import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.fleet.CaseOrigin;
import io.gcdiag.ingest.FileGlance;
import io.gcdiag.ingest.format.InputFile;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Finds cases below folders. A folder that holds files which can be read is a case, as {@code
 * analyze FOLDER} has it; one with recordings of several processes or of several hours is several,
 * see {@link CaseSplit}. An archive is a folder of its own where no other input lies beside it.
 */
public final class CaseFinder {

  private final PathPattern pattern;
  private final Set<Path> leftOut;
  private final UnaryOperator<String> hiding;
  private final Map<String, FleetCase> cases = new TreeMap<>();
  private final List<String> problems = new ArrayList<>();

  private CaseFinder(PathPattern pattern, Set<Path> leftOut, UnaryOperator<String> hiding) {
    this.pattern = pattern;
    this.leftOut = leftOut;
    this.hiding = hiding;
  }

  /**
   * What was found.
   *
   * @param cases by their names
   * @param problems folders that could not be listed, with the reason, a line each
   */
  public record Found(List<FleetCase> cases, List<String> problems) {

    /** Copies the lists. */
    public Found {
      cases = List.copyOf(cases);
      problems = List.copyOf(problems);
    }
  }

  /**
   * Looks into folders and the folders inside of them, but not behind links.
   *
   * @param roots folders or archives
   * @param pattern what paths, from a root on, say of service, host and version
   * @param leftOut folders that hold no cases, such as that of the results
   * @param hiding hides secrets in names; the same text for the same name
   */
  public static Found find(
      Collection<Path> roots,
      PathPattern pattern,
      Collection<Path> leftOut,
      UnaryOperator<String> hiding) {
    Set<Path> absolute = new HashSet<>();
    leftOut.forEach(folder -> absolute.add(folder.toAbsolutePath().normalize()));
    CaseFinder finder = new CaseFinder(pattern, absolute, hiding);
    Set<String> names = new HashSet<>();
    for (Path root : roots) {
      Path name = root.toAbsolutePath().normalize().getFileName();
      // Two folders of one name are distinguished by their paths as they are written.
      boolean first = name != null && names.add(name.toString());
      finder.search(root, first ? name.toString() : slashes(root.normalize()));
    }
    return new Found(List.copyOf(finder.cases.values()), finder.problems);
  }

  private void search(Path root, String name) {
    Map<Path, List<Path>> folders = new TreeMap<>();
    try {
      Files.walkFileTree(
          root,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes any) {
              boolean skipped =
                  !folder.equals(root) && isHidden(folder)
                      || leftOut.contains(folder.toAbsolutePath().normalize());
              return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              Path folder = file.equals(root) ? file : file.getParent();
              if (attributes.isRegularFile() && !isHidden(file)) {
                folders.computeIfAbsent(folder, any -> new ArrayList<>()).add(file);
              }
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
              problems.add(shown(file + ": cannot be listed: " + e.getMessage()));
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      problems.add(shown(root + ": cannot be listed: " + e.getMessage()));
    }
    folders.forEach((folder, files) -> add(root, name, folder, files));
  }

  private static boolean isHidden(Path file) {
    Path name = file.getFileName();
    return name != null && name.toString().startsWith(".");
  }

  private void add(Path root, String name, Path folder, List<Path> files) {
    Map<Path, FileGlance> inputs = new TreeMap<>();
    files.stream()
        .filter(file -> !file.endsWith(OperatorFacts.SETTINGS_FILE))
        .forEach(file -> FileGlance.of(file).ifPresent(glance -> inputs.put(file, glance)));
    if (inputs.isEmpty()) {
      return;
    }
    String inside = slashes(root.relativize(folder));
    String id = inside.isEmpty() ? name : name + "/" + inside;
    boolean bundles =
        inputs.values().stream().allMatch(glance -> glance.kind().equals(FileGlance.ARCHIVE));
    if (bundles) {
      for (Path archive : inputs.keySet()) {
        boolean itself = archive.equals(folder);
        put(
            itself ? id : id + "/" + InputFile.of(archive).name(),
            new CaseSplit.Part(archive, List.of(archive), Optional.empty(), true),
            origin(root, archive));
      }
      return;
    }
    List<CaseSplit.Part> parts = CaseSplit.of(folder, files, inputs);
    for (CaseSplit.Part part : parts) {
      String first = InputFile.of(part.files().get(0)).name();
      put(part.whole() ? id : id + "/" + first, part, origin(root, part.files().get(0)));
    }
  }

  private CaseOrigin origin(Path root, Path file) {
    Path path = file.equals(root) ? file : root.relativize(file);
    CaseOrigin origin = pattern.origin(slashes(path));
    return new CaseOrigin(
        origin.service().map(this::shown),
        origin.host().map(this::shown),
        origin.build().map(this::shown));
  }

  private void put(String name, CaseSplit.Part part, CaseOrigin origin) {
    String plain = shown(name);
    String id = plain;
    // Names that differ in what is hidden only.
    for (int number = 2; cases.containsKey(id); number++) {
      id = plain + " (" + number + ")";
    }
    cases.put(
        id, new FleetCase(id, part.folder(), part.files(), part.whole(), origin, part.time()));
  }

  private String shown(String text) {
    return hiding.apply(InputFile.printable(text));
  }

  private static String slashes(Path path) {
    return path.toString().replace('\\', '/');
  }
}
