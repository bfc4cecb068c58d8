package io.gcdiag.cli.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the pages tell users to type for a running service: {@code jcmd} is tried on a JVM that the
 * test starts, options of the JVM are given to one, and commands of Docker and Kubernetes are held
 * against the form that they need.
 */
@Tag("slow")
class JvmCommandsTest {

  private static final Path JAVA_HOME = Path.of(System.getProperty("java.home"));

  /** What may stand before a program that it is to run. */
  private static final Pattern WRAPPED =
      Pattern.compile(
          "(kubectl exec .*? -- |docker exec \\S+ |sudo (-u \\S+ )?|env (-u \\S+ |[A-Z_]+=\\S+ )*)+");

  private static final Pattern OPTION = Pattern.compile("-(?:XX:|Xlog:|Xloggc)[^\\s\"'`]+");

  /** What {@code jcmd} prints where it refuses; its exit code is 0 even then. */
  private static final Pattern REFUSED =
      Pattern.compile(
          "(?i)exception|unknown|could not|failed|syntax error|no available|not found|unexpected");

  /** The JDK from which on there are dumps of virtual threads. */
  private static final int VIRTUAL_THREADS = 21;

  @TempDir static Path folder;

  private static Process service;

  @BeforeAll
  static void startAService() throws IOException {
    Path program = folder.resolve("Service.java");
    Files.writeString(
        program,
        """
        public class Service {
          public static void main(String[] arguments) throws Exception {
            Thread.sleep(600_000);
          }
        }
        """);
    Files.write(folder.resolve("gcdiag.jfc"), Gcdiag.succeed(List.of("recording-settings")));
    service =
        new ProcessBuilder(tool("java"), "-Xmx64m", program.toString())
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("service.log").toFile())
            .start();
  }

  @AfterAll
  static void stopTheService() throws InterruptedException {
    service.destroyForcibly().waitFor();
  }

  private static String tool(String name) {
    return JAVA_HOME.resolve("bin").resolve(name).toString();
  }

  /** Lines of shell that the pages show, each program on its own. */
  private static List<String> programs() throws IOException {
    List<String> programs = new ArrayList<>();
    for (Path page : Pages.forUsers()) {
      for (Pages.Code code : Pages.code(page)) {
        if (code.isShell()) {
          ShellLine.programs(code.lines()).forEach(words -> programs.add(String.join(" ", words)));
        }
      }
    }
    return programs;
  }

  @TestFactory
  Stream<DynamicTest> jcmdUnderstandsWhatIsAskedOfIt() throws IOException {
    // In the order of the pages: a recording is started before it is dumped.
    List<String> commands =
        programs().stream()
            .map(line -> WRAPPED.matcher(line).replaceFirst(""))
            .filter(line -> line.matches("jcmd (PID|1|\\$\\w+) .*"))
            .map(line -> line.replaceFirst("(PID|1|\\$\\w+) ", "PID "))
            .distinct()
            .filter(JvmCommandsTest::isKnownToThisJdk)
            .toList();
    assertTrue(commands.size() > 5, commands::toString);
    return commands.stream().map(line -> dynamicTest(line, () -> tryOut(line)));
  }

  private static boolean isKnownToThisJdk(String line) {
    return !line.contains("Thread.dump_to_file") || Runtime.version().feature() >= VIRTUAL_THREADS;
  }

  private static void tryOut(String line) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of(line.split(" ")));
    words.set(0, tool("jcmd"));
    words.set(1, Long.toString(service.pid()));
    words.replaceAll(JvmCommandsTest::inFolder);
    if (line.contains("JFR.start")) {
      // Another page may have started one of that name.
      ran(List.of(tool("jcmd"), words.get(1), "JFR.stop", nameOf(words)));
    }
    if (line.contains("JFR.dump") && line.contains("name=")) {
      ran(List.of(tool("jcmd"), words.get(1), "JFR.start", nameOf(words)));
    }
    Ran ran = ran(words);
    assertEquals(0, ran.code(), ran::out);
    assertFalse(REFUSED.matcher(firstLines(ran.out())).find(), ran::out);
  }

  private static String nameOf(List<String> words) {
    return words.stream().filter(word -> word.startsWith("name=")).findFirst().orElse("name=other");
  }

  /** Where there is much output, as of a thread dump, a refusal would be all of it. */
  private static String firstLines(String out) {
    return String.join("\n", out.lines().limit(4).toList());
  }

  @TestFactory
  Stream<DynamicTest> theJvmStartsWithTheOptionsShown() throws IOException {
    Set<String> options = new TreeSet<>();
    for (Path page : Pages.forUsers()) {
      if (page.toString().contains("how-to") || page.equals(Pages.ROOT.resolve("README.md"))) {
        Matcher option = OPTION.matcher(Files.readString(page));
        while (option.find()) {
          options.add(option.group());
        }
      }
    }
    assertTrue(options.size() > 2, options::toString);
    return options.stream()
        .filter(option -> !option.endsWith("...") && !option.contains("Flag"))
        .map(option -> dynamicTest(option, () -> start(option)));
  }

  private static void start(String option) throws IOException, InterruptedException {
    Ran ran =
        ran(List.of(tool("java"), "-XX:+UnlockDiagnosticVMOptions", inFolder(option), "-version"));
    assertEquals(0, ran.code(), ran::out);
    assertFalse(ran.out().contains("[error]"), ran::out);
  }

  @TestFactory
  Stream<DynamicTest> commandsOfContainersHaveTheirForm() throws IOException {
    return programs().stream()
        .filter(line -> line.startsWith("kubectl ") || line.startsWith("docker "))
        .map(line -> dynamicTest(line, () -> assertTrue(hasForm(line), line)));
  }

  private static boolean hasForm(String line) {
    if (line.startsWith("kubectl exec")) {
      return line.matches("kubectl exec (-i )?POD( -c \\w+)? -- .+");
    }
    if (line.startsWith("kubectl debug")) {
      return line.contains("--image=") && line.contains("--target=");
    }
    return line.matches("kubectl (cp|logs|get|set) .+|docker (exec|cp|logs|run|inspect) .+");
  }

  /** Paths of the examples lie in the folder of the test. */
  private static String inFolder(String word) {
    return word.replaceAll("(=|file=)(/[\\w.%-]+)*/([\\w.%-]+)", "$1" + folder + "/$3")
        .replaceAll("filename=([\\w.-]+)$", "filename=" + folder + "/$1")
        .replaceAll("(:file=)([\\w.%-]+)", "$1" + folder + "/$2");
  }

  private record Ran(int code, String out) {}

  private static Ran ran(List<String> words) throws IOException, InterruptedException {
    Path out = Files.createTempFile(folder, "out", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(words)
            .directory(new File(folder.toString()))
            .redirectErrorStream(true)
            .redirectOutput(out.toFile());
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    Process process = builder.start();
    assertTrue(process.waitFor(1, TimeUnit.MINUTES), words::toString);
    return new Ran(process.exitValue(), Files.readString(out));
  }
}
