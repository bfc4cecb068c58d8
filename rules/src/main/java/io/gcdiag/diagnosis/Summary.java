package io.gcdiag.diagnosis;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.InputReport;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.Window;
import io.gcdiag.ledger.CpuUse;
import io.gcdiag.ledger.Delays;
import io.gcdiag.ledger.HiddenTime;
import io.gcdiag.ledger.RequestRate;
import io.gcdiag.ledger.SeenRequests;
import io.gcdiag.rules.Finding;
import io.gcdiag.rules.HeapSurvival;
import io.gcdiag.rules.Hypothesis;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Ratio;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The answer in one to three sentences, to be read below the name of the suspect. */
final class Summary {

  /** Of what was lost. */
  private static final double MOST = 0.5;

  /** A tail that lengthens the mean request by less than this part of the median is spread. */
  private static final double NOTABLE = 0.25;

  /** Half of the cores is much for a service of which nobody complains. */
  private static final double MUCH_CPU = 0.5;

  /** Another mix of requests makes less of a difference. */
  private static final double MORE_CPU = 1.5;

  /** A collection or two are what such a time holds: neither rates nor shares of it mean much. */
  private static final Duration SHORTEST_HEALTHY = Duration.ofSeconds(5);

  /** More would be a list, and that is the table below. */
  private static final int MOST_LEADS = 2;

  private final Incident incident;
  private final Timeline timeline;
  private final Trouble trouble;
  private final List<Judgement> judgements;
  private final Attribution attribution;

  Summary(Incident incident, Trouble trouble, List<Judgement> judgements, Attribution attribution) {
    this.incident = incident;
    this.timeline = incident.timeline();
    this.trouble = trouble;
    this.judgements = judgements;
    this.attribution = attribution;
  }

  String of(Conclusion conclusion) {
    String summary =
        switch (conclusion) {
          case PRIMARY_SUSPECT -> suspects();
          case HEALTHY -> "No trouble seen: " + trouble.measure() + "." + noticed() + busier();
          case UNDECIDED -> undecided() + leads();
        };
    return Character.toUpperCase(summary.charAt(0)) + summary.substring(1);
  }

  private String suspects() {
    List<Judgement> primary =
        judgements.stream().filter(j -> j.verdict() == Verdict.PRIMARY_SUSPECT).toList();
    List<String> sentences = new ArrayList<>();
    for (Judgement judgement : primary) {
      if (judgement.explainedShare().isEmpty()) {
        sentences.add(
            (primary.size() > 1 ? judgement.hypothesis().title() + ": " : "")
                + judgement.reason()
                + ".");
      }
    }
    if (!trouble.present()) {
      sentences.add("Of the rest: " + trouble.measure() + ".");
    } else if (primary.stream().allMatch(j -> j.explainedShare().isEmpty())) {
      sentences.add(
          "How much of the time that users lost goes back to it, these inputs cannot show.");
    } else {
      sentences.add("Of the time that users lost, " + shares() + ".");
    }
    return String.join(" ", sentences);
  }

  /** All of it, cause by cause: the shares and what is unexplained are the whole. */
  private String shares() {
    List<String> parts = new ArrayList<>();
    double others = 0;
    boolean alone =
        judgements.stream().filter(j -> j.verdict() == Verdict.PRIMARY_SUSPECT).count() == 1;
    for (Judgement judgement : judgements) {
      double share = judgement.explainedShare().orElse(0);
      boolean first = judgement.verdict() == Verdict.PRIMARY_SUSPECT;
      boolean suspect = first || judgement.verdict() == Verdict.CONTRIBUTING;
      if (suspect && share >= Ranking.LEAST_SHOWN) {
        parts.add(
            new Ratio(share)
                + judgement.shareInterval().map(Summary::range).orElse("")
                + (parts.isEmpty() ? " goes back to " : " to ")
                + (first && alone ? "this" : judgement.hypothesis().id()));
      } else {
        others += share;
      }
    }
    if (others >= Ranking.LEAST_SHOWN) {
      parts.add(new Ratio(others) + " to other causes");
    }
    return String.join(", ", parts)
        + (attribution.unexplained() < Ranking.LEAST_SHOWN
            ? "; none of it stays unexplained"
            : "; " + new Ratio(attribution.unexplained()) + " stays unexplained");
  }

  private static String range(Interval share) {
    return " (" + Ratio.range(share.low(), share.high()) + " by samples)";
  }

  /**
   * What a reader who asks for better than healthy should look at: where requests lose a notable
   * part of what most of them take, or the slowest of a hundred take long and many times that, and
   * most of what is lost goes back to one cause, it is told, however little it is.
   */
  private String noticed() {
    return lostOfMedian() < NOTABLE && !isTailLong()
        ? ""
        : judgements.stream()
            .filter(judgement -> judgement.verdict() == Verdict.NOT_INDICATED)
            .filter(judgement -> attribution.share(judgement.hypothesis()) > MOST)
            .findFirst()
            .map(
                judgement ->
                    " Most of the little that was lost ("
                        + new Ratio(attribution.share(judgement.hypothesis()))
                        + ") goes back to "
                        + judgement.hypothesis().id()
                        + ": "
                        + judgement.reason()
                        + ".")
            .orElse("");
  }

  private boolean isTailLong() {
    Optional<RequestStats> stats = SeenRequests.of(incident);
    Optional<Duration> p99 = stats.flatMap(one -> one.percentile(99.0));
    Optional<Duration> p50 = stats.flatMap(one -> one.percentile(50.0));
    return p99.isPresent() && p50.isPresent() && Delays.isQueued(p99.get(), p50.get());
  }

  /**
   * Whoever looks at a service because it became slower should know that it computes more than
   * before, also where nobody is seen to wait: how long requests compute is in no wait.
   */
  private String busier() {
    Optional<CpuUse> now = CpuUse.of(timeline, incident.windows().incident());
    Optional<CpuUse> usual =
        incident.windows().baseline().flatMap(calm -> CpuUse.of(timeline, calm));
    return now.filter(use -> use.service() >= MUCH_CPU)
        .flatMap(
            use ->
                usual
                    .filter(calm -> use.service() >= MORE_CPU * calm.service())
                    .map(
                        calm ->
                            " What changed: the service's own work takes "
                                + new Ratio(use.service())
                                + " of the cores, "
                                + new Ratio(calm.service())
                                + " before; there are more requests, or each computes more."))
        .orElse("");
  }

  /** Time lost to known causes, a request on average, as a part of the median; 0 if not known. */
  private double lostOfMedian() {
    Window window = incident.windows().incident();
    double lost = Hypothesis.catalogue().stream().mapToDouble(attribution::seconds).sum();
    double requests =
        RequestRate.of(timeline, window)
            .map(rate -> rate.perSecond() * window.seconds())
            .orElse(0.0);
    double median =
        timeline
            .mainRequestStats()
            .flatMap(stats -> stats.percentile(50.0))
            .map(Durations::seconds)
            .orElse(0.0);
    return requests > 0 && median > 0 ? lost / requests / median : 0;
  }

  /** What speaks loudest, where nothing is decided: where to look first. */
  private String leads() {
    Map<String, List<String>> causesByStatement = new LinkedHashMap<>();
    judgements.stream()
        .filter(Judgement::isLead)
        .limit(MOST_LEADS)
        .forEach(
            lead ->
                causesByStatement
                    .computeIfAbsent(
                        lead.leads().findFirst().map(Finding::statement).orElseThrow(),
                        statement -> new ArrayList<>())
                    .add(lead.hypothesis().id()));
    if (causesByStatement.isEmpty()) {
      return "";
    }
    return (causesByStatement.size() == 1
            ? " The lead, not proven: "
            : " The strongest leads, not proven: ")
        + causesByStatement.entrySet().stream()
            .map(lead -> String.join(" or ", lead.getValue()) + " (" + lead.getKey() + ")")
            .collect(Collectors.joining("; "))
        + ".";
  }

  private String undecided() {
    if (trouble.unseen()) {
      return unaccounted() + "; " + trouble.measure() + "." + hidden();
    }
    if (!trouble.present() && isPartial(timeline)) {
      return "Nothing seen in what could be read, but part of the inputs is lost; "
          + trouble.measure()
          + ".";
    }
    Window window = incident.windows().incident();
    if (!trouble.present() && incident.windows().dated() && isTooShort(window)) {
      return "Only "
          + Durations.format(window.length())
          + " are recorded, too short to judge; "
          + trouble.measure()
          + ".";
    }
    Optional<HiddenWaits> hidden = HiddenWaits.of(timeline);
    if (!trouble.present() && hidden.isPresent()) {
      return hidden.get().why() + "; " + trouble.measure() + ". " + hidden.get().howToSee() + ".";
    }
    Optional<HeapSurvival> filling = HeapSurvival.of(incident);
    if (!trouble.present() && filling.isPresent()) {
      return "No harm seen yet, but the heap fills: "
          + filling.get().words()
          + ". Of users' work: "
          + trouble.measure()
          + ".";
    }
    String untimed =
        HiddenTime.of(incident)
            .filter(HiddenTime::isMost)
            .map(time -> " " + new HiddenWords(incident, time).sentence() + ".")
            .orElse("");
    return (trouble.present()
            ? trouble.measure()
                + ", and no root cause explains enough of it."
                + MostLost.sentence(incident).map(most -> " " + most).orElse("")
                + hidden()
            : "These inputs cannot show whether users were kept waiting; "
                + trouble.measure()
                + ".")
        + untimed;
  }

  /** What fails at once waits for nothing, so that only the answers themselves say why. */
  private String unaccounted() {
    return new FeltDelays(incident)
        .failures()
        .map(
            share ->
                share
                    + " of the requests failed, which nothing recorded accounts for: their status"
                    + " codes and the service's own log say why")
        .orElse("The load test saw delays or failures that nothing recorded accounts for");
  }

  /** What may be missing to explain it. */
  private String hidden() {
    return HiddenWaits.behindDelays(timeline)
        .map(hidden -> " What may be missing: " + hidden.why() + ". " + hidden.howToSee() + ".")
        .orElse("");
  }

  /** A shorter look shows no health, and shares of it are chance. */
  static boolean isTooShort(Window window) {
    return window.length().compareTo(SHORTEST_HEALTHY) < 0;
  }

  /** Health of what could be read is not health: the trouble may be in what is lost. */
  static boolean isPartial(Timeline timeline) {
    return timeline.inputs().stream()
        .anyMatch(input -> input.status() == InputReport.Status.PARTIAL);
  }
}
