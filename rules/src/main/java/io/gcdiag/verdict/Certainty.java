package io.gcdiag.verdict;

import io.gcdiag.books.Bearing;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.figures.CrossCheck;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Numbers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * How reliable a verdict is. It is firm if several rules agree, or one rule on several kinds of
 * files, and nothing is missing. A share from few samples is never firm, unreadable inputs lower
 * the confidence by one step, and files that do not belong together keep it below high. One of
 * several suspects that the files do not tell apart is doubtful, and so is a cause with evidence
 * against it that no second file confirms. So is one that explains less than half and that another
 * figure leaves next to nothing of. If two sources contradict each other on a fact, everything is
 * doubtful that depends on the time of the effect that this fact measures.
 */
final class Certainty {

  private static final String LOG = "gc-log";

  /**
   * A heap that fills looks the same in a log whether the service holds the objects or a finalizer
   * has not run yet, and more memory helps against only one of them.
   */
  private static final Set<Hypothesis> ALIKE_IN_A_LOG =
      Set.of(Hypothesis.MEMORY_PRESSURE, Hypothesis.MEMORY_LEAK, Hypothesis.FINALIZER_BACKLOG);

  /** Formats of which several files are parts of one source. */
  private static final Set<String> IN_PARTS = Set.of("jfr", LOG);

  private final List<Signal> missing;
  private final boolean named;
  private final boolean oneSided;
  private final boolean confirmed;
  private final boolean alikeInItsLog;
  private final Optional<CrossCheck> dispute;
  private final ShareContext place;
  private final Basis basis;

  /** What a finding names as not distinguished from the cause. */
  private final Optional<Finding.Inseparable> alike;

  /** The evidence against the cause, in a few words; empty if there is none. */
  private final String against;

  private final String incomplete;
  private final String inferred;
  private final String settlesInferred;
  private final String foreign;
  private final String corroboration;
  private final List<StrainedLaws.Strain> strained;

  /**
   * Weighs the evidence for a verdict.
   *
   * @param missing signals that would have helped to judge it
   * @param checks facts from two sources
   * @param read how much of the inputs could be read
   * @param place its place in the account of the lost time
   * @param basis the samples behind its share
   * @param corroboration missing input that would be independent evidence; empty if there is none
   * @param strained the laws that its share contradicts
   */
  Certainty(
      Hypothesis hypothesis,
      List<Finding> all,
      List<Signal> missing,
      List<CrossCheck> checks,
      Completeness read,
      ShareContext place,
      Basis basis,
      String corroboration,
      List<StrainedLaws.Strain> strained) {
    named = hypothesis != Hypothesis.NATIVE_OR_UNKNOWN;
    this.place = place;
    this.corroboration = corroboration;
    this.strained = List.copyOf(strained);
    incomplete = read.doubt();
    inferred = read.inferred();
    settlesInferred = read.settlesInferred();
    foreign = read.foreign();
    this.missing = missing;
    List<Finding> about =
        all.stream()
            .filter(f -> f.on(hypothesis).findAny().isPresent())
            .filter(finding -> !finding.onlyAccompanies(hypothesis))
            .toList();
    Set<String> files = new HashSet<>();
    about.forEach(f -> f.sources().forEach(source -> files.add(source.file())));
    files.removeIf(OperatorFacts::isSource);
    boolean proven = isProven(about, hypothesis);
    // A cause that was seen directly is certain, however few samples its share is based on.
    this.basis = proven ? Basis.MEASURED : basis;
    oneSided = Judgement.evidenceKinds(about, read.inputs()) < 2 && !proven;
    confirmed =
        independent(files, read.inputs()) >= 2
            || place.measured()
            || checks.stream().anyMatch(c -> c.agrees() && concerns(c, files));
    alikeInItsLog =
        ALIKE_IN_A_LOG.contains(hypothesis)
            && !read.inputs().isEmpty()
            && read.inputs().stream().allMatch(input -> input.format().equals(LOG));
    // If no finding is evidence for the cause, contradicting evidence is what the verdict is based
    // on and not a doubt.
    boolean claimed =
        about.stream().flatMap(finding -> finding.on(hypothesis)).anyMatch(Bearing::isClaim);
    against =
        about.stream()
            .filter(finding -> claimed)
            .filter(finding -> finding.on(hypothesis).anyMatch(Bearing.Weakens.class::isInstance))
            .map(Finding::brief)
            .findFirst()
            .orElse("");
    alike =
        all.stream()
            .flatMap(finding -> finding.inseparable().stream())
            .filter(pair -> pair.one() == hypothesis)
            .findFirst();
    Set<Effect> effects = Basis.effects(hypothesis, all);
    dispute =
        checks.stream()
            .filter(CrossCheck::disagrees)
            .filter(check -> check.about().map(effects::contains).orElse(concerns(check, files)))
            .findFirst();
  }

  Confidence confidence() {
    Confidence reached = byEvidence();
    return incomplete.isEmpty() && !place.ofWholeRun() ? reached : reached.lower();
  }

  private Confidence byEvidence() {
    boolean doubtful =
        dispute.isPresent()
            || place.outweighing() > 0
            || basis.isVague()
            || place.lessThanHalf()
                && strained.stream().anyMatch(law -> law.most() < Policy.NEGLIGIBLE);
    boolean told = place.rival().isEmpty();
    boolean weak = oneSided || !against.isEmpty();
    if (doubtful || alikeInItsLog || !told || weak && !confirmed) {
      return Confidence.LOW;
    }
    boolean sure =
        named
            && !oneSided
            && confirmed
            && missing.isEmpty()
            && inferred.isEmpty()
            && foreign.isEmpty()
            && against.isEmpty()
            && strained.isEmpty()
            && alike.isEmpty()
            && place.beside().isEmpty()
            && !place.lessThanHalf()
            && !basis.isThin();
    return sure ? Confidence.HIGH : Confidence.MEDIUM;
  }

  /**
   * A doubt that keeps the confidence below high.
   *
   * @param words one clause
   * @param settles the file or setting that would settle the doubt; empty if none is known
   */
  private record Doubt(String words, String settles) {}

  /** What keeps the confidence below high, in words; empty if nothing does. */
  String doubts() {
    return all().stream().map(Doubt::words).collect(Collectors.joining("; "));
  }

  /** The file or setting that would settle the first doubt; empty if none is known. */
  String surer() {
    return confidence() == Confidence.HIGH
        ? ""
        : all().stream()
            .map(Doubt::settles)
            .filter(settles -> !settles.isEmpty())
            .findFirst()
            .orElse(corroboration);
  }

  private List<Doubt> all() {
    List<Doubt> doubts = new ArrayList<>();
    dispute.ifPresent(
        check ->
            doubts.add(
                new Doubt(
                    "two sources disagree on " + check.title() + " (" + check.text() + ")",
                    corroboration)));
    place
        .rival()
        .ifPresent(
            rival ->
                doubts.add(
                    new Doubt(
                        "not distinguished from " + rival.id(),
                        "a run with only one of the two changed")));
    alike
        .filter(pair -> place.rival().filter(pair.other()::equals).isEmpty())
        .ifPresent(
            pair ->
                doubts.add(
                    new Doubt("not distinguished from " + pair.other().id(), pair.experiment())));
    if (!against.isEmpty()) {
      doubts.add(new Doubt("against it: " + against, ""));
    }
    strained.forEach(law -> doubts.add(new Doubt(law.words(), "")));
    place
        .beside()
        .filter(other -> !place.rival().equals(place.beside()))
        .ifPresent(
            other -> doubts.add(new Doubt(other.id() + " explains a good part as well", "")));
    if (place.lessThanHalf()) {
      doubts.add(new Doubt("it explains less than half of the lost time", ""));
    }
    if (place.outweighing() > 0) {
      String more =
          "%s may hold more than it explains: up to %s threads"
              .formatted(place.unseen(), Numbers.threeDigits(place.outweighing()));
      doubts.add(new Doubt(more, "waits from 1 ms on: record with jdk.ThreadPark#threshold=1ms"));
    }
    doubts.add(new Doubt(basis.doubt(), basis.more()));
    doubts.add(new Doubt(incomplete, "the complete files"));
    doubts.add(new Doubt(foreign, "only files of the process and time in question"));
    doubts.add(new Doubt(inferred, missing.isEmpty() ? settlesInferred : ""));
    if (place.ofWholeRun()) {
      doubts.add(
          new Doubt(
              "the request rate in the incident is not known, only that of the whole load test",
              corroboration));
    }
    if (!named) {
      doubts.add(new Doubt("the place is seen, not what is waited for there", ""));
    }
    if (alikeInItsLog) {
      doubts.add(
          new Doubt(
              "a GC log alone does not separate it from objects that wait for their finalizers",
              Signal.THREAD_DUMPS.howToRecord()));
    }
    if (oneSided) {
      doubts.add(new Doubt("a single kind of evidence supports it", ""));
    }
    if (!confirmed) {
      doubts.add(new Doubt("no second file confirms it", ""));
    }
    missing.stream()
        .limit(1)
        .map(one -> new Doubt("not recorded: " + one.description(), one.howToRecord()))
        .forEach(doubts::add);
    doubts.removeIf(doubt -> doubt.words().isEmpty());
    return doubts;
  }

  /** Direct proof, such as a cycle of lock owners, needs no second kind of evidence. */
  private static boolean isProven(List<Finding> about, Hypothesis hypothesis) {
    return about.stream()
        .flatMap(finding -> finding.on(hypothesis))
        .anyMatch(Bearing.Proves.class::isInstance);
  }

  /**
   * Number of independent sources. The parts of one recording or of one log are one source; each
   * thread dump is a source of its own.
   */
  private static long independent(Set<String> files, List<InputReport> inputs) {
    Map<String, String> formats = new HashMap<>();
    inputs.stream()
        .filter(input -> IN_PARTS.contains(input.format()))
        .forEach(input -> formats.put(input.file(), input.format()));
    return files.stream().map(file -> formats.getOrDefault(file, file)).distinct().count();
  }

  private static boolean concerns(CrossCheck check, Set<String> files) {
    return files.stream().anyMatch(check::isOf);
  }
}
