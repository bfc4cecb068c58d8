package io.gcdiag.causes.memory;

import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.jvm.ClassCount;
import io.gcdiag.evidence.jvm.ClassHistogram;
import io.gcdiag.evidence.jvm.ClassHistogram.Scope;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.SignalState;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.jvm.LiveSetTrend;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Numbers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Compares class histograms: which classes grew from the first to the last. */
@Judges(value = Hypothesis.MEMORY_LEAK, needs = Signal.CLASS_HISTOGRAMS)
final class GrowingClassesRule implements Rule {

  private record Grown(ClassCount now, long bytes, long instances) {
    String name() {
      return now.name();
    }
  }

  @Override
  public List<Finding> examine(Case incident) {
    List<ClassHistogram> comparable = comparable(incident.timeline().histograms());
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
    // A lead where whether the live set goes on growing cannot be known.
    SignalState heap = incident.timeline().coverage().of(Signal.HEAP_AROUND_GC);
    boolean lead = first.scope() != Scope.ALL && heap.kind() != SignalState.Kind.SEEN;
    return lead || isLeak(incident, histograms)
        ? finding.supports(Hypothesis.MEMORY_LEAK).build()
        : finding.build();
  }

  /** The class outside the JDK that grew most from the first histogram to the last. */
  static Optional<String> grownMost(Incident incident) {
    List<ClassHistogram> histograms = comparable(incident.timeline().histograms());
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
            grown.instances() > 0 ? ", " + Numbers.count(grown.instances()) + " more objects" : "");
  }

  /**
   * The live set grows without end, or three counts of what can be reached say so by themselves.
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
