package io.gcdiag.cli.report;

import io.gcdiag.cli.report.Report.Section;
import io.gcdiag.figures.CpuSummary;
import io.gcdiag.figures.HotSpot;
import io.gcdiag.units.Numbers;
import io.gcdiag.verdict.Diagnosis;
import java.util.ArrayList;
import java.util.List;

final class CpuSection {

  /** Rows in sight; the others are folded. */
  private static final int IN_SIGHT = 4;

  /** A smaller part of the samples is no row. */
  private static final double LEAST_SHARE = 0.005;

  static Section of(Diagnosis diagnosis) {
    CpuSummary cpu = diagnosis.figures().cpu();
    List<Block> blocks = new ArrayList<>();
    if (cpu.samples() > 0 && Relevance.ofCode(diagnosis)) {
      List<HotSpot> self = notable(cpu.self());
      List<HotSpot> withCalled = notable(cpu.withCalled());
      int shown = Math.min(IN_SIGHT, self.size());
      blocks.add(
          Block.Paragraph.of(
              "Of "
                  + Numbers.count(cpu.samples())
                  + " samples of Java code"
                  + (Opening.isIncident(diagnosis) ? " in the incident:" : ":")));
      if (shown > 0) {
        blocks.add(table("Executing", self.subList(0, shown)));
      }
      List<Block> more = new ArrayList<>();
      if (shown < self.size()) {
        more.add(table("Executing", self.subList(shown, self.size())));
      }
      if (!withCalled.isEmpty()) {
        more.add(table("Executing or calling what does", withCalled));
      }
      if (!more.isEmpty()) {
        blocks.add(new Block.Details(Cell.of("More methods, with their callers"), more));
      }
      StackBlocks.of(diagnosis, cpu.stacks()).ifPresent(blocks::add);
    }
    return new Section("Code that executed", blocks);
  }

  private static Block table(String title, List<HotSpot> spots) {
    return new Columns<HotSpot>()
        .words(title, HotSpot::method)
        .add(
            Column.numbers("Before"),
            spot -> spot.baseline().isPresent(),
            spot -> Cell.of(before(spot)))
        .add(Column.numbers("During"), spot -> Cell.share(spot.incident()))
        .of(spots)
        .filled();
  }

  private static String before(HotSpot spot) {
    return spot.baseline().isPresent()
        ? FigureText.share(spot.baseline().getAsDouble(), "none")
        : FigureText.NONE;
  }

  /** A method that hardly executed in either window tells nothing. */
  private static List<HotSpot> notable(List<HotSpot> spots) {
    return spots.stream()
        .filter(spot -> Math.max(spot.incident(), spot.baseline().orElse(0)) >= LEAST_SHARE)
        .toList();
  }
}
