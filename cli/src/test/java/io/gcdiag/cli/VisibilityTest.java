package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.Source;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A type, method or field of either module is public only if another package uses it, and there at
 * all only if code that is shipped uses it. So a public method has a caller in another package.
 *
 * <p>Not looked at: what the language makes public (accessors and constructors of records, members
 * of interfaces and enums, default constructors), what overrides, and constants that the compiler
 * copies to where they are used.
 */
@Tag("slow")
class VisibilityTest {

  /**
   * Shipped for others than the code that is shipped: makers of values that users of the library
   * need as much as tests, whole lists that tests hold something against, and what the build calls.
   */
  private static final Set<String> FOR_OTHERS =
      Set.of(
          "io.gcdiag.evidence.jvm.AllocationSites.all",
          "io.gcdiag.read.bytes.ReadOptions.with",
          "io.gcdiag.read.bytes.Unpacked.open");

  /** Called by the JVM, or made by a library by reflection. */
  private static final Set<String> ENTRY_POINTS =
      Set.of(
          "io.gcdiag.books.Edit.value",
          "io.gcdiag.read.gclog.GcToolkitCheck$GcToolkitPauses",
          "io.gcdiag.read.gclog.GcToolkitCheck$GcToolkitPauses$Collector",
          "io.gcdiag.cli.Main.main",
          "io.gcdiag.cli.WorkerMain",
          "io.gcdiag.cli.WorkerMain.main",
          "io.gcdiag.cli.Rehearsal",
          "io.gcdiag.cli.Rehearsal.main");

  private static final List<Path> SHIPPED =
      List.of(Path.of("../rules/target/classes"), Path.of("target/classes"));

  private static final List<Path> TESTS =
      List.of(Path.of("../rules/target/test-classes"), Path.of("target/test-classes"));

  /** Modules and programs that are built on their own: what their text names is used. */
  private static final List<Path> ELSEWHERE =
      List.of(
          Path.of("spark/src"),
          Path.of("src/build/java"),
          Path.of("../fixtures/bench"),
          Path.of("../docs/library.md"));

  private static final Pattern IMPORT =
      Pattern.compile("^import (io\\.gcdiag\\.[\\w.]+);", Pattern.MULTILINE);

  private static final JavaClasses CLASSES =
      new ClassFileImporter().importPaths(Stream.concat(SHIPPED.stream(), TESTS.stream()).toList());

  private static final Set<String> SHIPPED_NAMES =
      CLASSES.stream()
          .filter(type -> type.getSource().filter(source -> !isOfTests(source)).isPresent())
          .map(JavaClass::getName)
          .collect(Collectors.toSet());

  private static final Set<String> WORDS_ELSEWHERE = wordsElsewhere();

  private static boolean isOfTests(Source source) {
    return source.getUri().getPath().contains("/target/test-classes/");
  }

  @Test
  void isPublicOnlyIfAnotherPackageUsesIt() {
    Set<String> served = new TreeSet<>();
    shipped()
        .forEach(
            type -> {
              if (isPublic(type.getModifiers())
                  && !isUsedWithoutTrace(type)
                  && !WORDS_ELSEWHERE.contains(type.getSimpleName())
                  && isServedAtHome(type, usersOf(type))) {
                served.add(type.getName());
              }
              members(type)
                  .filter(member -> isPublic(member.getModifiers()))
                  .filter(member -> isServedAtHome(type, usersOf(member)))
                  .filter(member -> !isNamedElsewhere(member))
                  .forEach(member -> served.add(name(member)));
            });
    served.removeAll(ENTRY_POINTS);
    assertEquals(Set.of(), served, "public, and used in its own package only");
  }

  @Test
  void isNotThereForTestsOnly() {
    assertTrue(Files.isDirectory(TESTS.get(0)), "tests of the library are compiled");
    Set<String> unused = new TreeSet<>();
    shipped()
        .flatMap(VisibilityTest::members)
        .filter(member -> usersOf(member).stream().noneMatch(SHIPPED_NAMES::contains))
        .filter(member -> !isNamedElsewhere(member))
        .forEach(member -> unused.add(name(member)));
    unused.removeAll(ENTRY_POINTS);
    assertTrue(
        unused.containsAll(FOR_OTHERS), () -> "in use or gone: " + minus(FOR_OTHERS, unused));
    unused.removeAll(FOR_OTHERS);
    assertEquals(Set.of(), unused, "used by no code that is shipped");
  }

  /** The module for Spark and the benches are not built with the rest: their imports are read. */
  @Test
  void isPublicIfWhatIsBuiltOnItsOwnImportsIt() {
    Set<String> hidden = new TreeSet<>();
    Set<String> imported = importedElsewhere();
    shipped()
        .filter(type -> imported.contains(type.getName().replace('$', '.')))
        .filter(type -> !type.getModifiers().contains(JavaModifier.PUBLIC))
        .forEach(type -> hidden.add(type.getName()));
    assertTrue(imported.contains("io.gcdiag.fleet.CaseRow"), "imports of the module for Spark");
    assertEquals(Set.of(), hidden, "imported by a module that is built on its own");
  }

  private static Set<String> importedElsewhere() {
    return ELSEWHERE.stream()
        .flatMap(VisibilityTest::textFiles)
        .flatMap(file -> IMPORT.matcher(text(file)).results())
        .map(found -> found.group(1))
        .collect(Collectors.toSet());
  }

  static Stream<JavaClass> shipped() {
    return CLASSES.stream()
        .filter(type -> SHIPPED_NAMES.contains(type.getName()))
        .filter(type -> !type.isAnonymousClass() && !type.getName().endsWith("-info"));
  }

  private static Stream<? extends JavaMember> members(JavaClass type) {
    if (type.isInterface()) {
      return Stream.of();
    }
    return type.getMembers().stream()
        .filter(member -> !member.getModifiers().contains(JavaModifier.SYNTHETIC))
        .filter(member -> !member.getName().contains("$") && !member.getName().equals("<clinit>"))
        .filter(member -> !isOfTheLanguage(type, member))
        .filter(member -> !(member instanceof JavaMethod method && overrides(method)));
  }

  private static boolean isOfTheLanguage(JavaClass type, JavaMember member) {
    if (member instanceof JavaField field) {
      return !field.getModifiers().contains(JavaModifier.STATIC)
          || field.getModifiers().contains(JavaModifier.ENUM)
          || isCopiedByTheCompiler(field);
    }
    if (member instanceof JavaConstructor constructor) {
      return type.isRecord() || type.isEnum() || constructor.getParameters().isEmpty();
    }
    JavaMethod method = (JavaMethod) member;
    return type.isEnum() && Set.of("values", "valueOf").contains(method.getName())
        || type.isRecord()
            && method.getParameters().isEmpty()
            && type.getFields().stream()
                .anyMatch(field -> field.getName().equals(method.getName()));
  }

  private static boolean isCopiedByTheCompiler(JavaField field) {
    return field.getModifiers().contains(JavaModifier.FINAL)
        && (field.getRawType().isPrimitive() || field.getRawType().isEquivalentTo(String.class));
  }

  /** Whether a method overrides one, or is overridden: its callers may know the other only. */
  private static boolean overrides(JavaMethod method) {
    return Stream.of(
            method.getOwner().getAllRawSuperclasses(),
            method.getOwner().getAllRawInterfaces(),
            method.getOwner().getAllSubclasses())
        .flatMap(Collection::stream)
        .flatMap(related -> related.getMethods().stream())
        .anyMatch(
            other ->
                other.getName().equals(method.getName())
                    && other.getParameters().size() == method.getParameters().size());
  }

  /** Lambdas do not name the interface they implement, nor uses of copied constants the class. */
  private static boolean isUsedWithoutTrace(JavaClass type) {
    return type.isInterface()
        || type.getEnclosingClass().filter(JavaClass::isInterface).isPresent()
        || type.getFields().stream()
            .anyMatch(field -> isPublic(field.getModifiers()) && isCopiedByTheCompiler(field));
  }

  private static boolean isPublic(Set<JavaModifier> modifiers) {
    return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
  }

  private static boolean isServedAtHome(JavaClass type, Set<String> users) {
    return users.stream().allMatch(user -> packageOf(user).equals(type.getPackageName()));
  }

  /** Who uses a type or one that is nested in it, which takes both. */
  private static Set<String> usersOf(JavaClass type) {
    return CLASSES.stream()
        .filter(part -> part.equals(type) || part.getName().startsWith(type.getName() + "$"))
        .flatMap(part -> part.getDirectDependenciesToSelf().stream())
        .map(dependency -> dependency.getOriginClass().getName())
        .collect(Collectors.toSet());
  }

  private static Set<String> usersOf(JavaMember member) {
    return member.getAccessesToSelf().stream()
        .filter(access -> !access.getOrigin().equals(member))
        .map(JavaAccess::getOriginOwner)
        .map(JavaClass::getName)
        .collect(Collectors.toSet());
  }

  private static Set<String> minus(Set<String> all, Set<String> some) {
    Set<String> rest = new TreeSet<>(all);
    rest.removeAll(some);
    return rest;
  }

  private static String packageOf(String type) {
    return type.substring(0, type.lastIndexOf('.'));
  }

  private static String name(JavaMember member) {
    return member.getOwner().getName() + "." + member.getName();
  }

  private static boolean isNamedElsewhere(JavaMember member) {
    String name = member instanceof JavaConstructor ? "new" : member.getName();
    return WORDS_ELSEWHERE.contains(member.getOwner().getSimpleName())
        && WORDS_ELSEWHERE.contains(name);
  }

  private static Set<String> wordsElsewhere() {
    return ELSEWHERE.stream()
        .flatMap(VisibilityTest::textFiles)
        .flatMap(file -> Stream.of(text(file).split("\\W+")))
        .collect(Collectors.toSet());
  }

  private static Stream<Path> textFiles(Path root) {
    try (Stream<Path> files = Files.walk(root)) {
      return files.filter(file -> file.toString().matches(".*\\.(java|md)")).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
