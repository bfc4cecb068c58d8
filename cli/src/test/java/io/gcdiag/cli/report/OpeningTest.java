package io.gcdiag.cli.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.Analysis;
import io.gcdiag.AnalysisRequest;
import io.gcdiag.books.Advice;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.cli.SampleDiagnosis;
import io.gcdiag.evidence.jvm.Flag;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.Windows;
import io.gcdiag.evidence.time.Windows.ChosenBy;
import io.gcdiag.fixtures.Incidents;
import io.gcdiag.verdict.Diagnosis;
import io.gcdiag.verdict.Judgement;
import io.gcdiag.verdict.Verdict;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What the first screen says of suspects that the inputs cannot tell apart. */
class OpeningTest {

  private static final Finding.Inseparable PAIR =
      new Finding.Inseparable(
          Hypothesis.CPU_SATURATION, Hypothesis.MEMORY_PRESSURE, "double the heap alone");

  /** Memory pressure first, and the cores as that. */
  private static Diagnosis beside(Verdict cores) {
    return beside(cores, SampleDiagnosis.memoryPressure().windows());
  }

  private static Diagnosis beside(Verdict cores, Windows windows) {
    Diagnosis sample = SampleDiagnosis.memoryPressure();
    List<Judgement> judgements =
        sample.judgements().stream()
            .map(one -> one.hypothesis() == Hypothesis.CPU_SATURATION ? with(one, cores) : one)
            .toList();
    return new Diagnosis(
        sample.inputs(),
        sample.jvm(),
        windows,
        sample.conclusion(),
        sample.told(),
        judgements,
        sample.lostTime(),
        List.of(PAIR),
        sample.crossChecks(),
        sample.figures(),
        sample.times(),
        sample.limits(),
        sample.predictions(),
        sample.hidden());
  }

  @Test
  void ofFilesThatAreKnownAndNotUsedTheFirstScreenSaysWhatToBring() {
    InputReport known =
        new InputReport(
            "gc.xml",
            "tool-output",
            InputReport.Status.OK,
            "OpenJ9 verbose GC: read, not used: take javacores",
            InputReport.Remark.NOT_USED);
    List<Fact> facts = new ArrayList<>();
    Opening.addInputs(facts, List.of(known), List.of());
    assertEquals(
        List.of("gc.xml (tool-output)", "OpenJ9 verbose GC: read, not used: take javacores"),
        facts.get(0).values().stream().map(Cell::text).toList());
    facts.clear();
    InputReport log = new InputReport("gc.log", "gc-log", InputReport.Status.OK, "");
    Opening.addInputs(facts, List.of(known, log), List.of());
    assertEquals(
        List.of("gc.log (gc-log)", "read, not used: gc.xml"),
        facts.get(0).values().stream().map(Cell::text).toList());
  }

  @Test
  void aSeriesThatAnOptionUsesAndATimeOfAFileStandOnTheFirstScreen() {
    List<InputReport> inputs = new ArrayList<>();
    for (String name : List.of("rps", "p99", "p95")) {
      inputs.add(
          new InputReport(
              name + ".json",
              "prometheus",
              InputReport.Status.OK,
              name + ": read, not used: add --map " + name + "=latency",
              InputReport.Remark.NEEDS_MEANING));
    }
    inputs.add(new InputReport("page.txt", "exposition", InputReport.Status.OK, ""));
    List<Fact> facts = new ArrayList<>();
    Opening.addInputs(
        facts,
        inputs,
        List.of(
            "page.txt states no time; placed at the time of the file, 10:00:00 UTC: save more",
            "other.txt states no time; placed at the time of the file, 10:01:00 UTC: save more"));
    List<String> lines = facts.get(0).values().stream().map(Cell::text).toList();
    assertEquals(
        List.of(
            "page.txt states no time; placed at the time of the file, 10:00:00 UTC; so are 1 more",
            "rps: read, not used: add --map rps=latency",
            "p99: read, not used: add --map p99=latency"),
        lines.subList(1, lines.size()));
  }

  /** Of the pauses in gc.log 7.23 of 9.72 s are code roots; no file says what requests took. */
  @Test
  void anUndecidedAnswerSaysWhatIsKnownAndItsCure() {
    Diagnosis pauses = undecided("g1-code-root-scan");
    assertEquals(
        "Undecided: what GC pauses are spent in is known, not who is delayed",
        Opening.title(pauses).text());
    assertEquals(
        List.of(
            "if users notice it: take a later JDK, which shares the scan among its threads (G1: JDK"
                + " 22)"),
        doFirst(pauses));
    assertEquals(List.of(), ChainSection.brief(pauses));
  }

  /** A dump without a time: its two threads wait, and for how long is not known. */
  @Test
  void aDeadlockOfNoRequestThreadIsALead() {
    Diagnosis dump = undecided("deadlock-with-line-numbers");
    assertEquals("Undecided: a lead without proof (deadlock)", Opening.title(dump).text());
    assertEquals(List.of(), ChainSection.brief(dump));
  }

  private static Diagnosis undecided(String name) {
    return Analysis.run(
        AnalysisRequest.of(
            Incidents.folder("orders-healthy").resolve("../../public").resolve(name).normalize()));
  }

  private static List<String> doFirst(Diagnosis diagnosis) {
    return Answer.facts(diagnosis).stream()
        .filter(fact -> fact.label().equals("Do first"))
        .flatMap(fact -> fact.values().stream())
        .map(Cell::text)
        .toList();
  }

  /** Loads are shares of the machine's CPUs, and not of those. */
  @Test
  void aNumberOfCpusThatAFlagSetsIsNamed() {
    JvmFacts log =
        new JvmFacts(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            OptionalInt.of(8),
            Optional.empty(),
            new TreeMap<>(
                Map.of(
                    "ActiveProcessorCount",
                    flag("ActiveProcessorCount", "8"),
                    "CPUs",
                    flag("CPUs", "2 total, 8 available"))));
    assertEquals(Optional.of("8 CPUs by -XX:ActiveProcessorCount (machine: 2)"), Opening.jvm(log));
  }

  private static Flag flag(String name, String value) {
    return new Flag(name, value, "", new Source("gc.log", "line 1"));
  }

  /** More files than are named one by one. */
  @Test
  void allAreCompleteOnlyIfNoneWasRefused() {
    List<InputReport> dumps = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      dumps.add(new InputReport("threads-" + i, "thread-dump", InputReport.Status.OK, ""));
    }
    List<Fact> facts = new ArrayList<>();
    Opening.addInputs(facts, dumps, List.of());
    dumps.add(new InputReport("access.log", "access-log", InputReport.Status.UNREADABLE, "why"));
    Opening.addInputs(facts, dumps, List.of());
    assertEquals(
        List.of("7 files, all complete", "7 of 8 files completely; the rest: see the top"),
        facts.stream().map(fact -> fact.values().get(0).text()).toList());
  }

  private static Judgement with(Judgement one, Verdict verdict) {
    return new Judgement(
        one.hypothesis(),
        verdict,
        new Judgement.Share(one.share().explained(), Optional.empty()),
        new Judgement.Rating(one.rating().confidence(), one.rating().doubts(), ""),
        one.reason(),
        one.findings(),
        one.missing(),
        one.actions(),
        Advice.NONE);
  }

  @Test
  void twoSuspectsThatAreNotToldApartAreBothNamedAndToldApartFirst() {
    Diagnosis diagnosis = beside(Verdict.PRIMARY_SUSPECT);
    assertEquals(
        "Primary suspects, not separable: Memory pressure: heap too small for its live set; CPU"
            + " saturation by the service's own work",
        Opening.title(diagnosis).text());
    assertEquals(Optional.of("to separate them: double the heap alone"), Answer.doFirst(diagnosis));
  }

  @Test
  void whatOnlyContributesIsNoSecondSuspect() {
    Diagnosis diagnosis = beside(Verdict.CONTRIBUTING);
    assertEquals(
        "Primary suspect: Memory pressure: heap too small for its live set",
        Opening.title(diagnosis).text());
    assertEquals(
        Optional.of("raise the heap: -Xms2g -Xmx2g, then measure again"),
        Answer.doFirst(diagnosis));
  }

  private static String opening(Windows windows) {
    Diagnosis diagnosis = beside(Verdict.CONTRIBUTING, windows);
    return Opening.blocks(diagnosis, ZoneOffset.UTC).toString()
        + Opening.around(diagnosis, ZoneOffset.UTC);
  }

  private static Windows windows(int incidentFrom, Optional<Integer> baselineFrom, ChosenBy by) {
    return new Windows(minute(incidentFrom), baselineFrom.map(OpeningTest::minute), by, true, "");
  }

  private static Window minute(int from) {
    Instant start = Instant.parse("2026-11-21T01:00:00Z").plusSeconds(60L * from);
    return new Window(start, start.plusSeconds(60));
  }

  @Test
  void allOfARecordingIsNotCalledAnIncident() {
    String whole = opening(windows(14, Optional.empty(), ChosenBy.WHOLE_RECORDING));
    assertTrue(whole.contains("Analyzed"), whole);
    assertFalse(whole.contains("Incident"), whole);
    assertTrue(opening(windows(14, Optional.of(13), ChosenBy.USER)).contains("Incident"));
  }

  @Test
  void aBaselineThatComesLaterIsSaidTo() {
    String later = "after the incident; \"before\" is this time";
    assertTrue(opening(windows(14, Optional.of(16), ChosenBy.USER)).contains(later));
    assertFalse(opening(windows(14, Optional.of(13), ChosenBy.USER)).contains(later));
  }

  @Test
  void givenWindowsAreSaidToBeGivenOnce() {
    Windows given = windows(14, Optional.of(10), ChosenBy.USER);
    String text =
        opening(
            new Windows(
                given.incident(),
                given.baseline(),
                given.chosenBy(),
                true,
                "given on the command line"));
    assertEquals(2, text.split("given on the command line", -1).length, text);
  }

  @Test
  void otherEpisodesAreNamedWithTheOptionsThatAnalyzeTheFirst() {
    Windows one = windows(14, Optional.of(10), ChosenBy.CHANGE_POINT);
    assertFalse(opening(one).contains("Other episodes"));
    String two =
        opening(
            new Windows(
                one.incident(),
                one.baseline(),
                one.chosenBy(),
                true,
                "",
                List.of(minute(17), minute(20), minute(23), minute(26))));
    assertTrue(two.contains("2026-11-21 01:17:00 to 01:18:00 UTC (60 s)"), two);
    assertTrue(
        two.contains(
            "to analyze the first: --incident 01:17:00..01:18:00 --baseline 01:10:00..01:11:00"),
        two);
    assertTrue(two.contains("and 1 more"), two);
    assertFalse(two.contains("01:26:00"), two);
  }
}
