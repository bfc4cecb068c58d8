package io.gcdiag.fleet;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The folders that were searched, in this and in earlier runs. A case is named from the first of
 * them that holds it: its name depends neither on how its folder was written nor on what else was
 * searched with it.
 *
 * @param known those searched, the first first
 */
public record CaseRoots(List<Root> known) {

  /** Nothing was searched yet. */
  public static final CaseRoots NONE = new CaseRoots(List.of());

  /**
   * A folder that was searched.
   *
   * @param digest of its path: a path may say what is secret
   * @param name begins the names of its cases
   */
  public record Root(String digest, String name) {}

  public CaseRoots {
    known = List.copyOf(known);
  }

  /**
   * These and one more, unless one of them holds it.
   *
   * @param folder without links
   * @param shown hides what is secret in its name
   */
  CaseRoots with(Path folder, UnaryOperator<String> shown) {
    if (root(folder).isPresent()) {
      return this;
    }
    String digest = CaseDigest.ofText(folder.toString());
    Path last = folder.getFileName();
    String name = shown.apply(last == null ? "root" : last.toString());
    boolean taken = known.stream().anyMatch(root -> root.name().equals(name));
    List<Root> all = new ArrayList<>(known);
    all.add(new Root(digest, taken ? name + "-" + CaseDigest.brief(folder.toString()) : name));
    return new CaseRoots(all);
  }

  /** The name of a folder or file in one of these. */
  String name(Path path) {
    Root root = root(path).orElseThrow();
    Path folder = path;
    while (!CaseDigest.ofText(folder.toString()).equals(root.digest())) {
      folder = folder.getParent();
    }
    String inside = CaseFinder.slashes(folder.relativize(path));
    return inside.isEmpty() ? root.name() : root.name() + "/" + inside;
  }

  private Optional<Root> root(Path path) {
    List<String> digests = new ArrayList<>();
    for (Path one = path; one != null; one = one.getParent()) {
      digests.add(CaseDigest.ofText(one.toString()));
    }
    return known.stream().filter(root -> digests.contains(root.digest())).findFirst();
  }
}
