package io.gcdiag.advice;

import io.gcdiag.accounts.heap.OutsideTlabRule;
import io.gcdiag.evidence.heap.AllocationSite;
import io.gcdiag.evidence.heap.MetaspaceUse;
import io.gcdiag.evidence.jvm.Flag;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.pauses.ExplicitCollection;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.prediction.Predictor;
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

  /** What tiered compilation reserves by itself (HotSpot's compilationPolicy). */
  private static final Bytes DEFAULT_CODE_CACHE = Bytes.ofMebi(240);

  private final SuspectContext suspect;

  JvmEdits(SuspectContext suspect) {
    this.suspect = suspect;
  }

  List<Edit> largerHeap() {
    return new Predictor(suspect.incident(), suspect.about())
        .heapWanted()
        .map(this::heap)
        .orElse(List.of());
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

  /** Without the code that loads them, room for those that there are. */
  List<Edit> classes() {
    List<Edit> once =
        suspect.code("generate and load a class once and keep it, not once a request");
    return !once.isEmpty()
        ? once
        : suspect.timeline().samples(MetaspaceUse.class).stream()
            .max(Comparator.comparing(MetaspaceUse::committed))
            .map(
                most ->
                    List.of(
                        Edit.flag(
                            isAtLimit(most) ? "-XX:MaxMetaspaceSize" : "-XX:MetaspaceSize",
                            Optional.of(FlagSize.of(most.threshold())),
                            FlagSize.of(Bytes.ofMebi(1 + 2 * most.committed().value() / MEBI)),
                            suspect.why())))
            .orElse(List.of());
  }

  /** The threshold grows by itself, up to the limit: where that forces GCs, it is the limit. */
  private boolean isAtLimit(MetaspaceUse most) {
    return suspect.timeline().jvm().number("MaxMetaspaceSize").orElse(Double.MAX_VALUE)
        <= most.threshold().value();
  }

  List<Edit> largerRegions() {
    Window window = suspect.incident().windows().incident();
    OptionalDouble now = suspect.timeline().jvm().number(OutsideTlabRule.REGION_SIZE);
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
      return suspect.code("allocate smaller buffers, below half a G1 region");
    }
    // Without a size from a recording: four times a region takes objects of up to two.
    double object = largest.map(size -> (double) size.value()).orElse(2 * now.getAsDouble());
    long region = MEBI;
    while (region < 2 * object && region < LARGEST_REGION) {
      region *= 2;
    }
    return region <= now.getAsDouble()
        ? suspect.code("allocate smaller buffers, below half a G1 region")
        : List.of(
            Edit.flag(
                "-XX:G1HeapRegionSize",
                Optional.of(FlagSize.of(Bytes.of(Math.round(now.getAsDouble())))),
                FlagSize.of(Bytes.of(region)),
                suspect.why()));
  }

  List<Edit> noExplicitCollection() {
    boolean direct =
        suspect.timeline().samples(ExplicitCollection.class).stream()
            .anyMatch(ExplicitCollection::forDirectBuffers);
    boolean called = !suspect.timeline().samples(ExplicitCollection.class).isEmpty();
    if (direct || !called) {
      return suspect.code(
          direct
              ? "reuse direct buffers, or raise -XX:MaxDirectMemorySize"
              : "take class histograms and heap dumps rarely, or with -all, which skips the full GC");
    }
    return List.of(Edit.flag("-XX:+DisableExplicitGC", Optional.empty(), "", suspect.why()));
  }

  List<Edit> largerCodeCache() {
    List<Edit> edits = new ArrayList<>();
    suspect
        .timeline()
        .jvm()
        .flag("ReservedCodeCacheSize")
        .ifPresent(
            flag ->
                edits.add(
                    Edit.flag(
                        "-XX:ReservedCodeCacheSize",
                        Optional.of(FlagSize.of(flag.value())),
                        codeCache(flag.value()),
                        suspect.why())));
    suspect
        .timeline()
        .jvm()
        .flag("UseCodeCacheFlushing")
        .filter(flag -> flag.value().equals("false"))
        .ifPresent(
            flag ->
                edits.add(
                    Edit.flag(
                        "-XX:+UseCodeCacheFlushing", Optional.of("false"), "", suspect.why())));
    return edits;
  }

  private static String codeCache(String now) {
    Bytes present = Bytes.parse(now);
    return FlagSize.of(
        present.compareTo(DEFAULT_CODE_CACHE) < 0
            ? DEFAULT_CODE_CACHE
            : Bytes.of(2 * present.value()));
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

  /** JDK 8 and 9 do not start with a flag that they do not know. */
  private boolean isWithoutStripes() {
    return suspect
        .timeline()
        .jvm()
        .version()
        .filter(version -> version.matches("(?:1\\.)?[5-8](?:[._u-].*)?|9(?:[. ].*)?"))
        .isPresent();
  }

  private Optional<String> flagNow(String name) {
    return suspect.timeline().jvm().flag(name).map(Flag::value);
  }
}
