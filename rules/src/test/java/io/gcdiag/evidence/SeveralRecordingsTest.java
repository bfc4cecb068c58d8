package io.gcdiag.evidence;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.jvm.AllocationProfile;
import io.gcdiag.evidence.jvm.AllocationSite;
import io.gcdiag.evidence.jvm.AllocationSite.Path;
import io.gcdiag.evidence.jvm.AllocationSites;
import io.gcdiag.evidence.jvm.CodeSite;
import io.gcdiag.evidence.jvm.CpuProfile;
import io.gcdiag.evidence.time.Series;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.units.Bytes;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Recordings of one JVM, one after the other, are one timeline. */
class SeveralRecordingsTest {

  private static final Instant START = Instant.parse("2026-11-21T10:00:00Z");
  private static final Window BOTH = new Window(START, START.plusSeconds(20));
  private static final CodeSite LOOP = new CodeSite("acme.Loop.run", "acme.Main.main", true, false);

  private static AllocationProfile allocation(int fromSecond, long bytes) {
    Series.Builder sampled = new Series.Builder();
    for (int second = fromSecond; second < fromSecond + 10; second++) {
      sampled.add(START.plusSeconds(second), bytes / 10.0);
    }
    AllocationSites.Builder sites = new AllocationSites.Builder();
    sites.add(0, START.plusSeconds(fromSecond).getEpochSecond() * 1_000_000_000L, bytes);
    return new AllocationProfile(
        sites.build(
            List.of(
                new AllocationSite(
                    "byte[]",
                    "acme.Page.render",
                    "acme.Main.main",
                    true,
                    Path.SAMPLED,
                    Bytes.of(bytes),
                    10,
                    Optional.empty()))),
        sampled.build(),
        OptionalDouble.of(bytes / 10.0),
        Optional.of(new Source("part-" + fromSecond + ".jfr", "jdk.ObjectAllocationSample")));
  }

  private static AllocationProfile allocation(AllocationProfile... parts) {
    TimelineBuilder timeline = new TimelineBuilder();
    for (AllocationProfile part : parts) {
      timeline.allocation(part);
    }
    return timeline.build().profiles().allocation();
  }

  private static CpuProfile samples(int fromSecond) {
    CpuProfile.Builder samples = new CpuProfile.Builder();
    for (int second = fromSecond; second < fromSecond + 10; second++) {
      samples.add(START.plusSeconds(second), LOOP, List.of("acme.Loop.run"), false, false);
    }
    return samples.build();
  }

  @Test
  void allocationOfAllPartsCounts() {
    AllocationProfile whole = allocation(allocation(0, 1_000), allocation(10, 3_000));
    assertEquals(4_000, whole.sampledBytesPerSecond().sum(BOTH), 1e-9);
    assertEquals(1, whole.sites().all().size());
    assertEquals(Bytes.of(4_000), whole.sites().all().get(0).bytes());
    assertEquals(20, whole.sites().all().get(0).count());
    Window second = new Window(START.plusSeconds(10), START.plusSeconds(20));
    assertEquals(Bytes.of(3_000), whole.sites().within(second).get(0).bytes());
    assertEquals(Bytes.of(4_000), whole.sites().within(BOTH).get(0).bytes());
    // 100 a second for ten seconds, then 300 for ten.
    assertEquals(200, whole.totalBytesPerSecond().orElseThrow(), 1e-9);
  }

  @Test
  void twoRecordingsOfTheSameStretchCountOnce() {
    AllocationProfile whole = allocation(allocation(0, 1_000), allocation(0, 1_000));
    assertEquals(1_000, whole.sampledBytesPerSecond().sum(BOTH), 1e-9);
    CpuProfile samples =
        new TimelineBuilder()
            .cpuProfile(samples(0))
            .cpuProfile(samples(0))
            .build()
            .profiles()
            .cpu();
    assertEquals(10, samples.within(BOTH).java());
  }

  @Test
  void samplesOfAllPartsCount() {
    CpuProfile whole =
        new TimelineBuilder()
            .cpuProfile(samples(0))
            .cpuProfile(samples(10))
            .build()
            .profiles()
            .cpu();
    assertEquals(20, whole.within(BOTH).java());
    assertEquals(Map.of(LOOP, 20L), whole.sites(BOTH));
    assertEquals(Map.of("acme.Loop.run", 20L), whole.methods(BOTH));
  }
}
