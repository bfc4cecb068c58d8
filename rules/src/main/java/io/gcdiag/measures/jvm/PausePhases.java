package io.gcdiag.measures.jvm;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.Flag;
import io.gcdiag.evidence.jvm.GcSample.PausePhase;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.jvm.PausePart;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Ratio;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What inside the pauses of one window took long: reference processing, class unloading, weak
 * processing, roots, object copy. Recordings have these phases but the last, logs of JDK 8 with
 * {@code PrintGCDetails}, later ones with {@code gc+phases=debug}.
 *
 * @param phases those of the window
 * @param jvm the JVM that made them
 */
public record PausePhases(List<PausePhase> phases, PauseTotals totals, JvmFacts jvm) {

  /** From these JDKs on all GC threads process references by themselves. */
  private static final Map<String, Integer> PARALLEL_SINCE =
      Map.of("G1", 11, "Parallel", 17, "CMS", Integer.MAX_VALUE, "ParNew + CMS", Integer.MAX_VALUE);

  private static final String PARALLEL = "ParallelRefProcEnabled";

  public static PausePhases of(Timeline timeline, Window window) {
    return new PausePhases(
        timeline.samples(PausePhase.class, window),
        PauseTotals.of(timeline, window),
        timeline.jvm());
  }

  /** {@code 310 ms of which are reference processing}, if that is most of the longest pause. */
  public Optional<String> ofLongest() {
    return mostOfLongest()
        .map(phase -> Durations.format(phase.duration()) + " of which are " + phase.part().words());
  }

  private Optional<PausePhase> mostOfLongest() {
    return phases.stream()
        .filter(phase -> phase.pause().equals(totals.longest()))
        .filter(phase -> !phase.part().isKindOfReferences())
        .max(Comparator.comparing(PausePhase::duration))
        .filter(phase -> share(phase.duration(), phase.pause()) > Policy.MAJORITY);
  }

  /** A line for each part that takes a notable share of all pauses. */
  public List<String> lines() {
    return sums(part -> true).entrySet().stream()
        .filter(sum -> share(sum.getValue(), totals.sum()) >= Policy.NOTABLE)
        .map(
            sum ->
                "%s in pauses: %s / %s = %s"
                    .formatted(
                        sum.getKey().words(),
                        Durations.format(sum.getValue()),
                        Durations.format(totals.sum()),
                        new Ratio(share(sum.getValue(), totals.sum()))))
        .toList();
  }

  /**
   * Time in phases that neither room in the heap nor the rate of allocation makes long, in seconds
   * over the window.
   */
  public double ownSeconds() {
    return sums(part -> !part.isOfHeap() && !part.isKindOfReferences()).values().stream()
        .mapToDouble(Durations::seconds)
        .sum();
  }

  /**
   * What took most of the time in pauses.
   *
   * @param words what it is, and how much
   * @param shorter what makes it shorter
   */
  public record Most(String words, String shorter) {

    public String sentence() {
      return words + ": " + shorter + ".";
    }
  }

  /**
   * The phase that is most of all pauses, or of the longest if that is felt; else that one thread
   * does it all; empty if marking took most, or copying in pauses too short to be felt.
   */
  public Optional<Most> most() {
    Map<PausePart, Duration> sums = sums(part -> !part.isKindOfReferences());
    Optional<PausePhase> longest =
        mostOfLongest().filter(phase -> phase.pause().compareTo(Policy.FELT_DELAY) >= 0);
    return longest
        .map(PausePhase::part)
        .or(
            () ->
                sums.entrySet().stream()
                    .filter(sum -> sum.getKey() != PausePart.OBJECT_COPY)
                    .filter(sum -> share(sum.getValue(), totals.sum()) > Policy.MAJORITY)
                    .max(Map.Entry.comparingByValue())
                    .map(Map.Entry::getKey))
        .map(
            part ->
                new Most(
                    "Of the time in pauses %s is %s%s%s"
                        .formatted(
                            new Ratio(share(sums.get(part), totals.sum())),
                            part.words(),
                            kind(part).map(kind -> ", most of it of " + kind.words()).orElse(""),
                            longest
                                .map(
                                    phase ->
                                        " (%s of the longest pause, %s)"
                                            .formatted(
                                                Durations.format(phase.duration()),
                                                Durations.format(phase.pause())))
                                .orElse("")),
                    action(part)))
        .or(this::ofOneThread);
  }

  /** Where users notice a pause of Serial, and there may be CPUs that it does not use. */
  private Optional<Most> ofOneThread() {
    boolean serial =
        jvm.collector().filter("Serial"::equals).isPresent()
            && jvm.cpus().orElse(Integer.MAX_VALUE) > 1
            && totals.longest().compareTo(Policy.LEAST_TAIL) >= 0;
    return serial
        ? Optional.of(
            new Most(
                "Serial collects with one thread (the longest pause took "
                    + Durations.format(totals.longest())
                    + "); a JVM chooses it with one CPU or less than 1,792 MiB of memory",
                "-XX:+UseG1GC or -XX:+UseParallelGC, with two CPUs or more"))
        : Optional.empty();
  }

  /** The kind of references that took most of their time, where the input has kinds. */
  private Optional<PausePart> kind(PausePart part) {
    Map<PausePart, Duration> kinds = sums(PausePart::isKindOfReferences);
    Duration whole = sums(PausePart.REFERENCES::equals).getOrDefault(part, Duration.ZERO);
    return kinds.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .filter(kind -> share(kind.getValue(), whole) > Policy.MAJORITY)
        .map(Map.Entry::getKey);
  }

  private String action(PausePart part) {
    String own = kind(part).orElse(part).action();
    return part == PausePart.REFERENCES && isByOneThread()
        ? "-XX:+" + PARALLEL + " processes them by all GC threads; " + own
        : own;
  }

  private boolean isByOneThread() {
    int since = PARALLEL_SINCE.getOrDefault(jvm.collector().orElse(""), 0);
    return jvm.oldestRelease().orElse(Integer.MAX_VALUE) < since
        && jvm.flag(PARALLEL).map(Flag::value).filter("true"::equals).isEmpty();
  }

  /** Of references the whole is at least what their kinds are together. */
  private Map<PausePart, Duration> sums(Predicate<PausePart> which) {
    Map<PausePart, Duration> sums = new EnumMap<>(PausePart.class);
    phases.forEach(phase -> sums.merge(phase.part(), phase.duration(), Duration::plus));
    sums.entrySet().stream()
        .filter(sum -> sum.getKey().isKindOfReferences())
        .map(Map.Entry::getValue)
        .reduce(Duration::plus)
        .ifPresent(
            kinds -> sums.merge(PausePart.REFERENCES, kinds, (a, b) -> a.compareTo(b) > 0 ? a : b));
    sums.keySet().removeIf(which.negate());
    return sums;
  }

  private static double share(Duration part, Duration whole) {
    return whole.isZero() ? 0 : Durations.seconds(part) / Durations.seconds(whole);
  }
}
