package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How much there is of what is shipped, and of what the first answer needs. The limits are what
 * there was when they were last lowered: take away before you raise one, and lower them with what
 * you take away. The figures are printed.
 */
@Tag("slow")
class HouseTest {

  private static final List<Path> SOURCES =
      List.of(Path.of("../rules/src/main/java"), Path.of("src/main/java"));

  /** At most so much of each. */
  private static final Map<String, Integer> MOST =
      Map.of(
          "files", 734,
          "lines", 129_590,
          "lines of code", 96_518,
          "packages", 40,
          "top-level types", 693,
          "public top-level types", 467,
          "top-level types with one user", 148);

  /** Types of ours, nested ones included, that one line of a GC log may load. */
  private static final int MOST_LOADED = 715;

  private static final String ONE_PAUSE =
      "[2026-03-01T10:30:00.000+0000][1.5s][info][gc] GC(0) Pause Young (Normal)"
          + " (G1 Evacuation Pause) 24M->4M(256M) 3.5ms\n";

  @Test
  void nothingGrows() throws IOException {
    Map<String, Integer> counts = counts();
    counts.forEach((what, count) -> System.out.printf("%7d %s%n", count, what));
    Map<String, Integer> more = new TreeMap<>(counts);
    more.entrySet().removeIf(count -> count.getValue() <= MOST.get(count.getKey()));
    assertEquals(Map.of(), more, () -> "at most " + MOST);
  }

  private static Map<String, Integer> counts() throws IOException {
    List<Path> files = new ArrayList<>();
    for (Path root : SOURCES) {
      try (Stream<Path> inside = Files.walk(root)) {
        inside.filter(file -> file.toString().endsWith(".java")).forEach(files::add);
      }
    }
    int lines = 0;
    int code = 0;
    for (Path file : files) {
      for (String line : Files.readAllLines(file)) {
        lines++;
        code += isCode(line.strip()) ? 1 : 0;
      }
    }
    List<JavaClass> types =
        VisibilityTest.shipped().filter(type -> type.getEnclosingClass().isEmpty()).toList();
    Map<String, Set<String>> users = users();
    Map<String, Integer> counts = new LinkedHashMap<>();
    counts.put("files", files.size());
    counts.put("lines", lines);
    counts.put("lines of code", code);
    counts.put(
        "packages", (int) types.stream().map(type -> type.getPackageName()).distinct().count());
    counts.put("top-level types", types.size());
    counts.put(
        "public top-level types", (int) types.stream().filter(type -> isPublic(type)).count());
    counts.put(
        "top-level types with one user",
        (int) types.stream().filter(type -> users.get(type.getName()).size() == 1).count());
    return counts;
  }

  private static boolean isCode(String line) {
    return !line.isEmpty()
        && !line.startsWith("//")
        && !line.startsWith("/*")
        && !line.startsWith("*");
  }

  private static boolean isPublic(JavaClass type) {
    return type.getModifiers().contains(JavaModifier.PUBLIC);
  }

  /** For each top-level type the other ones that name it, or a type in it. */
  private static Map<String, Set<String>> users() {
    Set<String> shipped =
        VisibilityTest.shipped().map(type -> outermost(type)).collect(Collectors.toSet());
    Map<String, Set<String>> users = new TreeMap<>();
    VisibilityTest.shipped()
        .forEach(
            type -> {
              Set<String> its = users.computeIfAbsent(outermost(type), any -> new TreeSet<>());
              type.getDirectDependenciesToSelf().stream()
                  .map(dependency -> outermost(dependency.getOriginClass()))
                  .filter(user -> shipped.contains(user) && !user.equals(outermost(type)))
                  .forEach(its::add);
            });
    return users;
  }

  private static String outermost(JavaClass type) {
    return type.getName().replaceAll("\\$.*", "");
  }

  /**
   * The other readers, GCToolkit, the JDK's of recordings and Jackson, cost nothing where they say
   * nothing. Jackson's mapper alone would take a tenth of the CPU of this answer.
   */
  @Test
  void oneLineOfAGcLogLoadsNoOtherReader(@TempDir Path folder)
      throws IOException, InterruptedException {
    Path log = Files.writeString(folder.resolve("gc.log"), ONE_PAUSE);
    Path loaded = folder.resolve("loaded.txt");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xshare:auto",
                "-Xlog:class+load:file=" + loaded + ":none",
                "-cp",
                System.getProperty("java.class.path"),
                "io.gcdiag.cli.Main",
                "analyze",
                log.toString())
            .redirectOutput(folder.resolve("report.txt").toFile())
            .redirectErrorStream(true)
            .start();
    assertEquals(0, process.waitFor(), () -> text(folder.resolve("report.txt")));
    List<String> types =
        text(loaded)
            .lines()
            .map(line -> line.split(" ")[0])
            .filter(type -> !type.contains("Lambda"))
            .toList();
    assertEquals(
        List.of(),
        types.stream()
            .filter(
                type ->
                    type.startsWith("com.microsoft.gctoolkit.")
                        || type.equals("com.fasterxml.jackson.core.JsonFactory")
                        || type.equals("com.fasterxml.jackson.databind.ObjectMapper")
                        || type.startsWith("io.gcdiag.read.gclog.GcToolkit")
                        || type.startsWith("jdk.jfr.")
                        || type.startsWith("io.gcdiag.read.jfr.Api"))
            .toList());
    long ours = types.stream().filter(type -> type.startsWith("io.gcdiag.")).count();
    System.out.printf("%7d types loaded for one line of a GC log%n", ours);
    assertTrue(ours > 0 && ours <= MOST_LOADED, ours + " types are loaded, at most " + MOST_LOADED);
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
