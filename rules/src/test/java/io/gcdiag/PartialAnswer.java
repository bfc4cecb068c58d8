package io.gcdiag;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.fixtures.RecordedIncident;
import io.gcdiag.properties.IncidentFiles;
import io.gcdiag.properties.IncidentFiles.Kind;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.verdict.Conclusion;
import io.gcdiag.verdict.Confidence;
import io.gcdiag.verdict.Diagnosis;
import io.gcdiag.verdict.Judgement;
import io.gcdiag.verdict.Verdict;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What is said of some of an incident's files, held against what can be known from them.
 *
 * @param incident the incident
 * @param part which of its files
 * @param diagnosis what is said of these
 */
record PartialAnswer(RecordedIncident incident, Part part, Diagnosis diagnosis) {

  /** Choices of files that people are left with. */
  enum Part {
    ALL("all files", List.of(Kind.values())),
    RECORDING("recording", List.of(Kind.RECORDING)),
    LOG("log", List.of(Kind.GC_LOG)),
    LOG_AND_DUMPS("log and dumps", List.of(Kind.GC_LOG, Kind.DUMPS)),
    LOAD_AND_DUMPS("load test and dumps", List.of(Kind.LOAD, Kind.DUMPS)),
    METRICS_LOAD_AND_DUMPS(
        "metrics, load test and dumps", List.of(Kind.METRICS, Kind.LOAD, Kind.DUMPS));

    private final String words;
    private final List<Kind> kinds;

    Part(String words, List<Kind> kinds) {
      this.words = words;
      this.kinds = kinds;
    }

    String words() {
      return words;
    }

    /** The files of that part; empty if the incident lacks one of its kinds. */
    private List<Path> of(TreeMap<Kind, List<Path>> files) {
      if (this != ALL && !files.keySet().containsAll(kinds)) {
        return List.of();
      }
      return kinds.stream().flatMap(kind -> files.getOrDefault(kind, List.of()).stream()).toList();
    }
  }

  /** How good an answer is. */
  enum Grade {
    /** What can be known, or the cause itself. */
    RIGHT,
    /** Less than can be known, and nothing false: what has a part in it may be named first. */
    OPEN,
    /** A suspect that has no part in it, or health where there is none. */
    WRONG
  }

  private static final String UNDECIDED = "undecided";

  /** What users are most often left with, and what was asked when the runs were blind. */
  static final Set<Part> USUAL =
      EnumSet.of(Part.ALL, Part.RECORDING, Part.LOG_AND_DUMPS, Part.LOAD_AND_DUMPS);

  /** The answers to some parts of all incidents. */
  static List<PartialAnswer> of(List<RecordedIncident> incidents, Set<Part> parts) {
    return incidents.parallelStream().flatMap(incident -> of(incident, parts)).toList();
  }

  /** The answers to some parts, read in another way. */
  static List<PartialAnswer> of(
      List<RecordedIncident> incidents, Set<Part> parts, ReadOptions reading) {
    return incidents.parallelStream()
        .flatMap(
            incident -> {
              TreeMap<Kind, List<Path>> files = IncidentFiles.of(incident);
              return parts.stream()
                  .filter(part -> !part.of(files).isEmpty())
                  .map(
                      part ->
                          new PartialAnswer(
                              incident, part, IncidentFiles.diagnoseSome(part.of(files), reading)));
            })
        .toList();
  }

  private static Stream<PartialAnswer> of(RecordedIncident incident, Set<Part> parts) {
    TreeMap<Kind, List<Path>> files = IncidentFiles.of(incident);
    List<PartialAnswer> answers = new ArrayList<>();
    for (Part part : parts) {
      List<Path> chosen = part.of(files);
      if (part == Part.ALL) {
        answers.add(new PartialAnswer(incident, part, IncidentDiagnoses.of(incident)));
      } else if (!chosen.isEmpty()) {
        answers.add(new PartialAnswer(incident, part, IncidentFiles.diagnose(chosen)));
      }
    }
    return answers.stream();
  }

  /** That at least such a share of the incidents is named from a part; else those that are not. */
  static void assertNamed(List<PartialAnswer> answers, Part part, double least) {
    List<PartialAnswer> affected =
        answers.stream().filter(one -> one.part() == part && one.ofIncident()).toList();
    List<String> open =
        affected.stream()
            .filter(answer -> answer.grade() != Grade.RIGHT)
            .map(PartialAnswer::words)
            .toList();
    assertTrue(affected.size() - open.size() >= least * affected.size(), open::toString);
  }

  boolean ofIncident() {
    return incident.truth().primarySuspect().isPresent();
  }

  Grade grade() {
    Optional<String> cause = incident.truth().primarySuspect();
    String answer = TruthCheck.answer(diagnosis);
    if (diagnosis.primarySuspect().isPresent()) {
      // A part may not tell two causes apart: its truth says which one an expert would name.
      if (names(cause) || cause.filter(one -> answer.equals(known(one))).isPresent()) {
        return Grade.RIGHT;
      }
      return incident.truth().contributing().contains(answer) ? Grade.OPEN : Grade.WRONG;
    }
    if (cause.isEmpty()) {
      return answer.equals(TruthCheck.HEALTHY) ? Grade.RIGHT : Grade.OPEN;
    }
    if (diagnosis.conclusion() == Conclusion.HEALTHY) {
      return Grade.WRONG;
    }
    return answer.equals(known(cause.get())) ? Grade.RIGHT : Grade.OPEN;
  }

  /** What can be known from these files. */
  private String known(String cause) {
    return part == Part.ALL
        ? cause
        : incident.truth().parts().getOrDefault(part.words(), UNDECIDED);
  }

  /** The suspect, or one of two that are said not to be separated. */
  private boolean names(Optional<String> cause) {
    Hypothesis first = diagnosis.primarySuspect().orElseThrow();
    return cause.equals(Optional.of(first.id()))
        || incident.truth().accepted().contains(first.id())
        || diagnosis.inseparable().stream()
            .filter(pair -> pair.one() == first || pair.other() == first)
            .flatMap(pair -> Stream.of(pair.one(), pair.other()))
            .filter(this::isPrimary)
            .anyMatch(one -> cause.equals(Optional.of(one.id())));
  }

  private boolean isPrimary(Hypothesis hypothesis) {
    return judgements(Verdict.PRIMARY_SUSPECT).anyMatch(j -> j.hypothesis() == hypothesis);
  }

  /** How sure it says to be of its suspect; empty if it names none. */
  Optional<Confidence> confidence() {
    return diagnosis
        .primarySuspect()
        .flatMap(
            first ->
                judgements(Verdict.PRIMARY_SUSPECT)
                    .filter(judgement -> judgement.hypothesis() == first)
                    .findFirst())
        .flatMap(judgement -> judgement.rating().confidence());
  }

  /** Whether the cause, or what contributes to it, is ruled out. */
  boolean rulesOutTheTruth() {
    return judgements(Verdict.RULED_OUT)
        .map(judgement -> judgement.hypothesis().id())
        .anyMatch(
            id ->
                incident.truth().primarySuspect().equals(Optional.of(id))
                    || incident.truth().contributing().contains(id));
  }

  private Stream<Judgement> judgements(Verdict verdict) {
    return diagnosis.judgements().stream().filter(judgement -> judgement.verdict() == verdict);
  }

  /** The answer in words, with the confidence if there is one. */
  String said() {
    return TruthCheck.answer(diagnosis) + confidence().map(sure -> ", " + sure.id()).orElse("");
  }

  /** For messages: which incident, which files, what was said. */
  String words() {
    List<String> said = new ArrayList<>(List.of(TruthCheck.answer(diagnosis)));
    diagnosis.inseparable().stream()
        .map(Finding.Inseparable::other)
        .map(Hypothesis::id)
        .forEach(said::add);
    return incident.name() + ", " + part.words() + ": " + String.join(" or ", said);
  }
}
