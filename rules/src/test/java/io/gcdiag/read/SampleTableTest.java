package io.gcdiag.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.InputReport.Status;
import io.gcdiag.fixtures.SampleFiles;
import io.gcdiag.read.bytes.InputFormat;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.read.bytes.Redactor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The table of formats in docs/inputs: each sample that it names is read as what it is said to be.
 */
class SampleTableTest {

  private static final Pattern ROW =
      Pattern.compile("\\| `([a-z0-9-]+)` \\|[^|]*\\|[^|]*\\|([^|]*)\\|.*");
  private static final Pattern SAMPLE = Pattern.compile("`([^`]+)`");

  record Row(String format, String sample) {}

  static List<Row> rows() throws IOException {
    Path samples = SampleFiles.file("README.md").getParent();
    List<Row> rows = new ArrayList<>();
    for (String line : Files.readAllLines(samples.resolve("../../docs/inputs/README.md"))) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        Matcher sample = SAMPLE.matcher(row.group(2));
        while (sample.find()) {
          rows.add(new Row(row.group(1), sample.group(1)));
        }
      }
    }
    return rows;
  }

  @ParameterizedTest
  @MethodSource("rows")
  void aSampleIsReadWhole(Row row) {
    Timeline timeline =
        Ingest.read(
            List.of(
                new Ingest.Request(
                    SampleFiles.file(row.sample()), Optional.empty(), Optional.empty())),
            OperatorFacts.none(),
            Redactor.hiding(),
            ReadOptions.STANDARD);
    InputReport report = timeline.inputs().get(0);
    assertEquals(row.format(), report.format());
    assertEquals(Status.OK, report.status(), report::note);
  }

  @Test
  void everyFormatHasARow() throws IOException {
    Set<String> named = rows().stream().map(Row::format).collect(Collectors.toSet());
    Set<String> known = Formats.ALL.stream().map(InputFormat::id).collect(Collectors.toSet());
    assertEquals(known, named);
  }

  @Test
  void everyFolderOfSamplesIsInTheTable() throws IOException {
    Path samples = SampleFiles.file("README.md").getParent();
    Set<String> named =
        rows().stream().map(row -> row.sample().split("/")[0]).collect(Collectors.toSet());
    try (Stream<Path> folders = Files.list(samples)) {
      List<String> all =
          folders
              .filter(Files::isDirectory)
              .map(folder -> folder.getFileName().toString())
              // The same files, packed.
              .filter(folder -> !folder.equals("packed"))
              .toList();
      assertTrue(named.containsAll(all), () -> all + " but " + named);
    }
  }
}
