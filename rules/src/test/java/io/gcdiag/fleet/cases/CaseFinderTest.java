package io.gcdiag.fleet.cases;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.fixtures.Incidents;
import io.gcdiag.fleet.CaseOrigin;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
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
    return CaseFinder.find(List.of(root), known, List.of(leftOut), text -> text).cases();
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
  void recordingsOfTwoProcessesAreTwoCases() throws IOException {
    for (String name : List.of("relay-pool-of-two", "relay-pool-of-two-fixed")) {
      Files.copy(Incidents.folder(name).resolve("recording.jfr"), root.resolve(name + ".jfr"));
    }
    assertEquals(2, files().size());
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
                PathPattern.parse("(?<service>[^/]+)/.*"),
                List.of(),
                text -> text.replaceAll("token=\\w+", "token=[hidden 1]"))
            .cases();
    String name = root.getFileName().toString();
    assertEquals(
        List.of(name + "/token=[hidden 1]", name + "/token=[hidden 1] (2)"),
        cases.stream().map(FleetCase::id).toList());
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
