package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.Analysis;
import io.gcdiag.fixtures.Incidents;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same files make the same reports, byte for byte, in whatever order they are named. */
@Tag("slow")
class DeterministicReportsTest {

  private static final List<String> ENDINGS = List.of("txt", "md", "html", "json", "xml");

  @TempDir private Path folder;

  private List<byte[]> reports(List<String> inputs, String name) throws Exception {
    List<String> args = new ArrayList<>(List.of("analyze", "--quiet"));
    args.addAll(inputs);
    for (String ending : ENDINGS) {
      args.addAll(List.of("--report", folder.resolve(name + "." + ending).toString()));
    }
    PrintWriter nowhere = new PrintWriter(new StringWriter());
    assertEquals(
        0, Main.run(args.toArray(String[]::new), Analysis::run, Terminal.NONE, nowhere, nowhere));
    List<byte[]> reports = new ArrayList<>();
    for (String ending : ENDINGS) {
      reports.add(Files.readAllBytes(folder.resolve(name + "." + ending)));
    }
    return reports;
  }

  @Test
  void theOrderOfTheFilesIsOfNoConsequence() throws Exception {
    Path incident =
        Incidents.all().stream()
            .filter(path -> path.endsWith("pool-queue-small-heap"))
            .findFirst()
            .orElseThrow();
    List<String> inputs = new ArrayList<>();
    try (Stream<Path> files = Files.list(incident)) {
      files
          .filter(file -> file.getFileName().toString().matches(".*\\.(jfr|gz|txt)|load\\.json"))
          .forEach(file -> inputs.add(file.toString()));
    }
    Collections.sort(inputs);
    List<byte[]> first = reports(inputs, "first");
    List<byte[]> again = reports(inputs, "again");
    Collections.reverse(inputs);
    List<byte[]> reversed = reports(inputs, "reversed");
    for (int i = 0; i < first.size(); i++) {
      assertArrayEquals(first.get(i), again.get(i), ENDINGS.get(i));
      assertArrayEquals(first.get(i), reversed.get(i), ENDINGS.get(i));
    }
  }
}
