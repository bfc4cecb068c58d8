package io.gcdiag.cli.report;

import io.gcdiag.cli.report.Report.Section;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.figures.GcSummary;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.verdict.Diagnosis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The GC pauses by length and by cause, which is what a GC log alone has to say. */
final class CollectionSection {

  private static final int MOST_CAUSES = 3;

  /** Where memory matters for the answer, or nothing else is known. */
  static Section of(Diagnosis diagnosis) {
    GcSummary collections = diagnosis.figures().collections();
    List<Block> blocks = new ArrayList<>();
    if (collections.pauses() > 0 && (Relevance.ofAllocation(diagnosis) || isLogAlone(diagnosis))) {
      blocks.add(Block.Paragraph.of(percentiles(collections) + "."));
      blocks.add(
          new Columns<GcSummary.Length>()
              .words("Length of pauses", CollectionSection::between)
              .add(
                  Column.numbers("Pauses"),
                  length ->
                      Cell.share((double) length.pauses() / collections.pauses())
                          .saying(Numbers.count(length.pauses())))
              .of(collections.lengths()));
      blocks.add(
          new Columns<GcSummary.Cause>()
              .words("Cause", CollectionSection::name)
              .numbers("Pauses", cause -> Numbers.count(cause.pauses()))
              .numbers("Sum", cause -> time(cause.nanos()))
              .numbers("Longest", cause -> time(cause.longestNanos()))
              .of(collections.causes()));
    }
    return new Section("GC pauses", blocks);
  }

  /** The same in a few lines, if a log is all there is. */
  static List<Fact> brief(Diagnosis diagnosis) {
    GcSummary collections = diagnosis.figures().collections();
    if (collections.pauses() == 0 || !isLogAlone(diagnosis)) {
      return List.of();
    }
    List<Fact> facts = new ArrayList<>();
    FiveChecks.course(diagnosis, "heap.promoted")
        .ifPresent(promoted -> facts.add(Fact.of("Promotion", promoted + " a minute")));
    facts.add(Fact.of("Lengths", percentiles(collections)));
    facts.add(
        Fact.of(
            "Histogram",
            collections.lengths().stream()
                .map(length -> between(length) + ": " + Numbers.count(length.pauses()))
                .collect(Collectors.joining(", "))));
    facts.add(
        Fact.of(
            "Causes",
            collections.causes().stream()
                .limit(MOST_CAUSES)
                .map(
                    cause ->
                        name(cause)
                            + " "
                            + Numbers.count(cause.pauses())
                            + " ("
                            + time(cause.nanos())
                            + ")")
                .collect(Collectors.joining(", "))));
    return facts;
  }

  private static boolean isLogAlone(Diagnosis diagnosis) {
    return diagnosis.inputs().stream()
        .filter(input -> input.status() != InputReport.Status.UNUSED)
        .allMatch(input -> input.format().equals("gc-log"));
  }

  private static String percentiles(GcSummary collections) {
    return collections.percentiles().stream()
            .map(one -> percentile(one) + " " + time(one.nanos()))
            .collect(Collectors.joining(", "))
        + " of "
        + Numbers.counted(collections.pauses(), "pause")
        + (FigureText.isNothing(collections.throughput())
            ? ""
            : "; throughput " + FigureText.share(collections.throughput()));
  }

  private static String percentile(GcSummary.Percentile one) {
    return one.percent() == 100 ? "longest" : "P" + Math.round(one.percent());
  }

  private static String between(GcSummary.Length length) {
    String from = time(length.fromNanos());
    return length.isOpen() ? from + " or longer" : from + " to " + time(length.toNanos());
  }

  private static String name(GcSummary.Cause cause) {
    return cause.name().isBlank() ? "not recorded" : cause.name();
  }

  private static String time(long nanos) {
    return nanos == 0 ? "0" : Durations.format(Duration.ofNanos(nanos));
  }
}
