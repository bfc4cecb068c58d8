package io.gcdiag.causes.memory;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Place.Part;
import io.gcdiag.books.Place.Role;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.Prediction;
import io.gcdiag.books.Rule;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.evidence.jvm.AllocationSite;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.Case;
import io.gcdiag.units.Bytes;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Objects larger than half a G1 region force collections. */
public final class HumongousAllocationCause extends Cause {

  private static final long MEBI = 1L << 20;

  /** HotSpot takes regions of 1 to 32 MiB, powers of two (heapRegionBounds.hpp). */
  private static final long LARGEST_REGION = 32 * MEBI;

  /** The same of JDK 18 and later (JDK-8275056). */
  private static final long LARGEST_REGION_SINCE_18 = 512 * MEBI;

  private static final int LARGER_REGIONS_SINCE = 18;

  /**
   * The least regions of a heap: of so many, the smallest young generation (5 %, G1NewSizePercent)
   * has three. G1 itself aims at 2,048.
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
        Trait.BY_PAUSES,
        Trait.OF_COLLECTIONS,
        Trait.BEFORE_THE_HEAP_IS_FULL,
        Trait.SEEN_IN_ALLOCATION);
  }

  @Override
  public List<Rule> rules() {
    return List.of(new HumongousRegionsRule());
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
    // Without a size from a recording: four times a region takes objects of up to two.
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

  @Override
  public List<Prediction> predictions(Case incident, List<Finding> findings, OptionalDouble share) {
    return CollectionsRemoved.andLatency(incident, this, share);
  }
}
