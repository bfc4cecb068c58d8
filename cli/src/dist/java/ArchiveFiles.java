import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.TreeSet;
import java.util.zip.Deflater;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveOutputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorOutputStream;
import org.apache.commons.compress.compressors.gzip.GzipParameters;

/** Writes trees of files as archives, in which nothing tells when and where they were written. */
final class ArchiveFiles {

  private ArchiveFiles() {}

  static void tarGz(Path file, FileTree tree, Instant stamp) throws IOException {
    try (OutputStream out = Files.newOutputStream(file)) {
      tarGz(out, tree, stamp, "");
    }
  }

  /** With a prefix, such as {@code ./}, before each name. */
  static void tarGz(OutputStream out, FileTree tree, Instant stamp, String prefix)
      throws IOException {
    GzipParameters best = new GzipParameters();
    best.setCompressionLevel(Deflater.BEST_COMPRESSION);
    try (TarArchiveOutputStream tar =
        new TarArchiveOutputStream(new GzipCompressorOutputStream(out, best), "UTF-8")) {
      tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_GNU);
      TreeSet<String> folders = new TreeSet<>();
      for (Map.Entry<String, FileTree.Node> entry : tree.nodes().entrySet()) {
        String name = entry.getKey();
        for (int slash = name.indexOf('/'); slash >= 0; slash = name.indexOf('/', slash + 1)) {
          if (folders.add(name.substring(0, slash + 1))) {
            put(tar, new TarArchiveEntry(prefix + name.substring(0, slash + 1)), 0755, stamp);
            tar.closeArchiveEntry();
          }
        }
        if (name.endsWith("/")) {
          continue;
        }
        FileTree.Node node = entry.getValue();
        if (node.link()) {
          TarArchiveEntry link = new TarArchiveEntry(prefix + name, TarConstants.LF_SYMLINK);
          link.setLinkName(new String(node.bytes()));
          put(tar, link, node.mode(), stamp);
        } else {
          TarArchiveEntry file = new TarArchiveEntry(prefix + name);
          file.setSize(node.bytes().length);
          put(tar, file, node.mode(), stamp);
          tar.write(node.bytes());
        }
        tar.closeArchiveEntry();
      }
    }
  }

  private static void put(TarArchiveOutputStream tar, TarArchiveEntry entry, int mode, Instant stamp)
      throws IOException {
    entry.setMode(mode);
    entry.setModTime(stamp.toEpochMilli());
    entry.setIds(0, 0);
    entry.setNames("root", "root");
    tar.putArchiveEntry(entry);
  }

  static void zip(Path file, FileTree tree, Instant stamp) throws IOException {
    try (OutputStream out = Files.newOutputStream(file);
        ZipArchiveOutputStream zip = new ZipArchiveOutputStream(out)) {
      zip.setLevel(Deflater.BEST_COMPRESSION);
      for (Map.Entry<String, FileTree.Node> node : tree.nodes().entrySet()) {
        ZipArchiveEntry entry = new ZipArchiveEntry(node.getKey());
        // Times in zip files are local ones.
        entry.setTimeLocal(stamp.atOffset(ZoneOffset.UTC).toLocalDateTime());
        entry.setUnixMode(0100000 | node.getValue().mode());
        zip.putArchiveEntry(entry);
        zip.write(node.getValue().bytes());
        zip.closeArchiveEntry();
      }
    }
  }
}
