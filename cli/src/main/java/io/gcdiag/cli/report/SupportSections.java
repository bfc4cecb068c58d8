package io.gcdiag.cli.report;

import io.gcdiag.cli.report.Report.Section;
import io.gcdiag.diagnosis.Diagnosis;
import io.gcdiag.evidence.heap.AllocationSite;
import io.gcdiag.figures.AllocationSummary;
import io.gcdiag.figures.CrossCheck;
import io.gcdiag.units.Bytes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Facts that two sources tell, and who allocated how much. */
final class SupportSections {

  private static final int MOST_CHECKS = 4;

  /** So many sites stand in sight. Of samples the tree of stacks has the others. */
  private static final int MOST_SITES = 4;

  private SupportSections() {}

  /** What does not agree comes first; of what does, a few are enough to see. */
  static Section crossChecks(Diagnosis diagnosis) {
    List<CrossCheck> checks = new ArrayList<>(diagnosis.crossChecks());
    checks.sort(Comparator.comparing(CrossCheck::agrees));
    long open = checks.stream().filter(check -> !check.agrees()).count();
    int shown = (int) Math.min(checks.size(), Math.max(open, MOST_CHECKS));
    List<Block> blocks = new ArrayList<>();
    if (!checks.isEmpty()) {
      blocks.add(checks(diagnosis, checks.subList(0, shown)));
    }
    if (shown < checks.size()) {
      blocks.add(
          new Block.Details(
              Cell.of((checks.size() - shown) + " more agree"),
              List.of(agreeing(diagnosis, checks.subList(shown, checks.size())))));
    }
    return new Section("Cross-checks", blocks);
  }

  private static Block checks(Diagnosis diagnosis, List<CrossCheck> checks) {
    return new Block.Table(
        List.of(
            Column.words("Fact"),
            Column.words("Two sources"),
            Column.words("They say"),
            Column.words("Agree"),
            Column.aside("Tolerance")),
        checks.stream().map(check -> row(diagnosis, check)).toList());
  }

  private static List<Cell> row(Diagnosis diagnosis, CrossCheck check) {
    return List.of(
        fact(diagnosis, check),
        InputSection.linked(diagnosis, Cell.of(check.sourceA() + "; " + check.sourceB())),
        Cell.of(check.text()),
        agreement(check.agreement()),
        new Cell(check.tolerance(), Tone.MUTED));
  }

  private static Block agreeing(Diagnosis diagnosis, List<CrossCheck> checks) {
    return Block.Table.open(
        List.of(Column.words("Fact"), Column.words("They say")),
        checks.stream()
            .map(check -> List.of(fact(diagnosis, check), Cell.of(said(check))))
            .toList());
  }

  private static String said(CrossCheck check) {
    return check.text() + " (" + check.sourceA() + "; " + check.sourceB() + ")";
  }

  private static Cell fact(Diagnosis diagnosis, CrossCheck check) {
    return ChartSection.linked(diagnosis, check, Cell.of(check.title()));
  }

  private static Cell agreement(CrossCheck.Agreement agreement) {
    return switch (agreement) {
      case YES -> new Cell("yes", Tone.GOOD);
      case NO -> new Cell("NO", Tone.WARNING);
      case OPEN -> new Cell("open", Tone.MUTED);
    };
  }

  static Section allocation(Diagnosis diagnosis) {
    List<Block> blocks = new ArrayList<>();
    if (!Relevance.ofAllocation(diagnosis)) {
      return new Section("Allocation profile", blocks);
    }
    AllocationSummary allocation = diagnosis.allocation();
    String rate = rate(allocation);
    if (!rate.isEmpty()) {
      blocks.add(Block.Paragraph.of(rate));
    }
    if (!allocation.topSites().isEmpty()) {
      List<AllocationSite> sites = allocation.topSites();
      blocks.add(sampled(sites.subList(0, Math.min(MOST_SITES, sites.size()))));
    }
    allocation
        .ofApplication()
        .ifPresent(
            share ->
                blocks.add(
                    Block.Paragraph.of(
                        "Objects that did not fit a thread's buffer (TLAB), the service's own code on"
                            + " the stack of "
                            + FigureText.share(share)
                            + " of their bytes:")));
    addOutside(blocks, allocation.outsideTlabs());
    if (!blocks.isEmpty() && !allocation.note().isBlank()) {
      blocks.add(Block.Paragraph.muted("Note: " + allocation.note()));
    }
    StackBlocks.of(diagnosis, allocation.stacks()).ifPresent(blocks::add);
    return new Section("Allocation profile", blocks);
  }

  private static String rate(AllocationSummary allocation) {
    List<String> parts = new ArrayList<>();
    allocation
        .bytesPerSecond()
        .ifPresent(bytes -> parts.add(FigureText.bytes(bytes) + "/s were allocated"));
    allocation
        .bytesPerRequest()
        .ifPresent(bytes -> parts.add(FigureText.bytes(bytes) + " per request"));
    if (parts.isEmpty()) {
      return "";
    }
    String basis = allocation.basis().isBlank() ? "" : " (measured by " + allocation.basis() + ")";
    return String.join(", ", parts) + basis + ".";
  }

  private static void addOutside(List<Block> blocks, List<AllocationSite> sites) {
    if (sites.isEmpty()) {
      return;
    }
    int shown = Math.min(MOST_SITES, sites.size());
    blocks.add(outside(sites.subList(0, shown)));
    if (shown < sites.size()) {
      blocks.add(
          new Block.Details(
              Cell.of((sites.size() - shown) + " more allocate less"),
              List.of(outside(sites.subList(shown, sites.size())))));
    }
  }

  /** Samples have weights, and no sizes. */
  private static Block sampled(List<AllocationSite> sites) {
    return new Block.Table(
        List.of(
            Column.words("Class"),
            Column.numbers("Bytes"),
            Column.words("Allocated by"),
            Column.words("On behalf of")),
        sites.stream()
            .map(
                site ->
                    List.of(
                        Cell.of(site.className()),
                        Cell.of(site.bytes().toString()),
                        Cell.of(site.top()),
                        Cell.of(site.root())))
            .toList());
  }

  private static Block outside(List<AllocationSite> sites) {
    return new Block.Table(
        List.of(
            Column.numbers("Size"),
            Column.words("Class"),
            Column.numbers("Bytes"),
            Column.words("Allocated by"),
            Column.words("Stack root"),
            Column.words("Code")),
        sites.stream()
            .map(
                site ->
                    List.of(
                        Cell.of(site.typicalSize().map(Bytes::toString).orElse(FigureText.NONE)),
                        Cell.of(site.className()),
                        Cell.of(site.bytes().toString()),
                        Cell.of(site.top()),
                        Cell.of(site.root()),
                        Cell.of(code(site))))
            .toList());
  }

  private static String code(AllocationSite site) {
    return site.ofApplication() ? "application" : "infrastructure";
  }
}
