import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/**
 * Makes a Java runtime of the modules that gcdiag needs, and a class archive of gcdiag for it. The
 * archive is a static one, made from a sorted list of classes: two of them are the same to the byte,
 * which an AOT cache with its profiles is not.
 *
 * <p>Arguments: the jar, the folder of examples, the time stamp of all files, the folder to make. It
 * then holds {@code runtime/}, {@code lib/gcdiag.jar} and {@code lib/classes.jsa}.
 */
public final class RuntimePackage {

  /**
   * What the code needs. What jdeps finds beyond them are parts of libraries that draw windows or
   * read databases, and are never called.
   */
  private static final String MODULES = "java.base,java.logging,java.xml,jdk.jfr";

  /** From this JDK on an archive may lie elsewhere than where it was made. */
  private static final int OLDEST = 25;

  private final Path folder;
  private final FileTime stamp;

  private RuntimePackage(Path folder, FileTime stamp) {
    this.folder = folder;
    this.stamp = stamp;
  }

  /** Makes it, if this machine can. */
  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[3]);
    delete(folder);
    boolean fits =
        System.getProperty("os.name").equals("Linux")
            && System.getProperty("os.arch").equals("amd64");
    if (!fits || Runtime.version().feature() < OLDEST) {
      System.out.println(
          "The package with its own runtime is left out: it is made on Linux x64 by a JDK "
              + OLDEST
              + " or later, and this is "
              + Runtime.version()
              + ".");
      return;
    }
    new RuntimePackage(folder, FileTime.from(Instant.parse(args[2])))
        .make(Path.of(args[0]), Path.of(args[1]).toAbsolutePath());
  }

  private void make(Path jar, Path examples) throws Exception {
    Files.createDirectories(folder.resolve("lib"));
    Files.copy(jar, folder.resolve("lib/gcdiag.jar"));
    link();
    stampAll();
    java("-Xshare:dump", "-version");
    stampAll();
    archive(examples);
    stampAll();
  }

  private void link() {
    ToolProvider jlink = ToolProvider.findFirst("jlink").orElseThrow();
    int code =
        jlink.run(
            System.out,
            System.err,
            "--add-modules",
            MODULES,
            "--strip-debug",
            "--no-header-files",
            "--no-man-pages",
            "--output",
            folder.resolve("runtime").toString());
    if (code != 0) {
      throw new IllegalStateException("jlink ended with " + code);
    }
  }

  private void archive(Path examples) throws Exception {
    Path met = folder.resolve("classes.met");
    java(
        "-Xshare:off",
        "-Xmx512m",
        "-XX:+UseSerialGC",
        "-XX:DumpLoadedClassList=" + met.getFileName(),
        "-cp",
        "lib/gcdiag.jar",
        "io.gcdiag.cli.Rehearsal",
        examples.toString());
    // Numbers of classes and of resolved constants depend on the order in which threads came.
    TreeSet<String> classes = new TreeSet<>();
    for (String line : Files.readAllLines(met)) {
      if (!line.startsWith("#") && !line.startsWith("@cp")) {
        classes.add(line.replaceAll(" id: [0-9]+$", ""));
      }
    }
    Path list = folder.resolve("classes.list");
    Files.write(list, classes);
    java(
        "-Xshare:dump",
        "-Xmx512m",
        "-XX:+UseSerialGC",
        "-XX:SharedClassListFile=" + list.getFileName(),
        "-XX:SharedArchiveFile=lib/classes.jsa",
        "-cp",
        "lib/gcdiag.jar");
    Files.delete(met);
    Files.delete(list);
  }

  /** Runs the new runtime in the folder: the archive keeps paths as they are given. */
  private void java(String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(folder.resolve("runtime/bin/java").toAbsolutePath().toString());
    command.add("-XX:-UsePerfData");
    command.addAll(List.of(arguments));
    File log = folder.resolveSibling("runtime.log").toFile();
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log);
    builder
        .environment()
        .keySet()
        .removeAll(List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS"));
    int code = builder.start().waitFor();
    if (code != 0) {
      throw new IllegalStateException(command + " ended with " + code + "; see " + log);
    }
  }

  /** The archive is held against the times of the jar and of the runtime's modules. */
  private void stampAll() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.setLastModifiedTime(file, stamp);
      }
    }
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      files
          .sorted(Comparator.reverseOrder())
          .forEach(
              file -> {
                try {
                  Files.delete(file);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
  }
}
