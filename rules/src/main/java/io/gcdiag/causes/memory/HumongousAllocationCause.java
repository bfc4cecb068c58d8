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
import io.gcdiag.evidence.jvm.AllocationSite;
import io.gcdiag.evidence.jvm.GcSample.HumongousRegions;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.jvm.CollectionTrigger;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Objects larger than half a G1 region force collections. */
public final class HumongousAllocationCause extends CollectionsRemoved.OfCause {

  private static final long MEBI = 1L << 20;

  /** HotSpot takes regions of 1 to 32 MiB, powers of two (heapRegionBounds.hpp). */
  private static final long LARGEST_REGION = 32 * MEBI;

  /** The same of JDK 18 and later (JDK-8275056). */
  private static final long LARGEST_REGION_SINCE_18 = 512 * MEBI;

  private static final int LARGER_REGIONS_SINCE = 18;

  /**
   * Fewest regions of a heap: with these, the smallest young generation (5 %, G1NewSizePercent) has
   * three. G1 itself aims at 2,048.
   */
  private static final int FEWEST_REGIONS = 64;

  private static final String SMALLER =
      "allocate smaller buffers: array and header (16 bytes) at most half a G1 region";

  public HumongousAllocationCause() {
    super(
        Hypothesis.HUMONGOUS_ALLOCATION,
        "Humongous allocation (G1)",
        "raise -XX:G1HeapRegionSize so that the objects fit half a region, or "
            + "chunk the buffers",
        List.of(new HumongousRegionsRule()),
        Trait.BY_PAUSES,
        Trait.BEFORE_THE_HEAP_IS_FULL,
        Trait.SEEN_IN_ALLOCATION);
  }

  @Override
  public void place(PlaceParts found) {
    found.code(
        found
            .own()
            .mostOfAll(Activity.ALLOCATING_LARGE)
            .or(() -> found.own().most(Activity.ALLOCATING)));
    found
        .timeline()
        .jvm()
        .flag("G1HeapRegionSize")
        .ifPresent(
            flag ->
                found.add(
                    new Part(
                        Role.SETTING,
                        "-XX:G1HeapRegionSize=" + FlagSize.of(flag.value()),
                        flag.source())));
  }

  @Override
  public List<Edit> edits(SuspectContext suspect) {
    Window window = suspect.incident().window();
    OptionalDouble now = suspect.timeline().jvm().number(HumongousRegionsRule.REGION_SIZE);
    Optional<Bytes> largest =
        suspect
            .timeline()
            .profiles()
            .allocation()
            .sites()
            .of(AllocationSite.Path.OUTSIDE_TLAB)
            .within(window)
            .stream()
            .flatMap(site -> site.typicalSize().stream())
            .max(Comparator.naturalOrder());
    if (now.isEmpty() || now.getAsDouble() <= 0) {
      return suspect.code(SMALLER);
    }
    // If the size is not recorded: with regions four times as large, objects of up to two present
    // regions fit.
    double object = largest.map(size -> (double) size.value()).orElse(2 * now.getAsDouble());
    long most = largestRegion(suspect.timeline().jvm());
    long region = MEBI;
    while (region < 2 * object && 2 * region <= most) {
      region *= 2;
    }
    boolean fits = largest.isEmpty() || region >= 2 * object;
    return region <= now.getAsDouble() || !fits
        ? suspect.code(SMALLER)
        : List.of(
            Edit.flag(
                "-XX:G1HeapRegionSize",
                Optional.of(FlagSize.of(Bytes.of(Math.round(now.getAsDouble())))),
                FlagSize.of(Bytes.of(region)),
                suspect.why()));
  }

  /** The largest region that the JDK and the heap allow; for an unknown JDK, that of any. */
  private static long largestRegion(JvmFacts jvm) {
    long ofHeap = jvm.maxHeap().map(heap -> heap.value() / FEWEST_REGIONS).orElse(LARGEST_REGION);
    long ofJdk =
        jvm.oldestRelease().orElse(0) >= LARGER_REGIONS_SINCE
            ? LARGEST_REGION_SINCE_18
            : LARGEST_REGION;
    return Math.min(ofHeap, ofJdk);
  }

  /** Share of G1's heap that humongous objects occupy when a collection starts. */
  @Judges(value = Hypothesis.HUMONGOUS_ALLOCATION, needs = Signal.GC_PAUSES)
  static final class HumongousRegionsRule implements Rule {

    /**
     * The region size flag; a recording states it even if the JVM chose it. Above zero for G1 only.
     */
    public static final String REGION_SIZE = "G1HeapRegionSize";

    @Override
    public List<Finding> examine(MeasuredIncident incident) {
      List<HumongousRegions> met =
          incident.timeline().samples(HumongousRegions.class, incident.window());
      return met.stream()
          .max(Comparator.comparingInt(HumongousRegions::before))
          .map(most -> judge(incident, met, most))
          .stream()
          .toList();
    }

    private Finding judge(Incident incident, List<HumongousRegions> met, HumongousRegions most) {
      Optional<Ratio> share = shareOfHeap(incident.timeline().jvm(), most);
      FindingBuilder finding =
          Finding.of(
                  id(),
                  "humongous objects hold up to "
                      + Numbers.counted(most.before(), "region")
                      + " before a GC"
                      + share.map(part -> ", " + part + " of the heap").orElse(""))
              .value("mostRegions", most.before())
              .sum(
                  "after that GC: %s; GCs with such regions: in %s"
                      .formatted(
                          Numbers.count(most.after()), Numbers.counted(met.size(), "second")))
              .from(most.source());
      share.ifPresent(
          part ->
              finding
                  .value("shareOfHeap", part.value())
                  .figure("heap in humongous regions, peak", part.toString()));
      if (share.filter(part -> part.value() < Policy.NEGLIGIBLE).isPresent()) {
        finding.weakens(Hypothesis.HUMONGOUS_ALLOCATION);
      } else if (share.filter(part -> part.value() >= Policy.NOTABLE).isPresent()
          && isForced(incident)) {
        finding.supports(Hypothesis.HUMONGOUS_ALLOCATION);
      }
      return finding.build();
    }

    private static Optional<Ratio> shareOfHeap(JvmFacts jvm, HumongousRegions most) {
      OptionalDouble region = jvm.number(REGION_SIZE);
      return jvm.maxHeap()
          .map(Bytes::value)
          .filter(heap -> heap > 0 && region.isPresent() && region.getAsDouble() > 0)
          .map(heap -> new Ratio(most.before() * region.getAsDouble() / heap));
    }

    /** Whether humongous allocations made the JVM collect. */
    static boolean isForced(Incident incident) {
      return incident
          .timeline()
          .pauses(incident.window())
          .anyOfType(type -> CollectionTrigger.of(type) == CollectionTrigger.HUMONGOUS);
    }
  }
}
