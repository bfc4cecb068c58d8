package io.gcdiag.cli.report;

import io.gcdiag.books.CausalLink;
import io.gcdiag.books.Finding;
import io.gcdiag.books.LedgerEntry;
import io.gcdiag.cli.report.Block.Arrow;
import io.gcdiag.cli.report.Report.Section;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.Station;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Estimate;
import io.gcdiag.units.Numbers;
import io.gcdiag.verdict.CausalGraph;
import io.gcdiag.verdict.Diagnosis;
import io.gcdiag.verdict.Judgement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How the cause led to the user impact, and where the time went. */
final class ChainSection {

  /** Names of the two facts of a first screen. */
  static final String SUM = "Lost time";

  static final String DELAYED = "Delayed";

  /** Prefix of a figure that is an upper bound. */
  private static final String AT_MOST = "≤ ";

  /** Steps below this share of the lost time are not shown. */
  private static final double LEAST_IN_SIGHT = 0.01;

  /** As many terms of the suspect's share as fit in a line. */
  private static final int MOST_PARTS = 2;

  /** An effect with fewer threads on average and no share gets no line. */
  private static final double LEAST_THREADS = 0.5;

  /** Fewer threads are printed as 0. */
  private static final double LEAST_PRINTED = 0.005;

  /** From this share on, the sum would repeat that of all lost time. */
  private static final double NEARLY_ALL = 0.99;

  /** A smaller part of a figure does not change its first three digits. */
  private static final double THIRD_DIGIT = 0.001;

  static Section of(Diagnosis diagnosis) {
    List<Block> blocks = new ArrayList<>();
    List<CausalLink> chain = diagnosis.lostTime().causes().chain();
    if (!chain.isEmpty()) {
      blocks.add(new Block.Chain(chain.stream().map(link -> arrow(diagnosis, link)).toList()));
    }
    List<CausalLink> beside = beside(diagnosis.lostTime().causes());
    if (!beside.isEmpty()) {
      addSteps(diagnosis, blocks, beside, chain.isEmpty() ? "What led to what:" : "Also:");
    }
    if (!diagnosis.lostTime().ledger().isEmpty()) {
      blocks.add(Block.Paragraph.of(whole(diagnosis)));
      blocks.add(ledger(diagnosis.lostTime().ledger()));
      unexplained(diagnosis).ifPresent(text -> blocks.add(Block.Paragraph.of(text)));
    }
    if (Relevance.ofWaiting(diagnosis)) {
      StackBlocks.of(diagnosis, diagnosis.figures().waiting()).ifPresent(blocks::add);
    }
    return new Section(chain.isEmpty() ? "Where the time went" : "Causal chain", blocks);
  }

  /** What the shares of the ledger, the chain and the causes are shares of. */
  private static String whole(Diagnosis diagnosis) {
    double seconds = diagnosis.lostTime().seconds();
    return "Where the "
        + (seconds > 0 && diagnosis.windows().dated()
            ? "lost time (100 %% = %s, sum over all requests)".formatted(Durations.format(seconds))
            : "lost time")
        + " was spent, in threads on average:";
  }

  /** Small steps are left to the JSON report, unless there are no others. */
  private static void addSteps(
      Diagnosis diagnosis, List<Block> blocks, List<CausalLink> steps, String title) {
    List<CausalLink> large = steps.stream().filter(step -> step.share() >= LEAST_IN_SIGHT).toList();
    boolean any = !large.isEmpty() || diagnosis.lostTime().causes().chain().isEmpty();
    if (any) {
      blocks.add(Block.Paragraph.of(title));
      blocks.add(steps(diagnosis, large.isEmpty() ? steps : large));
    }
  }

  private static Arrow arrow(Diagnosis diagnosis, CausalLink link) {
    return new Arrow(
        title(diagnosis, link.from()),
        FigureText.share(link.share()) + " of the lost time: " + why(diagnosis, link),
        link.rows().stream().map(Station::inWords).toList(),
        title(diagnosis, link.to()));
  }

  /** In few words where the section on the root cause states it in full. */
  private static String why(Diagnosis diagnosis, CausalLink link) {
    Map<String, String> briefs =
        diagnosis.primary().stream()
            .flatMap(primary -> primary.findings().stream())
            .collect(Collectors.toMap(Finding::statement, Finding::brief, (one, same) -> one));
    return link.statements().stream()
        .map(statement -> briefs.getOrDefault(statement, statement))
        .collect(Collectors.joining("; "));
  }

  /** Steps outside of the main chain, one row each. */
  private static Block steps(Diagnosis diagnosis, List<CausalLink> links) {
    return new Columns<CausalLink>()
        .words("From", link -> title(diagnosis, link.from()))
        .words("To", link -> title(diagnosis, link.to()))
        .numbers("Of lost time", link -> FigureText.share(link.share()))
        .words("Why", CausalLink::statement)
        .of(links);
  }

  /**
   * Leaves out shares that round to zero and effects outside of the chain, which the ledger has.
   */
  private static List<CausalLink> beside(CausalGraph causes) {
    return causes.beside().stream()
        .filter(link -> !FigureText.isNothing(link.share()))
        .filter(
            link ->
                !link.to().equals(CausalLink.LATENCY)
                    || causes.chain().stream().anyMatch(step -> step.to().equals(link.from())))
        .toList();
  }

  /** Empty if the suspect states it already, or if no time was lost. */
  private static Optional<String> unexplained(Diagnosis diagnosis) {
    if (Answer.isShared(diagnosis)) {
      return Optional.empty();
    }
    double share = diagnosis.lostTime().unexplainedShare();
    if (!FigureText.isNothing(share)) {
      return Optional.of(FigureText.share(share) + " of it is unexplained.");
    }
    boolean shared =
        diagnosis.judgements().stream().anyMatch(j -> j.share().explained().orElse(0) > 0);
    return shared ? Optional.of("Nothing is unexplained.") : Optional.empty();
  }

  private static Block ledger(List<LedgerEntry> entries) {
    return new Block.Table(
        List.of(
            Column.words("Time spent"),
            Column.numbers("Before"),
            Column.numbers("During"),
            Column.numbers("Share"),
            Column.aside("How measured")),
        entries.stream()
            .filter(ChainSection::isWorthALine)
            .sorted(Comparator.comparing(LedgerEntry::share).reversed())
            .flatMap(ChainSection::lines)
            .toList());
  }

  /**
   * The lost time as a sum of what requests waited for, with the figures of each part, so that one
   * can check on paper what the shares are shares of.
   */
  static List<Fact> brief(Diagnosis diagnosis) {
    double all = diagnosis.lostTime().seconds();
    double window = diagnosis.windows().incident().seconds();
    List<LedgerEntry> large =
        diagnosis.lostTime().ledger().stream()
            .filter(entry -> !entry.atMost() && entry.share() >= LEAST_IN_SIGHT)
            .sorted(Comparator.comparing(LedgerEntry::share).reversed())
            .toList();
    // Waits in files without a time have no length, and pauses alone are no lost time.
    boolean shown = diagnosis.windows().dated() && !diagnosis.told().delayUnknown();
    if (large.isEmpty() || window <= 0 || !shown) {
      return List.of();
    }
    List<Fact> facts = new ArrayList<>();
    List<String> sums = new ArrayList<>();
    boolean ofRun = diagnosis.lostTime().ofWholeRun();
    sums.add(
        sum(
            all,
            large,
            LedgerEntry::excessThreadSeconds,
            entry ->
                ofRun && entry.effect() == Effect.UNACCOUNTED
                    ? ", in the whole load test"
                    : product(entry, window) + outside(entry, window)));
    explained(diagnosis, large).ifPresent(sums::add);
    facts.add(Fact.of(SUM, sums));
    large.stream()
        .filter(entry -> !entry.sum().isEmpty())
        .map(
            entry ->
                Fact.of(
                    DELAYED,
                    "by pauses: "
                        + entry.sum()
                        + " = "
                        + seconds(entry.incidentThreads() * window)))
        .forEach(facts::add);
    return facts;
  }

  /**
   * The suspect's share as a sum of the same parts; empty if it is all of a single one, which one
   * sees.
   */
  private static Optional<String> explained(Diagnosis diagnosis, List<LedgerEntry> large) {
    Map<Effect, Double> by = diagnosis.lostTime().bySuspect();
    ToDoubleFunction<LedgerEntry> part = entry -> by.getOrDefault(entry.effect(), 0.0);
    double all = diagnosis.lostTime().seconds();
    double seconds = by.values().stream().mapToDouble(one -> one).sum();
    List<LedgerEntry> parts =
        large.stream()
            .filter(one -> !FigureText.isNothing(part.applyAsDouble(one) / all))
            .sorted(Comparator.comparingDouble(part).reversed())
            .limit(MOST_PARTS)
            .toList();
    double share = seconds / all;
    return parts.isEmpty()
            || share > NEARLY_ALL
            || parts.size() == 1
                && FigureText.isNothing(Math.abs(1 - seconds / parts.get(0).excessThreadSeconds()))
        ? Optional.empty()
        : Optional.of(largest(diagnosis) + ": " + sum(seconds, parts, part, any -> ""));
  }

  /** The share of the suspects, or of a contributing cause by its name. */
  private static String largest(Diagnosis diagnosis) {
    List<Judgement> causes = diagnosis.largest();
    double share = causes.stream().mapToDouble(one -> one.share().explained().orElse(0)).sum();
    return FigureText.share(share)
        + (diagnosis.primarySuspect().isPresent()
            ? ""
            : " (" + causes.get(0).hypothesis().id() + ")");
  }

  private static String sum(
      double all,
      List<LedgerEntry> parts,
      ToDoubleFunction<LedgerEntry> part,
      Function<LedgerEntry, String> product) {
    double rest = all - parts.stream().mapToDouble(part).sum();
    return parts.stream()
            .map(
                one ->
                    seconds(part.applyAsDouble(one))
                        + " "
                        + one.effect().title()
                        + product.apply(one))
            .collect(Collectors.joining(" + ", seconds(all) + " = ", ""))
        + (FigureText.isNothing(rest / all) ? "" : " + " + seconds(rest) + " more");
  }

  /** {@code " ((60.3 - 0.3) x 34.6 s)"}; empty where the part is no such product. */
  private static String product(LedgerEntry entry, double window) {
    // Of calls that are not slower, and of what is normal, a part counts alone.
    return product(
            entry.incidentThreads(),
            entry.baselineThreads().orElse(0),
            window,
            entry.excessThreadSeconds())
        .map(product -> " (" + product + ")")
        .orElse("");
  }

  /** {@code (60.3 - 0.3) x 34.6 s}; empty if that is not the time. */
  private static Optional<String> product(double now, double usual, double window, double time) {
    return usual < THIRD_DIGIT * (now - usual)
        ? Numbers.exactly("%s x %s s", time, factors -> factors[0] * factors[1], now, window)
        : Numbers.exactly(
            "(%s - %s) x %s s",
            time, factors -> (factors[0] - factors[1]) * factors[2], now, usual, window);
  }

  /** Of what is in no recorded state, what is known to pass before the server. */
  private static String outside(LedgerEntry entry, double window) {
    return entry.sites().stream()
        .filter(site -> site.name().equals(Station.Kind.BEFORE_SERVER.title()))
        .map(site -> (site.incidentThreads() - site.baselineThreads().orElse(0)) * window)
        .map(part -> Math.min(entry.excessThreadSeconds(), part))
        .map(part -> ", of it " + seconds(part) + " " + Station.Kind.BEFORE_SERVER.title())
        .findFirst()
        .orElse("");
  }

  private static String seconds(double seconds) {
    return Numbers.threeDigits(seconds) + " s";
  }

  /** An effect without a share and with hardly any threads gets no line. */
  private static boolean isWorthALine(LedgerEntry entry) {
    return !FigureText.isNothing(entry.share())
        || Math.max(entry.baselineThreads().orElse(0), entry.incidentThreads()) >= LEAST_THREADS;
  }

  private static boolean isNothing(OptionalDouble before, double during) {
    return Math.max(during, before.orElse(0)) < LEAST_PRINTED;
  }

  private static Stream<List<Cell>> lines(LedgerEntry entry) {
    List<LedgerEntry.Site> sites =
        entry.sites().stream()
            .filter(site -> !isNothing(site.baselineThreads(), site.incidentThreads()))
            .toList();
    List<Cell> line = line(entry, "");
    // A single site with all of the time needs no line of its own.
    boolean isAll =
        sites.size() == 1 && cells(sites.get(0)).subList(1, 3).equals(line.subList(1, 3));
    return isAll
        ? Stream.of(line(entry, ": " + sites.get(0).name()))
        : Stream.concat(Stream.of(line), sites.stream().map(ChainSection::cells));
  }

  private static List<Cell> line(LedgerEntry entry, String site) {
    String bound = entry.atMost() ? AT_MOST : "";
    return List.of(
        Cell.of(entry.effect().title() + site),
        Cell.of(
            (entry.baselineThreads().isPresent() ? bound : "") + threads(entry.baselineThreads())),
        Cell.of(
            bound
                + threads(OptionalDouble.of(entry.incidentThreads()))
                + entry.incidentThreadsInterval().map(ChainSection::range).orElse("")),
        Cell.of(entry.atMost() ? FigureText.NONE : FigureText.share(entry.share(), "none")),
        new Cell(entry.note(), Tone.MUTED));
  }

  private static String range(Estimate interval) {
    return " (%s to %s)"
        .formatted(Numbers.threeDigits(interval.low()), Numbers.threeDigits(interval.high()));
  }

  private static List<Cell> cells(LedgerEntry.Site site) {
    return List.of(
        Cell.of("- " + site.name()),
        Cell.of(threads(site.baselineThreads())),
        Cell.of(threads(OptionalDouble.of(site.incidentThreads()))),
        Cell.of(""),
        Cell.of(""));
  }

  private static String threads(OptionalDouble threads) {
    return threads.isPresent() ? Numbers.threeDigits(threads.getAsDouble()) : FigureText.NONE;
  }

  private static String title(Diagnosis diagnosis, String id) {
    if (id.equals(CausalLink.LATENCY)) {
      return "Slower requests";
    }
    return Arrays.stream(Effect.values())
        .filter(effect -> effect.id().equals(id))
        .map(Effect::title)
        .findFirst()
        .or(
            () ->
                diagnosis.judgements().stream()
                    .filter(judgement -> judgement.hypothesis().id().equals(id))
                    .map(Judgement::title)
                    .findFirst())
        .map(FigureText::capital)
        .orElse(id);
  }
}
