package io.gcdiag.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.gcdiag.books.Finding;
import io.gcdiag.cli.report.Printable.Check.Outcome;
import io.gcdiag.cli.report.Report.Section;
import io.gcdiag.evidence.jvm.AllocationSite;
import io.gcdiag.evidence.threads.WaitSample.SlowRequests;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Windows;
import io.gcdiag.figures.AllocationSummary;
import io.gcdiag.figures.CpuSummary;
import io.gcdiag.figures.CpuSummary.HotSpot;
import io.gcdiag.figures.CrossCheck;
import io.gcdiag.figures.InputLimit;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.verdict.Diagnosis;
import io.gcdiag.verdict.Judgement;
import io.gcdiag.verdict.Verdict;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A diagnosis for people and machines. The report answers first and argues afterwards: conclusion,
 * ranked table, the cause with its arithmetic, the chain, checks, what to change, what is unknown.
 *
 * @param zone the time zone of windows and charts; times inside of sentences say that they are UTC
 */
public record DiagnosisDocument(Diagnosis diagnosis, ZoneId zone) implements Printable {

  /** Every format has the shares that are printed. */
  public DiagnosisDocument {
    diagnosis = diagnosis.shown();
  }

  public DiagnosisDocument(Diagnosis diagnosis) {
    this(diagnosis, ZoneOffset.UTC);
  }

  @Override
  public Report report() {
    return Report.of(
        Opening.title(diagnosis),
        Answer.doubts(diagnosis),
        Opening.blocks(diagnosis, zone),
        List.of(
            ProblemSection.of(diagnosis),
            StationSection.of(diagnosis),
            SupportSections.slowRequests(diagnosis),
            HypothesisSections.ranked(diagnosis),
            new Report.Section("Over time", ChartSection.blocks(diagnosis, zone)),
            CauseSection.of(diagnosis),
            ChainSection.of(diagnosis),
            SupportSections.crossChecks(diagnosis),
            CollectionSection.of(diagnosis),
            SupportSections.allocation(diagnosis),
            CpuSection.of(diagnosis),
            AdviceSections.changes(diagnosis),
            PredictionSection.of(diagnosis),
            AdviceSections.limits(diagnosis),
            InputSection.of(diagnosis, zone)));
  }

  @Override
  public Report brief() {
    return BriefReport.of(diagnosis, zone);
  }

  @Override
  public List<Report> shorter() {
    return BriefReport.shorter(diagnosis, zone);
  }

  @Override
  public JsonNode json() {
    return DiagnosisJson.of(diagnosis);
  }

  /** For machines that judge for themselves: what was measured, and what rose when. */
  public JsonNode facts(List<Windows.Onset> onsets) {
    return DiagnosisJson.facts(diagnosis, onsets);
  }

  @Override
  public List<Check> checks() {
    return DiagnosisChecks.of(diagnosis);
  }

  /** The other primary suspect, if the inputs cannot separate two. */
  static Optional<Judgement> rival(Diagnosis diagnosis) {
    return apart(diagnosis)
        .flatMap(
            pair ->
                diagnosis.with(Verdict.PRIMARY_SUSPECT).stream()
                    .skip(1)
                    .filter(other -> isOf(pair, other))
                    .findFirst());
  }

  /** The experiment that would separate the two. */
  static Optional<String> experiment(Diagnosis diagnosis) {
    return apart(diagnosis).map(Finding.Inseparable::experiment);
  }

  private static Optional<Finding.Inseparable> apart(Diagnosis diagnosis) {
    List<Judgement> suspects = diagnosis.with(Verdict.PRIMARY_SUSPECT);
    return diagnosis.inseparable().stream()
        .filter(pair -> suspects.stream().filter(one -> isOf(pair, one)).count() == 2)
        .filter(pair -> isOf(pair, suspects.get(0)))
        .findFirst();
  }

  private static boolean isOf(Finding.Inseparable pair, Judgement suspect) {
    return suspect.hypothesis() == pair.one() || suspect.hypothesis() == pair.other();
  }

  /** A diagnosis as checks: one for the answer and one for each root cause. */
  private static final class DiagnosisChecks {

    static List<Check> of(Diagnosis diagnosis) {
      List<Check> checks = new ArrayList<>();
      Outcome answer =
          switch (diagnosis.conclusion()) {
            case HEALTHY -> Outcome.PASSED;
            case PRIMARY_SUSPECT -> Outcome.FAILED;
            case UNDECIDED -> Outcome.SKIPPED;
          };
      checks.add(
          new Check("conclusion", answer, Opening.title(diagnosis).text(), diagnosis.summary()));
      diagnosis.judgements().forEach(judgement -> checks.add(check(judgement)));
      return checks;
    }

    private static Check check(Judgement judgement) {
      Outcome outcome =
          switch (judgement.verdict()) {
            case PRIMARY_SUSPECT, CONTRIBUTING -> Outcome.FAILED;
            case RULED_OUT, NOT_INDICATED -> Outcome.PASSED;
            case NOT_ENOUGH_DATA -> Outcome.SKIPPED;
          };
      return new Check(
          judgement.hypothesis().id(),
          outcome,
          judgement.verdict().title() + ": " + judgement.reason(),
          judgement.findings().stream()
              .map(DiagnosisChecks::text)
              .collect(Collectors.joining("\n")));
    }

    private static String text(Finding finding) {
      return FigureText.sentence(finding.statement())
          + finding.arithmetic().stream().map(sum -> "\n  " + sum).collect(Collectors.joining())
          + "\n  ["
          + CauseSection.sources(finding.sources())
          + "]";
    }
  }

  /** What to change, and what to record next time. */
  private static final class AdviceSections {

    /** The most causes that are named per missing signal, in ranked order. */
    private static final int MOST_NAMED = 4;

    static Section changes(Diagnosis diagnosis) {
      List<String> items =
          Stream.of(Verdict.PRIMARY_SUSPECT, Verdict.CONTRIBUTING)
              .flatMap(verdict -> diagnosis.with(verdict).stream())
              .flatMap(
                  judgement ->
                      judgement.actions().stream()
                          .map(action -> judgement.hypothesis().id() + ": " + action))
              .toList();
      return new Section(
          "What to change", items.isEmpty() ? List.of() : List.of(Block.Bullets.of(items)));
    }

    /** What the files do not contain. */
    static Section limits(Diagnosis diagnosis) {
      List<Block> blocks = new ArrayList<>();
      if (!diagnosis.limits().isEmpty()) {
        blocks.add(Block.Bullets.of(diagnosis.limits().stream().map(InputLimit::text).toList()));
      }
      Map<Signal, List<String>> missing = missing(diagnosis.judgements());
      // The limits above name most of them.
      diagnosis.limits().forEach(limit -> limit.lacks().ifPresent(missing::remove));
      if (!missing.isEmpty()) {
        blocks.add(Block.Paragraph.of("Not in these files:"));
        blocks.add(
            Block.Bullets.of(
                missing.entrySet().stream()
                    .map(entry -> line(entry.getKey(), entry.getValue()))
                    .toList()));
      }
      return new Section("What could not be seen, and how to record it next time", blocks);
    }

    private static String line(Signal signal, List<String> hypotheses) {
      String whom = FigureText.some(hypotheses, MOST_NAMED);
      return signal.description() + " (to judge " + whom + "): " + signal.howToRecord();
    }

    private static Map<Signal, List<String>> missing(List<Judgement> judgements) {
      Map<Signal, List<String>> missing = new EnumMap<>(Signal.class);
      for (Judgement judgement : judgements) {
        for (Signal signal : judgement.missing()) {
          missing.computeIfAbsent(signal, s -> new ArrayList<>()).add(judgement.hypothesis().id());
        }
      }
      return missing;
    }
  }

  private static final class CpuSection {

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

    /** A method that hardly executed in either window says nothing. */
    private static List<HotSpot> notable(List<HotSpot> spots) {
      return spots.stream()
          .filter(spot -> Math.max(spot.incident(), spot.baseline().orElse(0)) >= LEAST_SHARE)
          .toList();
    }
  }

  /** The cross-checks of two sources, and the allocation profile. */
  private static final class SupportSections {

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
        blocks.add(checks(diagnosis, checks.subList(0, shown), false));
      }
      if (shown < checks.size()) {
        blocks.add(
            new Block.Details(
                Cell.of((checks.size() - shown) + " more agree"),
                List.of(checks(diagnosis, checks.subList(shown, checks.size()), true))));
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
        blocks.add(times("Thread", slow.parts()));
        if (!slow.callers().isEmpty()) {
          blocks.add(times("The waits and samples by method of the service", slow.callers()));
        }
        if (!slow.allocated().isEmpty()) {
          blocks.add(
              new Columns<SlowRequests.Allocated>()
                  .words("Allocated by", SlowRequests.Allocated::method)
                  .numbers("Slow request", one -> FigureText.bytes(one.slowBytes()))
                  .numbers("Other", one -> FigureText.bytes(one.otherBytes()))
                  .of(slow.allocated()));
        }
      }
      return new Section("What slow requests did", blocks);
    }

    private static Block times(String title, List<SlowRequests.Part> parts) {
      return new Columns<SlowRequests.Part>()
          .words(title, SlowRequests.Part::doing)
          .numbers("Slow request", part -> Durations.format(part.slowSeconds()))
          .numbers("Other", part -> Durations.format(part.otherSeconds()))
          .of(parts);
    }

    private static Block checks(Diagnosis diagnosis, List<CrossCheck> checks, boolean agree) {
      Columns<CrossCheck> columns =
          new Columns<CrossCheck>()
              .add(
                  Column.words("Fact"),
                  check -> ChartSection.linked(diagnosis, check, Cell.of(check.title())))
              .words(
                  "They say",
                  check ->
                      "%s (%s; %s)".formatted(check.text(), check.a().source(), check.b().source())
                          + (agree ? why(check) : ""));
      return (agree ? columns : columns.add(Column.words("Agree"), SupportSections::agreement))
          .of(checks);
    }

    /** Why figures agree that look as if they did not. */
    private static String why(CrossCheck check) {
      double larger = Math.max(check.a().value(), check.b().value());
      return Math.abs(check.a().value() - check.b().value()) > VISIBLY * larger
          ? ": " + check.tolerance()
          : "";
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
      String basis =
          allocation.basis().isBlank() ? "" : " (measured by " + allocation.basis() + ")";
      String note = allocation.note().isBlank() ? "" : "; " + allocation.note();
      return String.join(", ", parts) + basis + note + ".";
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

    /** Samples have weights but no object sizes; the tree of stacks below shows the callers. */
    private static Block sampled(List<AllocationSite> sites) {
      return new Columns<AllocationSite>()
          .words("Class", AllocationSite::className)
          .numbers("Bytes", site -> site.bytes().toString())
          .words("Allocated by", AllocationSite::top)
          .of(sites);
    }

    /** Objects with their sizes, where their stacks begin and whose code is on them. */
    private static Block outside(List<AllocationSite> sites) {
      return new Columns<AllocationSite>()
          .numbers("Size", site -> site.typicalSize().map(Bytes::toString).orElse(FigureText.NONE))
          .words("Class", AllocationSite::className)
          .numbers("Bytes", site -> site.bytes().toString())
          .words("Allocated by", AllocationSite::top)
          .words("Stack root", AllocationSite::root)
          .words("Own code", site -> site.ofApplication() ? "yes" : "no")
          .of(sites);
    }
  }
}
