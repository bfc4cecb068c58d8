package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.gcdiag.fixtures.SampleFiles;
import io.gcdiag.read.bytes.Unpacked;
import io.gcdiag.read.jfr.reader.ChunkScan;
import io.gcdiag.read.jfr.reader.Event;
import io.gcdiag.read.jfr.reader.EventSink;
import io.gcdiag.read.jfr.reader.RecordingReader.Reading;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every sample, and every recording of a folder of others' recordings that the JDK reads to its
 * end, is sound and has as many events of each type as the JDK's command {@code jfr summary}
 * counts.
 *
 * <pre>
 * ./mvnw -Pall -pl rules -am test -Dtest=EventCountsTest -Dgcdiag.corpus=FOLDER
 * </pre>
 */
@Tag("slow")
@Tag("reading")
class EventCountsTest {

  private static final String CORPUS = "gcdiag.corpus";

  /** The old formats, which the report names; docs/inputs/jfr.md. */
  private static final Pattern OLD = Pattern.compile("Version: [01]\\.\\d+");

  /** A type's name, how many events it has, and their bytes. */
  private static final Pattern ROW = Pattern.compile("(?m)^ (\\S+) +(\\d+) +\\d+ *$");

  /** What a chunk declares itself by: no events. */
  private static final Set<String> TABLES =
      Set.of("jdk.Metadata", "jdk.CheckPoint", "jdk.CheckpointEvent");

  /**
   * Recordings that the JDK counts and cannot print: all of its events are dated 146 years and more
   * behind the chunk, and the report says that none has a credible time.
   */
  private static final Set<String> ARGUED = Set.of("pid1.jfr");

  @TempDir static Path folder;

  @TestFactory
  List<DynamicTest> samples() throws IOException {
    return tests(SampleFiles.file("recordings/jdk21.jfr.gz").getParent());
  }

  @TestFactory
  List<DynamicTest> corpus() throws IOException {
    Optional<String> given = Optional.ofNullable(System.getProperty(CORPUS));
    assumeFalse(given.isEmpty(), "no folder given");
    return tests(Path.of(given.get()));
  }

  private static List<DynamicTest> tests(Path of) throws IOException {
    try (Stream<Path> files = Files.walk(of)) {
      List<DynamicTest> tests =
          files
              .filter(file -> file.toString().matches(".*\\.jfr(\\.gz)?"))
              .filter(file -> !ARGUED.contains(file.getFileName().toString()))
              .sorted()
              .map(file -> dynamicTest(file.getFileName().toString(), () -> check(file)))
              .toList();
      assertTrue(!tests.isEmpty(), "no recordings");
      return tests;
    }
  }

  private static void check(Path packed) throws IOException, InterruptedException {
    Path file = folder.resolve(packed.getFileName().toString().replace(".gz", ""));
    try (InputStream in = Unpacked.open(packed)) {
      Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
    }
    String summary = summary(file);
    assumeTrue(summary.contains("Event Type"), () -> "the JDK cannot read it: " + summary);
    assumeFalse(OLD.matcher(summary).find(), "an old format");
    Map<String, Long> expected = new TreeMap<>();
    Matcher row = ROW.matcher(summary);
    while (row.find()) {
      if (!TABLES.contains(row.group(1)) && !row.group(2).equals("0")) {
        expected.put(row.group(1), Long.valueOf(row.group(2)));
      }
    }
    for (int threads = 1; threads <= 2; threads++) {
      Counts counts = new Counts();
      Reading<Counts> reading = Readers.own(threads).read(file, ChunkScan.of(file), () -> counts);
      assertEquals(expected, counts.byType);
      assertTrue(reading.sound(), "damaged or cut off");
    }
  }

  private static String summary(Path file) throws IOException, InterruptedException {
    Path tool = Path.of(System.getProperty("java.home"), "bin", "jfr");
    assumeTrue(Files.isExecutable(tool), "no command jfr in this JDK");
    Path out = folder.resolve("summary.txt");
    new ProcessBuilder(tool.toString(), "summary", file.toString())
        .redirectErrorStream(true)
        .redirectOutput(out.toFile())
        .start()
        .waitFor();
    return Files.readString(out);
  }

  /** Counts the events of each type. */
  private static final class Counts implements EventSink {
    private final Map<String, Long> byType = new TreeMap<>();

    @Override
    public void types(Map<Long, String> nameById) {}

    @Override
    public Optional<Consumer<Event>> reader(String type) {
      return Optional.of(event -> byType.merge(type, 1L, Long::sum));
    }

    @Override
    public void span(Instant firstEnd, Instant lastEnd) {}
  }
}
