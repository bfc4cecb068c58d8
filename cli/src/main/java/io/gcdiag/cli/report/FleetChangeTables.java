package io.gcdiag.cli.report;

import io.gcdiag.books.Hypothesis;
import io.gcdiag.fleet.CauseChange;
import io.gcdiag.fleet.FleetSummary;
import io.gcdiag.fleet.Outlier;
import io.gcdiag.units.Estimate;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.time.ZoneId;
import java.util.List;

/** What changed in a fleet, and which hosts are unlike the others, each with its certainty. */
final class FleetChangeTables {

  /** Below this the digits of a probability say nothing to a reader. */
  private static final double LEAST_CHANCE = 0.0001;

  private static final String LEAST_TEXT = "0.0001";

  private FleetChangeTables() {}

  static List<Block> changes(FleetSummary summary, ZoneId zone) {
    if (summary.changes().isEmpty()) {
      return List.of();
    }
    return List.of(
        new Columns<CauseChange>()
            .add(Column.ids("Service"), one -> new Cell(service(one), Tone.STRONG))
            .ids("Root cause", one -> one.cause().id())
            .add(Column.words("Change"), one -> new Cell(word(one), tone(one)))
            .words("From", one -> when(one, zone))
            .words("Cases before", one -> share(one.before()))
            .words("Cases after", one -> share(one.after()))
            .numbers("By chance", one -> chance(one.chance()))
            .of(summary.changes()),
        Block.Paragraph.muted(
            "Cases that name the root cause, with the interval of 95 %. By chance: Fisher's exact"
                + " test, corrected for the number of comparisons (Holm)."));
  }

  private static Tone tone(CauseChange change) {
    return change.isRise() ? Tone.BAD : Tone.GOOD;
  }

  private static String when(CauseChange change, ZoneId zone) {
    String when = FigureText.minute(change.at(), zone);
    return change.what().isEmpty() ? when : when + ", " + change.what();
  }

  static List<Cell> briefChanges(FleetSummary summary, ZoneId zone) {
    return summary.changes().stream()
        .map(
            change ->
                new Cell(
                    "%s: %s %s%s, from %s: %s -> %s cases (by chance %s)"
                        .formatted(
                            service(change),
                            change.cause().id(),
                            word(change),
                            change.what().isEmpty() ? "" : ", " + change.what(),
                            FigureText.minute(change.at(), zone),
                            count(change.before()),
                            count(change.after()),
                            chance(change.chance())),
                    tone(change)))
        .toList();
  }

  /** A line for each host. */
  static List<Cell> briefOutliers(FleetSummary summary) {
    return summary.outliers().stream()
        .map(
            one ->
                Cell.of(
                    "%s, host %s: suspects in %s cases, its peers in %s%s (by chance %s)"
                        .formatted(
                            one.service(),
                            one.host(),
                            count(one.own()),
                            count(one.peers()),
                            one.cause().map(cause -> ", mostly " + cause.id()).orElse(""),
                            chance(one.chance()))))
        .toList();
  }

  private static String service(CauseChange change) {
    return change.service().isEmpty() ? "all services" : change.service();
  }

  private static String count(CauseChange.Count count) {
    return Numbers.count(count.named()) + " of " + Numbers.count(count.cases());
  }

  private static String word(CauseChange change) {
    if (change.isRise()) {
      return change.before().named() == 0 ? "appeared" : "more often";
    }
    return change.after().named() == 0 ? "vanished" : "less often";
  }

  private static String share(CauseChange.Count count) {
    Estimate range = count.interval();
    return count(count) + " (" + Ratio.range(range.low(), range.high()) + ")";
  }

  static String chance(double probability) {
    return probability < LEAST_CHANCE ? "< " + LEAST_TEXT : Numbers.threeSignificant(probability);
  }

  static List<Block> outliers(FleetSummary summary) {
    if (summary.outliers().isEmpty()) {
      return List.of();
    }
    return List.of(
        new Columns<Outlier>()
            .add(Column.ids("Service"), one -> new Cell(one.service(), Tone.STRONG))
            .ids("Host", Outlier::host)
            .ids("Mostly", one -> one.cause().map(Hypothesis::id).orElse(FigureText.NONE))
            .words("Its cases with a suspect", one -> share(one.own()))
            .words("Those of its peers", one -> share(one.peers()))
            .numbers("By chance", one -> chance(one.chance()))
            .of(summary.outliers()));
  }
}
