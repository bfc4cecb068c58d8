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
import java.io.Serializable;
import java.nio.file.Files;
import java.util.Arrays;

/**
 * Which package may use which. Data flows one way: files, ingest, evidence, measures, accounts,
 * books, diagnosis. A class that needs what its package may not use belongs in another package.
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
  private static final String TEXTS = "io.gcdiag.texts..";
  private static final String STATS = "io.gcdiag.stats..";
  private static final String POLICY = "io.gcdiag.policy..";
  private static final String QUEUEING = "io.gcdiag.queueing..";
  private static final String EVIDENCE = "io.gcdiag.evidence..";
  private static final String INGEST = "io.gcdiag.ingest..";
  private static final String MEASURES = "io.gcdiag.measures..";
  private static final String CAUSES = "io.gcdiag.causes..";
  private static final String ACCOUNTS = "io.gcdiag.accounts..";
  private static final String BOOKS = "io.gcdiag.books..";
  private static final String ADVICE = "io.gcdiag.advice..";
  private static final String WINDOWS = "io.gcdiag.windows..";
  private static final String FIGURES = "io.gcdiag.figures..";
  private static final String PREDICTION = "io.gcdiag.prediction..";
  private static final String DIAGNOSIS = "io.gcdiag.diagnosis..";
  private static final String COMPARISON = "io.gcdiag.comparison..";
  private static final String SLO = "io.gcdiag.slo..";
  private static final String CORRELATION = "io.gcdiag.correlation..";
  private static final String FLEET = "io.gcdiag.fleet";
  private static final String CASES = "io.gcdiag.fleet.cases..";
  private static final String RECORDINGS = "io.gcdiag.ingest.jfr..";
  private static final String LOGS = "io.gcdiag.ingest.gclog..";

  @ArchTest static final ArchRule unitsUseNothingOfOurs = usesOfOurs(UNITS);

  @ArchTest static final ArchRule textsUseNothingOfOurs = usesOfOurs(TEXTS);

  @ArchTest static final ArchRule statsUseNothingOfOursButUnits = usesOfOurs(STATS, UNITS);

  @ArchTest static final ArchRule policyUsesNothingOfOurs = usesOfOurs(POLICY);

  @ArchTest
  static final ArchRule queueingUsesUnitsAndStatsOnly = usesOfOurs(QUEUEING, UNITS, STATS);

  @ArchTest
  static final ArchRule evidenceUsesUnitsAndTextsOnly = usesOfOurs(EVIDENCE, UNITS, TEXTS);

  @ArchTest
  static final ArchRule ingestHandsOverEvidence = usesOfOurs(INGEST, UNITS, TEXTS, STATS, EVIDENCE);

  @ArchTest
  static final ArchRule measuresKnowNoRootCause =
      usesOfOurs(MEASURES, UNITS, TEXTS, POLICY, STATS, QUEUEING, EVIDENCE);

  @ArchTest
  static final ArchRule theCatalogueOfCausesKnowsNoRule =
      usesOfOurs(CAUSES, UNITS, TEXTS, EVIDENCE, MEASURES);

  @ArchTest
  static final ArchRule accountsUseMeasures =
      usesOfOurs(ACCOUNTS, UNITS, TEXTS, POLICY, STATS, QUEUEING, EVIDENCE, MEASURES, CAUSES);

  @ArchTest
  static final ArchRule booksAreKeptFromAccounts =
      usesOfOurs(BOOKS, UNITS, TEXTS, POLICY, EVIDENCE, MEASURES, CAUSES, ACCOUNTS);

  @ArchTest
  static final ArchRule predictionsKnowNoVerdict =
      usesOfOurs(PREDICTION, UNITS, STATS, QUEUEING, EVIDENCE, MEASURES, CAUSES, ACCOUNTS);

  @ArchTest
  static final ArchRule adviceKnowsNoVerdict =
      usesOfOurs(ADVICE, UNITS, TEXTS, POLICY, EVIDENCE, MEASURES, CAUSES, ACCOUNTS, PREDICTION);

  @ArchTest
  static final ArchRule windowsAreFoundBeforeAnythingIsJudged =
      usesOfOurs(WINDOWS, UNITS, POLICY, STATS, EVIDENCE, MEASURES);

  @ArchTest
  static final ArchRule figuresKnowNoVerdict =
      usesOfOurs(FIGURES, UNITS, TEXTS, STATS, EVIDENCE, MEASURES, CAUSES, ACCOUNTS, WINDOWS);

  @ArchTest
  static final ArchRule diagnosisDoesNotKnowWhereEvidenceComesFrom =
      usesOfOurs(
          DIAGNOSIS,
          UNITS,
          POLICY,
          STATS,
          EVIDENCE,
          MEASURES,
          CAUSES,
          ACCOUNTS,
          ADVICE,
          BOOKS,
          PREDICTION,
          WINDOWS,
          FIGURES);

  @ArchTest
  static final ArchRule aComparisonIsMadeOfEvidenceAndDiagnoses =
      usesOfOurs(COMPARISON, UNITS, POLICY, STATS, EVIDENCE, MEASURES, CAUSES, FIGURES, DIAGNOSIS);

  @ArchTest
  static final ArchRule targetsAreHeldAgainstEvidence = usesOfOurs(SLO, UNITS, STATS, EVIDENCE);

  @ArchTest
  static final ArchRule leadsAreFoundInEvidence =
      usesOfOurs(CORRELATION, UNITS, STATS, EVIDENCE, MEASURES);

  @ArchTest
  static final ArchRule aFleetIsMadeOfVerdicts =
      usesOfOurs(FLEET, UNITS, STATS, EVIDENCE, CAUSES, BOOKS, DIAGNOSIS);

  @ArchTest
  static final ArchRule casesAreFoundInFilesAndAnalysed =
      usesOfOurs(CASES, "io.gcdiag", UNITS, EVIDENCE, INGEST, CAUSES, BOOKS, DIAGNOSIS, FLEET);

  @ArchTest
  static final ArchRule onlyIngestReadsFiles =
      noClasses()
          .that()
          .resideInAnyPackage(
              UNITS,
              STATS,
              QUEUEING,
              EVIDENCE,
              MEASURES,
              CAUSES,
              ACCOUNTS,
              ADVICE,
              BOOKS,
              PREDICTION,
              WINDOWS,
              FIGURES,
              DIAGNOSIS,
              COMPARISON,
              SLO,
              CORRELATION,
              FLEET)
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(
                      "java.io..", "java.nio.file..", "java.nio.channels..", "java.net..")
                  .and(not(equivalentTo(Serializable.class))))
          .because("a diagnosis must follow from its evidence alone");

  @ArchTest
  static final ArchRule readersWriteNoFiles =
      noClasses()
          // The JDK's reader of recordings, which has to be chosen, gets repaired copies;
          // what can be read only once is kept in a temporary file until the end.
          .that(resideOutsideOfPackages("io.gcdiag.ingest.jfr.api", "io.gcdiag.ingest.spool"))
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

  @ArchTest static final ArchRule onlyReadersKnowJson = onlyIn(INGEST, "com.fasterxml.jackson..");

  @ArchTest
  static final ArchRule nobodyWritesToTheStandardStreams =
      noClasses()
          // GCToolkit prints on the standard output; its reader swaps that for nothing meanwhile.
          .that()
          .doNotHaveFullyQualifiedName("io.gcdiag.ingest.gclog.toolkit.GcToolkitReader")
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
