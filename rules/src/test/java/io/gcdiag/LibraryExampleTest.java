package io.gcdiag;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.fixtures.Incidents;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program in docs/library.md compiles and prints what the page says. */
@Tag("slow")
class LibraryExampleTest {

  private static final Path PAGE = Path.of("..", "docs", "library.md");
  private static final Path CLASSES = Path.of("target", "classes");

  @TempDir private Path folder;

  private String page;
  private Path source;

  @BeforeEach
  void extract() throws Exception {
    page = Files.readString(PAGE);
    Matcher program = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL).matcher(page);
    assertTrue(program.find(), "no program in " + PAGE);
    source = folder.resolve("PrimarySuspect.java");
    Files.writeString(source, program.group(1));
  }

  @Test
  void runsOnTheClassPath() throws Exception {
    compile("-cp", libraries(), source.toString());

    assertEquals(
        promised(), run("-cp", libraries() + File.pathSeparator + folder, "PrimarySuspect"));
  }

  @Test
  void runsAsAModuleThatRequiresTheLibrary() throws Exception {
    Path named = Files.createDirectories(folder.resolve("example")).resolve("PrimarySuspect.java");
    Files.writeString(named, "package example;\n" + Files.readString(source));
    Path descriptor = folder.resolve("module-info.java");
    Files.writeString(descriptor, "module example {\n  requires io.gcdiag;\n}\n");
    compile("--module-path", libraries(), named.toString(), descriptor.toString());

    assertEquals(
        promised(),
        run(
            "--module-path",
            libraries() + File.pathSeparator + folder,
            "--module",
            "example/example.PrimarySuspect"));
  }

  /** GCToolkit, which only the cross-check calls, finds classes of the library by reflection. */
  @Test
  void theCrossCheckOfGcLogsWorksInAModule() throws Exception {
    Path descriptor = folder.resolve("module-info.java");
    Files.writeString(descriptor, "module example {\n  requires io.gcdiag;\n}\n");
    Path program = Files.createDirectories(folder.resolve("example")).resolve("Check.java");
    Files.writeString(
        program,
        """
        package example;

        import io.gcdiag.Analysis;
        import io.gcdiag.AnalysisRequest;
        import java.nio.file.Path;

        class Check {
          public static void main(String[] args) {
            AnalysisRequest request = AnalysisRequest.of(Path.of(args[0]));
            var diagnosis = Analysis.run(request.with(request.reading().crossChecking(true)));
            System.out.println(diagnosis.crossChecks().size() + " facts checked");
          }
        }
        """);
    compile("--module-path", libraries(), program.toString(), descriptor.toString());

    String answer =
        run(
            "--module-path",
            libraries() + File.pathSeparator + folder,
            "--module",
            "example/example.Check");

    assertTrue(answer.matches("[1-9][0-9]* facts checked"), answer);
  }

  private String promised() {
    Matcher line = Pattern.compile("it prints\n\n {4}(.*)\n").matcher(page);
    assertTrue(line.find(), "the page does not say what the program prints");
    return line.group(1);
  }

  private void compile(String... arguments) {
    List<String> all =
        new ArrayList<>(
            List.of("-d", folder.toString(), "--release", "17", "-Xlint:all", "-Werror"));
    all.addAll(List.of(arguments));
    int code =
        ToolProvider.getSystemJavaCompiler().run(null, null, null, all.toArray(String[]::new));
    assertEquals(0, code, "the program does not compile");
  }

  private String run(String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // One analysis ends before the optimising compiler pays off.
    command.add("-XX:TieredStopAtLevel=1");
    command.addAll(List.of(arguments));
    command.add(Incidents.folder("depot-heap-serial").toString());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
    assertEquals(0, process.waitFor(), out);
    return out;
  }

  /** The library and what its pom names; the tests' own libraries are no part of them. */
  private static String libraries() {
    Pattern needed = Pattern.compile("jackson-(core|annotations|databind|dataformat-csv)-[0-9].*");
    Pattern others = Pattern.compile("(commons-math3|gctoolkit-(api|parser)|HdrHistogram)-[0-9].*");
    return Stream.concat(
            Stream.of(CLASSES.toAbsolutePath()),
            Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(
                    jar -> {
                      String name = jar.getFileName().toString();
                      return needed.matcher(name).matches() || others.matcher(name).matches();
                    }))
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }
}
