package io.gcdiag.causes.memory;

import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.OwnPlaces;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.Rule;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.Flag;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.jvm.JvmSample.ClassLoads;
import io.gcdiag.evidence.jvm.MemorySample.MetaspaceUse;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.time.CounterReadings;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.CpuPerRequest;
import io.gcdiag.measures.EffectTimes;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;

/** Class metadata forces collections. */
public final class MetaspacePressureCause extends CollectionsRemoved.OfCause {
  public MetaspacePressureCause() {
    super(
        Hypothesis.METASPACE_PRESSURE,
        "Metaspace pressure",
        "raise -XX:MetaspaceSize, and the limit where there is one "
            + "(-XX:MaxMetaspaceSize, -XX:CompressedClassSpaceSize), or find the class "
            + "loader that leaks",
        List.of(new ClassMetadataRule()),
        Trait.BY_PAUSES,
        Trait.SEEN_IN_ALLOCATION);
  }

  @Override
  public void place(PlaceParts found) {
    found.code(found.own().mostOfAll(Activity.DEFINING_CLASSES));
  }

  /** A larger metaspace if the code that loads the classes is unknown. */
  @Override
  public List<Edit> edits(SuspectContext suspect) {
    List<Edit> once =
        suspect.code("generate and load the class once and cache it, not once per request");
    return !once.isEmpty()
        ? once
        : suspect.timeline().samples(MetaspaceUse.class).stream()
            .max(Comparator.comparing(MetaspaceUse::committed))
            .map(most -> larger(suspect, most))
            .stream()
            .toList();
  }

  /** The threshold that forced the GC is not a flag: it starts at the value of one and grows. */
  private static Edit larger(SuspectContext suspect, MetaspaceUse most) {
    JvmFacts jvm = suspect.timeline().jvm();
    String flag = isAtLimit(jvm, most) ? "MaxMetaspaceSize" : "MetaspaceSize";
    return Edit.flag(
        "-XX:" + flag,
        jvm.flag(flag).map(Flag::value).map(FlagSize::of),
        FlagSize.of(Bytes.ofMebi(1 + 2 * most.committed().value() / Bytes.ofMebi(1).value())),
        suspect.why());
  }

  /**
   * The threshold grows by itself up to the limit; if it still forces GCs, the limit is reached.
   */
  private static boolean isAtLimit(JvmFacts jvm, MetaspaceUse most) {
    return jvm.number("MaxMetaspaceSize").orElse(Double.MAX_VALUE) <= most.threshold().value();
  }

  /**
   * Share of what requests compute that makes the classes whose metadata forces collections, 0 to
   * 1; 0 if none is forced, or if fewer classes are loaded than requests come.
   */
  public static double shareOfComputing(MeasuredIncident incident) {
    return isForced(incident) && ClassMetadataRule.doRequestsLoad(incident)
        ? new OwnPlaces(incident).shareMakingClasses()
        : 0;
  }

  private static boolean isForced(Incident incident) {
    Pauses forced =
        incident
            .timeline()
            .pauses(incident.window())
            .ofType(
                type ->
                    TriggerOwner.of(type)
                        .filter(Hypothesis.METASPACE_PRESSURE::equals)
                        .isPresent());
    return !forced.isEmpty() && isCurrent(incident, forced);
  }

  /**
   * Without a baseline the window begins with what was recorded, often the start of the JVM: what
   * forced collections in its first half alone is the loading of the service's own classes.
   */
  private static boolean isCurrent(Incident incident, Pauses forced) {
    Window window = incident.window();
    Instant half = window.from().plus(window.length().dividedBy(2));
    return incident.baseline().isPresent() || !forced.get(forced.size() - 1).start().isBefore(half);
  }

  /** Asks how full the metaspace is, and how many classes are loaded and unloaded. */
  @Judges(value = Hypothesis.METASPACE_PRESSURE, needs = Signal.GC_PAUSES)
  static final class ClassMetadataRule implements Rule {

    /**
     * The JVM forces a collection when a class loader's chunk would raise the committed size above
     * the threshold. Chunks are up to 4 MiB (metaspaceArena.cpp), so the collection comes slightly
     * below it.
     */
    private static final double NEAR = 0.8;

    private static final String LOAD_ONCE =
        "load these classes once and keep them, and change nothing else: the CPU time of loading them"
            + " and the collections that they force have the same origin";

    @Override
    public List<Finding> examine(MeasuredIncident incident) {
      Timeline timeline = incident.timeline();
      Window window = incident.window();
      List<MetaspaceUse> uses = timeline.samples(MetaspaceUse.class, window);
      return uses.isEmpty() ? List.of() : List.of(judge(incident, uses));
    }

    private Finding judge(MeasuredIncident incident, List<MetaspaceUse> uses) {
      MetaspaceUse last = uses.get(uses.size() - 1);
      double most =
          uses.stream()
              .filter(use -> use.threshold().value() > 0)
              .mapToDouble(use -> use.committed().shareOf(use.threshold()).value())
              .max()
              .orElse(0);
      FindingBuilder finding =
          Finding.of(
                  id(),
                  "the metaspace uses %s, %s committed, up to %s of the size that triggers a GC%s"
                      .formatted(last.used(), last.committed(), new Ratio(most), loads(incident)))
              .value("metaspaceUsedBytes", last.used().value())
              .value("metaspaceCommittedBytes", last.committed().value())
              .value("metaspaceThresholdBytes", last.threshold().value())
              .from(last.source());
      rate(incident, incident.window())
          .ifPresent(
              perSecond ->
                  finding
                      .value("classesLoadedPerSecond", perSecond)
                      .figure("classes loaded per second", before(incident), perSecond));
      finding.figure("metaspace committed", last.committed().toString());
      if (isForced(incident)) {
        finding.supports(Hypothesis.METASPACE_PRESSURE);
        double computing = shareOfComputing(incident);
        if (computing >= Policy.NOTABLE && CpuPerRequest.grew(incident)) {
          finding
              .explains(Hypothesis.METASPACE_PRESSURE, Effect.RUNNING, computing)
              .sum(
                  "%s of the samples of running code are where classes are made for requests"
                      .formatted(new Ratio(computing)));
        }
        if (computing < Policy.MAJORITY && doRequestsLoad(incident)) {
          finding.inseparable(Hypothesis.CPU_SATURATION, Hypothesis.METASPACE_PRESSURE, LOAD_ONCE);
        }
      } else {
        finding.contradicts(Hypothesis.METASPACE_PRESSURE, most < NEAR);
      }
      return finding.build();
    }

    /**
     * Whether a class or more is loaded for each request, and requests lose much of their time
     * computing: loading them is a part of that.
     */
    private static boolean doRequestsLoad(MeasuredIncident incident) {
      double loaded = rate(incident, incident.window()).orElse(0);
      EffectTimes times = incident.effects();
      return RequestRate.of(incident.timeline(), incident.window())
              .filter(requests -> loaded >= requests.perSecond())
              .isPresent()
          && times.excessSeconds(Effect.RUNNING) >= Policy.SUBSTANTIAL * times.totalExcessSeconds();
    }

    private static String loads(Incident incident) {
      OptionalDouble during = rate(incident, incident.window());
      if (during.isEmpty()) {
        return "";
      }
      OptionalDouble before = before(incident);
      return "; %s classes loaded per second%s"
          .formatted(
              Numbers.threeDigits(during.getAsDouble()),
              before.isPresent()
                  ? " (before: " + Numbers.threeDigits(before.getAsDouble()) + ")"
                  : "");
    }

    private static OptionalDouble before(Incident incident) {
      return incident
          .baseline()
          .map(baseline -> rate(incident, baseline))
          .orElse(OptionalDouble.empty());
    }

    /** Classes loaded a second in a window, from the first to the last reading in it. */
    private static OptionalDouble rate(Incident incident, Window window) {
      return CounterReadings.perSecond(
          incident.timeline().samples(ClassLoads.class, window), ClassLoads::loaded);
    }
  }
}
