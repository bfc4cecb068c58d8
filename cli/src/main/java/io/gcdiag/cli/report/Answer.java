package io.gcdiag.cli.report;

import io.gcdiag.books.Bearing;
import io.gcdiag.books.Finding;
import io.gcdiag.books.LedgerEntry;
import io.gcdiag.books.Place;
import io.gcdiag.evidence.EndpointSeries;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.figures.Metric;
import io.gcdiag.measures.requests.EndpointExcess;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.Station;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Estimate;
import io.gcdiag.units.Numbers;
import io.gcdiag.verdict.Conclusion;
import io.gcdiag.verdict.Diagnosis;
import io.gcdiag.verdict.Judgement;
import io.gcdiag.verdict.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The facts of the answer: how much it explains, why, what to do, confidence, user impact. */
final class Answer {

  /** The label of the fact on the slowest of several endpoints. */
  static final String ENDPOINT = "Endpoint";

  private static final String RATE = "request.rate";

  private static final List<String> IMPACT =
      List.of(
          "latency.p99",
          "latency.p50",
          "latency.mean",
          "request.failed",
          "request.unsent",
          RATE,
          "server.latency.p99",
          "server.latency.mean");

  /** The mean of a whole test mixes two states, so that it is shown where windows are compared. */
  private static final String MEAN = ".mean";

  /** More doubts than this would push the answer off the first screen. */
  private static final int MOST_DOUBTS = 5;

  /** Collectors other than G1 log no phases before JDK 9. */
  private static final String LOG_PHASES =
      "log what pauses are spent in (-Xlog:gc*,gc+phases=debug; JDK 8: -XX:+UseG1GC"
          + " -XX:+PrintGCDetails)";

  /** Formats that record the same pauses of one JVM. */
  private static final Set<String> SAME_PAUSES = Set.of("jfr", "gc-log");

  /** Problems of the inputs that weaken the answer. */
  static List<Cell> doubts(Diagnosis diagnosis) {
    List<InputReport> affected =
        diagnosis.inputs().stream().filter(InputReport::isAffected).toList();
    List<String> doubts = new ArrayList<>();
    affected.stream().limit(MOST_DOUBTS).map(Answer::doubt).forEach(doubts::add);
    int more = affected.size() - MOST_DOUBTS;
    if (more > 0) {
      doubts.add(Numbers.count(more) + " more were not read, not read whole, or left out");
    }
    return doubts.stream()
        .map(doubt -> new Cell("Check the inputs: " + doubt, Tone.WARNING))
        .toList();
  }

  private static String doubt(InputReport input) {
    String how =
        switch (input.status()) {
          case OK, UNUSED -> " was read";
          case PARTIAL -> " was read in part";
          case UNREADABLE -> " was not read";
          case LEFT_OUT -> " was left out";
        };
    return input.file() + how + (input.note().isBlank() ? "" : ": " + input.note());
  }

  /** What stands above the facts: an answer without a suspect, or with two of unknown share. */
  static Optional<Block.Paragraph> summary(Diagnosis diagnosis) {
    boolean inFacts = isShared(diagnosis) || diagnosis.with(Verdict.PRIMARY_SUSPECT).size() == 1;
    return inFacts || diagnosis.summary().isBlank()
        ? Optional.empty()
        : Optional.of(Block.Paragraph.of(diagnosis.summary()));
  }

  /** Whether the suspect has a share of the lost time. */
  static boolean isShared(Diagnosis diagnosis) {
    return diagnosis
        .primary()
        .filter(primary -> primary.share().explained().isPresent())
        .isPresent();
  }

  static List<Fact> facts(Diagnosis diagnosis) {
    List<Fact> facts = new ArrayList<>();
    diagnosis
        .primary()
        .ifPresent(
            primary -> {
              if (isShared(diagnosis) || summary(diagnosis).isEmpty()) {
                facts.add(Fact.of(BriefReport.EXPLAINS, explains(diagnosis, false)));
              }
              primary
                  .advice()
                  .place()
                  .ifPresent(place -> facts.add(Fact.of("Where", place.toString())));
              facts.add(Fact.of("Why", primary.keyFigures()));
              doFirst(diagnosis)
                  .ifPresent(
                      action -> facts.add(new Fact("Do first", new Cell(action, Tone.STRONG))));
              PredictionSection.best(diagnosis, primary.hypothesis())
                  .map(text -> withoutCommand(text, primary.rating().surer()))
                  .map(text -> once(text, primary.rating().doubts()))
                  .ifPresent(text -> facts.add(Fact.of("Expect", text)));
              facts.add(Fact.of("Confidence", confidence(diagnosis, primary)));
            });
    boolean explained =
        !diagnosis.lostTime().ofWholeRun()
            && diagnosis.judgements().stream()
                .anyMatch(one -> !FigureText.isNothing(one.share().explained().orElse(0)));
    if (diagnosis.conclusion() == Conclusion.UNDECIDED && explained) {
      facts.add(Fact.of(BriefReport.EXPLAINS, explains(diagnosis, false)));
    }
    firstStep(diagnosis)
        .map(
            step ->
                new Cell((isSlower(diagnosis) ? "" : "if users notice it: ") + step, Tone.STRONG))
        .ifPresent(step -> facts.add(new Fact("Do first", step)));
    impact(diagnosis).ifPresent(text -> facts.add(Fact.of("User impact", text)));
    endpoint(diagnosis).ifPresent(text -> facts.add(Fact.of(ENDPOINT, text)));
    return facts;
  }

  /** Of several endpoints the one with most of the delay, if it is not the suspect's place. */
  private static Optional<String> endpoint(Diagnosis diagnosis) {
    List<String> places =
        diagnosis.primary().flatMap(primary -> primary.advice().place()).stream()
            .flatMap(place -> place.parts().stream().map(Place.Part::name))
            .toList();
    double least =
        diagnosis.conclusion() == Conclusion.UNDECIDED ? Policy.SUBSTANTIAL : Policy.MAJORITY;
    return diagnosis.figures().endpoints().stream()
        .findFirst()
        .filter(any -> diagnosis.conclusion() != Conclusion.HEALTHY)
        .filter(slow -> slow.share() >= least && !places.contains(slow.endpoint()))
        .filter(slow -> !slow.endpoint().equals(EndpointSeries.OTHERS) && !isAll(diagnosis, slow))
        .map(slow -> slow.endpoint() + ": " + slow.words());
  }

  /** Whether nearly all requests go to this endpoint, so that its name distinguishes nothing. */
  private static boolean isAll(Diagnosis diagnosis, EndpointExcess slow) {
    return diagnosis
        .figures()
        .stations(Station.Kind.REQUESTS)
        .flatMapToDouble(station -> station.during().perSecond().stream())
        .anyMatch(all -> slow.during().rate().perSecond() >= Policy.FULL * all);
  }

  /** The first lead of an answer that is undecided. */
  static Optional<Judgement> lead(Diagnosis diagnosis) {
    return diagnosis.conclusion() == Conclusion.UNDECIDED
        ? diagnosis.judgements().stream().filter(Judgement::isLead).findFirst()
        : Optional.empty();
  }

  /** Of an undecided answer: what the lead or a contributing cause asks for, else what decides. */
  private static Optional<String> firstStep(Diagnosis diagnosis) {
    if (diagnosis.conclusion() != Conclusion.UNDECIDED) {
      return Optional.empty();
    }
    return lead(diagnosis)
        .map(Judgement::firstAction)
        .or(
            () ->
                diagnosis.judgements().stream().flatMap(one -> one.actions().stream()).findFirst())
        .or(() -> diagnosis.told().shorterPauses())
        .or(() -> Optional.of(LOG_PHASES).filter(any -> areLostInPauses(diagnosis)))
        .or(() -> diagnosis.told().asks())
        .or(() -> BriefReport.nextTime(diagnosis).stream().findFirst().map("get "::concat))
        .or(() -> Optional.of("collect more while it lasts: gcdiag collect"));
  }

  private static boolean areLostInPauses(Diagnosis diagnosis) {
    return !diagnosis.told().delayUnknown()
        && diagnosis.lostTime().ledger().stream()
            .filter(entry -> entry.effect() == Effect.STOPPED && !entry.atMost())
            .filter(entry -> entry.incidentThreads() >= Policy.HARDLY_STOPPED)
            .anyMatch(entry -> entry.share() > Policy.MAJORITY);
  }

  /** Without the command in brackets at its end, if the other text ends with it as well. */
  private static String withoutCommand(String text, String other) {
    int bracket = text.lastIndexOf(" (");
    return bracket > 0 && other.endsWith(text.substring(bracket))
        ? text.substring(0, bracket)
        : text;
  }

  /** A reason that stands beside the confidence is printed there. */
  private static String once(String expected, String doubts) {
    String why = expected.replace(PredictionSection.NOT, "");
    return !why.equals(expected) && doubts.contains(why)
        ? PredictionSection.NOT + "see Confidence"
        : expected;
  }

  /** The sentence on what is known of the impact, as the end of another one. */
  private static String unmeasured(Diagnosis diagnosis) {
    String known = diagnosis.summary();
    return known.isBlank()
        ? "not measured"
        : "not measured: "
            + Character.toLowerCase(known.charAt(0))
            + known.substring(1, known.length() - 1);
  }

  /** All of the lost time, cause by cause, with what is unexplained; if brief, without the time. */
  static String explains(Diagnosis diagnosis, boolean brief) {
    if (diagnosis.primary().isPresent() && !isShared(diagnosis)) {
      return unmeasured(diagnosis);
    }
    List<String> parts = new ArrayList<>();
    ShareText shares = new ShareText(diagnosis.judgements());
    List<Judgement> primary = diagnosis.with(Verdict.PRIMARY_SUSPECT);
    boolean ofRun = diagnosis.lostTime().ofWholeRun();
    String the = brief ? "" : "the ";
    String lost =
        (ofRun ? " of what " + the + "whole load test lost" : " of " + the + "lost time")
            + (brief ? "" : whole(diagnosis));
    List<String> together = new ArrayList<>();
    double joint = 0;
    double others = 0;
    double open = 0;
    for (Judgement judgement : diagnosis.judgements()) {
      double share = judgement.share().explained().orElse(0);
      if (!judgement.verdict().isSuspect() || FigureText.isNothing(share)) {
        others += share;
        continue;
      }
      Optional<Estimate> range = judgement.share().interval();
      open += range.map(any -> Math.max(0, share - any.low())).orElse(0.0);
      if (primary.size() > 1 && primary.contains(judgement)) {
        together.add(judgement.hypothesis().id());
        joint += share;
      } else {
        boolean first = parts.isEmpty() && together.isEmpty();
        parts.add(
            (first && !primary.isEmpty() ? "" : judgement.hypothesis().id() + " ")
                + (ofRun ? "up to " + FigureText.share(share) : shares.inFull(judgement))
                + (first ? lost : ""));
      }
    }
    if (!together.isEmpty()) {
      parts.add(
          0,
          "%s%s%s: %s"
              .formatted(
                  ofRun ? "up to " : "",
                  FigureText.share(joint),
                  lost,
                  together.size() == 1
                      ? together.get(0)
                      : String.join(" and ", together) + " together"));
    }
    if (!FigureText.isNothing(others)) {
      String much = FigureText.share(others);
      parts.add(parts.isEmpty() ? "all causes " + much + lost : "other causes " + much);
    }
    parts.add(
        ofRun
            ? "no file shows how much of that was in the incident"
            : unexplained(diagnosis, open, brief));
    return String.join("; ", parts);
  }

  /** The same, to be drawn: suspects one by one, other causes together, and what is unexplained. */
  static List<Block.Part> parts(Diagnosis diagnosis) {
    List<Block.Part> parts = new ArrayList<>();
    double others = 0;
    for (Judgement judgement : diagnosis.judgements()) {
      double share = judgement.share().explained().orElse(0);
      if (judgement.verdict().isSuspect()) {
        Tone tone = HypothesisSections.tone(judgement.verdict());
        parts.add(part(judgement.hypothesis().id(), share, tone));
      } else {
        others += share;
      }
    }
    parts.add(part("other causes", others, Tone.MUTED));
    parts.add(part("unexplained", diagnosis.lostTime().unexplainedShare(), Tone.PLAIN));
    return parts.stream().filter(part -> !FigureText.isNothing(part.share())).toList();
  }

  private static Block.Part part(String title, double share, Tone tone) {
    return new Block.Part(title, share, FigureText.share(share), tone);
  }

  /** The lost time of all requests, of which the shares are shares. */
  private static String whole(Diagnosis diagnosis) {
    double seconds = diagnosis.lostTime().seconds();
    return seconds > 0 && diagnosis.windows().dated() ? " (" + Durations.format(seconds) + ")" : "";
  }

  /**
   * What was not recorded may be more than what is counted.
   *
   * @param open how much less than counted the causes may explain
   */
  private static String unexplained(Diagnosis diagnosis, double open, boolean brief) {
    double most =
        diagnosis.lostTime().ledger().stream()
            .filter(entry -> entry.atMost() && entry.effect() == Effect.UNACCOUNTED)
            .mapToDouble(LedgerEntry::share)
            .max()
            .orElse(0);
    double rest = diagnosis.lostTime().unexplainedShare();
    String counted =
        FigureText.isNothing(rest)
            ? "nothing unexplained"
            : FigureText.share(rest) + " unexplained";
    if (most > rest && !FigureText.isNothing(most)) {
      return counted
          + " (up to "
          + FigureText.share(most)
          + (brief ? ")" : " in no recorded state)");
    }
    return FigureText.isNothing(open)
        ? counted
        : counted + " (up to " + FigureText.share(Math.min(1, rest + open)) + ")";
  }

  /** The experiment that separates two suspects, else the first change. */
  static Optional<String> doFirst(Diagnosis diagnosis) {
    Optional<String> action =
        diagnosis.primary().stream().flatMap(primary -> primary.actions().stream()).findFirst();
    return DiagnosisDocument.experiment(diagnosis)
        .map(experiment -> "to separate them: " + experiment)
        .or(() -> action);
  }

  /** From this unexplained share on, another cause could be a primary suspect. */
  private static final double MUCH = 0.25;

  /** The evidence for high confidence, which covers the cause and not the unexplained part. */
  private static String agreement(Diagnosis diagnosis, Judgement primary) {
    // If no share is known, the unexplained part is unknown as well.
    boolean known = primary.share().explained().isPresent();
    String unexplained = FigureText.share(diagnosis.lostTime().unexplainedShare());
    return witnesses(diagnosis, primary)
        + (known && diagnosis.lostTime().unexplainedShare() >= MUCH
            ? " on this cause; the " + unexplained + " unexplained may have another"
            : ", and nothing that matters is missing");
  }

  /** The input files that support the cause; options of the user are not evidence. */
  private static String witnesses(Diagnosis diagnosis, Judgement primary) {
    Map<String, String> formats =
        diagnosis.inputs().stream()
            .collect(Collectors.toMap(InputReport::file, InputReport::format, (one, same) -> one));
    List<Finding> evidence =
        primary.findings().stream()
            .filter(finding -> finding.on(primary.hypothesis()).anyMatch(Bearing::isClaim))
            .toList();
    List<String> files =
        evidence.stream()
            .flatMap(finding -> finding.sources().stream())
            .map(Source::file)
            .filter(formats::containsKey)
            .distinct()
            .sorted()
            .toList();
    // A log and a recording of one JVM hold the same pauses and count as one source.
    boolean same = files.stream().map(formats::get).allMatch(SAME_PAUSES::contains);
    if (files.size() < 2 || same) {
      return Judgement.evidenceKinds(evidence, diagnosis.inputs()) < 2
          ? "the evidence agrees"
          : "several kinds of evidence agree";
    }
    int named = files.size() > Policy.MOST_NAMED ? Policy.MOST_NAMED - 1 : files.size() - 1;
    int more = files.size() - named;
    String last = more == 1 ? files.get(named) : more + " more files";
    return String.join(", ", files.subList(0, named)) + " and " + last + " agree";
  }

  private static List<String> confidence(Diagnosis diagnosis, Judgement primary) {
    String confidence = primary.rating().confidence().map(c -> c.id()).orElse("not rated");
    String why =
        primary.rating().doubts().isEmpty()
            ? agreement(diagnosis, primary)
            : primary.rating().doubts();
    String rated = confidence + ": " + why;
    return primary.rating().surer().isEmpty()
        ? List.of(rated)
        : List.of(rated, "would be surer with: " + primary.rating().surer());
  }

  private static String impact(Metric metric) {
    return metric.title() + " " + FigureText.course(metric);
  }

  private static Stream<Metric> felt(Diagnosis diagnosis) {
    return IMPACT.stream()
        .flatMap(
            name ->
                diagnosis.figures().metric(name).stream()
                    .filter(metric -> metric.incident().orElse(1) != 0)
                    .filter(metric -> !name.equals(RATE) || collapsed(metric))
                    .filter(metric -> !name.endsWith(MEAN) || metric.baseline().isPresent()));
  }

  /** Whether the requests of the incident are seen to be slower than those before. */
  private static boolean isSlower(Diagnosis diagnosis) {
    return felt(diagnosis)
        .anyMatch(
            metric ->
                metric.baseline().isPresent()
                    && metric.incident().orElse(0)
                        >= Policy.CLEARLY_MORE * metric.baseline().getAsDouble());
  }

  /** Whether a tenth of it is left: the latencies are only those of the requests that ended. */
  private static boolean collapsed(Metric rate) {
    return rate.incident().orElse(1) <= Policy.NOTABLE * rate.baseline().orElse(0);
  }

  /** What users notice, in one line: latencies, failures and a rate that collapsed. */
  private static Optional<String> impact(Diagnosis diagnosis) {
    // What is of both windows says more than what is of neither.
    List<Metric> felt = felt(diagnosis).sorted(Comparator.comparing(Metric::ofWholeTest)).toList();
    if (felt.isEmpty()) {
      return Optional.empty();
    }
    boolean whole = felt.stream().allMatch(Metric::ofWholeTest);
    String all = felt.stream().map(Answer::impact).collect(Collectors.joining("; "));
    return Optional.of(
        whole
            ? all.replace(Opening.WHOLE_TEST, "") + " (whole load test)"
            : all
                + (isOfOneOfSeveral(diagnosis)
                    ? " (" + measuredBy(diagnosis, felt.get(0)) + ")"
                    : ""));
  }

  /** The file alone, unless its spans are only some. */
  private static String measuredBy(Diagnosis diagnosis, Metric metric) {
    return metric
        .source()
        .source()
        .filter(source -> !source.isOfSpans())
        .map(source -> "by " + source.file())
        .orElseGet(metric.source()::toString);
  }

  /** Whether other files have other latencies, or this one those of some requests only. */
  private static boolean isOfOneOfSeveral(Diagnosis diagnosis) {
    return diagnosis.figures().stations().stream()
        .anyMatch(
            station ->
                station.kind() == Station.Kind.BEFORE_SERVER
                    || station.sources().stream()
                        .anyMatch(
                            source -> source.isOfSpans() && !source.place().equals(Source.SPANS)));
  }
}
