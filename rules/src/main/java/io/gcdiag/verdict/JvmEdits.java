package io.gcdiag.verdict;

import io.gcdiag.books.Edit;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.causes.memory.FlagSize;
import io.gcdiag.causes.memory.HumongousRegionsRule;
import io.gcdiag.causes.memory.MachineEdits;
import io.gcdiag.evidence.jvm.AllocationSite;
import io.gcdiag.evidence.jvm.Flag;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.jvm.MemorySample.DirectBuffers;
import io.gcdiag.evidence.jvm.MemorySample.MetaspaceUse;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.units.Bytes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Flags of the JVM that deal with a suspect, with the value to set. */
final class JvmEdits {

  private static final long MEBI = 1L << 20;

  /** HotSpot takes regions of 1 to 32 MiB, powers of two (heapRegionBounds.hpp). */
  private static final long LARGEST_REGION = 32 * MEBI;

  /** The same of JDK 18 and later (JDK-8275056). */
  private static final long LARGEST_REGION_SINCE_18 = 512 * MEBI;

  /**
   * From here on references take 8 bytes in place of 4, unless objects are aligned to 16 bytes in
   * place of 8; then from twice that (compressedOops).
   */
  private static final Bytes COMPRESSED_REFERENCES = Bytes.ofMebi(32 * 1024);

  private static final int LARGER_REGIONS_SINCE = 18;

  /** The JDK that introduced {@code LoopStripMiningIter}. */
  private static final int STRIPES_SINCE = 10;

  /** What tiered compilation reserves by itself (HotSpot's compilationPolicy). */
  private static final Bytes DEFAULT_CODE_CACHE = Bytes.ofMebi(240);

  /** HotSpot does not start with more (CODE_CACHE_SIZE_LIMIT). */
  private static final Bytes LARGEST_CODE_CACHE = Bytes.ofMebi(2048);

  /**
   * The least regions of a heap: of so many, the smallest young generation (5 %, G1NewSizePercent)
   * has three. G1 itself aims at 2,048.
   */
  private static final int FEWEST_REGIONS = 64;

  private static final String SMALLER =
      "allocate smaller buffers: array and header (16 bytes) at most half a G1 region";

  private final SuspectContext suspect;

  JvmEdits(SuspectContext suspect) {
    this.suspect = suspect;
  }

  List<Edit> largerHeap() {
    return new Predictor(suspect.incident(), suspect.about())
        .heapWanted()
        .map(this::heapWithRoom)
        .orElse(List.of());
  }

  /**
   * The heap, the memory limit that it needs, and the alignment that keeps references at 4 bytes.
   */
  private List<Edit> heapWithRoom(Bytes to) {
    List<Edit> edits = new ArrayList<>(new MachineEdits(suspect).roomFor(to));
    edits.addAll(heap(to));
    boolean small =
        suspect
            .timeline()
            .jvm()
            .maxHeap()
            .filter(now -> now.compareTo(COMPRESSED_REFERENCES) < 0)
            .isPresent();
    boolean compressed =
        flagNow("UseCompressedOops")
            .or(() -> suspect.timeline().jvm().collector().filter("ZGC"::equals).map(z -> "false"))
            .filter("false"::equals)
            .isEmpty();
    if (small
        && compressed
        && to.compareTo(COMPRESSED_REFERENCES) >= 0
        && to.compareTo(COMPRESSED_REFERENCES.plus(COMPRESSED_REFERENCES)) < 0) {
      edits.add(Edit.flag("-XX:ObjectAlignmentInBytes", Optional.of("8"), "16", suspect.why()));
    }
    return edits;
  }

  List<Edit> pinnedHeap() {
    return suspect.timeline().jvm().maxHeap().map(this::heap).orElse(List.of());
  }

  private List<Edit> heap(Bytes to) {
    JvmFacts jvm = suspect.timeline().jvm();
    String size = FlagSize.of(to);
    Edit first = Edit.flag("-Xms", jvm.initialHeap().map(FlagSize::of), size, suspect.why());
    Edit most = Edit.flag("-Xmx", jvm.maxHeap().map(FlagSize::of), size, suspect.why());
    boolean same = jvm.maxHeap().filter(to::equals).isPresent();
    return same ? List.of(first) : List.of(first, most);
  }

  /** A larger metaspace if the code that loads the classes is unknown. */
  List<Edit> classes() {
    List<Edit> once =
        suspect.code("generate and load the class once and cache it, not once per request");
    return !once.isEmpty()
        ? once
        : suspect.timeline().samples(MetaspaceUse.class).stream()
            .max(Comparator.comparing(MetaspaceUse::committed))
            .map(most -> metaspace(most))
            .stream()
            .toList();
  }

  /** The threshold that forced the GC is not a flag: it starts at the value of one and grows. */
  private Edit metaspace(MetaspaceUse most) {
    String flag = isAtLimit(most) ? "MaxMetaspaceSize" : "MetaspaceSize";
    return Edit.flag(
        "-XX:" + flag,
        flagNow(flag).map(FlagSize::of),
        FlagSize.of(Bytes.ofMebi(1 + 2 * most.committed().value() / MEBI)),
        suspect.why());
  }

  /**
   * The threshold grows by itself up to the limit; if it still forces GCs, the limit is reached.
   */
  private boolean isAtLimit(MetaspaceUse most) {
    return suspect.timeline().jvm().number("MaxMetaspaceSize").orElse(Double.MAX_VALUE)
        <= most.threshold().value();
  }

  List<Edit> largerRegions() {
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
    long region = MEBI;
    while (region < 2 * object && 2 * region <= largestRegion()) {
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
  private long largestRegion() {
    JvmFacts jvm = suspect.timeline().jvm();
    long ofHeap = jvm.maxHeap().map(heap -> heap.value() / FEWEST_REGIONS).orElse(LARGEST_REGION);
    long ofJdk =
        jvm.oldestRelease().orElse(0) >= LARGER_REGIONS_SINCE
            ? LARGEST_REGION_SINCE_18
            : LARGEST_REGION;
    return Math.min(ofHeap, ofJdk);
  }

  List<Edit> largerCodeCache() {
    List<Edit> edits = new ArrayList<>();
    suspect
        .timeline()
        .jvm()
        .flag("ReservedCodeCacheSize")
        .filter(flag -> Bytes.parse(flag.value()).compareTo(LARGEST_CODE_CACHE) < 0)
        .ifPresent(
            flag ->
                edits.add(
                    Edit.flag(
                        "-XX:ReservedCodeCacheSize",
                        Optional.of(FlagSize.of(flag.value())),
                        FlagSize.of(codeCache(Bytes.parse(flag.value()))),
                        suspect.why())));
    suspect
        .timeline()
        .jvm()
        .flag("UseCodeCacheFlushing")
        .filter(flag -> flag.value().equals("false"))
        .ifPresent(
            flag ->
                edits.add(
                    Edit.flag("-XX:+UseCodeCacheFlushing", Optional.empty(), "", suspect.why())));
    return edits;
  }

  /**
   * Twice the limit, as requests wait at it and how much they would take is not recorded; and the
   * code that fills it, which a limit alone only delays.
   */
  List<Edit> moreDirectMemory() {
    List<Edit> edits = new ArrayList<>();
    suspect.timeline().samples(DirectBuffers.class).stream()
        .map(DirectBuffers::limit)
        .max(Comparator.naturalOrder())
        .ifPresent(
            limit ->
                edits.add(
                    Edit.flag(
                        "-XX:MaxDirectMemorySize",
                        Optional.of(FlagSize.of(limit)),
                        FlagSize.of(limit.plus(limit)),
                        suspect.why())));
    edits.addAll(
        suspect.code(
            edits.isEmpty()
                ? "reuse direct buffers, or raise -XX:MaxDirectMemorySize"
                : "reuse direct buffers: a GC alone frees those that are dropped"));
    return edits;
  }

  private static Bytes codeCache(Bytes now) {
    if (now.compareTo(DEFAULT_CODE_CACHE) < 0) {
      return DEFAULT_CODE_CACHE;
    }
    // JDK 25 reserves a page more than 240 MiB.
    Bytes twice = Bytes.ofMebi(2 * now.value() / MEBI);
    return twice.compareTo(LARGEST_CODE_CACHE) < 0 ? twice : LARGEST_CODE_CACHE;
  }

  /**
   * G1 has the polls by itself, other collectors have not; in stripes they cost next to nothing.
   */
  List<Edit> polls() {
    boolean tool =
        suspect.about().stream().anyMatch(f -> f.actions().containsKey(suspect.hypothesis()));
    if (tool) {
      return List.of();
    }
    Edit polls =
        Edit.flag(
            "-XX:+UseCountedLoopSafepoints",
            flagNow("UseCountedLoopSafepoints"),
            "",
            suspect.why());
    Edit stripes =
        Edit.flag("-XX:LoopStripMiningIter", flagNow("LoopStripMiningIter"), "1000", suspect.why());
    return isWithoutStripes() ? List.of(polls) : List.of(polls, stripes);
  }

  /** JDK 8 and 9 do not start with an unknown flag. */
  private boolean isWithoutStripes() {
    return suspect.timeline().jvm().oldestRelease().orElse(Integer.MAX_VALUE) < STRIPES_SINCE;
  }

  private Optional<String> flagNow(String name) {
    return suspect.timeline().jvm().flag(name).map(Flag::value);
  }
}
