import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeMap;
import java.util.SortedMap;

/** Files of a package by their names in it, sorted. */
final class FileTree {

  /**
   * One file or link.
   *
   * @param bytes what it holds; of a link, where it points
   * @param mode who may do what with it
   * @param link whether it is a symbolic link
   */
  record Node(byte[] bytes, int mode, boolean link) {}

  private final SortedMap<String, Node> nodes = new TreeMap<>();

  SortedMap<String, Node> nodes() {
    return nodes;
  }

  void add(String name, byte[] bytes) {
    nodes.put(name, new Node(bytes, 0644, false));
  }

  void add(String name, byte[] bytes, boolean program) {
    nodes.put(name, new Node(bytes, program ? 0755 : 0644, false));
  }

  void add(String name, Path file, boolean program) throws IOException {
    add(name, Files.readAllBytes(file), program);
  }

  void link(String name, String pointsTo) {
    nodes.put(name, new Node(pointsTo.getBytes(), 0777, true));
  }

  /** Every file below the folder; the links of a runtime's licences become files. */
  void addAll(String prefix, Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      files
          .filter(Files::isRegularFile)
          .forEach(
              file -> {
                try {
                  String name = folder.relativize(file).toString().replace('\\', '/');
                  add(prefix + "/" + name, file, Files.isExecutable(file));
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
  }

  FileTree copy() {
    FileTree tree = new FileTree();
    tree.nodes.putAll(nodes);
    return tree;
  }

  /** The same in a folder of this name. */
  FileTree under(String folder) {
    FileTree tree = new FileTree();
    nodes.forEach((name, node) -> tree.nodes.put(folder + "/" + name, node));
    return tree;
  }
}
