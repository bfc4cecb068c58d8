import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.commons.compress.archivers.ar.ArArchiveEntry;
import org.apache.commons.compress.archivers.ar.ArArchiveOutputStream;

/** Writes the package for Debian and its kin: each file at the place where such systems look. */
final class DebianPackage {

  private static final String HOME = "usr/share/gcdiag/";
  private static final String DOC = "usr/share/doc/gcdiag/";

  private final String version;
  private final Instant stamp;
  private final Path scripts;

  DebianPackage(String version, Instant stamp, Path scripts) {
    this.version = version;
    this.stamp = stamp;
    this.scripts = scripts;
  }

  void write(Path file, FileTree common) throws Exception {
    FileTree data = new FileTree();
    for (Map.Entry<String, FileTree.Node> entry : common.nodes().entrySet()) {
      String name = entry.getKey();
      byte[] bytes = entry.getValue().bytes();
      if (name.startsWith("man/")) {
        data.add("usr/share/" + name + ".gz", Packages.gzip(bytes));
      } else if (name.startsWith("licenses/") || name.equals("NOTICE") || name.endsWith(".cdx.json")) {
        data.add(DOC + name, bytes);
      } else if (name.equals("gcdiag") || name.startsWith("lib/") || name.startsWith("examples/")) {
        data.add(HOME + name, bytes, entry.getValue().mode() == 0755);
      }
    }
    data.add("usr/share/bash-completion/completions/gcdiag", bytes(common, "completions/gcdiag.bash"));
    data.add("usr/share/zsh/vendor-completions/_gcdiag", bytes(common, "completions/_gcdiag"));
    data.add("usr/share/fish/vendor_completions.d/gcdiag.fish", bytes(common, "completions/gcdiag.fish"));
    data.add(DOC + "copyright", copyright(common));
    data.link("usr/bin/gcdiag", "../share/gcdiag/gcdiag");
    data.link(HOME + "cache", "../../../var/cache/gcdiag");
    data.add("var/cache/gcdiag/", new byte[0]);

    try (OutputStream out = Files.newOutputStream(file);
        ArArchiveOutputStream ar = new ArArchiveOutputStream(out)) {
      put(ar, "debian-binary", "2.0\n".getBytes(StandardCharsets.UTF_8));
      put(ar, "control.tar.gz", packed(control(data)));
      put(ar, "data.tar.gz", packed(data));
    }
  }

  private FileTree control(FileTree data) throws Exception {
    StringBuilder sums = new StringBuilder();
    long size = 0;
    for (Map.Entry<String, FileTree.Node> entry : data.nodes().entrySet()) {
      FileTree.Node node = entry.getValue();
      if (!node.link() && !entry.getKey().endsWith("/")) {
        byte[] sum = MessageDigest.getInstance("MD5").digest(node.bytes());
        sums.append(HexFormat.of().formatHex(sum)).append("  ").append(entry.getKey()).append('\n');
      }
      size += 1 + node.bytes().length / 1024;
    }
    FileTree control = new FileTree();
    String fields =
        Files.readString(scripts.resolve("control"))
            .replace("@version@", version)
            .replace("@size@", Long.toString(size));
    control.add("control", fields.getBytes(StandardCharsets.UTF_8));
    control.add("md5sums", sums.toString().getBytes(StandardCharsets.UTF_8));
    for (String script : List.of("postinst", "prerm", "postrm")) {
      control.add(script, scripts.resolve(script), true);
    }
    return control;
  }

  /** The text of the Apache License is in each system; the others stand in licenses/. */
  private byte[] copyright(FileTree common) {
    StringBuilder text = new StringBuilder();
    text.append("gcdiag is licensed under the Apache License, Version 2.0, which is found in\n");
    text.append("/usr/share/common-licenses/Apache-2.0.\n\n");
    text.append(new String(bytes(common, "NOTICE"), StandardCharsets.UTF_8)).append('\n');
    text.append("Licences of the libraries inside, in /usr/share/doc/gcdiag/licenses:\n\n");
    common.nodes().keySet().stream()
        .filter(name -> name.startsWith("licenses/"))
        .forEach(name -> text.append("  ").append(name).append('\n'));
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] bytes(FileTree tree, String name) {
    return tree.nodes().get(name).bytes();
  }

  private byte[] packed(FileTree tree) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ArchiveFiles.tarGz(out, tree, stamp, "./");
    return out.toByteArray();
  }

  private void put(ArArchiveOutputStream ar, String name, byte[] bytes) throws IOException {
    ar.putArchiveEntry(
        new ArArchiveEntry(name, bytes.length, 0, 0, 0100644, stamp.getEpochSecond()));
    ar.write(bytes);
    ar.closeArchiveEntry();
  }
}
