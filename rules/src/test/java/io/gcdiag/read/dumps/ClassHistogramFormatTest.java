package io.gcdiag.read.dumps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.ClassHistogram;
import io.gcdiag.evidence.jvm.ClassHistogram.ClassCount;
import io.gcdiag.evidence.jvm.ClassHistogram.Scope;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.InputReport.Status;
import io.gcdiag.fixtures.SampleFiles;
import io.gcdiag.read.Ingest;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.units.Bytes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassHistogramFormatTest {

  private static final String TABLE =
      """
       num     #instances         #bytes  class name (module)
      -------------------------------------------------------
         1:            30            720  java.lang.String (java.base@17.0.15)
         2:             4            256  [Lcom.example.Order;
         3:             5             80  com.example.Shop$$Lambda$7/0x0000000800c01000
         4:             2             32  com.example.Shop$$Lambda$8/0x0000000800c01208
      Total            41           1088
      """;

  @TempDir Path folder;

  private static Timeline read(Path... paths) {
    return Ingest.read(
        Stream.of(paths)
            .map(path -> new Ingest.Request(path, Optional.empty(), Optional.empty()))
            .toList(),
        OperatorFacts.none(),
        Redactor.off(),
        ReadOptions.STANDARD);
  }

  private static List<ClassHistogram> sample(String name) {
    return read(SampleFiles.file("class-histograms/" + name)).snapshots().histograms();
  }

  private Timeline text(String text) throws IOException {
    return read(Files.writeString(folder.resolve("histogram.txt"), text));
  }

  @Test
  void everyDialectGivesTheTotalsThatItPrints() {
    // The line "Total" of each file.
    assertTotal("jmap-jdk8.txt", 117_711, 14_572_960);
    assertTotal("jmap-jdk11.txt", 199_594, 24_726_584);
    assertTotal("jcmd-jdk17-1.txt", 132_216, 14_996_200);
    assertTotal("jcmd-jdk25.txt", 115_624, 14_720_904);
    assertTotal("jhsdb-jdk17.txt", 325_163, 38_696_688);
  }

  private static void assertTotal(String name, long instances, long bytes) {
    ClassHistogram histogram = sample(name).get(0);
    assertEquals(instances, histogram.instances(), name);
    assertEquals(Bytes.of(bytes), histogram.bytes(), name);
    assertTrue(histogram.complete(), name);
    assertEquals(Optional.empty(), histogram.at(), name);
    assertEquals(Scope.UNSTATED, histogram.scope(), name);
  }

  @Test
  void classesComeLargestFirstAndAreNamedAsInSource() {
    List<ClassCount> classes = sample("jmap-jdk8.txt").get(0).classes();
    assertEquals(new ClassCount("byte[]", 21_568, Bytes.of(11_383_104)), classes.get(0));
    assertEquals(new ClassCount("char[]", 23_085, Bytes.of(981_240)), classes.get(1));
    assertEquals("java.util.HashMap$Node", classes.get(2).name());
  }

  @Test
  void twoOfThemInTheirOrderShowWhatGrows() {
    List<ClassHistogram> both =
        read(
                SampleFiles.file("class-histograms/jcmd-jdk17-1.txt"),
                SampleFiles.file("class-histograms/jcmd-jdk17-2.txt"))
            .snapshots()
            .histograms();
    assertEquals(21_500, both.get(0).ofClass("Grow$Entry").orElseThrow().instances());
    assertEquals(33_500, both.get(1).ofClass("Grow$Entry").orElseThrow().instances());
  }

  @Test
  void thoseOfALogAreDatedAndSayWhichObjectsTheyCount() {
    Timeline timeline = read(SampleFiles.file("class-histograms/gc-log-jdk17.log.gz"));
    List<ClassHistogram> histograms = timeline.snapshots().histograms();
    assertEquals(
        List.of(Scope.ALL, Scope.LIVE, Scope.ALL, Scope.LIVE),
        histograms.stream().map(ClassHistogram::scope).toList());
    assertEquals(Optional.of(Instant.parse("2026-11-21T14:46:16.963Z")), histograms.get(0).at());
    assertEquals(
        List.of(142_502L, 132_216L, 193_452L, 192_528L),
        histograms.stream().map(ClassHistogram::instances).toList());
    assertEquals("gc-log-jdk17.log.gz:39", histograms.get(0).source().toString());
    // zcat | grep -cE 'Pause .*ms$'
    assertEquals(5, timeline.pauses().size());
    assertEquals(
        List.of("gc-log", "class-histogram"),
        timeline.inputs().stream().map(InputReport::format).toList());
  }

  @Test
  void thoseOfAnOldLogAreFoundToo() {
    List<ClassHistogram> histograms = sample("gc-log-jdk8.log.gz");
    assertEquals(
        List.of(118_521L, 117_711L, 178_266L, 177_969L, 180_495L, 180_484L, 180_484L),
        histograms.stream().map(ClassHistogram::instances).toList());
    assertEquals(Optional.of(Instant.parse("2026-11-21T14:45:48.165Z")), histograms.get(1).at());
    assertEquals(Scope.LIVE, histograms.get(1).scope());
    // The last one was asked for by a signal: no stamp stands before it.
    assertEquals(Optional.empty(), histograms.get(6).at());
  }

  @Test
  void lambdasOfOneClassAreCountedTogether() throws IOException {
    ClassHistogram histogram = text(TABLE).snapshots().histograms().get(0);
    assertEquals(
        List.of(
            new ClassCount("java.lang.String", 30, Bytes.of(720)),
            new ClassCount("com.example.Order[]", 4, Bytes.of(256)),
            new ClassCount("com.example.Shop$$Lambda", 7, Bytes.of(112))),
        histogram.classes());
  }

  @Test
  void whatDatePrintedAboveIsItsTime() throws IOException {
    assertEquals(
        Optional.of(Instant.parse("2026-03-01T10:00:05Z")),
        text("Sun Mar  1 10:00:05 UTC 2026\n4711:\n" + TABLE).snapshots().histograms().get(0).at());
    assertEquals(
        Optional.of(Instant.parse("2026-03-01T10:00:05Z")),
        text("2026-03-01T11:00:05+01:00\n4711:\n" + TABLE).snapshots().histograms().get(0).at());
  }

  @Test
  void aTableDeepInTheOutputOfAnApplicationIsFound() throws IOException {
    String prefix = "2026-03-01T10:00:00.123456789Z stdout F ";
    String output =
        (prefix + "order 5 placed: 3 4  x\n").repeat(20_000)
            + TABLE.replaceAll("(?m)^", prefix)
            + prefix
            + "order 6 placed\n";
    ClassHistogram histogram = text(output).snapshots().histograms().get(0);
    assertEquals(41, histogram.instances());
    assertTrue(histogram.complete());
    assertEquals(Optional.of(Instant.parse("2026-03-01T10:00:00.123456789Z")), histogram.at());
    assertEquals("histogram.txt:20001", histogram.source().toString());
  }

  @Test
  void linesOfTheApplicationAmidATableDoNotCount() throws IOException {
    String mixed = TABLE.replace("   3: ", "1: 2 3 served\nretry 2: 9 9 x\n   3: ");
    ClassHistogram histogram = text(mixed).snapshots().histograms().get(0);
    assertEquals(41, histogram.instances());
    assertTrue(histogram.complete());
  }

  @Test
  void utf16AndWindowsLineEndsAreRead() throws IOException {
    Path file = folder.resolve("windows.txt");
    Files.write(file, ("\uFEFF" + TABLE.replace("\n", "\r\n")).getBytes(StandardCharsets.UTF_16LE));
    assertEquals(41, read(file).snapshots().histograms().get(0).instances());
  }

  @Test
  void aTableThatIsCutIsSaidToLackLines() throws IOException {
    Timeline timeline = text(TABLE.substring(0, TABLE.indexOf("   4:")));
    ClassHistogram histogram = timeline.snapshots().histograms().get(0);
    assertFalse(histogram.complete());
    assertEquals(39, histogram.instances());
    assertEquals(
        new InputReport(
            "histogram.txt",
            "class-histogram",
            Status.PARTIAL,
            "the class histogram at line 1 lacks lines; the classes that are there are used"),
        timeline.inputs().get(0));
  }

  @Test
  void ofVeryManyTablesSomeAreKeptEvenlySpread() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 1; i <= 1_000; i++) {
      text.append(" num     #instances         #bytes  class name\n   1: ")
          .append(i)
          .append(" 16  A\nTotal ")
          .append(i)
          .append(" 16\n");
    }
    Timeline timeline = text(text.toString());
    List<Long> instances =
        timeline.snapshots().histograms().stream().map(ClassHistogram::instances).toList();
    // Every eighth of a thousand.
    assertEquals(125, instances.size());
    assertEquals(List.of(1L, 9L, 17L), instances.subList(0, 3));
    assertTrue(
        timeline
            .coverage()
            .notes()
            .contains("histogram.txt: of its 1000 class histograms 125 are used, evenly spread"));
  }

  @Test
  void aHeadingWithoutATableIsNone() throws IOException {
    Timeline timeline = text(" num     #instances         #bytes  class name\nprose\n");
    assertEquals(List.of(), timeline.snapshots().histograms());
    assertEquals(Status.UNREADABLE, timeline.inputs().get(0).status());
  }
}
