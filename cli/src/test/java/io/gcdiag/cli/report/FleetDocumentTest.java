package io.gcdiag.cli.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.fleet.CaseKey;
import io.gcdiag.fleet.CaseOrigin;
import io.gcdiag.fleet.CaseOutcome;
import io.gcdiag.fleet.CaseRow;
import io.gcdiag.fleet.FleetSummary;
import io.gcdiag.fleet.FleetSummary.GroupBy;
import io.gcdiag.fleet.Suspect;
import io.gcdiag.verdict.Confidence;
import io.gcdiag.verdict.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** The page of a fleet, as blocks. */
class FleetDocumentTest {

  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");

  private static CaseRow row(String service, int hour, boolean sick, String report) {
    List<Suspect> suspects =
        sick
            ? List.of(
                new Suspect(
                    Hypothesis.MEMORY_PRESSURE,
                    Verdict.PRIMARY_SUSPECT,
                    OptionalDouble.of(0.5),
                    Optional.of(Confidence.HIGH),
                    "-Xmx1g"))
            : List.of();
    Instant from = START.plus(Duration.ofHours(hour));
    return new CaseRow(
        new CaseKey("logs/" + service + "/" + hour, "", "1"),
        new CaseOrigin(Optional.of(service), Optional.empty(), Optional.empty()),
        Optional.of(new Window(from, from.plus(Duration.ofHours(1)))),
        sick ? CaseOutcome.PRIMARY_SUSPECT : CaseOutcome.HEALTHY,
        suspects,
        sick ? OptionalDouble.of(7200) : OptionalDouble.empty(),
        List.of(),
        "",
        report);
  }

  private static CaseRow row(String service, int hour, CaseOutcome outcome) {
    CaseRow row = row(service, hour, false, "");
    return new CaseRow(
        row.key(),
        row.origin(),
        row.time(),
        outcome,
        List.of(),
        OptionalDouble.empty(),
        List.of(),
        "",
        "");
  }

  private static FleetDocument document(List<CaseRow> rows) {
    return new FleetDocument(
        FleetSummary.of(rows, GroupBy.SERVICE, Optional.empty()), ZoneOffset.UTC);
  }

  private static FleetDocument twoServices() {
    return document(
        List.of(
            row("orders", 0, false, ""),
            row("orders", 1, true, "cases/orders-1.html"),
            row("web", 0, false, "cases/web.html")));
  }

  private static <T extends Block> List<T> all(Report report, Class<T> kind) {
    return report.blocks().stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  private static List<String> texts(List<Cell> row) {
    return row.stream().map(Cell::text).toList();
  }

  @Test
  void theTitleAnswers() {
    assertEquals(
        "Primary suspects in 1 of 2 services; memory-pressure costs most",
        twoServices().report().title().text());
    assertEquals(
        "Healthy: all cases of 1 service",
        document(List.of(row("web", 0, false, ""))).report().title().text());
  }

  /** Half of 7,200 s. */
  @Test
  void aCauseHasItsLostTimeAndALinkToTheWorstCase() {
    List<Cell> cause = all(twoServices().report(), Block.Table.class).get(0).rows().get(0);
    assertEquals(
        List.of("memory-pressure", "1 h 0 min", "50.0 %", "1", "0", "1", "orders/1"), texts(cause));
    assertEquals("./cases/orders-1.html", cause.get(6).target());
  }

  /** The other half. */
  @Test
  void whatNoSuspectExplainsHasARow() {
    List<List<Cell>> rows = all(twoServices().brief(), Block.Table.class).get(0).rows();
    assertEquals(List.of("no suspect", "1 h 0 min", "50.0 %", "", "", "", ""), texts(rows.get(1)));
  }

  /**
   * Twelve cases of 100 s each, of a cause each that explains 0.75 of it: 6.25 % of 1,200 s. The
   * screen has ten of them, the other two are 150 s, and 12 x 25 s have no suspect.
   */
  @Test
  void sharesMakeTheWholeOnTheScreenAndOnThePage() {
    List<CaseRow> cases = new ArrayList<>();
    for (Hypothesis cause : List.of(Hypothesis.values()).subList(0, 12)) {
      CaseRow one = row("web", cases.size(), true, "");
      Suspect suspect =
          new Suspect(
              cause,
              Verdict.PRIMARY_SUSPECT,
              OptionalDouble.of(0.75),
              Optional.of(Confidence.HIGH),
              "");
      cases.add(
          new CaseRow(
              one.key(),
              one.origin(),
              one.time(),
              one.outcome(),
              List.of(suspect),
              OptionalDouble.of(100),
              List.of(),
              "",
              ""));
    }
    List<List<Cell>> brief = all(document(cases).brief(), Block.Table.class).get(0).rows();
    assertEquals(12, brief.size());
    assertEquals(
        List.of("2 more causes", "2 min 30 s", "12.5 %", "", "", "", ""), texts(brief.get(10)));
    assertEquals(List.of("no suspect", "5 min", "25.0 %", "", "", "", ""), texts(brief.get(11)));
    List<List<Cell>> page = all(document(cases).report(), Block.Table.class).get(0).rows();
    assertEquals(13, page.size());
    for (List<List<Cell>> rows : List.of(brief, page)) {
      double sum =
          rows.stream()
              .mapToDouble(row -> Double.parseDouble(row.get(2).text().replace(" %", "")))
              .sum();
      // Each share is printed in tenths of a per cent.
      assertEquals(100, sum, 0.05 * rows.size());
    }
  }

  @Test
  void aServiceHasItsVerdictsOverTime() {
    Block.Table services = all(twoServices().report(), Block.Table.class).get(1);
    assertEquals(
        List.of(
            "orders",
            "▁█",
            "1 of 2",
            "2 h 0 min",
            "memory-pressure",
            "2026-03-01 01:00",
            "",
            "",
            "orders/1"),
        texts(services.rows().get(0)));
    assertEquals(List.of(Tone.GOOD, Tone.BAD), services.rows().get(0).get(1).trail());
    assertEquals("Cases of orders", services.summary(0));
    List<Cell> cases = ((Block.Bullets) services.folded().get(0).get(0)).items();
    assertEquals(
        "2026-03-01 01:00, orders/1, memory-pressure (high), lost 2 h 0 min", cases.get(0).text());
  }

  @Test
  void aServiceHasItsCasesWithoutAnAnswer() {
    FleetDocument document =
        document(
            List.of(
                row("orders", 0, CaseOutcome.UNDECIDED),
                row("orders", 1, CaseOutcome.UNDECIDED),
                row("orders", 2, CaseOutcome.FAILED),
                row("orders", 3, true, "")));
    List<String> page =
        texts(all(document.report(), Block.Table.class).get(1).rows().get(0)).subList(6, 8);
    assertEquals(List.of("2", "1"), page);
    int screen = all(document.brief(), Block.Table.class).get(1).rows().get(0).size();
    assertEquals(6, screen, "the screen has no room for them");
  }

  @Test
  void theScreenHasTenServicesAndThePageAll() {
    List<CaseRow> rows = new ArrayList<>();
    for (int i = 10; i < 22; i++) {
      rows.add(row("service-" + i, 0, true, ""));
    }
    FleetDocument document = document(rows);
    assertEquals(10, all(document.brief(), Block.Table.class).get(1).rows().size());
    assertEquals(12, all(document.report(), Block.Table.class).get(1).rows().size());
    assertTrue(
        all(document.brief(), Block.Paragraph.class).stream()
            .anyMatch(text -> text.text().text().startsWith("2 more in the page")));
  }

  @Test
  void aChangeIsALine() {
    List<CaseRow> rows = new ArrayList<>();
    for (int hour = 0; hour < 12; hour++) {
      rows.add(row("orders", hour, hour >= 6, ""));
    }
    List<Cell> lines = all(document(rows).brief(), Block.Bullets.class).get(0).items();
    // 11 moments x 2 of 924 tables.
    assertEquals(
        "orders: memory-pressure appeared, from 2026-03-01 06:00: 0 of 6 -> 6 of 6 cases (by chance"
            + " 0.0238)",
        lines.get(0).text());
  }

  @Test
  void machinesGetTheSame() {
    JsonNode json = twoServices().json();
    assertEquals("service", json.get("groupBy").asText());
    assertEquals(3, json.at("/all/cases").asInt());
    assertEquals(3600, json.at("/causes/0/lostSeconds").asDouble());
    assertEquals("orders", json.at("/groups/0/name").asText());
    assertEquals("2026-03-01T01:00:00Z", json.at("/groups/0/since").asText());
    assertFalse(json.at("/groups/1/worst").isObject());
  }
}
