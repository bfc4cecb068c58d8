package io.gcdiag.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Who decides by {@link Policy}. The compiler copies its constants to where they are used, so that
 * classes show nothing of it: the imports of sources are read.
 */
class UsersOfPolicyTest {

  private static final Path SOURCES = Path.of("src", "main", "java", "io", "gcdiag");

  /** Where is judged. */
  private static final Set<String> ROOMS =
      Set.of("measures", "books", "causes", "loadtests", "policy", "verdict");

  /**
   * Readers that infer what no file says, who serves requests, from when on a server measures them
   * and which files belong together, those that note how much a file lacks, and the timeline, which
   * takes two logs of a time for two ends of the same requests.
   */
  private static final Set<String> INFERRING =
      Set.of(
          "AccessLogFormat",
          "DataLossEvents",
          "Ingest",
          "OwnServer",
          "RequestEvents",
          "SampleEvents",
          "Timeline");

  @Test
  void onlyWhatJudgesOrInfersDecidesByIt() {
    try (Stream<Path> files = Files.walk(SOURCES)) {
      assertEquals(
          INFERRING,
          files
              .filter(file -> file.toString().endsWith(".java"))
              .filter(file -> !ROOMS.contains(SOURCES.relativize(file).getName(0).toString()))
              .filter(file -> text(file).contains("import io.gcdiag.policy.Policy;"))
              .map(file -> file.getFileName().toString().replace(".java", ""))
              .collect(Collectors.toCollection(TreeSet::new)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
