import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/**
 * Makes the packages of the command line into {@code cli/target/dist}. All files bear one time
 * stamp, are sorted by name and belong to root, so that two builds of one commit are the same to
 * the byte.
 *
 * <p>Arguments: the version, the time stamp, the module's folder. The runtime package is made if
 * {@link RuntimePackage} has made its parts.
 */
public final class Packages {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Inputs that the class archive is made from; users can try them. */
  private static final List<String> EXAMPLES =
      List.of("depot-heap-serial/gc.log", "pages-parnew/", "pool-queue-small-heap/");

  /** What the incidents hold beside inputs. */
  private static final Pattern NO_INPUT =
      Pattern.compile("approved/.*|README\\.md|figures\\.json|run\\.json|truth\\.json");

  private final String version;
  private final Instant stamp;
  private final Path module;
  private final Path root;
  private final Path target;
  private final Path dist;
  private final Path jar;

  private Packages(String version, Instant stamp, Path module) {
    this.version = version;
    this.stamp = stamp;
    this.module = module;
    this.root = module.resolveSibling("").normalize();
    this.target = module.resolve("target");
    this.dist = target.resolve("dist");
    this.jar = target.resolve("gcdiag.jar");
  }

  /** {@code examples FOLDER} lays out the examples, {@code all} makes every package. */
  public static void main(String[] args) throws Exception {
    Packages packages =
        new Packages(args[1], Instant.parse(args[2]), Path.of(args[3]).toAbsolutePath());
    switch (args[0]) {
      case "examples" -> packages.layOutExamples(Path.of(args[4]));
      case "all" -> packages.make();
      default -> throw new IllegalArgumentException(args[0]);
    }
  }

  private void layOutExamples(Path folder) throws IOException {
    for (Map.Entry<String, byte[]> example : examples().entrySet()) {
      Path file = folder.resolve(example.getKey());
      Files.createDirectories(file.getParent());
      Files.write(file, example.getValue());
    }
  }

  private void make() throws Exception {
    if (Files.exists(dist)) {
      for (Path old : list(dist)) {
        Files.delete(old);
      }
    }
    Files.createDirectories(dist);
    Path parts = target.resolve("dist-parts");
    manuals(parts.resolve("man"));
    completions(parts.resolve("completions"));
    byte[] bom = billOfMaterials("");

    FileTree common = common(parts, bom);
    FileTree plain = common.copy();
    plain.add("gcdiag.cmd", root.resolve("gcdiag.cmd"), false);
    plain.add("README.md", readMe("It needs Java 17 or later, a runtime is enough. The first call makes a class archive for\nthat Java, which takes some seconds once and shortens every later start."));
    String name = "gcdiag-" + version;
    ArchiveFiles.tarGz(dist.resolve(name + ".tar.gz"), plain.under(name), stamp);
    ArchiveFiles.zip(dist.resolve(name + ".zip"), plain.under(name), stamp);

    Path runtime = target.resolve("dist-runtime");
    if (Files.exists(runtime.resolve("lib/classes.jsa"))) {
      FileTree own = common.copy();
      own.add("README.md", readMe("It brings its own Java in `runtime`. Unpack it with `tar`, and copy it with `cp -a`: the class\narchive fits files of their own date alone, and without it each start takes longer."));
      own.addAll("runtime", runtime.resolve("runtime"));
      own.add("lib/classes.jsa", runtime.resolve("lib/classes.jsa"), false);
      own.add(
          "gcdiag.cdx.json", billOfMaterials(Files.readString(runtime.resolve("runtime/release"))));
      String ownName = name + "-linux-x64";
      ArchiveFiles.tarGz(dist.resolve(ownName + ".tar.gz"), own.under(ownName), stamp);
    }

    new DebianPackage(version, stamp, module.resolve("src/dist/deb"))
        .write(dist.resolve("gcdiag_" + version + "_all.deb"), common);
    Files.copy(jar, dist.resolve(name + ".jar"));
    Files.write(dist.resolve(name + ".cdx.json"), bom);
    library();
    checksums();
  }

  private FileTree common(Path parts, byte[] bom) throws Exception {
    FileTree tree = new FileTree();
    tree.add("gcdiag", root.resolve("gcdiag"), true);
    tree.add("lib/gcdiag.jar", jar, false);
    String id = sha256(Files.readAllBytes(jar)).substring(0, 12) + "\n";
    tree.add("lib/gcdiag.id", id.getBytes(StandardCharsets.UTF_8));
    examples().forEach((name, bytes) -> tree.add("examples/" + name, bytes));
    tree.addAll("man/man1", parts.resolve("man"));
    tree.addAll("completions", parts.resolve("completions"));
    tree.add("LICENSE", root.resolve("LICENSE"), false);
    tree.add("NOTICE", root.resolve("NOTICE"), false);
    Path resources = module.resolve("src/main/resources");
    tree.addAll("licenses", resources.resolve("META-INF/licenses"));
    tree.add(
        "licenses/uPlot/LICENSE",
        resources.resolve("io/gcdiag/cli/render/uPlot.LICENSE.txt"),
        false);
    tree.add("gcdiag.cdx.json", bom);
    return tree;
  }

  private byte[] readMe(String java) throws IOException {
    return Files.readString(module.resolve("src/dist/README.md"))
        .replace("@version@", version)
        .replace("@java@", java)
        .getBytes(StandardCharsets.UTF_8);
  }

  private Map<String, byte[]> examples() throws IOException {
    Path incidents = root.resolve("fixtures/incidents");
    Map<String, byte[]> files = new TreeMap<>();
    for (Path file : list(incidents)) {
      String name = incidents.relativize(file).toString().replace('\\', '/');
      boolean wanted = EXAMPLES.stream().anyMatch(name::startsWith);
      if (wanted && !NO_INPUT.matcher(name.substring(name.indexOf('/') + 1)).matches()) {
        files.put(name, Files.readAllBytes(file));
      }
    }
    return files;
  }

  private void manuals(Path folder) throws Exception {
    Path source = module.resolve("src/build/java/ManPages.java");
    Files.createDirectories(folder);
    if (Files.exists(source)) {
      java("-cp", jar.toString(), source.toString(), folder.toString(), version);
    }
  }

  private void completions(Path folder) throws Exception {
    Files.createDirectories(folder);
    Map<String, String> names =
        Map.of("bash", "gcdiag.bash", "zsh", "_gcdiag", "fish", "gcdiag.fish");
    for (Map.Entry<String, String> shell : names.entrySet()) {
      byte[] script = java("-jar", jar.toString(), "completion", shell.getKey());
      Files.write(folder.resolve(shell.getValue()), script);
    }
  }

  private static byte[] java(String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    byte[] out = process.getInputStream().readAllBytes();
    if (process.waitFor() != 0) {
      throw new IllegalStateException(command + " ended with " + process.exitValue());
    }
    return out;
  }

  /**
   * The one that Maven makes of the libraries, with what no Maven artifact brings: the script of
   * charts, and the runtime, if its release file is given.
   */
  private byte[] billOfMaterials(String release) throws IOException {
    ObjectNode bom = (ObjectNode) JSON.readTree(target.resolve("bom.json").toFile());
    ArrayNode components = (ArrayNode) bom.get("components");
    String script =
        Files.readString(
            module.resolve("src/main/resources/io/gcdiag/cli/render/uPlot.iife.min.js"));
    add(components, "library", "uPlot", found("\\(v([0-9.]+)\\)", script), "MIT", "pkg:npm/uplot@");
    if (!release.isEmpty()) {
      add(
          components,
          "platform",
          "OpenJDK",
          found("JAVA_VERSION=\"(.*?)\"", release),
          "GPL-2.0-with-classpath-exception",
          "pkg:generic/openjdk@");
    }
    JsonNode text = bom;
    return (JSON.writerWithDefaultPrettyPrinter().writeValueAsString(text) + "\n")
        .getBytes(StandardCharsets.UTF_8);
  }

  private static void add(
      ArrayNode components, String type, String name, String version, String licence, String url) {
    ObjectNode component = components.addObject();
    component.put("type", type).put("bom-ref", url + version).put("name", name);
    component.put("version", version);
    component.putArray("licenses").addObject().putObject("license").put("id", licence);
    component.put("purl", url + version);
  }

  private static String found(String pattern, String text) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    if (!matcher.find()) {
      throw new IllegalStateException("no " + pattern);
    }
    return matcher.group(1);
  }

  private void library() throws IOException {
    Path core = root.resolve("rules/target");
    String name = "gcdiag-core-" + version;
    for (String end : List.of(".jar", "-sources.jar", "-javadoc.jar")) {
      Files.copy(core.resolve(name + end), dist.resolve(name + end));
    }
    Files.copy(core.resolve(".flattened-pom.xml"), dist.resolve(name + ".pom"));
  }

  private void checksums() throws Exception {
    StringBuilder lines = new StringBuilder();
    for (Path file : list(dist)) {
      lines.append(sha256(Files.readAllBytes(file))).append("  ").append(file.getFileName());
      lines.append('\n');
    }
    Files.writeString(dist.resolve("SHA256SUMS"), lines);
    System.out.println(lines.append("in ").append(dist));
  }

  static List<Path> list(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  static String sha256(byte[] bytes) throws Exception {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }

  static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    }
    return out.toByteArray();
  }
}
