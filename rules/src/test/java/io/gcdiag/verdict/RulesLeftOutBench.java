package io.gcdiag.verdict;

import io.gcdiag.books.Attribution;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.Causes;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.figures.CrossCheck;
import io.gcdiag.figures.CrossChecks;
import io.gcdiag.fixtures.Incidents;
import io.gcdiag.fixtures.PublicCase;
import io.gcdiag.fixtures.RecordedIncident;
import io.gcdiag.measures.EffectTimes;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.WindowFinder;
import io.gcdiag.properties.IncidentFiles;
import io.gcdiag.read.RecordingsReadOnce;
import io.gcdiag.read.bytes.ReadOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * What each rule is needed for: every public case, every recorded incident and every choice of its
 * files is judged with all rules and again without each of them. Writes a table of the rules by
 * what changes, for
 *
 * <pre>
 * ./mvnw -q -o -pl rules -am -Dtest=RulesLeftOutBench -Dgroups= -DexcludedGroups= \
 *   -Dsurefire.failIfNoSpecifiedTests=false -Dgcdiag.leftOut=/tmp/left-out.txt test
 * </pre>
 *
 * <p>With {@code -Dgcdiag.publicOnly=true} in seconds, for the public cases alone.
 */
@Tag("slow")
@Tag("incidents")
@EnabledIfSystemProperty(named = "gcdiag.leftOut", matches = ".+")
class RulesLeftOutBench {

  /** How an answer without a rule differs, what matters most first. */
  private enum Change {
    SUSPECT,
    CONFIDENCE,
    VERDICT,
    SHARE,
    WORDS
  }

  private final Map<String, Map<Change, TreeSet<String>>> changes = new TreeMap<>();
  private final Map<String, Integer> found = new TreeMap<>();

  @Test
  void tableOfRules() throws IOException {
    PublicCase.all().parallelStream().forEach(one -> leaveOut(one.name(), one.inputs()));
    if (!Boolean.getBoolean("gcdiag.publicOnly")) {
      Incidents.recorded().parallelStream().forEach(this::leaveOut);
    }
    StringBuilder table = new StringBuilder();
    for (Rule rule : Causes.rules()) {
      Map<Change, TreeSet<String>> of = changes.getOrDefault(rule.id(), Map.of());
      table.append(rule.id()).append(" found in ").append(found.getOrDefault(rule.id(), 0));
      for (Change change : Change.values()) {
        TreeSet<String> where = of.getOrDefault(change, new TreeSet<>());
        table.append("\n  ").append(change).append(' ').append(where.size()).append(": ");
        table.append(where.stream().limit(12).collect(Collectors.joining(", ")));
      }
      table.append('\n');
    }
    Files.writeString(Path.of(System.getProperty("gcdiag.leftOut")), table);
  }

  private void leaveOut(RecordedIncident recorded) {
    for (TreeMap<IncidentFiles.Kind, List<Path>> choice :
        IncidentFiles.choices(IncidentFiles.of(recorded))) {
      String name =
          recorded.name()
              + choice.keySet().stream()
                  .map(kind -> "+" + kind.name().charAt(0) + kind.name().charAt(1))
                  .collect(Collectors.joining());
      leaveOut(name, IncidentFiles.flat(choice.values()));
    }
  }

  private void leaveOut(String name, List<Path> files) {
    Optional<Path> recording =
        files.stream().filter(f -> f.getFileName().toString().startsWith("recording")).findFirst();
    Timeline timeline;
    try {
      timeline = RecordingsReadOnce.read(files, recording, ReadOptions.STANDARD).timeline();
    } catch (UncheckedIOException e) {
      return;
    }
    MeasuredIncident incident =
        new MeasuredIncident(
            timeline, WindowFinder.find(timeline, Optional.empty(), Optional.empty()));
    Map<String, List<Finding>> findings = new TreeMap<>();
    for (Rule rule : Causes.rules()) {
      findings.put(
          rule.id(),
          rule.sensors().stream().flatMap(one -> findings(incident, one).stream()).toList());
    }
    Answer whole = answer(incident, Causes.sensors(), findings);
    for (Rule rule : Causes.rules()) {
      List<Rule> others =
          Causes.sensors().stream().filter(one -> !one.id().equals(rule.id())).toList();
      Map<String, List<Finding>> rest = new TreeMap<>(findings);
      boolean says = !rest.remove(rule.id()).isEmpty();
      Answer without = answer(incident, others, rest);
      synchronized (this) {
        if (says) {
          found.merge(rule.id(), 1, Integer::sum);
        }
        whole
            .changed(without)
            .ifPresent(
                change ->
                    changes
                        .computeIfAbsent(rule.id(), id -> new TreeMap<>())
                        .computeIfAbsent(change, one -> new TreeSet<>())
                        .add(name));
      }
    }
  }

  private static List<Finding> findings(MeasuredIncident incident, Rule rule) {
    Predicate<Signal> known = signal -> incident.timeline().coverage().of(signal).recorded();
    if (rule.needs().stream().allMatch(known)) {
      return rule.examine(incident);
    }
    return rule.standIns().stream().anyMatch(known)
        ? rule.examine(incident).stream().flatMap(finding -> finding.claims().stream()).toList()
        : List.of();
  }

  private static Answer answer(
      MeasuredIncident incident, List<Rule> rules, Map<String, List<Finding>> byRule) {
    List<Finding> findings = new ArrayList<>();
    byRule.values().forEach(findings::addAll);
    EffectTimes times = incident.effects();
    Attribution attribution = new Attribution(times, findings);
    UserImpact impact = UserImpact.of(incident, times, attribution.unexplained());
    List<CrossCheck> checks = CrossChecks.of(incident, times, impact.present());
    return new Answer(
        Ranking.rank(incident, rules, findings, attribution, impact, checks), impact.present());
  }

  private record Answer(List<Judgement> judgements, boolean impact) {

    Optional<Change> changed(Answer other) {
      if (!suspects().equals(other.suspects()) || impact != other.impact) {
        return Optional.of(Change.SUSPECT);
      }
      if (!confidence().equals(other.confidence())) {
        return Optional.of(Change.CONFIDENCE);
      }
      if (!verdicts().equals(other.verdicts())) {
        return Optional.of(Change.VERDICT);
      }
      if (!shares().equals(other.shares())) {
        return Optional.of(Change.SHARE);
      }
      return judgements.toString().equals(other.judgements.toString())
          ? Optional.empty()
          : Optional.of(Change.WORDS);
    }

    private List<Judgement> primary() {
      return judgements.stream().filter(j -> j.verdict() == Verdict.PRIMARY_SUSPECT).toList();
    }

    private List<String> suspects() {
      return primary().stream().map(j -> j.hypothesis().id()).toList();
    }

    private List<String> confidence() {
      return primary().stream().map(j -> j.rating().confidence().toString()).toList();
    }

    /** Suspects, contributing causes, those ruled out and leads. */
    private Map<String, String> verdicts() {
      Map<String, String> verdicts = new TreeMap<>();
      for (Judgement one : judgements) {
        if (one.verdict() != Verdict.NOT_INDICATED
            && (one.verdict() != Verdict.NOT_ENOUGH_DATA || one.isLead())) {
          verdicts.put(one.hypothesis().id(), one.verdict().toString());
        }
      }
      return verdicts;
    }

    /** In whole percents. */
    private Map<String, Long> shares() {
      Map<String, Long> shares = new TreeMap<>();
      judgements.forEach(
          one ->
              shares.put(
                  one.hypothesis().id(), Math.round(100 * one.share().explained().orElse(0))));
      return shares;
    }
  }
}
