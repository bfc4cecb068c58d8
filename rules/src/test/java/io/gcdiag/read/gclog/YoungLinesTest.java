package io.gcdiag.read.gclog;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.read.gclog.GcLog.LoggedYoung;
import io.gcdiag.read.gclog.GcLogFormat.GcLogReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class YoungLinesTest {

  private static final long KIB = 1024;

  private static GcLog read(String text) throws IOException {
    return GcLogReader.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static void expect(
      int count, long before, long survived, long promoted, LoggedYoung young) {
    assertEquals(
        List.of((long) count, before, survived, promoted),
        List.of((long) young.count(), young.before(), young.survived(), young.promoted()));
  }

  @Test
  void whatLeavesTheYoungGenerationAndTheHeapIsNotPromoted() throws IOException {
    GcLog log =
        read(
            "2020-03-25T16:16:18.390+0800: 1294233.934: [GC (Allocation Failure) "
                + "2020-03-25T16:16:18.391+0800: 1294233.935: [ParNew: 1770060K->25950K(1922432K),"
                + " 0.0317141 secs] 2105763K->361653K(4019584K), 0.0323010 secs] "
                + "[Times: user=0.12 sys=0.00, real=0.04 secs]\n");
    // 1,770,060 - 25,950 KiB left the one, 2,105,763 - 361,653 KiB the other: both 1,744,110.
    assertEquals(1, log.young().size());
    expect(1, 1_770_060 * KIB, 25_950 * KIB, 0, log.young().get(0));
  }

  @Test
  void whatLeavesTheYoungGenerationAloneIs() throws IOException {
    GcLog log =
        read(
            "3.168: [GC (Allocation Failure) 3.168: [ParNew: 28775K->10198K(30720K), 0.0116599"
                + " secs] 28775K->12270K(776192K), 0.0117258 secs]\n"
                + "3.305: [GC (Allocation Failure) 3.305: [ParNew: 30678K->6428K(30720K), 0.0055220"
                + " secs] 32750K->12027K(776192K), 0.0055692 secs]\n"
                + "4.478: [GC (Allocation Failure) 4.478: [ParNew: 26864K->3038K(30720K), 0.0034832"
                + " secs] 32463K->8638K(776192K), 0.0035309 secs]\n"
                + "5.676: [Full GC 5.676: [CMS: 5600K->5000K(745472K), 0.0071749 secs]"
                + " 29118K->5000K(776192K), 0.0072199 secs]\n");
    // 18,577 - 16,505 = 2,072 KiB and 24,250 - 20,723 = 3,527 KiB in second 3; 1 KiB in second 4.
    assertEquals(2, log.young().size());
    expect(
        2,
        (28_775 + 30_678) * KIB,
        (10_198 + 6_428 + 2_072 + 3_527) * KIB,
        (2_072 + 3_527) * KIB,
        log.young().get(0));
    expect(1, 26_864 * KIB, 3_039 * KIB, KIB, log.young().get(1));
  }

  @Test
  void generationsOfAUnifiedLogAreThoseOfTheirCollection() throws IOException {
    GcLog log =
        read(
            "[0.101s] GC(1) Pause Young (Allocation Failure)\n"
                + "[0.107s] GC(1) PSYoungGen: 18930K(18944K)->2546K(18944K) Eden:"
                + " 16384K(16384K)->0K(16384K) From: 2546K(2560K)->2546K(2560K)\n"
                + "[0.107s] GC(1) ParOldGen: 14708K(44032K)->20930K(44032K)\n"
                + "[0.107s] GC(1) Pause Young (Allocation Failure) 32M->22M(61M) 5.986ms\n"
                + "[0.201s] GC(2) Pause Full (Ergonomics)\n"
                + "[0.207s] GC(2) PSYoungGen: 2546K(18944K)->0K(18944K) Eden:"
                + " 0K(16384K)->0K(16384K) From: 2546K(2560K)->0K(2560K)\n"
                + "[0.207s] GC(2) ParOldGen: 20930K(44032K)->15000K(44032K)\n"
                + "[0.207s] GC(2) Pause Full (Ergonomics) 22M->14M(61M) 15.986ms\n");
    // 20,930 - 14,708 = 6,222 KiB; the full collection is none of the young generation's.
    assertEquals(1, log.young().size());
    expect(1, 18_930 * KIB, (2_546 + 6_222) * KIB, 6_222 * KIB, log.young().get(0));
  }

  @Test
  void regionsOfG1AreCounted() throws IOException {
    GcLog log =
        read(
            "[9.098s] GC(7) Pause Young (Normal) (G1 Evacuation Pause)\n"
                + "[9.103s] GC(7) Eden regions: 22->0(23)\n"
                + "[9.103s] GC(7) Survivor regions: 3->2(3)\n"
                + "[9.103s] GC(7) Old regions: 502->503\n"
                + "[9.103s] GC(7) Humongous regions: 0->0\n"
                + "[9.103s] GC(7) Pause Young (Normal) (G1 Evacuation Pause) 506M->504M(512M)"
                + " 4.849ms\n"
                + "[9.198s] GC(8) Pause Young (Mixed) (G1 Evacuation Pause)\n"
                + "[9.203s] GC(8) Eden regions: 22->0(23)\n"
                + "[9.203s] GC(8) Survivor regions: 2->2(3)\n"
                + "[9.203s] GC(8) Old regions: 503->480\n"
                + "[9.203s] GC(8) Pause Young (Mixed) (G1 Evacuation Pause) 506M->484M(512M)"
                + " 4.849ms\n");
    assertEquals(1, log.young().size());
    assertEquals(true, log.young().get(0).inRegions());
    expect(1, 25, 3, 1, log.young().get(0));
  }
}
