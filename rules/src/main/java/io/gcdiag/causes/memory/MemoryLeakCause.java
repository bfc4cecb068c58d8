package io.gcdiag.causes.memory;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.Place.Part;
import io.gcdiag.books.Place.Role;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.Prediction;
import io.gcdiag.books.Rule;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.ClassHistogram;
import io.gcdiag.evidence.jvm.ClassHistogram.ClassCount;
import io.gcdiag.evidence.jvm.ClassHistogram.Scope;
import io.gcdiag.evidence.jvm.GcSample.OldObjects;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.SignalState;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.jvm.LiveSetTrend;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** The live set grows without bound. */
public final class MemoryLeakCause extends Cause {
  public MemoryLeakCause() {
    super(
        Hypothesis.MEMORY_LEAK,
        "Memory leak: live set grows without bound",
        "find the growing type and its holder: compare two class histograms (jcmd "
            + "PID GC.class_histogram) taken some minutes apart",
        List.of(new GrowingClassesRule(), new HeldObjectsRule(), new LiveSetGrowthRule()),
        Trait.SEEN_IN_ALLOCATION);
  }

  /** The class that grows, and where it is allocated. */
  @Override
  public void place(PlaceParts found) {
    Timeline timeline = found.timeline();
    Optional<OldObjects> held =
        timeline.samples(OldObjects.class).stream()
            .filter(objects -> !isOfJdk(objects.className()))
            .max(Comparator.comparingLong(OldObjects::count).thenComparing(OldObjects::className));
    Optional<String> grown = GrowingClassesRule.grownMost(found.incident());
    Optional<String> name =
        grown.or(() -> held.map(OldObjects::className)).filter(type -> !isOfJdk(type));
    found.code(
        name.flatMap(
                type -> found.own().most(Activity.ALLOCATING, spot -> spot.subject().equals(type)))
            .or(() -> found.own().most(Activity.ALLOCATING)));
    Optional<Source> histogram =
        timeline.snapshots().histograms().stream()
            .reduce((first, last) -> last)
            .map(last -> last.source());
    grown
        .flatMap(type -> histogram.map(source -> new Part(Role.CLASS, type, source)))
        .or(
            () ->
                held.map(one -> new Part(Role.CLASS, one.className(), holders(one), one.source())))
        .ifPresent(found::add);
  }

  /** The JDK's arrays and strings are part of almost every object, so they name no leak. */
  private static boolean isOfJdk(String type) {
    return type.startsWith("java.") || type.startsWith("jdk.") || type.indexOf('.') < 0;
  }

  private static String holders(OldObjects objects) {
    return objects.holders().isEmpty() ? "" : "held by " + objects.holders();
  }

  @Override
  public List<Edit> edits(SuspectContext suspect) {
    String objects =
        suspect.at(Role.CLASS).map(part -> " the objects of " + part.name()).orElse(" the objects");
    return suspect.code(
        "remove"
            + objects
            + " when they are no longer needed, or bound the collection that holds them (size, age)");
  }

  @Override
  public List<Prediction> predictions(Case incident, List<Finding> findings, OptionalDouble share) {
    return CollectionsRemoved.andLatency(incident, this, share);
  }

  /**
   * Names the objects still held at the end of the recording, once the live set is known to grow
   * without end. Their mere existence proves nothing, as every service holds old objects.
   */
  @Judges(
      value = {Hypothesis.MEMORY_LEAK, Hypothesis.FINALIZER_BACKLOG},
      needs = Signal.HEAP_AROUND_GC)
  static final class HeldObjectsRule implements Rule {

    @Override
    public List<Finding> examine(Case incident) {
      Timeline timeline = incident.timeline();
      List<OldObjects> held =
          timeline.samples(OldObjects.class, timeline.span()).stream()
              .sorted(
                  Comparator.comparingLong(OldObjects::count)
                      .reversed()
                      .thenComparing(OldObjects::className)
                      .thenComparing(OldObjects::allocatedAt)
                      .thenComparing(OldObjects::holders))
              .toList();
      boolean leaks = incident.liveSetTrend().filter(LiveSetTrend::growsWithoutBound).isPresent();
      return held.isEmpty() || !leaks ? List.of() : List.of(name(incident, held));
    }

    private Finding name(Case incident, List<OldObjects> held) {
      long all = held.stream().mapToLong(OldObjects::count).sum();
      OldObjects most = held.get(0);
      FindingBuilder finding =
          Finding.of(
                  id(),
                  "of %s sampled objects that are still held, %s are %s"
                      .formatted(all, share(most, all), words(most)))
              .figure(
                  "sampled live objects of type " + most.className(), share(most, all).toString())
              .value("heldObjects", all)
              .from(most.source())
              .supports(FinalizerBacklog.growth(incident));
      held.stream()
          .limit(Policy.MOST_NAMED)
          .forEach(
              objects ->
                  finding.sum(
                      "%s  %s, %s to %s old"
                          .formatted(
                              share(objects, all),
                              words(objects),
                              Durations.format(objects.youngest()),
                              Durations.format(objects.oldest()))));
      return finding.build();
    }

    private static Ratio share(OldObjects objects, long all) {
      return new Ratio((double) objects.count() / all);
    }

    private static String words(OldObjects objects) {
      return objects.className()
          + (objects.allocatedAt().isEmpty() ? "" : " allocated at " + objects.allocatedAt())
          + (objects.holders().isEmpty() ? "" : ", held by " + objects.holders());
    }
  }

  /** Compares class histograms: which classes grew from the first to the last. */
  @Judges(value = Hypothesis.MEMORY_LEAK, needs = Signal.CLASS_HISTOGRAMS)
  static final class GrowingClassesRule implements Rule {

    private record Grown(ClassCount now, long bytes, long instances) {
      String name() {
        return now.name();
      }
    }

    @Override
    public List<Finding> examine(Case incident) {
      List<ClassHistogram> comparable = comparable(incident.timeline().snapshots().histograms());
      return comparable.size() < 2 ? List.of() : List.of(compare(incident, comparable));
    }

    /**
     * Histograms of reachable objects; without these, those that do not state it. The two are never
     * mixed.
     */
    private static List<ClassHistogram> comparable(List<ClassHistogram> histograms) {
      for (Scope scope : List.of(Scope.LIVE, Scope.UNSTATED, Scope.ALL)) {
        List<ClassHistogram> same = histograms.stream().filter(h -> h.scope() == scope).toList();
        if (same.size() >= 2) {
          return same;
        }
      }
      return List.of();
    }

    private Finding compare(Case incident, List<ClassHistogram> histograms) {
      ClassHistogram first = histograms.get(0);
      ClassHistogram last = histograms.get(histograms.size() - 1);
      List<Grown> grown = grown(first, last);
      double growth = last.bytes().value() - (double) first.bytes().value();
      boolean notable = growth > Policy.NEGLIGIBLE * first.bytes().value();
      FindingBuilder finding =
          Finding.of(
                  id(),
                  ("the objects in the heap %s from %s to %s between the first and the last of %s"
                          + " class histograms%s")
                      .formatted(
                          growth > 0 ? "grew" : growth < 0 ? "shrank" : "changed",
                          first.bytes(),
                          last.bytes(),
                          histograms.size(),
                          grown.isEmpty()
                              ? ""
                              : (growth > 0 ? ", most of it " : "; of what grew, most is ")
                                  + words(grown.get(0))))
              .figure(
                  "objects in the heap",
                  Optional.of(first.bytes().toString()),
                  last.bytes().toString())
              .value("firstBytes", first.bytes().value())
              .value("lastBytes", last.bytes().value())
              .from(first.source())
              .from(last.source());
      grown.stream().limit(Policy.MOST_NAMED).forEach(one -> finding.sum(words(one)));
      grown.stream()
          .filter(one -> one.now().outsideJdk())
          .findFirst()
          .ifPresent(
              one ->
                  finding.advises(
                      Hypothesis.MEMORY_LEAK,
                      "find what holds the objects of "
                          + words(one)
                          + ": of the classes outside the JDK they grew most; a heap dump or a"
                          + " recording with path-to-gc-roots=true names the holder"));
      if (!notable) {
        return finding.weakens(Hypothesis.MEMORY_LEAK).build();
      }
      // A lead if the files cannot show whether the live set goes on growing.
      SignalState heap = incident.timeline().coverage().of(Signal.HEAP_AROUND_GC);
      boolean lead = first.scope() != Scope.ALL && heap.kind() != SignalState.Kind.SEEN;
      return lead || isLeak(incident, histograms)
          ? finding.supports(Hypothesis.MEMORY_LEAK).build()
          : finding.build();
    }

    /** The class outside the JDK that grew most from the first histogram to the last. */
    static Optional<String> grownMost(Incident incident) {
      List<ClassHistogram> histograms = comparable(incident.timeline().snapshots().histograms());
      return histograms.size() < 2
          ? Optional.empty()
          : grown(histograms.get(0), histograms.get(histograms.size() - 1)).stream()
              .filter(one -> one.now().outsideJdk())
              .map(Grown::name)
              .findFirst();
    }

    private static List<Grown> grown(ClassHistogram first, ClassHistogram last) {
      List<Grown> grown = new ArrayList<>();
      for (ClassCount now : last.classes()) {
        Optional<ClassCount> before = first.ofClass(now.name());
        long bytes = now.bytes().value() - before.map(c -> c.bytes().value()).orElse(0L);
        long instances = now.instances() - before.map(ClassCount::instances).orElse(0L);
        if (bytes > 0) {
          grown.add(new Grown(now, bytes, instances));
        }
      }
      grown.sort(Comparator.comparingLong(Grown::bytes).reversed().thenComparing(Grown::name));
      return grown;
    }

    private static String words(Grown grown) {
      return "%s (+%s%s)"
          .formatted(
              grown.name(),
              Bytes.of(grown.bytes()),
              grown.instances() > 0
                  ? ", " + Numbers.count(grown.instances()) + " more objects"
                  : "");
    }

    /**
     * Proof of growth: the live set grows without end, or three histograms of reachable objects do.
     */
    private static boolean isLeak(Case incident, List<ClassHistogram> histograms) {
      boolean rising =
          histograms.size() >= Policy.RECURRING && histograms.get(0).scope() == Scope.LIVE;
      for (int i = 1; i < histograms.size(); i++) {
        rising &= histograms.get(i).bytes().compareTo(histograms.get(i - 1).bytes()) > 0;
      }
      return rising || incident.liveSetTrend().filter(LiveSetTrend::growsWithoutBound).isPresent();
    }
  }
}
