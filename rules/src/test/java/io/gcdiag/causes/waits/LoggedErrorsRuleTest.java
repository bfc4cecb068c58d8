package io.gcdiag.causes.waits;

import static io.gcdiag.sketches.Findings.assertSilent;
import static io.gcdiag.sketches.Findings.only;
import static io.gcdiag.sketches.Findings.proves;
import static io.gcdiag.sketches.Findings.supports;
import static io.gcdiag.sketches.Findings.value;
import static io.gcdiag.sketches.Findings.warns;
import static io.gcdiag.sketches.IncidentBuilder.CALM;
import static io.gcdiag.sketches.IncidentBuilder.TROUBLE;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.threads.LoggedError;
import io.gcdiag.evidence.threads.LoggedError.Kind;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.Windows;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.sketches.PauseSketch;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class LoggedErrorsRuleTest {

  private final Rule rule = new LoggedErrorsRule();

  private static LoggedError error(double second, Kind kind, String subject, String place) {
    return new LoggedError(at(second), kind, subject, place, Source.line("app.log", 7));
  }

  @Test
  void outOfMemoryErrorsOfTheHeapAreALeakOrAHeapThatIsTooSmall() {
    Finding finding =
        only(
            rule,
            incident()
                .sample(error(70, Kind.HEAP_FULL, "Java heap space", "com.acme.Report.load"))
                .sample(error(80, Kind.HEAP_FULL, "Java heap space", "")));
    assertEquals(
        "2 OutOfMemoryErrors (Java heap space), mostly at com.acme.Report.load, first at "
            + "2024-05-01T10:01:10Z, last at 2024-05-01T10:01:20Z",
        finding.statement());
    assertTrue(supports(finding, Hypothesis.MEMORY_LEAK));
    assertTrue(supports(finding, Hypothesis.MEMORY_PRESSURE));
    assertEquals(2, value(finding, "count"));
  }

  @Test
  void aKillOfTheJvmIsTheCauseItself() {
    Finding finding =
        only(rule, incident().sample(error(70, Kind.KILLED_FOR_MEMORY, "4711 (java)", "")));
    assertTrue(proves(finding, Hypothesis.CONTAINER_MEMORY));
  }

  @Test
  void fullDirectMemoryIsWorthAWordInAnyCase() {
    Finding finding =
        only(
            rule,
            incident().sample(error(70, Kind.DIRECT_MEMORY_FULL, "Direct buffer memory", "")));
    assertTrue(warns(finding, Hypothesis.DIRECT_MEMORY));
  }

  /** More loops would wait for it as well. */
  @Test
  void loopsThatWaitForACallAreNotTooFew() {
    LoggedError named = error(70, Kind.THREAD_BLOCKED, "vert.x-eventloop-thread-0", "");
    assertTrue(supports(only(rule, incident().sample(named)), Hypothesis.THREAD_POOL_EXHAUSTED));
    LoggedError calling =
        new LoggedError(
            at(71), Kind.THREAD_BLOCKED, "", "", Optional.of(WaitKind.DOWNSTREAM), named.source());
    assertTrue(supports(only(rule, incident().sample(calling)), Hypothesis.SLOW_DOWNSTREAM));
  }

  /** More connections would last for a while only, if none is returned. */
  @Test
  void aTimeoutOfAPoolAloneFirstAsksWhetherConnectionsAreReturned() {
    Finding finding =
        only(rule, incident().sample(error(70, Kind.OTHER_POOL_TIMEOUT, "Acquire operation", "")));
    for (Hypothesis cause :
        List.of(Hypothesis.CONNECTION_POOL_UNDERSIZED, Hypothesis.CONNECTION_LEAK)) {
      assertTrue(supports(finding, cause));
      assertTrue(finding.actions().get(cause).startsWith("see that each connection is returned"));
    }
  }

  @Test
  void aPinnedThreadIsALead() {
    assertTrue(
        supports(
            only(rule, incident().sample(error(70, Kind.THREAD_PINNED, "reason:MONITOR", ""))),
            Hypothesis.VIRTUAL_THREAD_PINNING));
  }

  /** A page of figures is of when it was fetched, or of a copy of its file. */
  @Test
  void aSingleMomentBoundsNoIncident() {
    Timeline page =
        new TimelineBuilder()
            .recording("metrics.txt", new Window(at(5000), at(5001)))
            .sample(error(70, Kind.KILLED_FOR_MEMORY, "OOMKilled", ""))
            .build();
    Windows windows =
        new Windows(
            page.span(), Optional.empty(), Windows.ChosenBy.WHOLE_RECORDING, true, "all of it");
    assertTrue(
        proves(
            rule.examine(new MeasuredIncident(page, windows)).get(0), Hypothesis.CONTAINER_MEMORY));
  }

  @Test
  void messagesOfTheBaselineAreNoneOfTheIncident() {
    assertSilent(rule, incident().sample(error(30, Kind.HEAP_FULL, "Java heap space", "")));
  }

  /** Its thread may be gone, and with it what filled the heap; a timeout is over. */
  @Test
  void anOutOfMemoryErrorCountsAtAnyTimeIfTheWindowWasFound() {
    for (double second : List.of(30.0, 125.0)) {
      LoggedError error = error(second, Kind.HEAP_FULL, "Java heap space", "");
      assertTrue(
          supports(only(rule, incident().found().sample(error)), Hypothesis.MEMORY_PRESSURE));
    }
    assertSilent(
        rule, incident().found().sample(error(300, Kind.HEAP_FULL, "Java heap space", "")));
    assertSilent(rule, incident().found().sample(error(30, Kind.CALL_TIMEOUT, "", "")));
  }

  /** The recording ends with the process, the kernel's message comes after that. */
  @Test
  void theEndOfTheJvmIsLoggedAfterTheIncident() {
    LoggedError kill = error(125, Kind.KILLED_FOR_MEMORY, "4711 (java)", "");
    assertTrue(proves(only(rule, incident().sample(kill)), Hypothesis.CONTAINER_MEMORY));
    assertSilent(rule, incident().sample(error(300, Kind.KILLED_FOR_MEMORY, "4711 (java)", "")));
    assertSilent(rule, incident().sample(error(125, Kind.HEAP_FULL, "Java heap space", "")));
  }

  @Test
  void aJvmThatIsRecordedAfterAnEndIsNotTheOneThatEnded() {
    LoggedError kill = error(125, Kind.KILLED_FOR_MEMORY, "4711 (java)", "");
    Timeline goesOn =
        new TimelineBuilder().recording("a.jfr", new Window(at(0), at(200))).sample(kill).build();
    Windows windows =
        new Windows(TROUBLE, Optional.of(CALM), Windows.ChosenBy.USER, true, "set by the test");
    assertEquals(List.of(), rule.examine(new MeasuredIncident(goesOn, windows)));
  }

  /** Collection 7 is before the kill: with 8 the JVM goes on, with 0 a new one begins. */
  @Test
  void aKillIsNotOfAJvmWhoseCollectionsGoOn() {
    assertEquals(List.of(), killBetween(7, 8));
    assertTrue(proves(killBetween(7, 0).get(0), Hypothesis.CONTAINER_MEMORY));
  }

  private List<Finding> killBetween(long before, long after) {
    Timeline timeline =
        new TimelineBuilder()
            .recording("a.jfr", new Window(at(0), at(120)))
            .pauses("a.jfr", List.of(collection(69, before), collection(100, after)))
            .sample(error(70, Kind.KILLED_FOR_MEMORY, "4711 (java)", ""))
            .build();
    return rule.examine(
        new MeasuredIncident(
            timeline, new Windows(TROUBLE, Optional.of(CALM), Windows.ChosenBy.USER, true, "")));
  }

  private static GcPause collection(double second, long number) {
    GcPause pause = PauseSketch.young(second, 5).pause();
    return new GcPause(
        pause.start(),
        pause.duration(),
        pause.type(),
        OptionalLong.of(number),
        Optional.empty(),
        pause.source());
  }

  /** 14 minutes and 3 s after midnight, of a log that does not state the day. */
  @Test
  void aLogWithTimesOfTheDayAloneHasNoDate() {
    LoggedError error =
        new LoggedError(
            Instant.ofEpochSecond(843), Kind.HEAP_FULL, "", "", Source.line("app.log", 7));
    Window day = new Window(Instant.EPOCH, Instant.ofEpochSecond(900));
    Windows windows =
        new Windows(day, Optional.empty(), Windows.ChosenBy.USER, true, "set by the test");
    Timeline timeline = new TimelineBuilder().recording("a.jfr", day).sample(error).build();
    String said = rule.examine(new MeasuredIncident(timeline, windows)).get(0).statement();
    assertTrue(said.endsWith(", at 00:14:03"), said);
  }

  @Test
  void stuckRequestsSpeakForWhatMostOfTheirStacksWaitFor() {
    LoggedError calling =
        new LoggedError(
            at(70),
            Kind.REQUEST_STUCK,
            "exec-1",
            "com.acme.Dao.rows",
            Optional.of(WaitKind.DOWNSTREAM),
            Source.line("app.log", 7));
    assertTrue(supports(only(rule, incident().sample(calling)), Hypothesis.SLOW_DOWNSTREAM));
    Finding unknown = only(rule, incident().sample(error(70, Kind.REQUEST_STUCK, "exec-1", "")));
    assertTrue(supports(unknown, Hypothesis.NATIVE_OR_UNKNOWN));
  }

  @Test
  void memoryThatTheSystemRefusesIsWorthAWordAndNoProof() {
    Finding finding =
        only(rule, incident().sample(error(70, Kind.MEMORY_REFUSED, "mmap of 12288 bytes", "")));
    assertEquals(
        "1 end of a JVM to which the system gave no more memory (mmap of 12288 bytes), at"
            + " 2024-05-01T10:01:10Z",
        finding.statement());
    assertTrue(warns(finding, Hypothesis.CONTAINER_MEMORY));
    assertFalse(proves(finding, Hypothesis.CONTAINER_MEMORY));
  }

  @Test
  void aFullCodeCacheIsWorthAWordInAnyCase() {
    Finding finding =
        only(rule, incident().sample(error(70, Kind.CODE_CACHE_FULL, "CodeCache", "")));
    assertTrue(warns(finding, Hypothesis.JIT_PRESSURE));
  }

  @Test
  void eventLoopsThatSpinAreALeadToTheCores() {
    Finding finding =
        only(rule, incident().sample(error(70, Kind.LOOP_SPINS, "returned prematurely", "")));
    assertTrue(supports(finding, Hypothesis.CPU_SATURATION));
    assertFalse(proves(finding, Hypothesis.CPU_SATURATION));
  }
}
