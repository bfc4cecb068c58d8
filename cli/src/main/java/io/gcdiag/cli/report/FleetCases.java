package io.gcdiag.cli.report;

import io.gcdiag.books.Hypothesis;
import io.gcdiag.fleet.CaseFigures;
import io.gcdiag.fleet.CaseRow;
import io.gcdiag.fleet.FleetSummary;
import io.gcdiag.fleet.GroupTotal;
import io.gcdiag.units.Numbers;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The cases of a group, a line each, with links to their reports. */
final class FleetCases {

  /** The cases listed below a group; the rows hold all. */
  private static final int MOST_CASES = 20;

  private final FleetSummary summary;
  private final ZoneId zone;

  FleetCases(FleetSummary summary, ZoneId zone) {
    this.summary = summary;
    this.zone = zone;
  }

  CaseRow row(CaseFigures one) {
    return summary.rows().at(one.place());
  }

  Cell link(CaseFigures one) {
    CaseRow row = row(one);
    return Cell.of(name(row)).toFile(row.report());
  }

  String name(CaseRow row) {
    return row.key().id().substring(summary.folder().length());
  }

  List<Block> of(GroupTotal group) {
    List<Cell> items =
        group.cases().stream()
            .sorted(Comparator.comparing(CaseFigures::outcome))
            .limit(MOST_CASES)
            .map(this::row)
            .map(this::line)
            .toList();
    int more = group.cases().size() - MOST_CASES;
    List<Block> blocks = new ArrayList<>(List.of(new Block.Bullets(items)));
    if (more > 0) {
      blocks.add(
          Block.Paragraph.muted(
              "The most severe %s; %s more in cases.jsonl."
                  .formatted(MOST_CASES, Numbers.count(more))));
    }
    return blocks;
  }

  private Cell line(CaseRow row) {
    List<String> parts = new ArrayList<>();
    row.time().ifPresent(time -> parts.add(FigureText.minute(time.from(), zone)));
    parts.add(name(row));
    parts.add(row.primary().map(Hypothesis::id).orElse(row.outcome().id()) + confidence(row));
    if (row.lostSeconds().isPresent()) {
      parts.add("lost " + FleetDocument.lost(row.lostSeconds()));
    }
    row.origin().host().ifPresent(host -> parts.add("host " + host));
    row.origin().build().ifPresent(build -> parts.add("version " + build));
    if (!row.error().isEmpty()) {
      parts.add(row.error());
    }
    return new Cell(String.join(", ", parts), FleetDocument.tone(row.outcome()))
        .toFile(row.report());
  }

  private static String confidence(CaseRow row) {
    return row.primary().isEmpty()
        ? ""
        : row.suspects().get(0).confidence().map(rated -> " (" + rated.id() + ")").orElse("");
  }
}
