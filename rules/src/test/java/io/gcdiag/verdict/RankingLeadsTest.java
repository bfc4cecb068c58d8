package io.gcdiag.verdict;

import static io.gcdiag.verdict.RankingTest.finding;
import static io.gcdiag.verdict.RankingTest.of;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Attribution;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.causes.Causes;
import io.gcdiag.measures.MeasuredIncident;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What comes first where nothing is decided. */
class RankingLeadsTest {

  /** A log of pauses and nothing else: whether users waited is not in it. */
  private static List<Judgement> withoutUsers(Finding... findings) {
    List<Finding> all = List.of(findings);
    MeasuredIncident incident = Scene.ofLog(60).incident();
    return Ranking.rank(
        incident,
        Causes.sensors(),
        all,
        new Attribution(incident.effects(), all),
        new UserImpact(false, false, false, ""),
        List.of());
  }

  @Test
  void whatSomethingSpeaksForIsALeadWhereNothingShowsUsersTime() {
    Finding full = finding("collection-failure").supports(Hypothesis.MEMORY_PRESSURE).build();
    Judgement first = withoutUsers(full).get(0);
    assertEquals(Hypothesis.MEMORY_PRESSURE, first.hypothesis());
    assertEquals(Verdict.NOT_ENOUGH_DATA, first.verdict());
    assertTrue(first.isLead());
  }

  @Test
  void whatSomethingSpeaksAgainstIsNoLead() {
    Finding full = finding("collection-failure").supports(Hypothesis.MEMORY_PRESSURE).build();
    Finding room = finding("heap-free-ratio").weakens(Hypothesis.MEMORY_PRESSURE).build();
    assertFalse(of(Hypothesis.MEMORY_PRESSURE, withoutUsers(full, room)).isLead());
  }

  @Test
  void aCauseWithoutAWordForItIsNoLeadHoweverMuchIsMissing() {
    assertFalse(of(Hypothesis.CPU_SATURATION, withoutUsers()).isLead());
  }

  @Test
  void whatContributesSoMuchThatNothingSaysIsALead() {
    Finding busy = finding("busy-workers").supports(Hypothesis.THREAD_POOL_EXHAUSTED, true).build();
    Judgement first =
        RankingTest.judge(RankingTest.twoWait().incident(), true, List.of(), busy).get(0);
    assertEquals(Verdict.CONTRIBUTING, first.verdict());
    assertTrue(first.isLead());
  }

  private static Verdict ofLock(UserImpact impact, Finding... findings) {
    List<Finding> all = List.of(findings);
    MeasuredIncident incident = RankingTest.twoWait().everythingRecorded().incident();
    return of(
            Hypothesis.LOCK_CONTENTION,
            Ranking.rank(
                incident,
                Causes.sensors(),
                all,
                new Attribution(incident.effects(), all),
                impact,
                List.of()))
        .verdict();
  }

  /** Everything is recorded; only whether it would show a delay of requests differs. */
  @Test
  void littleRecordedTimeIsNotLittleImpactWhereNothingWouldShowADelay() {
    Finding lock = finding("lock").supports(Hypothesis.LOCK_CONTENTION).build();
    UserImpact hidden = new UserImpact(false, false, false, "");
    UserImpact visible = new UserImpact(false, false, true, "");
    UserImpact present = new UserImpact(true, false, false, "");
    assertEquals(Verdict.NOT_ENOUGH_DATA, ofLock(hidden, lock));
    assertEquals(Verdict.NOT_INDICATED, ofLock(visible, lock));
    assertEquals(Verdict.NOT_INDICATED, ofLock(present, lock));
    assertEquals(Verdict.NOT_INDICATED, ofLock(hidden));
  }
}
