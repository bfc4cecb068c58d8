package io.gcdiag.spark;

import io.gcdiag.fleet.CaseDigest;
import io.gcdiag.fleet.CaseRoots.Root;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Lists what is in folders of any file system of Hadoop; no file is read. */
final class FolderList {

  private final Configuration hadoop;
  private final Path leftOut;
  private final String options;
  private final UnaryOperator<String> shown;
  private final Consumer<String> problems;
  private final List<Root> roots;
  private final List<Path> searched = new ArrayList<>();

  /** What is searched: the folder, its name, and what was found in it so far. */
  private record Search(Path root, String name, List<Folder> found) {}

  /**
   * Has found nothing yet.
   *
   * @param leftOut the folder of the results
   * @param options what an answer depends on beside files
   * @param shown hides what is secret in a name
   * @param problems hears of folders that cannot be listed
   * @param roots the folders that were searched before, the first first
   */
  FolderList(
      Configuration hadoop,
      Path leftOut,
      String options,
      UnaryOperator<String> shown,
      Consumer<String> problems,
      List<Root> roots) {
    this.hadoop = hadoop;
    this.leftOut = leftOut;
    this.options = options;
    this.shown = shown;
    this.problems = problems;
    this.roots = new ArrayList<>(roots);
  }

  /** Those searched before and now. */
  List<Root> roots() {
    return roots;
  }

  /** The folders that have files, from the one named on; none below one that was named before. */
  List<Folder> below(String named) throws IOException {
    Path path = new Path(named);
    FileSystem files = path.getFileSystem(hadoop);
    FileStatus status;
    try {
      status = files.getFileStatus(path);
    } catch (FileNotFoundException e) {
      throw new IOException(path + ": no such folder", e);
    }
    Path root = status.getPath();
    List<Folder> found = new ArrayList<>();
    if (searched.stream().noneMatch(other -> inside(other, root).isPresent())) {
      searched.add(root);
      String name = name(root);
      if (status.isDirectory()) {
        list(files, new Search(root, name, found), root);
      } else {
        found.add(folder(root, name, "", List.of(status), List.of("")));
      }
    }
    return found;
  }

  /** A case is named from the first folder searched that holds it, now or in an earlier job. */
  private String name(Path root) {
    for (Root known : roots) {
      for (Path one = root; one != null; one = one.getParent()) {
        if (CaseDigest.ofText(one.toString()).equals(known.digest())) {
          String way = inside(one, root).orElseThrow();
          return way.isEmpty() ? known.name() : known.name() + "/" + way;
        }
      }
    }
    String digest = CaseDigest.ofText(root.toString());
    String name = root.isRoot() ? "root" : shown.apply(root.getName());
    boolean taken = roots.stream().anyMatch(known -> known.name().equals(name));
    roots.add(new Root(digest, taken ? name + "-" + digest.substring(0, FolderVisit.BRIEF) : name));
    return roots.get(roots.size() - 1).name();
  }

  private void list(FileSystem storage, Search search, Path folder) {
    List<FileStatus> inside;
    try {
      inside = Stream.of(storage.listStatus(folder)).sorted().toList();
    } catch (IOException e) {
      problems.accept(shown.apply(folder + ": cannot be listed: " + e.getMessage()));
      return;
    }
    List<FileStatus> seen =
        inside.stream()
            .filter(one -> !one.getPath().getName().startsWith("."))
            .filter(one -> !one.getPath().equals(leftOut))
            .toList();
    List<FileStatus> files = seen.stream().filter(FileStatus::isFile).toList();
    if (!files.isEmpty()) {
      String way = inside(search.root(), folder).orElseThrow();
      List<String> names = files.stream().map(file -> file.getPath().getName()).toList();
      search.found().add(folder(folder, search.name(), way, files, names));
    }
    seen.stream()
        .filter(FileStatus::isDirectory)
        .forEach(one -> list(storage, search, one.getPath()));
  }

  private Folder folder(
      Path path, String root, String inside, List<FileStatus> files, List<String> names) {
    StringBuilder all = new StringBuilder(options);
    for (FileStatus file : files) {
      all.append('\0').append(file.getPath().getName()).append('\0').append(file.getLen());
      all.append('\0').append(file.getModificationTime());
    }
    long bytes = files.stream().mapToLong(FileStatus::getLen).sum();
    String stamp = CaseDigest.ofText(all.toString());
    return new Folder(path.toString(), root, inside, names, bytes, stamp, Set.of());
  }

  /** The way from a folder to one in it; absent if it is elsewhere. */
  private static Optional<String> inside(Path folder, Path path) {
    String from = folder.toString();
    String to = path.toString();
    String begin = from.endsWith(Path.SEPARATOR) ? from : from + Path.SEPARATOR;
    return to.equals(from)
        ? Optional.of("")
        : Optional.of(to)
            .filter(text -> text.startsWith(begin))
            .map(t -> t.substring(begin.length()));
  }
}
