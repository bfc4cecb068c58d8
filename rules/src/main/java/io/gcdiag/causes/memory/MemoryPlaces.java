package io.gcdiag.causes.memory;

import io.gcdiag.books.OwnPlaces.Seen;
import io.gcdiag.books.Place.Part;
import io.gcdiag.books.Place.Role;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.evidence.jvm.Flag;
import io.gcdiag.evidence.jvm.GcSample.OldObjects;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.jvm.MemorySample.MachineMemory;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.Source;
import java.util.Comparator;
import java.util.Optional;

/** Places of memory causes: flags, classes, and the code that allocates. */
public record MemoryPlaces(PlaceParts found) {

  public void heap() {
    JvmFacts jvm = found.timeline().jvm();
    jvm.initialHeap()
        .map(size -> setting("-Xms" + FlagSize.of(size), "InitialHeapSize"))
        .ifPresent(found::add);
    jvm.maxHeap()
        .map(size -> setting("-Xmx" + FlagSize.of(size), "MaxHeapSize"))
        .ifPresent(found::add);
  }

  private Part setting(String text, String flag) {
    Source source =
        found
            .timeline()
            .jvm()
            .flag(flag)
            .map(Flag::source)
            .orElseGet(
                () ->
                    new Source(
                        found.timeline().inputs().stream()
                            .map(InputReport::file)
                            .findFirst()
                            .orElse("inputs"),
                        flag));
    return new Part(Role.SETTING, text, source);
  }

  /** The class that grows, and where it is allocated. */
  public void leak() {
    Optional<OldObjects> held =
        found.timeline().samples(OldObjects.class).stream()
            .filter(objects -> !isOfJdk(objects.className()))
            .max(Comparator.comparingLong(OldObjects::count).thenComparing(OldObjects::className));
    Optional<String> grown = GrowingClassesRule.grownMost(found.incident());
    Optional<String> name =
        grown.or(() -> held.map(OldObjects::className)).filter(type -> !isOfJdk(type));
    Optional<Seen> allocated =
        name.flatMap(
                type -> found.own().most(Activity.ALLOCATING, spot -> spot.subject().equals(type)))
            .or(() -> found.own().most(Activity.ALLOCATING));
    found.code(allocated);
    Optional<Source> histogram =
        found.timeline().histograms().isEmpty()
            ? Optional.empty()
            : Optional.of(
                found
                    .timeline()
                    .histograms()
                    .get(found.timeline().histograms().size() - 1)
                    .source());
    grown
        .flatMap(type -> histogram.map(source -> new Part(Role.CLASS, type, source)))
        .or(
            () ->
                held.map(one -> new Part(Role.CLASS, one.className(), holders(one), one.source())))
        .ifPresent(found::add);
  }

  /** Arrays and texts of the JDK are what everything is made of. */
  private static boolean isOfJdk(String type) {
    return type.startsWith("java.") || type.startsWith("jdk.") || type.indexOf('.') < 0;
  }

  private static String holders(OldObjects objects) {
    return objects.holders().isEmpty() ? "" : "held by " + objects.holders();
  }

  public void humongous() {
    Optional<Seen> large =
        found
            .own()
            .mostOfAll(Activity.ALLOCATING_LARGE)
            .or(() -> found.own().most(Activity.ALLOCATING));
    found.code(large);
    found
        .timeline()
        .jvm()
        .flag("G1HeapRegionSize")
        .ifPresent(
            flag -> {
              String size = FlagSize.of(flag.value());
              found.add(new Part(Role.SETTING, "-XX:G1HeapRegionSize=" + size, flag.source()));
            });
  }

  /** Who allocates by samples, or else what requests are at in dumps. */
  public Optional<Seen> allocating(Activity activity) {
    return found
        .own()
        .mostOfAll(activity)
        .or(found.own()::runningInDumps)
        .or(() -> found.own().inDumps(ThreadState::requestThread));
  }

  /** The limit that the process reaches; how close it came is among the reasons. */
  public void limit() {
    MemoryHeadroom.of(found.timeline(), found.incident().window())
        .ifPresent(
            headroom ->
                found.add(
                    new Part(
                        Role.MACHINE,
                        headroom.ofContainer()
                            ? "memory limit of the container"
                            : "memory of the machine",
                        headroom.limit().toString(),
                        headroom.sources().get(headroom.sources().size() - 1))));
    largestHeap();
  }

  /** What is in use of the memory, the most of all readings. */
  public void memory() {
    found.timeline().samples(MachineMemory.class).stream()
        .max(Comparator.comparingLong(one -> one.used().value()))
        .ifPresent(
            one ->
                found.add(
                    new Part(
                        Role.MACHINE,
                        "memory of the machine or container",
                        one.used() + " of " + one.total() + " in use",
                        one.source())));
    largestHeap();
  }

  private void largestHeap() {
    found
        .timeline()
        .jvm()
        .maxHeap()
        .map(most -> setting("-Xmx" + FlagSize.of(most), "MaxHeapSize"))
        .ifPresent(found::add);
  }

  public void codeCache() {
    found
        .timeline()
        .jvm()
        .flag("ReservedCodeCacheSize")
        .ifPresent(
            flag ->
                found.add(
                    new Part(
                        Role.SETTING,
                        "-XX:ReservedCodeCacheSize=" + FlagSize.of(flag.value()),
                        flag.source())));
  }
}
