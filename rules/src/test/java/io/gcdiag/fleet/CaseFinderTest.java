package io.gcdiag.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gcdiag.fixtures.Incidents;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CaseFinderTest {

  private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");
  private static final String GC_LINE =
      "[2026-03-01T10:30:00.000+0000][1.5s][info][gc] GC(0) Pause Young (Normal)"
          + " (G1 Evacuation Pause) 24M->4M(256M) 3.5ms\n";

  @TempDir Path root;

  /** A recording of one chunk without events: all that a listing looks at is in its header. */
  private Path recording(String name, Instant from, Duration length) throws IOException {
    ByteBuffer chunk = ByteBuffer.allocate(100);
    chunk.putInt(0x464c5200).putShort((short) 2).putShort((short) 1);
    chunk.putLong(chunk.capacity()).putLong(80).putLong(80);
    chunk.putLong(from.toEpochMilli() * 1_000_000).putLong(length.toNanos());
    return write(name, chunk.array());
  }

  private Path write(String name, byte[] content) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.write(file, content);
  }

  private List<FleetCase> find(String pattern, Path... leftOut) {
    PathPattern known = pattern.isEmpty() ? PathPattern.none() : PathPattern.parse(pattern);
    return CaseFinder.find(List.of(root), CaseRoots.NONE, known, List.of(leftOut), text -> text)
        .cases();
  }

  private List<String> ids() {
    String name = root.getFileName().toString();
    return find("").stream().map(one -> one.id().substring(name.length())).toList();
  }

  private List<List<String>> files() {
    return find("").stream()
        .map(one -> one.files().stream().map(file -> file.getFileName().toString()).toList())
        .toList();
  }

  @Test
  void eachFolderWithInputsIsACaseAndIsReadAsAWhole() throws IOException {
    write("a/gc.log", GC_LINE.getBytes());
    write("b/deep/gc.log", GC_LINE.getBytes());
    write("b/notes.md", "# nothing to read".getBytes());
    write(".hidden/gc.log", GC_LINE.getBytes());
    assertEquals(List.of("/a", "/b/deep"), ids());
    FleetCase first = find("").get(0);
    assertEquals(List.of(root.resolve("a")), first.inputs());
    assertEquals(Instant.parse("2026-03-01T10:30:00Z"), first.time().orElseThrow().from());
  }

  @Test
  void theFolderOfTheResultsHoldsNoCases() throws IOException {
    write("a/gc.log", GC_LINE.getBytes());
    write("results/gc.log", GC_LINE.getBytes());
    assertEquals(1, find("", root.resolve("results")).size());
  }

  @Test
  void hourlyRecordingsAreACaseAnHour() throws IOException {
    recording("1.jfr", START, Duration.ofHours(1));
    recording("2.jfr", START.plus(Duration.ofHours(1)), Duration.ofHours(1));
    recording("3.jfr", START.plus(Duration.ofHours(2)), Duration.ofHours(1));
    assertEquals(List.of("/1.jfr", "/2.jfr", "/3.jfr"), ids());
  }

  private CaseFinder.Found found(CaseRoots known, Path... roots) {
    return CaseFinder.find(List.of(roots), known, PathPattern.none(), List.of(), text -> text);
  }

  private static List<String> ids(CaseFinder.Found found) {
    return found.cases().stream().map(FleetCase::id).toList();
  }

  /** The first hour keeps its name; names of other ways to divide the folder are told. */
  @Test
  void aSecondHourDoesNotRenameTheFirst() throws IOException {
    Path orders = recording("orders/1.jfr", START, Duration.ofHours(1)).getParent();
    assertEquals(List.of("orders/1.jfr"), ids(found(CaseRoots.NONE, orders)));
    recording("orders/2.jfr", START.plus(Duration.ofHours(1)), Duration.ofHours(1));
    CaseFinder.Found both = found(CaseRoots.NONE, orders);
    assertEquals(List.of("orders/1.jfr", "orders/2.jfr"), ids(both));
    assertEquals(Set.of("orders"), both.otherNames());
    assertEquals(Optional.of("orders"), both.cases().get(0).placed().service());
  }

  @Test
  void aFolderIsSearchedOnceHoweverItIsWritten() throws IOException {
    Path log = write("rec/orders/gc.log", GC_LINE.getBytes());
    Path rec = root.resolve("rec");
    Path link = Files.createSymbolicLink(root.resolve("link"), rec);
    assertEquals(
        List.of("rec/orders"), ids(found(CaseRoots.NONE, log.getParent(), rec, link, rec)));
    assertEquals(List.of("rec/orders"), ids(found(CaseRoots.NONE, link)));
  }

  /** As in two runs into one folder of results. */
  @Test
  void foldersOfOneNameKeepTheirNamesInEveryRun() throws IOException {
    write("day1/rec/gc.log", GC_LINE.getBytes());
    write("day2/rec/web/gc.log", GC_LINE.getBytes());
    Path one = root.resolve("day1/rec");
    Path two = root.resolve("day2/rec");
    CaseFinder.Found first = found(CaseRoots.NONE, one);
    CaseFinder.Found second = found(first.roots(), two);
    assertEquals(List.of("rec"), ids(first));
    assertTrue(ids(second).get(0).matches("rec-[0-9a-f]{8}/web"), () -> ids(second).get(0));
    assertEquals(ids(second), ids(found(second.roots(), two.resolve("web"))));
    assertEquals(ids(first), ids(found(second.roots(), one)));
  }

  @Test
  void aLinkToAFileIsAFileUnlessThatIsListed() throws IOException {
    Path log = write("away/gc.log", GC_LINE.getBytes());
    write("rec/a/gc.log", GC_LINE.getBytes());
    Files.createSymbolicLink(root.resolve("rec/a/latest.log"), root.resolve("rec/a/gc.log"));
    Files.createDirectories(root.resolve("rec/b"));
    Files.createSymbolicLink(root.resolve("rec/b/gc.log"), log);
    CaseFinder.Found found = found(CaseRoots.NONE, root.resolve("rec"));
    assertEquals(List.of("rec/a", "rec/b"), ids(found));
    assertEquals(1, found.cases().get(0).files().size());
  }

  @Test
  void partsOfOneHourAreOneCase() throws IOException {
    recording("1.jfr", START, Duration.ofMinutes(20));
    recording("2.jfr", START.plus(Duration.ofMinutes(20)), Duration.ofMinutes(20));
    recording("3.jfr", START.plus(Duration.ofMinutes(40)), Duration.ofMinutes(20));
    recording("4.jfr", START.plus(Duration.ofMinutes(60)), Duration.ofMinutes(20));
    assertEquals(List.of(List.of("1.jfr", "2.jfr", "3.jfr"), List.of("4.jfr")), files());
  }

  @Test
  void aGapDividesCases() throws IOException {
    recording("1.jfr", START, Duration.ofMinutes(5));
    recording("2.jfr", START.plus(Duration.ofMinutes(20)), Duration.ofMinutes(5));
    assertEquals(List.of(List.of("1.jfr"), List.of("2.jfr")), files());
  }

  @Test
  void aRecordingInsideOfALongOneBelongsToIt() throws IOException {
    recording("day.jfr", START, Duration.ofHours(5));
    recording("minute.jfr", START.plus(Duration.ofHours(3)), Duration.ofMinutes(1));
    assertEquals(List.of(List.of("day.jfr", "minute.jfr")), files());
  }

  /** The log is of 10:30, which only the first hour covers. */
  @Test
  void otherFilesJoinTheCaseWhoseTimeTheyOverlap() throws IOException {
    recording("1.jfr", START, Duration.ofHours(1));
    recording("2.jfr", START.plus(Duration.ofHours(1)), Duration.ofHours(1));
    write("gc.log", GC_LINE.getBytes());
    write("old.log", GC_LINE.replace("2026-03-01", "2026-02-01").getBytes());
    assertEquals(
        List.of(List.of("1.jfr", "gc.log"), List.of("2.jfr"), List.of("old.log")), files());
  }

  @Test
  void aPackedLogThatBeginsBeforeItsRecordingJoinsThatAndNoLaterOne() throws IOException {
    // The listing does not unpack it, so its end is not known.
    recording("orders/1000.jfr", START.plusSeconds(60), Duration.ofMinutes(10));
    recording("orders/1030.jfr", START.plus(Duration.ofMinutes(30)), Duration.ofMinutes(10));
    String early = GC_LINE.replace("10:30:00", "10:00:00");
    write("orders/gc.log", early.getBytes());
    try (OutputStream packed =
        new GZIPOutputStream(Files.newOutputStream(root.resolve("orders/gc.log.gz")))) {
      packed.write(early.getBytes());
    }
    assertEquals(
        List.of(List.of("1000.jfr", "gc.log.gz"), List.of("1030.jfr"), List.of("gc.log")), files());
  }

  @Test
  void aPackedFileInsideOfARecordingJoinsThatAlone() throws IOException {
    recording("orders/1000.jfr", START, Duration.ofMinutes(40));
    recording("orders/1050.jfr", START.plus(Duration.ofMinutes(50)), Duration.ofMinutes(10));
    Path log = root.resolve("orders/gc.log.gz");
    try (OutputStream packed = new GZIPOutputStream(Files.newOutputStream(log))) {
      packed.write(GC_LINE.getBytes());
    }
    assertEquals(List.of(List.of("1000.jfr", "gc.log.gz"), List.of("1050.jfr")), files());
  }

  @Test
  void numbersInAThreadDumpAreNoTimes() throws IOException {
    recording("a/0900.jfr", START, Duration.ofHours(1));
    recording("a/1000.jfr", START.plus(Duration.ofHours(1)), Duration.ofHours(1));
    String dump =
        """
        2026-03-01 10:30:00
        Full thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode, sharing):

        "exec-1" #40 daemon prio=5 os_prio=0 cpu=1.25ms elapsed=70.11s tid=0x00007f5409c28000 \
        nid=0xabc8 runnable  [0x00007f5413850000]
           java.lang.Thread.State: RUNNABLE

        "Pool-Cleaner[Thread[main,5,main]:2089063067:1795265057403]" #30 daemon prio=5
        """;
    write("a/threads.txt", dump.getBytes());
    assertEquals(List.of(List.of("0900.jfr", "threads.txt"), List.of("1000.jfr")), files());
  }

  @Test
  void recordingsOfTwoProcessesAreTwoCases() throws IOException {
    for (String name : List.of("relay-pool-of-two", "relay-pool-of-two-fixed")) {
      Files.copy(Incidents.folder(name).resolve("recording.jfr"), root.resolve(name + ".jfr"));
    }
    assertEquals(2, files().size());
  }

  /** Linux gives an error for the first byte of a process's memory, to any user. */
  @Test
  void aFileThatCannotBeReadIsACase() throws IOException {
    Path memory = Path.of("/proc/self/mem");
    assumeTrue(Files.exists(memory));
    recording("b/1.jfr", START, Duration.ofHours(1));
    recording("b/2.jfr", START.plus(Duration.ofHours(1)), Duration.ofHours(1));
    Files.createDirectories(root.resolve("a"));
    Files.createSymbolicLink(root.resolve("a/1.jfr"), memory);
    Files.createSymbolicLink(root.resolve("b/3.jfr"), memory);
    assertEquals(List.of("/a", "/b/1.jfr", "/b/2.jfr", "/b/3.jfr"), ids());
  }

  @Test
  void aRecordingThatIsPackedLaterReplacesItsRow() throws IOException {
    Path plain = recording("a/1.jfr", START, Duration.ofHours(1));
    try (OutputStream out =
        new GZIPOutputStream(Files.newOutputStream(root.resolve("a/1.jfr.gz")))) {
      Files.copy(plain, out);
    }
    Files.delete(plain);
    CaseFinder.Found found = found(CaseRoots.NONE, root.resolve("a"));
    assertEquals(List.of("a/1.jfr.gz"), ids(found));
    assertEquals(Set.of("a", "a/1.jfr"), found.otherNames());
  }

  @Test
  void anArchiveIsACaseOfItsOwn() throws IOException {
    byte[] emptyZip = new byte[22];
    ByteBuffer.wrap(emptyZip).putInt(0x504b0506);
    write("bundles/one.zip", emptyZip);
    write("bundles/two.zip", emptyZip);
    assertEquals(List.of("/bundles/one.zip", "/bundles/two.zip"), ids());
  }

  @Test
  void aPatternNamesServiceHostAndVersion() throws IOException {
    write("orders/host-1/2026/gc.log", GC_LINE.getBytes());
    assertEquals(
        new CaseOrigin(Optional.of("orders"), Optional.of("host-1"), Optional.empty()),
        find("(?<service>[^/]+)/(?<host>[^/]+)/.*").get(0).origin());
    assertEquals(CaseOrigin.UNKNOWN, find("(?<service>[^/]+)").get(0).origin());
  }

  /** Two folders whose names differ in what is hidden are two cases. */
  @Test
  void whatIsSecretInANameIsHidden() throws IOException {
    write("token=one/gc.log", GC_LINE.getBytes());
    write("token=two/gc.log", GC_LINE.getBytes());
    List<FleetCase> cases =
        CaseFinder.find(
                List.of(root),
                CaseRoots.NONE,
                PathPattern.parse("(?<service>[^/]+)/.*"),
                List.of(),
                text -> text.replaceAll("token=\\w+", "token=[hidden 1]"))
            .cases();
    assertEquals(2, cases.size());
    assertTrue(
        cases.stream().allMatch(one -> one.id().matches(".*/token=\\[hidden 1] \\([0-9a-f]{8}\\)")),
        cases::toString);
    assertEquals(Optional.of("token=[hidden 1]"), cases.get(0).origin().service());
  }

  @Test
  void aPatternWithoutANameIsRefused() {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> PathPattern.parse("(?<servce>.*)"));
    assertTrue(refused.getMessage().contains("names no group"), refused::getMessage);
    assertThrows(IllegalArgumentException.class, () -> PathPattern.parse("(?<service>"));
  }

  @Test
  void theDigestChangesWithFilesAndOptionsOnly() throws IOException {
    Path log = write("a/gc.log", GC_LINE.getBytes());
    String before = CaseDigest.of(find("").get(0), "");
    assertEquals(before, CaseDigest.of(find("").get(0), ""));
    assertTrue(!before.equals(CaseDigest.of(find("").get(0), "hosts hidden")));
    Files.writeString(log, GC_LINE + GC_LINE);
    assertTrue(!before.equals(CaseDigest.of(find("").get(0), "")));
  }
}
