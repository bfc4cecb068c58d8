package io.gcdiag.cli;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.FileDescriptor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which class may know which; a failure names the class that broke through. */
@Tag("slow")
class WallsTest {

  private static final DescribedPredicate<JavaClass> ANNOTATIONS =
      DescribedPredicate.describe("annotations", JavaClass::isAnnotation);

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages("io.gcdiag");

  @Test
  void onlyCommandsKnowPicocli() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.gcdiag.cli")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("picocli..")
        .check(CLASSES);
  }

  /**
   * {@code Map.copyOf} is in another order in each JVM, and a sum of doubles depends on the order:
   * the last digit of an answer would.
   */
  @Test
  void mapsOfDoublesKeepTheirOrder() throws IOException {
    Pattern doubles = Pattern.compile("Map<\\w+, Double>\\s+(\\w+)");
    Set<String> shuffled = new TreeSet<>();
    for (Path root : List.of(Path.of("../rules/src/main/java"), Path.of("src/main/java"))) {
      try (Stream<Path> files = Files.walk(root)) {
        for (Path file : files.filter(one -> one.toString().endsWith(".java")).toList()) {
          String text = Files.readString(file);
          doubles
              .matcher(text)
              .results()
              .map(found -> found.group(1))
              .filter(name -> text.contains("Map.copyOf(" + name + ")"))
              .forEach(name -> shuffled.add(file.getFileName() + " " + name));
        }
      }
    }
    assertEquals(Set.of(), shuffled);
  }

  /** Each kind of annotation is a class that the JVM makes at every start; see CommandModel. */
  @Test
  void commandsDeclareTheirOptionsWithoutAnnotations() {
    noClasses()
        .should()
        .dependOnClassesThat(resideInAPackage("picocli..").and(ANNOTATIONS))
        .check(CLASSES);
  }

  @Test
  void renderersKnowBlocksAndNothingOfWhatTheySay() {
    noClasses()
        .that()
        .resideInAPackage("io.gcdiag.cli.render")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.gcdiag",
            "io.gcdiag.books..",
            "io.gcdiag.causes..",
            "io.gcdiag.evidence..",
            "io.gcdiag.figures..",
            "io.gcdiag.measures..",
            "io.gcdiag.queueing..",
            "io.gcdiag.read..",
            "io.gcdiag.verdict..",
            "io.gcdiag.cli")
        .check(CLASSES);
  }

  @Test
  void reportsKnowNeitherFormatsNorCommandsNorTheEngine() {
    noClasses()
        .that()
        .resideInAPackage("io.gcdiag.cli.report")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.gcdiag", "io.gcdiag.read..", "io.gcdiag.cli.render..", "io.gcdiag.cli")
        .check(CLASSES);
  }

  @Test
  void onlyTextTablesKnowTheTableLibrary() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName("io.gcdiag.cli.render.OpenTable")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("de.vandermeer..")
        .check(CLASSES);
  }

  @Test
  void onlyMainClassesTouchTheProcess() {
    var others =
        noClasses()
            .that()
            .resideInAPackage("io.gcdiag.cli..")
            .and()
            .haveNameNotMatching("io\\.gcdiag\\.cli\\.(Main|WorkerMain)");
    others.should().accessField(System.class, "out").check(CLASSES);
    others.should().accessField(System.class, "err").check(CLASSES);
    others.should().callMethod(System.class, "exit", int.class).check(CLASSES);
    others.should().dependOnClassesThat().areAssignableTo(FileDescriptor.class).check(CLASSES);
  }

  @Test
  void nothingOfTheLibraryKnowsTheTool() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.gcdiag.cli..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.gcdiag.cli..")
        .check(CLASSES);
  }

  @Test
  void noTwoPackagesUseEachOther() {
    slices().matching("io.gcdiag.(**)").should().beFreeOfCycles().check(CLASSES);
  }

  /** Two classes of one name are taken for each other in reviews and stack traces. */
  @Test
  void noSimpleNameStandsTwice() {
    Map<String, Long> names =
        CLASSES.stream()
            .filter(JavaClass::isTopLevelClass)
            .map(JavaClass::getSimpleName)
            .filter(name -> !name.endsWith("-info"))
            .collect(Collectors.groupingBy(name -> name, TreeMap::new, Collectors.counting()));
    names.values().removeIf(count -> count == 1);
    assertEquals(Map.of(), names);
  }
}
