package io.gcdiag.causes;

import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.books.Advice;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.evidence.jvm.AllocationSite;
import io.gcdiag.evidence.jvm.AllocationSite.Path;
import io.gcdiag.evidence.jvm.CodePlace;
import io.gcdiag.evidence.jvm.GcSample.ExplicitCollection;
import io.gcdiag.evidence.jvm.MemorySample.MemoryLimit;
import io.gcdiag.evidence.jvm.MemorySample.MetaspaceUse;
import io.gcdiag.evidence.jvm.MemorySample.ResidentMemory;
import io.gcdiag.evidence.jvm.OutsideRequest;
import io.gcdiag.evidence.jvm.OwnCode;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.jvm.OwnCode.Spot;
import io.gcdiag.evidence.time.PlaceCounts;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.PauseSketch;
import io.gcdiag.units.Bytes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Flags, as the JDK and the collector that were seen take them. */
class FlagEditsTest {

  private static final Source READ = new Source("recording.jfr", "jdk.SystemGC");

  private static String edit(IncidentBuilder incident, Hypothesis hypothesis) {
    return Edit.together(
        Causes.advice(incident.build(), Causes.of(hypothesis), List.of(), "").edits());
  }

  private static IncidentBuilder systemGc(String collector, String caller, boolean direct) {
    return incident()
        .collector(collector)
        .pause(PauseSketch.full(90, 250).cause("System.gc()"))
        .sample(new ExplicitCollection(at(90), Duration.ofMillis(250), caller, direct, READ));
  }

  /** The code that requests the collections. */
  private static OwnCode requests() {
    return cache(Activity.COLLECTING);
  }

  private static OwnCode cache(Activity activity) {
    return cache(activity, "", 1);
  }

  private static OwnCode cache(Activity activity, String subject, long amount) {
    PlaceCounts amounts = new PlaceCounts();
    amounts.add(0, at(90).getEpochSecond() * 1_000_000_000L, amount);
    amounts.close();
    CodePlace place = new CodePlace("com.acme.Cache.clear", 7);
    Spot spot = new Spot(subject, place, place, place, true, false);
    return new OwnCode(at(90), activity, List.of(spot), amounts, READ);
  }

  @Test
  void aCallOfTheServiceIsRemovedOrWithG1MadeConcurrent() {
    assertEquals(
        "com.acme.Cache.clear:7: remove this call of System.gc(), or make it concurrent:"
            + " -XX:+ExplicitGCInvokesConcurrent",
        edit(
            systemGc("G1", "com.acme.Cache.clear", false).sample(requests()),
            Hypothesis.EXPLICIT_GC));
    assertEquals(
        "com.acme.Cache.clear:7: remove this call of System.gc()",
        edit(
            systemGc("Parallel", "com.acme.Cache.clear", false).sample(requests()),
            Hypothesis.EXPLICIT_GC));
  }

  /** A log alone: the pauses have the cause, and nothing says who called. */
  @Test
  void withoutACallerOnlyG1HasAFlagForIt() {
    PauseSketch pause = PauseSketch.full(90, 250).cause("System.gc()");
    assertEquals(
        "-XX:+ExplicitGCInvokesConcurrent",
        edit(incident().collector("G1").pause(pause), Hypothesis.EXPLICIT_GC));
    assertEquals("", edit(incident().collector("Serial").pause(pause), Hypothesis.EXPLICIT_GC));
    assertEquals(
        "",
        edit(
            incident().collector("G1").flag("ExplicitGCInvokesConcurrent", "true").pause(pause),
            Hypothesis.EXPLICIT_GC));
  }

  @Test
  void directBuffersKeepTheirCollectionAndGetMoreRoom() {
    assertEquals(
        "com.acme.Cache.clear:7: reuse direct buffers, or raise -XX:MaxDirectMemorySize",
        edit(
            systemGc("G1", "com.acme.Net.read", true).sample(requests()),
            Hypothesis.DIRECT_MEMORY));
  }

  @Test
  void rmiCollectsConcurrentlyOrOnceADay() {
    assertEquals(
        "-XX:+ExplicitGCInvokesConcurrent",
        edit(systemGc("G1", "sun.rmi.transport.GC$Daemon.run", false), Hypothesis.EXPLICIT_GC));
    assertEquals(
        "-Dsun.rmi.dgc.server.gcInterval=86400000; -Dsun.rmi.dgc.client.gcInterval=86400000",
        edit(systemGc("Parallel", "sun.misc.GC$Daemon.run", false), Hypothesis.EXPLICIT_GC));
  }

  @Test
  void whatAnotherProcessRequestsIsInNoCode() {
    IncidentBuilder jmx = systemGc("G1", "sun.management.MemoryImpl.gc", false);
    assertIsOutside(jmx, "GCs requested through JMX");
    IncidentBuilder jcmd =
        incident()
            .collector("G1")
            .pause(PauseSketch.full(90, 250).cause("Diagnostic Command"))
            .sample(outside("G1CollectFull"))
            .sample(requests("G1CollectForAllocation"));
    assertIsOutside(jcmd, "GCs requested by jcmd GC.run");
  }

  /** 250 ms for other processes, and a second for the service itself. */
  @Test
  void whatTheServiceRequestsMoreOfIsInItsCode() {
    IncidentBuilder both =
        incident()
            .pause(PauseSketch.full(90, 1000).cause("Heap Inspection Initiated GC"))
            .sample(outside("GC_HeapInspection"))
            .sample(requests("GC_HeapInspection"));
    assertEquals(
        "com.acme.Cache.clear:7",
        Causes.advice(both.build(), Causes.of(Hypothesis.EXPLICIT_GC), List.of(), "")
            .place()
            .orElseThrow()
            .toString());
  }

  /** A heap dump without a collection before it stops the threads for a second. */
  @Test
  void aHeapDumpOfJcmdIsNotWhereThreadsHappenToRun() {
    IncidentBuilder dump =
        incident()
            .safepoint(90, 1, 1000, "HeapDumper", false)
            .sample(outside("HeapDumper"))
            .sample(cache(Activity.RUNNING));
    assertEquals(
        "requested from outside the process (jcmd, JMX)",
        Causes.advice(dump.build(), Causes.of(Hypothesis.SAFEPOINT_STALL), List.of(), "")
            .place()
            .orElseThrow()
            .toString());
  }

  private static OutsideRequest outside(String operation) {
    return new OutsideRequest(at(90), Duration.ofMillis(250), operation, READ);
  }

  private static OwnCode requests(String operation) {
    return cache(Activity.REQUESTING_STOPS, operation, 1_000_000_000L);
  }

  private static void assertIsOutside(IncidentBuilder incident, String title) {
    Advice advice =
        Causes.advice(incident.build(), Causes.of(Hypothesis.EXPLICIT_GC), List.of(), "");
    assertEquals(
        "requested from outside the process (jcmd, JMX)", advice.place().orElseThrow().toString());
    assertEquals(Optional.of(title), advice.title());
    assertEquals(List.of(), advice.edits());
  }

  @Test
  void classHistogramsAreTakenRarely() {
    assertEquals(
        "com.acme.Cache.clear:7: take class histograms and heap dumps rarely, or with -all, which"
            + " skips the full GC",
        edit(
            incident()
                .collector("G1")
                .pause(PauseSketch.full(90, 250).cause("Heap Inspection Initiated GC"))
                .sample(requests()),
            Hypothesis.EXPLICIT_GC));
  }

  /** Regions of 32 MiB, and arrays of 60: regions of 128 MiB take them, which JDK 17 has not. */
  private static IncidentBuilder largeArrays(String jdk) {
    return incident()
        .jdk(jdk)
        .flag("G1HeapRegionSize", Long.toString(32L << 20))
        .allocationSite(
            new AllocationSite(
                "byte[]",
                "Photos.load",
                "Photos",
                true,
                Path.OUTSIDE_TLAB,
                Bytes.ofMebi(600),
                10,
                Optional.of(Bytes.ofMebi(60))));
  }

  @Test
  void regionsAreUpTo32MebibytesUntilJdk17() {
    assertEquals("", edit(largeArrays("17.0.15").maxHeap(8192), Hypothesis.HUMONGOUS_ALLOCATION));
    assertEquals(
        "-XX:G1HeapRegionSize=128m (now 32m)",
        edit(largeArrays("21.0.4").maxHeap(8192), Hypothesis.HUMONGOUS_ALLOCATION));
  }

  /** A heap of 8 GiB has 64 regions of 128 MiB, one of 7 GiB has 56. */
  @Test
  void aHeapKeepsEnoughRegions() {
    assertEquals("", edit(largeArrays("21.0.4").maxHeap(7168), Hypothesis.HUMONGOUS_ALLOCATION));
    assertEquals("", edit(largeArrays("21.0.4"), Hypothesis.HUMONGOUS_ALLOCATION));
  }

  /** The header belongs to the object: an array of half a region is larger than that. */
  @Test
  void buffersAreSmallerThanHalfARegionByTheirHeader() {
    assertEquals(
        "com.acme.Cache.clear:7: allocate smaller buffers: array and header (16 bytes) at most half"
            + " a G1 region",
        edit(
            largeArrays("17.0.15").sample(cache(Activity.ALLOCATING_LARGE)),
            Hypothesis.HUMONGOUS_ALLOCATION));
  }

  /** The threshold of the next GC, 60 MiB, is not what the flag is set to. */
  @Test
  void theFlagOfTheMetaspaceHasItsOwnValue() {
    assertEquals(
        "-XX:MetaspaceSize=101m (now 21m)", edit(classes(), Hypothesis.METASPACE_PRESSURE));
    assertEquals(
        "-XX:MaxMetaspaceSize=101m (now 60m)",
        edit(
            classes().flag("MaxMetaspaceSize", Long.toString(60L << 20)),
            Hypothesis.METASPACE_PRESSURE));
  }

  private static IncidentBuilder classes() {
    return incident()
        .flag("MetaspaceSize", Long.toString(21L << 20))
        .sample(
            new MetaspaceUse(at(90), Bytes.ofMebi(48), Bytes.ofMebi(50), Bytes.ofMebi(60), READ));
  }

  /** HotSpot does not start with a code cache of more than 2 GiB. */
  @Test
  void theCodeCacheIsDoubledUpTo2Gibibytes() {
    assertEquals(
        "-XX:ReservedCodeCacheSize=480m (now 240m)",
        edit(
            incident().flag("ReservedCodeCacheSize", Long.toString(240L << 20)),
            Hypothesis.JIT_PRESSURE));
    assertEquals(
        "-XX:ReservedCodeCacheSize=2g (now 1200m)",
        edit(
            incident().flag("ReservedCodeCacheSize", Long.toString(1200L << 20)),
            Hypothesis.JIT_PRESSURE));
    assertEquals(
        "",
        edit(
            incident().flag("ReservedCodeCacheSize", Long.toString(2048L << 20)),
            Hypothesis.JIT_PRESSURE));
  }

  /** Without collections the heap is doubled. */
  private static IncidentBuilder full(int heapMebi, int limitMebi) {
    return incident()
        .heapSizes(heapMebi, heapMebi)
        .sample(new MemoryLimit(at(0), Bytes.ofMebi(limitMebi), READ));
  }

  @Test
  void aHeapIsRaisedTogetherWithTheLimitThatItHasToFit() {
    assertEquals("-Xms1g -Xmx1g (now 512m)", edit(full(512, 2048), Hypothesis.MEMORY_PRESSURE));
    assertEquals(
        "memory limit of the container: more than 1 GiB, the maximum size of the heap alone"
            + " (now 900 MiB); -Xms1g (now 512m); -Xmx1g (now 512m)",
        edit(full(512, 900), Hypothesis.MEMORY_PRESSURE));
    // Outside the committed 512 MiB the process has 300: 1,324 MiB in all.
    assertEquals(
        "memory limit of the container: at least 1.29 GiB, for 1 GiB of heap and at least 300 MiB"
            + " outside of it (now 1.17 GiB); -Xms1g (now 512m); -Xmx1g (now 512m)",
        edit(
            full(512, 1200)
                .heapAfterCollection(90, Bytes.ofMebi(400), Bytes.ofMebi(512))
                .sample(new ResidentMemory(at(90), Bytes.ofMebi(812), READ)),
            Hypothesis.MEMORY_PRESSURE));
  }

  /** Tried: with 40 GiB HotSpot has UseCompressedOops only if objects are aligned to 16 bytes. */
  @Test
  void beyond32GibibytesReferencesStaySmall() {
    int machine = 256 * 1024;
    assertEquals(
        "-Xms40g -Xmx40g -XX:ObjectAlignmentInBytes=16 (now -Xms20g -Xmx20g"
            + " -XX:ObjectAlignmentInBytes=8)",
        edit(full(20 * 1024, machine), Hypothesis.MEMORY_PRESSURE));
    assertEquals(
        "-Xms40g -Xmx40g (now 20g)",
        edit(full(20 * 1024, machine).collector("ZGC"), Hypothesis.MEMORY_PRESSURE));
    assertEquals(
        "-Xms80g -Xmx80g (now 40g)", edit(full(40 * 1024, machine), Hypothesis.MEMORY_PRESSURE));
  }
}
