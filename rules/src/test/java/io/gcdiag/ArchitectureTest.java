package io.gcdiag;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.gcdiag.read.bytes.TemporaryCopy;
import io.gcdiag.units.ResourceText;
import java.io.Serializable;
import java.nio.file.Files;
import java.util.Arrays;

/**
 * Which package may use which. Data flows one way: files, read, evidence, measures, books, causes,
 * verdict. A class that needs what its package may not use belongs in another package.
 */
@AnalyzeClasses(
    packages = "io.gcdiag",
    importOptions = {ImportOption.DoNotIncludeTests.class, ArchitectureTest.NoFixtures.class})
@ArchTag("slow")
final class ArchitectureTest {

  /** The fixtures serve tests only; what is shipped does not hold them. */
  static final class NoFixtures implements ImportOption {
    @Override
    public boolean includes(Location location) {
      return !location.contains("io/gcdiag/fixtures/");
    }
  }

  private static final String UNITS = "io.gcdiag.units..";
  private static final String STATS = "io.gcdiag.stats..";
  private static final String POLICY = "io.gcdiag.policy..";
  private static final String QUEUEING = "io.gcdiag.queueing..";
  private static final String EVIDENCE = "io.gcdiag.evidence..";
  private static final String READ = "io.gcdiag.read..";
  private static final String MEASURES = "io.gcdiag.measures..";
  private static final String BOOKS = "io.gcdiag.books..";
  private static final String CAUSES = "io.gcdiag.causes..";
  private static final String FIGURES = "io.gcdiag.figures..";
  private static final String VERDICT = "io.gcdiag.verdict..";
  private static final String LOAD_TESTS = "io.gcdiag.loadtests..";
  private static final String FLEET = "io.gcdiag.fleet..";
  private static final String RECORDINGS = "io.gcdiag.read.jfr..";
  private static final String LOGS = "io.gcdiag.read.gclog..";

  @ArchTest static final ArchRule unitsUseNothingOfOurs = usesOfOurs(UNITS);

  @ArchTest static final ArchRule statsUseNothingOfOursButUnits = usesOfOurs(STATS, UNITS);

  @ArchTest static final ArchRule policyUsesNothingOfOurs = usesOfOurs(POLICY);

  @ArchTest
  static final ArchRule queueingUsesUnitsAndStatsOnly = usesOfOurs(QUEUEING, UNITS, STATS);

  @ArchTest static final ArchRule evidenceUsesUnitsOnly = usesOfOurs(EVIDENCE, UNITS);

  @ArchTest
  static final ArchRule readersHandOverEvidence = usesOfOurs(READ, UNITS, STATS, EVIDENCE);

  @ArchTest
  static final ArchRule measuresKnowNoRootCause =
      usesOfOurs(MEASURES, UNITS, POLICY, STATS, QUEUEING, EVIDENCE);

  @ArchTest
  static final ArchRule theBooksAreKeptFromTheCauses =
      usesOfOurs(BOOKS, UNITS, POLICY, STATS, EVIDENCE, MEASURES);

  @ArchTest
  static final ArchRule causesKnowNoVerdict =
      usesOfOurs(CAUSES, UNITS, POLICY, STATS, QUEUEING, EVIDENCE, MEASURES, BOOKS);

  @ArchTest
  static final ArchRule figuresKnowNoVerdict =
      usesOfOurs(FIGURES, UNITS, STATS, EVIDENCE, MEASURES, BOOKS, CAUSES);

  @ArchTest
  static final ArchRule aVerdictDoesNotKnowWhereEvidenceComesFrom =
      usesOfOurs(VERDICT, UNITS, POLICY, STATS, EVIDENCE, MEASURES, BOOKS, CAUSES, FIGURES);

  @ArchTest
  static final ArchRule loadTestsAreComparedByEvidenceAndVerdicts =
      usesOfOurs(
          LOAD_TESTS, UNITS, POLICY, STATS, EVIDENCE, MEASURES, BOOKS, CAUSES, FIGURES, VERDICT);

  @ArchTest
  static final ArchRule aFleetIsMadeOfVerdicts =
      usesOfOurs(FLEET, "io.gcdiag", UNITS, STATS, EVIDENCE, READ, BOOKS, VERDICT);

  @ArchTest
  static final ArchRule onlyReadersReadFiles =
      noClasses()
          .that()
          .resideInAnyPackage(
              UNITS,
              STATS,
              QUEUEING,
              EVIDENCE,
              MEASURES,
              BOOKS,
              CAUSES,
              FIGURES,
              VERDICT,
              LOAD_TESTS)
          .and(not(equivalentTo(ResourceText.class)))
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(
                      "java.io..", "java.nio.file..", "java.nio.channels..", "java.net..")
                  .and(not(equivalentTo(Serializable.class))))
          .because("a diagnosis must follow from its evidence alone");

  @ArchTest
  static final ArchRule readersWriteNoFiles =
      noClasses()
          // What can be read only once is kept in a temporary file until the end.
          .that(resideInAPackage("io.gcdiag..").and(not(equivalentTo(TemporaryCopy.class))))
          .should()
          .callMethodWhere(
              target(owner(assignableTo(Files.class)))
                  .and(target(nameMatching("(create|write|copy|move|delete|newOutput).*"))))
          .because("nothing is written but what the user names");

  @ArchTest
  static final ArchRule onlyTheRecordingReaderKnowsFlightRecorder =
      onlyIn(RECORDINGS, "jdk.jfr..", "jdk.jfr.consumer..");

  @ArchTest
  static final ArchRule onlyTheLogReaderKnowsGcToolkit = onlyIn(LOGS, "com.microsoft.gctoolkit..");

  @ArchTest
  static final ArchRule onlyArithmeticKnowsCommonsMath =
      noClasses()
          .that(resideOutsideOfPackages(STATS, QUEUEING))
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.apache.commons.math3..");

  @ArchTest static final ArchRule onlyReadersKnowJson = onlyIn(READ, "com.fasterxml.jackson..");

  @ArchTest
  static final ArchRule nobodyWritesToTheStandardStreams =
      noClasses()
          // GCToolkit prints on the standard output; its reader swaps that for nothing meanwhile.
          .that()
          .doNotHaveFullyQualifiedName("io.gcdiag.read.gclog.GcToolkitCheck$GcToolkitReader")
          .should(ACCESS_STANDARD_STREAMS)
          .because("a library that prints breaks the machine-readable output of its host");

  @ArchTest
  static final ArchRule nobodyEndsTheProcess =
      noClasses()
          .should()
          .callMethod(System.class, "exit", int.class)
          .orShould()
          .callMethod(Runtime.class, "exit", int.class)
          .orShould()
          .callMethod(Runtime.class, "halt", int.class)
          .because("ending the process is the host's decision");

  @ArchTest
  static final ArchRule roomsHaveNoCycles =
      slices().matching("io.gcdiag.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule noTwoPackagesUseEachOther =
      slices().matching("io.gcdiag.(**)").should().beFreeOfCycles();

  private static ArchRule usesOfOurs(String who, String... whom) {
    String[] allowed = Arrays.copyOf(whom, whom.length + 1);
    allowed[whom.length] = who;
    return noClasses()
        .that()
        .resideInAPackage(who)
        .should()
        .dependOnClassesThat(resideInAPackage("io.gcdiag..").and(resideOutsideOfPackages(allowed)))
        .because(who + " may use of ours only [" + String.join(", ", whom) + "]");
  }

  private static ArchRule onlyIn(String who, String... library) {
    return noClasses()
        .that(resideOutsideOfPackages(who))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(library);
  }
}
