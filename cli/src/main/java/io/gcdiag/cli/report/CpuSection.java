package io.gcdiag.cli.report;

import io.gcdiag.cli.report.Report.Section;
import io.gcdiag.diagnosis.Diagnosis;
import io.gcdiag.figures.CpuSummary;
import io.gcdiag.figures.HotSpot;
import io.gcdiag.units.Numbers;
import java.util.ArrayList;
import java.util.List;

/** The CPU profile. */
final class CpuSection {

  /** Rows in sight; the others are folded. */
  private static final int IN_SIGHT = 4;

  private CpuSection() {}

  static Section of(Diagnosis diagnosis) {
    CpuSummary cpu = diagnosis.cpu();
    List<Block> blocks = new ArrayList<>();
    if (cpu.samples() > 0 && Relevance.ofCode(diagnosis)) {
      int shown = Math.min(IN_SIGHT, cpu.self().size());
      blocks.add(
          Block.Paragraph.of(
              "Of "
                  + Numbers.count(cpu.samples())
                  + " samples of Java code"
                  + (Opening.isIncident(diagnosis) ? " in the incident:" : ":")));
      blocks.add(table("Executing", cpu.self().subList(0, shown)));
      List<Block> more = new ArrayList<>();
      if (shown < cpu.self().size()) {
        more.add(table("Executing", cpu.self().subList(shown, cpu.self().size())));
      }
      if (!cpu.withCalled().isEmpty()) {
        more.add(table("Executing or calling what does", cpu.withCalled()));
      }
      if (!more.isEmpty()) {
        blocks.add(new Block.Details(Cell.of("More methods, with their callers"), more));
      }
      StackBlocks.of(diagnosis, cpu.stacks()).ifPresent(blocks::add);
    }
    return new Section("Code that executed", blocks);
  }

  private static Block table(String title, List<HotSpot> spots) {
    return new Block.Table(
        List.of(Column.words(title), Column.numbers("Before"), Column.numbers("During")),
        spots.stream()
            .map(
                spot ->
                    List.of(
                        Cell.of(spot.name()),
                        Cell.of(FigureText.share(spot.before())),
                        Cell.share(spot.share())))
            .toList());
  }
}
