package io.gcdiag.causes.waits;

import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.causes.workers.ThreadsAtWork;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.measures.EffectTimes;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.WaitEstimate.Relation;
import io.gcdiag.measures.jvm.CpuUse;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.measures.threads.DumpTimes;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.Station;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The finding of a rule about one kind of wait: how many request threads wait, for how long and
 * where, by recorded waits, or by thread dumps if no event shows them.
 *
 * @param rule the id of the rule
 * @param effect the effect that this kind of wait measures
 * @param cause what such waits are due to
 */
public record WaitFinding(String rule, Effect effect, Hypothesis cause) {

  private static final Pattern PACKAGE = Pattern.compile("((?:[a-z_][a-z_0-9]*\\.)+)[A-Z]");

  /**
   * The cause explains the growth of such waits over the baseline, or all queued ones without a
   * baseline. Without growth it is evidence against the cause; if growth is unknown it is a lead.
   * Dumps are evidence of their own.
   *
   * @param more the end of the sentence, from the semicolon; may be empty
   * @param action what to change first; empty for what is advised of the cause anyway
   */
  public List<Finding> findings(MeasuredIncident incident, String more, Optional<String> action) {
    EffectTimes times = incident.effects();
    List<ThreadSnapshot> dumps = DumpTimes.during(incident);
    boolean inDumps = times.fromDumps().contains(effect);
    boolean usualKnown =
        incident
            .baseline()
            .filter(baseline -> !inDumps || !incident.timeline().dumps(baseline).isEmpty())
            .isPresent();
    // Other waits of these threads may be normal for the service.
    boolean longer = times.excessSeconds(effect) > 0 && (usualKnown || effect != Effect.OTHER_WAIT);
    boolean lead = !longer && !usualKnown;
    boolean passing = lead && inDumps && ThreadsAtWork.mostly(dumps, activity()).isEmpty();
    if (times.during(effect) < Policy.LEAST_THREADS_FELT || passing) {
      return List.of();
    }
    String unknown = lead ? "; without a baseline the normal part is unknown" : "";
    FindingBuilder finding =
        (inDumps ? dumped(dumps, more + unknown) : recorded(incident, more + unknown))
            .value("threadsWaiting", times.during(effect))
            .value("threadsWaitingBefore", times.before(effect))
            .figure(
                "request threads " + effect.title() + ", mean",
                times.before(effect).stream().mapToObj(before -> usual(before, times)).findFirst(),
                Numbers.threeDigits(times.during(effect)));
    action.ifPresent(words -> finding.advises(cause, words));
    Optional<String> each = inDumps ? Optional.empty() : row(incident).map(Station::inWords);
    each.ifPresent(finding::sum);
    Optional<String> same = each.filter(any -> !longer);
    same.ifPresent(finding::brief);
    Finding found =
        (longer
                ? explained(incident, finding)
                : lead
                    ? finding.supports(cause)
                    : finding.contradicts(cause, same.isPresent() && areCounted(incident)))
            .build();
    return longer && times.relation(effect) == Relation.AGREE
        ? List.of(found, dumped(dumps, "").supports(cause).build())
        : List.of(found);
  }

  /**
   * A thread that loses its core during a write ends the write only when it gets a core again, and
   * clients on this machine compete for the same cores. If the cores became full, the two look the
   * same.
   */
  private FindingBuilder explained(MeasuredIncident incident, FindingBuilder finding) {
    if (effect == Effect.OTHER_WAIT) {
      double forced = shareOfGroupCommits(incident);
      return finding
          .explains(cause, effect, 1 - forced)
          .passes(
              effect,
              Effect.FILE_WAIT,
              forced,
              "one thread of the library writes the file through to the disk (fsync) for all that wait there");
    }
    if (effect != Effect.CLIENT_WAIT || !MachineLoad.becameFull(incident)) {
      return finding.explains(cause, effect, 1);
    }
    boolean others =
        CpuUse.of(incident.timeline(), incident.window())
            .filter(use -> use.others() > use.service())
            .isPresent();
    return finding
        .explains(cause, effect, 1 / 2.0)
        .passes(
            effect,
            Effect.CPU_QUEUE,
            1 / 2.0,
            "the cores became full: a write ends when its thread or the client runs again")
        .inseparable(
            cause,
            others ? Hypothesis.HOST_CPU_CONTENTION : Hypothesis.CPU_SATURATION,
            "look at the clients' side: where they read at once what is sent, the cores are it");
  }

  /**
   * Share of the time in which another request thread of the same package syncs a file to disk:
   * when requests commit together, one syncs for all.
   */
  private double shareOfGroupCommits(MeasuredIncident incident) {
    if (incident.effects().excessSeconds(Effect.FILE_WAIT) <= 0) {
      return 0;
    }
    Timeline timeline = incident.timeline();
    Set<String> forcing =
        UserWaits.of(timeline, WaitKind.FILE).stream()
            .filter(files -> files.source().place().contains("jdk.FileForce"))
            .filter(files -> files.within(incident.window()).count() >= Policy.FEWEST_COUNTED)
            .map(WaitFinding::packageOf)
            .collect(Collectors.toSet());
    List<WaitSeries> waits = UserWaits.of(timeline, kind());
    double all = WaitSeries.seconds(waits, incident.window());
    double behind =
        WaitSeries.seconds(
            waits.stream().filter(wait -> forcing.contains(packageOf(wait))).toList(),
            incident.window());
    return all > 0 ? behind / all : 0;
  }

  /** The package of the innermost frame shown; empty for a class without one. */
  private static String packageOf(WaitSeries waits) {
    Matcher frame = PACKAGE.matcher(waits.site().stack());
    return frame.lookingAt() ? frame.group(1) : waits.site().stack();
  }

  private String usual(double threads, EffectTimes times) {
    return (times.isBoundBefore(effect) ? "at most " : "") + Numbers.threeDigits(threads);
  }

  /**
   * Whether the growth of the request rate has an upper bound: sleeps that grow no more than that
   * are due to more requests.
   */
  private boolean areCounted(Incident incident) {
    return effect == Effect.SLEEP && Double.isFinite(RequestRate.busierAtMost(incident));
  }

  /** The row with most of these waits, if both windows have enough of them. */
  private Optional<Station> row(MeasuredIncident incident) {
    return incident.stations().stream()
        .filter(station -> station.effect().equals(Optional.of(effect)))
        .max(Comparator.comparingDouble(station -> station.during().inIt()))
        .filter(station -> station.time() != Station.Moved.UNKNOWN);
  }

  private FindingBuilder dumped(List<ThreadSnapshot> dumps, String more) {
    return ThreadsAtWork.finding(rule, dumps, activity(), "are " + effect.title(), more);
  }

  private FindingBuilder recorded(Incident incident, String more) {
    List<WaitSeries> waits = UserWaits.of(incident.timeline(), kind());
    WaitSeries most = WaitSeries.longest(waits, incident.window()).orElseThrow();
    WaitSeries.Totals all = WaitSeries.totals(waits, incident.window());
    String name = most.site().name();
    return Finding.of(
            rule,
            "request threads spent %s %s%s, most at %s, %s of %s on average%s"
                .formatted(
                    Durations.format(all.waitedSeconds()),
                    effect.title(),
                    name.isEmpty() ? "" : " (" + name + ")",
                    most.site().stack(),
                    Numbers.counted(all.count(), "time"),
                    Durations.format(all.mean()),
                    more))
        .from(most.source());
  }

  private WaitKind kind() {
    return effect.waitsFor().orElseThrow();
  }

  private ThreadActivity activity() {
    return ThreadActivity.of(kind());
  }
}
