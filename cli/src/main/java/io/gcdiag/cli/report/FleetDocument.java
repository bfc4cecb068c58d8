package io.gcdiag.cli.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.module.SimpleModule;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.fleet.CaseFigures;
import io.gcdiag.fleet.CaseOutcome;
import io.gcdiag.fleet.CaseRow;
import io.gcdiag.fleet.FleetSummary;
import io.gcdiag.fleet.FleetSummary.CauseChange;
import io.gcdiag.fleet.FleetSummary.CauseTotal;
import io.gcdiag.fleet.FleetSummary.GroupTotal;
import io.gcdiag.fleet.FleetSummary.Outlier;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Estimate;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a fleet's cases say together: what costs most, which services are affected, what changed.
 *
 * @param zone the time zone of the times shown
 */
public record FleetDocument(FleetSummary summary, ZoneId zone) implements Printable {

  /** Rows of each table on one screen. */
  private static final int MOST_BRIEF = 10;

  /** Verdicts over time; bars of more would be too narrow to see. */
  private static final int TRAIL = 24;

  /** The same on a terminal. */
  private static final int BRIEF_TRAIL = 16;

  /** More services, hosts or days make a page that no browser shows. */
  private static final int MOST_GROUPS = 1_000;

  private static final int MOST_FAILED = 100;

  /** Smaller shares are printed as less than 0.1 %. */
  private static final double LEAST_SHARE = 0.0005;

  /** The cases listed below a group; the rows hold all. */
  private static final int MOST_CASES = 20;

  /** Below this the digits of a probability say nothing to a reader. */
  private static final double LEAST_CHANCE = 0.0001;

  private static final String LEAST_TEXT = "0.0001";

  private static final String LEGEND =
      "Over time, oldest first: a high bar is a case with a primary suspect, half a bar an"
          + " undecided one, a low bar a healthy or failed one. Since: the start of the present run"
          + " of cases with a primary suspect.";

  @Override
  public Report report() {
    return Report.of(
        title(),
        opening(),
        List.of(
            new Report.Section("Root causes", causes(Integer.MAX_VALUE)),
            new Report.Section("What changed", changes()),
            new Report.Section("Hosts unlike their peers", outliers()),
            new Report.Section(groupsTitle(), groups()),
            new Report.Section("Failed cases", failed(MOST_FAILED))));
  }

  @Override
  public Report brief() {
    List<Block> blocks = new ArrayList<>(opening());
    add(blocks, "Root causes", causes(MOST_BRIEF));
    add(blocks, "What changed", lines(briefChanges()));
    add(blocks, "Hosts unlike their peers", lines(briefOutliers()));
    add(blocks, groupsTitle(), briefGroups());
    add(blocks, "Failed cases", failed(MOST_BRIEF));
    return new Report(title(), blocks);
  }

  private static List<Block> lines(List<Cell> items) {
    if (items.isEmpty()) {
      return List.of();
    }
    Block shown = new Block.Bullets(items.stream().limit(MOST_BRIEF).toList());
    return withMore(shown, items.size() - MOST_BRIEF);
  }

  private static void add(List<Block> blocks, String heading, List<Block> part) {
    if (!part.isEmpty()) {
      blocks.add(new Block.Heading(heading));
      blocks.addAll(part);
    }
  }

  @Override
  public JsonNode json() {
    return FleetJson.of(summary);
  }

  private Cell title() {
    long sick =
        summary.groups().stream()
            .filter(group -> group.count(CaseOutcome.PRIMARY_SUSPECT) > 0)
            .count();
    String groups = groupWord(summary.groups().size());
    if (sick == 0) {
      boolean healthy = summary.all().count(CaseOutcome.HEALTHY) == summary.all().cases().size();
      return healthy
          ? new Cell("Healthy: all cases of " + groups, Tone.GOOD)
          : new Cell("No primary suspect in " + groups, Tone.WARNING);
    }
    String most =
        summary.causes().stream()
            .findFirst()
            .map(
                total ->
                    "; "
                        + total.cause().id()
                        + (total.lostSeconds().isPresent() ? " costs most" : " in most cases"))
            .orElse("");
    return new Cell(
        "Primary suspects in " + Numbers.count(sick) + " of " + groups + most, Tone.BAD);
  }

  private String groupWord(int count) {
    String one = summary.groupBy().title().toLowerCase(Locale.ROOT);
    return Numbers.count(count) + " " + one + (count == 1 ? "" : "s");
  }

  private String groupsTitle() {
    return summary.groupBy().title() + "s by severity";
  }

  private List<Block> opening() {
    GroupTotal all = summary.all();
    List<Fact> facts = new ArrayList<>();
    facts.add(Fact.of("Cases", Numbers.count(all.cases().size()) + ": " + outcomes(all)));
    span(all).ifPresent(window -> facts.add(Fact.of("Time", FigureText.window(window, zone))));
    if (all.lostSeconds().isPresent()) {
      facts.add(
          Fact.of(
              "Lost time",
              "%s of request time, measured in %s of %s cases"
                  .formatted(
                      lost(all.lostSeconds()),
                      Numbers.count(
                          all.cases().stream()
                              .filter(one -> one.lostSeconds().isPresent())
                              .count()),
                      Numbers.count(all.cases().size()))));
    }
    long partly = all.cases().stream().filter(CaseFigures::isPartly).count();
    if (partly > 0) {
      facts.add(
          new Fact(
              "Inputs",
              new Cell(
                  Numbers.count(partly)
                      + (partly == 1 ? " case has" : " cases have")
                      + " files that were left out or not read as a whole",
                  Tone.WARNING)));
    }
    return List.of(new Block.Facts(facts));
  }

  private static String outcomes(GroupTotal group) {
    return Stream.of(
            count(group, CaseOutcome.PRIMARY_SUSPECT, "with a primary suspect"),
            count(group, CaseOutcome.UNDECIDED, "undecided"),
            count(group, CaseOutcome.HEALTHY, "healthy"),
            count(group, CaseOutcome.FAILED, "failed"))
        .flatMap(Optional::stream)
        .collect(Collectors.joining(", "));
  }

  private static Optional<String> count(GroupTotal group, CaseOutcome outcome, String word) {
    int count = group.count(outcome);
    return count == 0 ? Optional.empty() : Optional.of(Numbers.count(count) + " " + word);
  }

  private static Optional<Window> span(GroupTotal all) {
    Comparator<Instant> order = Comparator.naturalOrder();
    Optional<Instant> from = all.cases().stream().flatMap(one -> one.from().stream()).min(order);
    Optional<Instant> to = all.cases().stream().flatMap(one -> one.to().stream()).max(order);
    return from.map(first -> new Window(first, to.orElseThrow()));
  }

  private List<Block> causes(int most) {
    if (summary.causes().isEmpty()) {
      return List.of();
    }
    List<CauseTotal> causes = summary.causes();
    int rows = Math.min(most, causes.size());
    List<CauseTotal> more = causes.subList(rows, causes.size());
    double whole = summary.all().lostSeconds().orElse(0);
    double rest = whole - lost(causes);
    List<Cell> shares =
        shares(
            Stream.concat(
                    causes.stream().limit(rows).map(one -> one.lostSeconds().orElse(0)),
                    Stream.of(lost(more), rest))
                .toList(),
            whole);
    Block.Table shown =
        new Columns<CauseTotal>()
            .add(Column.ids("Root cause"), total -> new Cell(total.cause().id(), Tone.STRONG))
            .numbers("Lost time", total -> lost(total.lostSeconds()))
            .add(
                Column.numbers("Share"),
                total ->
                    total.lostSeconds().isPresent()
                        ? shares.get(causes.indexOf(total))
                        : Cell.of(FigureText.NONE))
            .numbers("Primary", total -> Numbers.count(total.primary()))
            .numbers("Contributing", total -> Numbers.count(total.contributing()))
            .numbers(summary.groupBy().title() + "s", total -> Numbers.count(total.groups().size()))
            .add(Column.words("Look first"), total -> link(total.worst()))
            .of(causes.subList(0, rows))
            .open();
    if (!more.isEmpty()) {
      String name = Numbers.count(more.size()) + " more causes";
      shown = shown.and(rest(name, lost(more), shares.get(rows)));
    }
    if (rest > 0 && rest / whole >= LEAST_SHARE) {
      shown = shown.and(rest("no suspect", rest, shares.get(rows + 1)));
    }
    return withMore(shown, more.size());
  }

  private static double lost(List<CauseTotal> causes) {
    return causes.stream().mapToDouble(total -> total.lostSeconds().orElse(0)).sum();
  }

  /**
   * A row without cases, so that the shares of all rows make the whole: causes that are not shown,
   * and what no suspect explains, in which each case's other causes are as well.
   */
  private static List<Cell> rest(String name, double seconds, Cell share) {
    Cell none = Cell.of("");
    return List.of(
        new Cell(name, Tone.MUTED),
        Cell.of(lost(OptionalDouble.of(seconds))),
        share,
        none,
        none,
        none,
        none);
  }

  /** Shares that add up as they are printed. */
  private static List<Cell> shares(List<Double> seconds, double whole) {
    return whole <= 0
        ? Collections.nCopies(seconds.size(), Cell.of(FigureText.NONE))
        : Ratio.parts(seconds.stream().map(part -> Math.max(0, part) / whole).toList()).stream()
            .map(share -> share < LEAST_SHARE ? Cell.of("< 0.1 %") : Cell.share(share))
            .toList();
  }

  private static List<Block> withMore(Block shown, int more) {
    String rest = Numbers.count(more) + " more in the page index.html, and with --verbose.";
    return more <= 0 ? List.of(shown) : List.of(shown, Block.Paragraph.muted(rest));
  }

  private List<Block> groups() {
    List<GroupTotal> groups = summary.groups().stream().limit(MOST_GROUPS).toList();
    List<Block> blocks = new ArrayList<>();
    blocks.add(Block.Paragraph.muted(LEGEND));
    blocks.add(
        // A narrow screen leaves out what is blank.
        columns(TRAIL, "")
            .numbers("Undecided", group -> blankZero(group.count(CaseOutcome.UNDECIDED)))
            .numbers("Failed", group -> blankZero(group.count(CaseOutcome.FAILED)))
            .add(
                Column.words("Look first"),
                group -> group.worst().map(this::link).orElse(Cell.of("")))
            .of(groups)
            .unfolding("Cases of", groups.stream().map(this::cases).toList())
            .open());
    int more = summary.groups().size() - groups.size();
    if (more > 0) {
      blocks.add(
          Block.Paragraph.muted(
              "The most severe %s; %s more with --format json."
                  .formatted(Numbers.count(groups.size()), Numbers.count(more))));
    }
    return blocks;
  }

  private static String blankZero(int count) {
    return count == 0 ? "" : Numbers.count(count);
  }

  /** The page has the links. */
  private List<Block> briefGroups() {
    List<GroupTotal> groups = summary.groups().stream().limit(MOST_BRIEF).toList();
    return withMore(
        columns(BRIEF_TRAIL, FigureText.NONE).of(groups).open(),
        summary.groups().size() - MOST_BRIEF);
  }

  private Columns<GroupTotal> columns(int places, String none) {
    return new Columns<GroupTotal>()
        .add(Column.ids(summary.groupBy().title()), group -> new Cell(group.name(), Tone.STRONG))
        .add(Column.words("Over time"), group -> trail(group.trail(places)))
        .numbers(
            "Suspects in",
            group ->
                Numbers.count(group.count(CaseOutcome.PRIMARY_SUSPECT))
                    + " of "
                    + Numbers.count(group.cases().size()))
        .numbers("Lost time", group -> lost(group.lostSeconds()))
        .ids("Mostly", group -> group.cause().map(Hypothesis::id).orElse(none))
        .words("Since", group -> group.since().map(at -> FigureText.minute(at, zone)).orElse(none));
  }

  private static Cell trail(List<CaseOutcome> trail) {
    return Cell.trail(
        trail.stream().map(FleetDocument::level).collect(Collectors.joining()),
        trail.stream().map(FleetDocument::tone).toList());
  }

  private static String level(CaseOutcome outcome) {
    return switch (outcome) {
      case PRIMARY_SUSPECT -> "█";
      case UNDECIDED -> "▄";
      case HEALTHY -> "▁";
      case FAILED -> "!";
    };
  }

  static Tone tone(CaseOutcome outcome) {
    return switch (outcome) {
      case PRIMARY_SUSPECT -> Tone.BAD;
      case UNDECIDED -> Tone.WARNING;
      case HEALTHY -> Tone.GOOD;
      case FAILED -> Tone.MUTED;
    };
  }

  static String lost(OptionalDouble seconds) {
    return seconds.isPresent() ? Durations.format(seconds.getAsDouble()) : FigureText.NONE;
  }

  private List<Block> failed(int most) {
    List<CaseFigures> failed =
        summary.all().cases().stream().filter(one -> one.outcome() == CaseOutcome.FAILED).toList();
    if (failed.isEmpty()) {
      return List.of();
    }
    Block shown =
        Block.Bullets.of(
            failed.stream()
                .limit(most)
                .map(this::row)
                .map(row -> name(row) + ": " + row.error())
                .toList());
    return withMore(shown, failed.size() - most);
  }

  private CaseRow row(CaseFigures one) {
    return summary.rows().at(one.place());
  }

  private Cell link(CaseFigures one) {
    CaseRow row = row(one);
    return Cell.of(name(row)).toFile(row.report());
  }

  private String name(CaseRow row) {
    return row.key().id().substring(summary.folder().length());
  }

  /** The cases of a group, a line each, with links to their reports. */
  private List<Block> cases(GroupTotal group) {
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
      parts.add("lost " + lost(row.lostSeconds()));
    }
    row.origin().host().ifPresent(host -> parts.add("host " + host));
    row.origin().build().ifPresent(build -> parts.add("version " + build));
    if (!row.error().isEmpty()) {
      parts.add(row.error());
    }
    return new Cell(String.join(", ", parts), tone(row.outcome())).toFile(row.report());
  }

  private static String confidence(CaseRow row) {
    return row.primary().isEmpty()
        ? ""
        : row.suspects().get(0).confidence().map(rated -> " (" + rated.id() + ")").orElse("");
  }

  /** A fleet's summary for machines. Fields may be added, never renamed or dropped. */
  private record FleetJson(
      String groupBy,
      Group all,
      List<CauseTotal> causes,
      List<Group> groups,
      List<CauseChange> changes,
      List<Outlier> outliers,
      List<One> failed) {

    static JsonNode of(FleetSummary summary) {
      return Json.document(
          new FleetJson(
              summary.groupBy().name().toLowerCase(Locale.ROOT),
              Group.of(Optional.empty(), summary.all()),
              summary.causes(),
              Json.each(summary.groups(), one -> Group.of(Optional.of(one.name()), one)),
              summary.changes(),
              summary.outliers(),
              summary.all().cases().stream()
                  .filter(one -> one.outcome() == CaseOutcome.FAILED)
                  .map(one -> One.of(summary.rows().at(one.place())))
                  .toList()),
          new SimpleModule()
              .setMixInAnnotation(CauseTotal.class, Total.class)
              .setMixInAnnotation(CauseChange.Count.class, Count.class)
              .setMixInAnnotation(Outlier.class, Other.class)
              .addSerializer(
                  Json.as(CaseFigures.class, one -> One.of(summary.rows().at(one.place())))));
    }

    private record One(
        @JsonProperty("case") String id,
        String report,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) String error) {
      static One of(CaseRow row) {
        return new One(row.key().id(), row.report(), row.error());
      }
    }

    private record Group(
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Optional<String> name,
        int cases,
        int primarySuspect,
        int undecided,
        int failed,
        int healthy,
        OptionalDouble lostSeconds,
        Optional<Hypothesis> cause,
        Optional<Instant> since,
        Optional<CaseFigures> worst) {

      static Group of(Optional<String> name, GroupTotal group) {
        return new Group(
            name,
            group.cases().size(),
            group.count(CaseOutcome.PRIMARY_SUSPECT),
            group.count(CaseOutcome.UNDECIDED),
            group.count(CaseOutcome.FAILED),
            group.count(CaseOutcome.HEALTHY),
            group.lostSeconds(),
            group.cause(),
            group.since(),
            group.worst());
      }
    }

    @JsonPropertyOrder({"id", "lostSeconds", "primary", "contributing", "groups", "worst"})
    private interface Total {
      @JsonProperty("id")
      Hypothesis cause();
    }

    @JsonPropertyOrder({"named", "cases", "shareInterval"})
    private interface Count {
      @JsonProperty("shareInterval")
      Estimate interval();
    }

    @JsonPropertyOrder({"service", "host", "cause", "own", "peers", "chance"})
    private interface Other {}
  }

  private List<Block> changes() {
    if (summary.changes().isEmpty()) {
      return List.of();
    }
    return List.of(
        new Columns<CauseChange>()
            .add(Column.ids("Service"), one -> new Cell(service(one), Tone.STRONG))
            .ids("Root cause", one -> one.cause().id())
            .add(Column.words("Change"), one -> new Cell(word(one), tone(one)))
            .words("From", this::when)
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

  private String when(CauseChange change) {
    String when = FigureText.minute(change.at(), zone);
    return change.what().isEmpty() ? when : when + ", " + change.what();
  }

  private List<Cell> briefChanges() {
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

  private List<Cell> briefOutliers() {
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

  private static String chance(double probability) {
    return probability < LEAST_CHANCE ? "< " + LEAST_TEXT : Numbers.threeSignificant(probability);
  }

  private List<Block> outliers() {
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
