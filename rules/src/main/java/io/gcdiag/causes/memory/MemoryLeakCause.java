package io.gcdiag.causes.memory;

import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.Place.Part;
import io.gcdiag.books.Place.Role;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.Rule;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.ClassHistogram;
import io.gcdiag.evidence.jvm.ClassHistogram.ClassCount;
import io.gcdiag.evidence.jvm.ClassHistogram.Scope;
import io.gcdiag.evidence.jvm.GcSample.OldObjects;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.jvm.OwnCode.Spot;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.SignalState;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.jvm.LiveSetTrend;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The live set grows without bound. */
public final class MemoryLeakCause extends CollectionsRemoved.OfCause {
  public MemoryLeakCause() {
    super(
        Hypothesis.MEMORY_LEAK,
        "Memory leak: live set grows without bound",
        "find the growing type and its holder: compare two class histograms (jcmd "
            + "PID GC.class_histogram) taken some minutes apart",
        List.of(new GrowingClassesRule(), new HeldObjectsRule(), new LiveSetGrowthRule()),
        Trait.SEEN_IN_ALLOCATION);
  }

  /** The class that grows, what holds it, and where it is allocated. */
  @Override
  public void place(PlaceParts found) {
    Optional<String> counted = GrowingClassesRule.grownMost(found.incident());
    Optional<Kept> sampled = Kept.growing(found.incident()).stream().findFirst();
    Optional<String> name = counted.or(() -> sampled.map(Kept::name));
    found.code(
        name.flatMap(type -> found.own().most(Activity.ALLOCATING, spot -> allocates(spot, type))));
    Optional<Source> histogram =
        found.timeline().snapshots().histograms().stream()
            .reduce((first, last) -> last)
            .map(last -> last.source());
    String holder =
        sampled.filter(one -> name.get().equals(one.name())).map(Kept::holder).orElse("");
    counted
        .flatMap(type -> histogram.map(source -> new Part(Role.CLASS, type, holder, source)))
        .or(() -> sampled.map(one -> new Part(Role.CLASS, one.name(), one.holder(), one.source())))
        .ifPresent(found::add);
  }

  /** Whether the code creates objects of a class, or is the class itself. */
  private static boolean allocates(Spot spot, String type) {
    return spot.subject().equals(type) || spot.place().method().startsWith(type + ".");
  }

  /** The JDK's arrays and strings are part of almost every object, so they name no leak. */
  private static boolean isOfJdk(String type) {
    return type.startsWith("java.") || type.startsWith("jdk.") || type.indexOf('.') < 0;
  }

  @Override
  public List<Edit> edits(SuspectContext suspect) {
    String objects =
        suspect
            .at(Role.CLASS)
            .map(part -> (isOfJdk(part.name()) ? " the " : " the objects of ") + part.name())
            .orElse(" the objects");
    String to =
        "remove"
            + objects
            + " when they are no longer needed, or bound the collection that holds them (size, age)";
    List<Edit> inCode = suspect.code(to);
    return inCode.isEmpty()
        ? suspect.at(Role.CLASS).stream()
            .filter(part -> !isOfJdk(part.name()))
            .map(part -> Edit.code(part.name(), to, suspect.why()))
            .toList()
        : inCode;
  }

  /**
   * Sampled objects that are still held and belong to one class: they are of it, or it is the first
   * class outside the JDK that holds them. What the JDK's own classes hold without one outside it
   * is separated by the allocating frame.
   *
   * @param name the class
   * @param type the class of most of the samples
   * @param allocatedAt the frame that allocated most of them; may be empty
   * @param holders what holds most of them, or the class, innermost first; empty if not recorded
   * @param allocated when they were allocated, ascending
   */
  private record Kept(
      String name,
      String type,
      String allocatedAt,
      String holders,
      List<Instant> allocated,
      Source source) {

    private static final String BETWEEN = " < ";

    /** Those that may be the leak: samples of them date from all of its time, and are many. */
    static List<Kept> growing(MeasuredIncident incident) {
      Timeline timeline = incident.timeline();
      List<OldObjects> held = timeline.samples(OldObjects.class, timeline.span());
      Optional<LiveSetTrend> trend = incident.liveSetTrend();
      if (trend.filter(LiveSetTrend::growsWithoutBound).isEmpty()) {
        return List.of();
      }
      // A full heap was filled by growth from the start on, which has ended.
      Window growth = trend.get().fullHeap() ? timeline.span() : trend.get().span();
      int all = held.stream().mapToInt(one -> within(growth, one.allocated()).size()).sum();
      Map<List<String>, List<OldObjects>> groups = new HashMap<>();
      held.forEach(one -> groups.computeIfAbsent(key(one), any -> new ArrayList<>()).add(one));
      return groups.values().stream()
          .map(Kept::of)
          .filter(one -> one.growsIn(growth, all))
          .sorted(
              Comparator.comparing((Kept one) -> isOfJdk(one.name()))
                  .thenComparing(one -> -one.allocated().size())
                  .thenComparing(Kept::name)
                  .thenComparing(Kept::allocatedAt))
          .toList();
    }

    private static List<String> key(OldObjects one) {
      String owner = owner(one);
      return isOfJdk(owner) ? List.of(owner, one.allocatedAt()) : List.of(owner);
    }

    /** The innermost class outside the JDK, otherwise that of the objects. */
    private static String owner(OldObjects one) {
      return isOfJdk(one.className())
          ? Arrays.stream(one.holders().split(BETWEEN))
              .filter(holder -> !isOfJdk(holder))
              .findFirst()
              .map(Kept::withoutField)
              .orElse(one.className())
          : one.className();
    }

    /** {@code shop.Cart} of {@code shop.Cart.items}. */
    private static String withoutField(String holder) {
      return holder.replaceFirst("\\.[^.\\[\\]]+$", "");
    }

    private static Kept of(List<OldObjects> objects) {
      String name = owner(objects.get(0));
      OldObjects most =
          objects.stream()
              .max(
                  Comparator.comparingInt(OldObjects::count)
                      .thenComparing(OldObjects::className)
                      .thenComparing(OldObjects::allocatedAt)
                      .thenComparing(OldObjects::holders))
              .orElseThrow();
      List<String> chain = List.of(most.holders().split(BETWEEN));
      int self = 0;
      while (self < chain.size() && !withoutField(chain.get(self)).equals(name)) {
        self++;
      }
      List<String> outer = chain.subList(self < chain.size() ? self + 1 : 0, chain.size());
      return new Kept(
          name,
          most.className(),
          most.allocatedAt(),
          String.join(BETWEEN, outer),
          objects.stream().flatMap(one -> one.allocated().stream()).sorted().toList(),
          most.source());
    }

    private static List<Instant> within(Window growth, List<Instant> times) {
      return times.stream().filter(growth::contains).toList();
    }

    /**
     * Whether its samples are a tenth of all, and not of one moment: the middle half of them took
     * at least a tenth of the time to come, and they come until the later half of it. A growing
     * class has half of its samples in half of the time; what is created at the start, or with a
     * burst of connections, has all of them within seconds.
     */
    private boolean growsIn(Window growth, int all) {
      List<Instant> inside = within(growth, allocated);
      int count = inside.size();
      if (count < Math.max(Policy.RECURRING, Policy.NOTABLE * all)) {
        return false;
      }
      Duration middle = Duration.between(inside.get(count / 4), inside.get(count - 1 - count / 4));
      Instant half = growth.from().plus(growth.length().dividedBy(2));
      return Durations.seconds(middle) >= Policy.NOTABLE * growth.seconds()
          && inside.get(count - 1).isAfter(half);
    }

    Ratio share(int all) {
      return new Ratio((double) allocated.size() / all);
    }

    String holder() {
      return holders.isEmpty()
          ? "growing; holder not recorded: record with path-to-gc-roots=true"
          : "held by " + holders;
    }

    String kind() {
      return (type.equals(name) ? "" : "parts of ") + name;
    }

    String words() {
      return kind()
          + (allocatedAt.isEmpty() ? "" : " allocated at " + allocatedAt)
          + (holders.isEmpty() ? "" : ", held by " + holders);
    }
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
    public List<Finding> examine(MeasuredIncident incident) {
      if (incident.timeline().samples(OldObjects.class).isEmpty()) {
        return List.of();
      }
      List<Kept> growing = Kept.growing(incident);
      return growing.isEmpty() ? List.of() : List.of(name(incident, growing));
    }

    private Finding name(MeasuredIncident incident, List<Kept> growing) {
      Timeline timeline = incident.timeline();
      int all =
          timeline.samples(OldObjects.class, timeline.span()).stream()
              .mapToInt(OldObjects::count)
              .sum();
      Kept most = growing.get(0);
      FindingBuilder finding =
          Finding.of(
                  id(),
                  "of %s sampled objects that are still held, %s are %s"
                      .formatted(all, most.share(all), most.words()))
              .figure(
                  "share of the sampled live objects that are " + most.kind(),
                  most.share(all).toString())
              .value("heldObjects", all)
              .from(most.source())
              .supports(FinalizerBacklog.growth(incident));
      growing.stream()
          .limit(Policy.MOST_NAMED)
          .forEach(
              one ->
                  finding.sum(
                      "%s  %s, allocated in %s"
                          .formatted(
                              one.share(all),
                              one.words(),
                              Durations.format(
                                  Duration.between(
                                      one.allocated().get(0),
                                      one.allocated().get(one.allocated().size() - 1))))));
      return finding.build();
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
    public List<Finding> examine(MeasuredIncident incident) {
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

    private Finding compare(MeasuredIncident incident, List<ClassHistogram> histograms) {
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
    private static boolean isLeak(MeasuredIncident incident, List<ClassHistogram> histograms) {
      boolean rising =
          histograms.size() >= Policy.RECURRING && histograms.get(0).scope() == Scope.LIVE;
      for (int i = 1; i < histograms.size(); i++) {
        rising &= histograms.get(i).bytes().compareTo(histograms.get(i - 1).bytes()) > 0;
      }
      return rising || incident.liveSetTrend().filter(LiveSetTrend::growsWithoutBound).isPresent();
    }
  }
}
