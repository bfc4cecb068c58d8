package io.gcdiag.cli.fleet;

import io.gcdiag.fleet.CaseDigest;
import io.gcdiag.fleet.CaseRoots;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * Where the results of a fleet are: the rows, the page that sums them up, and a report for each
 * case.
 */
public record FleetFolder(Path path) {

  /** Ends the name of a file that is being written. */
  static final String UNFINISHED = ".part";

  private static final String REPORTS = "cases";

  private static final String ROOTS = "roots.txt";

  /** File systems allow 255 bytes; the end of a long name says most. */
  private static final int LONGEST_NAME = 80;

  /** So many hexadecimal digits tell the names of a million cases apart. */
  private static final int DIGITS = 16;

  /** Makes the folder if there is none. */
  public static FleetFolder prepare(Path path) throws IOException {
    Files.createDirectories(path.resolve(REPORTS));
    return new FleetFolder(path);
  }

  /** Where reports are, and what is being written. */
  public Path reports() {
    return path.resolve(REPORTS);
  }

  /** Removes what an earlier run left unfinished; only for the one that holds the lock. */
  public void clean() throws IOException {
    try (DirectoryStream<Path> left = Files.newDirectoryStream(reports(), "*" + UNFINISHED)) {
      for (Path file : left) {
        Files.deleteIfExists(file);
      }
    }
  }

  public Path page() {
    return path.resolve("index.html");
  }

  public Path report(String id) {
    String readable = id.replaceAll("[^A-Za-z0-9._-]+", "_");
    String end = readable.substring(Math.max(0, readable.length() - LONGEST_NAME));
    String name = end + "-" + CaseDigest.ofText(id).substring(0, DIGITS) + ".html";
    return reports().toAbsolutePath().resolve(name);
  }

  /** The folders that earlier runs searched. */
  public CaseRoots roots() throws IOException {
    Path file = path.resolve(ROOTS);
    List<String> lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
    return new CaseRoots(
        lines.stream()
            .map(line -> line.split(" ", 2))
            .filter(parts -> parts.length == 2)
            .map(parts -> new CaseRoots.Root(parts[0], parts[1]))
            .toList());
  }

  /** Keeps the folders that were searched for the next run. */
  public void keep(CaseRoots roots) throws IOException {
    Path beside = path.resolve(ROOTS + UNFINISHED);
    Files.write(
        beside, roots.known().stream().map(root -> root.digest() + " " + root.name()).toList());
    Files.move(beside, path.resolve(ROOTS), StandardCopyOption.REPLACE_EXISTING);
  }
}
