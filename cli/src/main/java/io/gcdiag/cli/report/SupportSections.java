package io.gcdiag.cli.report;

import io.gcdiag.cli.report.Report.Section;
import io.gcdiag.evidence.jvm.AllocationSite;
import io.gcdiag.evidence.threads.WaitSample.SlowRequests;
import io.gcdiag.figures.AllocationSummary;
import io.gcdiag.figures.CrossCheck;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.verdict.Diagnosis;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The cross-checks of two sources, and the allocation profile. */
final class SupportSections {

  private static final int MOST_CHECKS = 4;

  /** Rows in sight. For samples the tree of stacks shows the others. */
  private static final int MOST_SITES = 4;

  /** Figures that differ by more than this part do not look alike. */
  private static final double VISIBLY = 0.1;

  /** Disagreements first, then a few agreements; the others are folded. */
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

  /** What threads did in slow requests, beside the others; of each recording. */
  static Section slowRequests(Diagnosis diagnosis) {
    List<Block> blocks = new ArrayList<>();
    for (SlowRequests slow : diagnosis.figures().slowRequests()) {
      blocks.add(
          Block.Paragraph.of(
              "The slowest %s of %s requests took %s on average, the others %s:"
                  .formatted(
                      Numbers.count(slow.slow().requests()),
                      Numbers.count(slow.slow().requests() + slow.others().requests()),
                      Durations.format(slow.slow().seconds()),
                      Durations.format(slow.others().seconds()))));
      blocks.add(
          new Columns<SlowRequests.Part>()
              .words("Thread", SlowRequests.Part::doing)
              .numbers("Slow request", part -> Durations.format(part.slowSeconds()))
              .numbers("Other", part -> Durations.format(part.otherSeconds()))
              .of(slow.parts()));
    }
    return new Section("What slow requests did", blocks);
  }

  private static Block checks(Diagnosis diagnosis, List<CrossCheck> checks) {
    return new Columns<CrossCheck>()
        .add(Column.words("Fact"), check -> fact(diagnosis, check))
        .words("They say", SupportSections::said)
        .add(Column.words("Agree"), SupportSections::agreement)
        .of(checks);
  }

  private static Block agreeing(Diagnosis diagnosis, List<CrossCheck> checks) {
    return new Columns<CrossCheck>()
        .add(Column.words("Fact"), check -> fact(diagnosis, check))
        .words("They say", check -> said(check) + why(check))
        .of(checks);
  }

  private static String said(CrossCheck check) {
    return check.text() + " (" + check.sourceA() + "; " + check.sourceB() + ")";
  }

  /** Why figures agree that look as if they did not. */
  private static String why(CrossCheck check) {
    double larger = Math.max(check.valueA(), check.valueB());
    return Math.abs(check.valueA() - check.valueB()) > VISIBLY * larger
        ? ": " + check.tolerance()
        : "";
  }

  private static Cell fact(Diagnosis diagnosis, CrossCheck check) {
    return ChartSection.linked(diagnosis, check, Cell.of(check.title()));
  }

  private static Cell agreement(CrossCheck check) {
    return switch (check.agreement()) {
      case YES -> new Cell("yes, " + check.tolerance(), Tone.GOOD);
      case NO -> new Cell("NO (allowed: " + check.tolerance() + ")", Tone.WARNING);
      // The tolerance begins with "open" and gives the reason.
      case OPEN -> new Cell(check.tolerance(), Tone.MUTED);
    };
  }

  static Section allocation(Diagnosis diagnosis) {
    List<Block> blocks = new ArrayList<>();
    if (!Relevance.ofAllocation(diagnosis)) {
      return new Section("Allocation profile", blocks);
    }
    AllocationSummary allocation = diagnosis.figures().allocation();
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
                        "Objects that did not fit a thread's buffer (TLAB), the service's own code"
                            + " on the stack of "
                            + FigureText.share(share)
                            + " of their bytes:")));
    addOutside(blocks, allocation.outsideTlabs());
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
    String note = allocation.note().isBlank() ? "" : "; " + allocation.note();
    return String.join(", ", parts) + basis + note + ".";
  }

  private static void addOutside(List<Block> blocks, List<AllocationSite> sites) {
    if (sites.isEmpty()) {
      return;
    }
    int shown = Math.min(MOST_SITES, sites.size());
    blocks.add(outside(sites.subList(0, shown), true));
    if (shown < sites.size()) {
      blocks.add(
          new Block.Details(
              Cell.of((sites.size() - shown) + " more allocate less"),
              List.of(outside(sites.subList(shown, sites.size()), false))));
    }
  }

  /** Samples have weights but no object sizes; the tree of stacks below shows the callers. */
  private static Block sampled(List<AllocationSite> sites) {
    return new Columns<AllocationSite>()
        .words("Class", AllocationSite::className)
        .numbers("Bytes", site -> site.bytes().toString())
        .words("Allocated by", AllocationSite::top)
        .of(sites);
  }

  /**
   * Objects with their sizes.
   *
   * @param whole whether with where their stacks begin and whose code is on them
   */
  private static Block outside(List<AllocationSite> sites, boolean whole) {
    Columns<AllocationSite> columns =
        new Columns<AllocationSite>()
            .numbers(
                "Size", site -> site.typicalSize().map(Bytes::toString).orElse(FigureText.NONE))
            .words("Class", AllocationSite::className)
            .numbers("Bytes", site -> site.bytes().toString())
            .words("Allocated by", AllocationSite::top);
    if (whole) {
      columns
          .words("Stack root", AllocationSite::root)
          .words("Own code", site -> site.ofApplication() ? "yes" : "no");
    }
    return columns.of(sites);
  }
}
