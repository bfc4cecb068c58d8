package io.gcdiag.cli;

import io.gcdiag.fixtures.Incidents;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A checkout with the launcher of this one, sources that are empty, a Maven wrapper that pretends
 * to build and a JDK that prints its arguments: what a launcher does in each of them is seen
 * without a build.
 */
final class LauncherCheckout {

  private static final Path ROOT =
      Incidents.all().get(0).getParent().getParent().getParent().toAbsolutePath();

  /** What the launcher and the wrapper of the tests start. Java is not among it. */
  private static final List<String> TOOLS =
      List.of(
          "sh",
          "awk",
          "cat",
          "chmod",
          "cp",
          "date",
          "dd",
          "dirname",
          "find",
          "grep",
          "head",
          "locale",
          "ls",
          "mkdir",
          "mv",
          "readlink",
          "rm",
          "rmdir",
          "sed",
          "sleep",
          "stty",
          "tail",
          "touch",
          "tr",
          "wc");

  /** A step of a pretended Maven: it writes the jar that the launcher waits for. */
  static final String MAKES_JAR =
      """
      mkdir -p "${0%/*}/cli/target" && echo jar >"${0%/*}/cli/target/gcdiag.jar"
      """;

  private static final String PRETENDED_JAVA =
      """
      #!/bin/sh
      case "$*" in
        *Rehearsal*)
          for option; do
            case $option in -XX:ArchiveClassesAtExit=*) echo classes >"${option#*=}" ;; esac
          done ;;
        *)
          echo "started by $0"
          for word; do echo "<$word>"; done ;;
      esac
      """;

  private final Path folder;
  private final Path tools;
  private final Map<String, String> environment = new TreeMap<>();

  /**
   * A new one.
   *
   * @param scratch an empty folder
   * @param name the name of the checkout in it
   */
  LauncherCheckout(Path scratch, String name) throws IOException {
    folder = Files.createDirectories(scratch.resolve(name));
    tools = Files.createDirectory(scratch.resolve("tools"));
    for (String tool : TOOLS) {
      Optional<Path> program = onPath(tool);
      if (program.isPresent()) {
        executable(tools.resolve(tool), "#!/bin/sh\nexec " + program.get() + " \"$@\"\n");
      }
    }
    Files.copy(ROOT.resolve("gcdiag"), folder.resolve("gcdiag"));
    for (String file : List.of("pom.xml", "rules/pom.xml", "cli/pom.xml", "fixtures/pom.xml")) {
      put(folder.resolve(file), "");
    }
    for (String source : List.of("rules/src/main/A.java", "cli/src/main/B.java")) {
      put(folder.resolve(source), "");
    }
    put(folder.resolve("cli/src/build/C.java"), "");
    Path wrapper = Path.of(".mvn/wrapper/maven-wrapper.properties");
    put(folder.resolve(wrapper), Files.readString(ROOT.resolve(wrapper)));
    age(folder);
    mavenDoes(MAKES_JAR);
    environment.put("PATH", tools.toString());
    environment.put("HOME", Files.createDirectory(scratch.resolve("home")).toString());
    environment.put("JAVA_HOME", jdk(scratch.resolve("jdk"), "17.0.15").toString());
  }

  /** The program of a name on the path of this test. */
  static Optional<Path> onPath(String program) {
    return Stream.of(System.getenv("PATH").split(":"))
        .map(entry -> Path.of(entry).resolve(program))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** The folder of the checkout. */
  Path folder() {
    return folder;
  }

  /** The jar that the launcher starts. */
  Path keptJar() {
    return folder.resolve("cli/target/launcher/gcdiag.jar");
  }

  /** The jar that Maven makes. */
  Path builtJar() {
    return folder.resolve("cli/target/gcdiag.jar");
  }

  /** Maven's output, kept. */
  Path log() {
    return folder.resolve("cli/target/launcher/build.log");
  }

  /** Has the Maven wrapper do something else; its arguments are kept beside it. */
  void mavenDoes(String script) throws IOException {
    put(
        folder.resolve("mvnw"),
        "#!/bin/sh\nfor word; do echo \"$word\"; done >\"${0%/*}/maven-arguments\"\n" + script);
  }

  /** What Maven was called with last. */
  List<String> mavenArguments() throws IOException {
    return Files.readAllLines(folder.resolve("maven-arguments"));
  }

  /** Sets a variable of the environment. */
  LauncherCheckout with(String variable, String value) {
    environment.put(variable, value);
    return this;
  }

  /** Takes a variable out of the environment. */
  LauncherCheckout without(String variable) {
    environment.remove(variable);
    return this;
  }

  /** Puts a Java on the path. */
  void putOnPath(Path jdk) throws IOException {
    Files.createSymbolicLink(tools.resolve("java"), jdk.resolve("bin/java"));
  }

  /** Makes a JDK of a version. */
  Path jdk(Path home, String version) throws IOException {
    executable(home.resolve("bin/java"), PRETENDED_JAVA);
    executable(home.resolve("bin/javac"), "#!/bin/sh\n");
    put(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    return home;
  }

  /** Makes a file that can be run. */
  static void executable(Path file, String script) throws IOException {
    put(file, script);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** Makes a source newer than everything that was built. */
  void changeSource() throws IOException {
    Files.setLastModifiedTime(
        folder.resolve("rules/src/main/A.java"), FileTime.from(Instant.now().plusSeconds(60)));
  }

  /** Calls the launcher by its own path. */
  Answer call(String shell, String... words) throws IOException, InterruptedException {
    return callAs(shell, folder.resolve("gcdiag").toString(), folder, words);
  }

  /** Calls the launcher by another path, from another folder. */
  Answer callAs(String shell, String script, Path from, String... words)
      throws IOException, InterruptedException {
    Process process = begin(shell, script, from, words);
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("the launcher does not end");
    }
    return answer(process);
  }

  /**
   * Begins a call; its output goes to files. It can be interrupted although the tests run in the
   * background: what a shell starts there ignores an interrupt, and no script may change that.
   */
  Process begin(String shell, String script, Path from, String... words)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(interruptible());
    List<String> program = new ArrayList<>(List.of(shell.split(" ")));
    program.set(0, onPath(program.get(0)).orElseThrow().toString());
    command.addAll(program);
    command.add(script);
    command.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(command).directory(from.toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    Path output = Files.createTempDirectory(tools.getParent(), "call");
    builder.redirectOutput(output.resolve("out").toFile());
    builder.redirectError(output.resolve("err").toFile());
    Process process = builder.start();
    outputs.put(process.pid(), output);
    return process;
  }

  /** GNU's {@code env} takes signals back from those that are ignored; elsewhere nothing does. */
  private static List<String> interruptible() throws IOException, InterruptedException {
    List<String> env = List.of("env", "--default-signal=INT");
    List<String> tried = new ArrayList<>(env);
    tried.add("true");
    return new ProcessBuilder(tried).start().waitFor() == 0
        ? List.of(onPath("env").orElseThrow().toString(), env.get(1))
        : List.of();
  }

  private final Map<Long, Path> outputs = new TreeMap<>();

  /** What a call that has ended said. */
  Answer answer(Process process) throws IOException {
    Path output = outputs.get(process.pid());
    return new Answer(
        process.exitValue(),
        Files.readString(output.resolve("out"), StandardCharsets.UTF_8),
        Files.readString(output.resolve("err"), StandardCharsets.UTF_8));
  }

  private static void put(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private static void age(Path folder) throws IOException {
    FileTime old = FileTime.from(Instant.now().minusSeconds(3600));
    try (Stream<Path> files = Files.walk(folder)) {
      files
          .filter(Files::isRegularFile)
          .forEach(
              file -> {
                try {
                  Files.setLastModifiedTime(file, old);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
  }

  /**
   * How a call ended.
   *
   * @param code the exit code
   * @param out standard output
   * @param err standard error
   */
  record Answer(int code, String out, String err) {}
}
