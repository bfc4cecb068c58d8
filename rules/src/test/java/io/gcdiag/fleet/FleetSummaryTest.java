package io.gcdiag.fleet;

import static io.gcdiag.fleet.FleetRows.failed;
import static io.gcdiag.fleet.FleetRows.healthy;
import static io.gcdiag.fleet.FleetRows.hour;
import static io.gcdiag.fleet.FleetRows.sick;
import static io.gcdiag.fleet.FleetRows.undecided;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Hypothesis;
import io.gcdiag.fleet.FleetSummary.CauseChange;
import io.gcdiag.fleet.FleetSummary.CauseChange.Count;
import io.gcdiag.fleet.FleetSummary.CauseTotal;
import io.gcdiag.fleet.FleetSummary.GroupBy;
import io.gcdiag.fleet.FleetSummary.GroupTotal;
import io.gcdiag.fleet.FleetSummary.Outlier;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class FleetSummaryTest {

  private static final Hypothesis MEMORY = Hypothesis.MEMORY_PRESSURE;
  private static final Hypothesis LOCKS = Hypothesis.LOCK_CONTENTION;
  private static final double EXACT = 1e-9;

  private static FleetSummary of(List<CaseRow> rows) {
    return FleetSummary.of(rows, GroupBy.SERVICE, Optional.empty());
  }

  /** Half of 100 s and of 20 s is lost to memory, half of 200 s to locks. */
  @Test
  void causesAreOrderedByWhatIsLostToThem() {
    FleetSummary summary =
        of(
            List.of(
                sick("orders", "a", "1", 0, MEMORY, 100),
                sick("orders", "a", "1", 1, MEMORY, 20),
                sick("billing", "a", "1", 0, LOCKS, 200)));
    List<CauseTotal> causes = summary.causes();
    assertEquals(List.of(LOCKS, MEMORY), causes.stream().map(CauseTotal::cause).toList());
    assertEquals(OptionalDouble.of(100), causes.get(0).lostSeconds());
    assertEquals(OptionalDouble.of(60), causes.get(1).lostSeconds());
    assertEquals(2, causes.get(1).primary());
    assertEquals(List.of("orders"), causes.get(1).groups());
    assertEquals("orders/a/0", summary.rows().at(causes.get(1).worst().place()).key().id());
  }

  @Test
  void theServiceThatLosesMostComesFirst() {
    List<GroupTotal> groups =
        of(List.of(
                healthy("web", "a", "1", 0),
                undecided("search", 0),
                sick("orders", "a", "1", 0, MEMORY, 100),
                sick("billing", "a", "1", 0, LOCKS, 200)))
            .groups();
    assertEquals(
        List.of("billing", "orders", "search", "web"),
        groups.stream().map(GroupTotal::name).toList());
    assertEquals(Optional.of(MEMORY), groups.get(1).cause());
    assertEquals(
        CaseOutcome.UNDECIDED, groups.get(2).worst().map(CaseFigures::outcome).orElseThrow());
    assertEquals(Optional.empty(), groups.get(3).worst());
  }

  /** A failed case does not end a run of suspects; a healthy one does. */
  @Test
  void sinceIsTheStartOfThePresentRun() {
    List<CaseRow> rows =
        List.of(
            sick("orders", "a", "1", 0, MEMORY, 1),
            healthy("orders", "a", "1", 1),
            sick("orders", "a", "1", 2, MEMORY, 1),
            failed("orders", 3),
            sick("orders", "a", "1", 4, MEMORY, 1));
    assertEquals(Optional.of(hour(2)), of(rows).all().since());
    List<CaseRow> over = new ArrayList<>(rows);
    over.add(healthy("orders", "a", "1", 5));
    assertEquals(Optional.empty(), of(over).all().since());
  }

  /** Nor does a healthy host end the run of another; a host that is gone has no present run. */
  @Test
  void sinceIsOfOneHost() {
    List<CaseRow> rows = new ArrayList<>();
    for (int hour = 0; hour < 4; hour++) {
      rows.add(sick("orders", "bad", "1", hour, MEMORY, 1));
      rows.add(healthy("orders", "good", "1", hour));
    }
    assertEquals(Optional.of(hour(0)), of(rows).all().since());
    rows.add(healthy("orders", "good", "1", 9));
    assertEquals(Optional.empty(), of(rows).all().since());
    rows.add(sick("orders", "new", "1", 9, MEMORY, 1));
    assertEquals(Optional.of(hour(9)), of(rows).all().since());
  }

  @Test
  void aTrailShowsTheMostSevereOfSeveralCases() {
    GroupTotal all =
        of(List.of(
                healthy("orders", "a", "1", 0),
                sick("orders", "a", "1", 1, MEMORY, 1),
                healthy("orders", "a", "1", 2),
                undecided("orders", 3)))
            .all();
    assertEquals(List.of(CaseOutcome.PRIMARY_SUSPECT, CaseOutcome.UNDECIDED), all.trail(2));
    assertEquals(4, all.trail(24).size());
  }

  @Test
  void casesAreGroupedByHostVersionAndDay() {
    List<CaseRow> rows = List.of(healthy("orders", "a", "1", 0), healthy("orders", "b", "", 30));
    assertEquals(List.of("a", "b"), names(rows, GroupBy.HOST));
    assertEquals(List.of("1", GroupBy.UNKNOWN), names(rows, GroupBy.VERSION));
    assertEquals(List.of("2026-03-01", "2026-03-02"), names(rows, GroupBy.DAY));
  }

  private static List<String> names(List<CaseRow> rows, GroupBy groupBy) {
    return FleetSummary.of(rows, groupBy, Optional.empty()).groups().stream()
        .map(GroupTotal::name)
        .toList();
  }

  /** The last {@code sick} of {@code hours} hours have the cause. */
  private static List<CaseRow> appearing(String build, int hours, int sick) {
    List<CaseRow> rows = new ArrayList<>();
    for (int hour = 0; hour < hours; hour++) {
      boolean before = hour < hours - sick;
      rows.add(
          before
              ? healthy("orders", "a", "1", hour)
              : sick("orders", "a", build, hour, MEMORY, 10));
    }
    return rows;
  }

  /** 0 of 6 and 6 of 6: two of the 924 ways to choose 6 of 12 are as extreme. */
  @Test
  void aCauseThatAppearsWithAVersionIsAChange() {
    List<CauseChange> changes = of(appearing("2", 12, 6)).changes();
    assertEquals(1, changes.size());
    assertEquals("version 1 -> 2", changes.get(0).what());
    assertEquals(hour(6), changes.get(0).at());
    assertEquals(new Count(0, 6), changes.get(0).before());
    assertEquals(new Count(6, 6), changes.get(0).after());
    assertEquals(2.0 / 924, changes.get(0).chance(), EXACT);
    assertTrue(changes.get(0).isRise());
  }

  /** 1.0, 1.1, 1.0: what counts of 1.0 is the time after the rollback. */
  @Test
  void aRollbackIsComparedWithWhatItTookBack() {
    List<CaseRow> rows = new ArrayList<>();
    for (int hour = 0; hour < 18; hour++) {
      rows.add(
          hour >= 6 && hour < 12
              ? sick("orders", "a", "1.1", hour, MEMORY, 10)
              : healthy("orders", "a", "1.0", hour));
    }
    List<CauseChange> changes = of(rows).changes();
    assertEquals(1, changes.size());
    assertEquals("version 1.1 -> 1.0", changes.get(0).what());
    assertEquals(hour(12), changes.get(0).at());
    assertEquals(new Count(6, 6), changes.get(0).before());
    assertEquals(new Count(0, 6), changes.get(0).after());
  }

  /** The same without a version: the best of 11 moments. */
  @Test
  void theMomentOfAChangeIsFoundAndPaidFor() {
    List<CauseChange> changes = of(appearing("1", 12, 6)).changes();
    assertEquals(hour(6), changes.get(0).at());
    assertEquals(11 * 2.0 / 924, changes.get(0).chance(), EXACT);
  }

  /** 0 of 5 and 6 of 7: of the 792 ways to choose 5 of 12, 6 have no hit and 6 have five. */
  @Test
  void aMomentThatTheUserNamesIsTheOnlyOneTried() {
    List<CauseChange> changes =
        FleetSummary.of(appearing("1", 12, 6), GroupBy.SERVICE, Optional.of(hour(5))).changes();
    assertEquals(List.of(hour(5)), changes.stream().map(CauseChange::at).toList());
    assertEquals(new Count(0, 5), changes.get(0).before());
    assertEquals(new Count(6, 7), changes.get(0).after());
    assertEquals(12.0 / 792, changes.get(0).chance(), EXACT);
  }

  /** 2 of the 20 ways to choose 3 of 6, and 5 moments: one half. */
  @Test
  void fewCasesAreNoChange() {
    assertEquals(List.of(), of(appearing("1", 6, 3)).changes());
  }

  /**
   * Host b has 5 of 5, its peers 0 of 10: one of 15 over 5 = 3003 tables. Only hosts that are worse
   * than their peers are compared: this is the only one.
   */
  @Test
  void aHostWorseThanItsPeersIsAnOutlier() {
    List<CaseRow> rows = new ArrayList<>();
    for (int hour = 0; hour < 5; hour++) {
      rows.add(healthy("orders", "a", "1", hour));
      rows.add(sick("orders", "b", "1", hour, LOCKS, 10));
      rows.add(healthy("orders", "c", "1", hour));
    }
    List<Outlier> outliers = of(rows).outliers();
    assertEquals(List.of("b"), outliers.stream().map(Outlier::host).toList());
    assertEquals(new Count(5, 5), outliers.get(0).own());
    assertEquals(new Count(0, 10), outliers.get(0).peers());
    assertEquals(Optional.of(LOCKS), outliers.get(0).cause());
    assertEquals(1.0 / 3003, outliers.get(0).chance(), EXACT);
  }

  @Test
  void casesThatBeginTogetherAreInTheOrderOfTheirNames() {
    FleetSummary summary =
        of(
            List.of(
                healthy("web", "b", "1", 1),
                healthy("web", "c", "1", 0),
                healthy("web", "a", "1", 1),
                healthy("cart", "z", "1", 1)));
    assertEquals(
        List.of("web/c/0", "cart/z/1", "web/a/1", "web/b/1"),
        summary.all().cases().stream()
            .map(one -> summary.rows().at(one.place()).key().id())
            .toList());
    assertEquals("", summary.folder());
  }

  @Test
  void undatedCasesCountEverywhereButInChanges() {
    CaseRow dated = sick("orders", "a", "1", 0, MEMORY, 10);
    CaseRow undated =
        new CaseRow(
            new CaseKey("undated", "", "1"),
            dated.origin(),
            Optional.empty(),
            dated.outcome(),
            dated.suspects(),
            dated.lostSeconds(),
            List.of(),
            "",
            "");
    FleetSummary summary = of(List.of(undated, dated));
    assertEquals(2, summary.all().count(CaseOutcome.PRIMARY_SUSPECT));
    assertEquals(Optional.<Instant>of(hour(0)), summary.all().since());
    assertEquals(List.of(), summary.changes());
  }
}
