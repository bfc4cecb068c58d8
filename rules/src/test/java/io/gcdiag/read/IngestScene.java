package io.gcdiag.read;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.read.bytes.Redactor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;

/** A folder for inputs, a small log to put there, and what was read of it. */
abstract class IngestScene {

  /** Three collections of 2, 4 and 3 ms. */
  static final String LOG =
      """
      [2026-03-01T10:00:01.000+0000][1.000s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 24M->4M(256M) 2.000ms
      [2026-03-01T10:00:02.000+0000][2.000s][info][gc] GC(1) Pause Young (Normal) (G1 Evacuation Pause) 25M->5M(256M) 4.000ms
      [2026-03-01T10:00:03.000+0000][3.000s][info][gc] GC(2) Pause Young (Normal) (G1 Evacuation Pause) 26M->6M(256M) 3.000ms
      """;

  @TempDir Path folder;

  static Timeline read(Path... paths) {
    List<Ingest.Request> requests = new ArrayList<>();
    for (Path path : paths) {
      requests.add(new Ingest.Request(path, Optional.empty(), Optional.empty()));
    }
    return Ingest.read(requests, OperatorFacts.none(), Redactor.off(), ReadOptions.STANDARD);
  }

  static Timeline readAs(Path path, String format) {
    return Ingest.read(
        List.of(new Ingest.Request(path, Optional.of(format), Optional.empty())),
        OperatorFacts.none(),
        Redactor.off(),
        ReadOptions.STANDARD);
  }

  Path log(String name) throws IOException {
    return log(folder, name);
  }

  static Path log(Path where, String name) throws IOException {
    Files.createDirectories(where);
    return Files.writeString(where.resolve(name), LOG);
  }

  static List<String> names(Timeline timeline) {
    return inputs(timeline).stream().map(InputReport::file).toList();
  }

  /** Without what is in a folder and in no format. */
  private static List<InputReport> inputs(Timeline timeline) {
    return timeline.inputs().stream()
        .filter(input -> input.status() != InputReport.Status.UNUSED)
        .toList();
  }

  static InputReport only(Timeline timeline) {
    List<InputReport> inputs = inputs(timeline);
    assertEquals(1, inputs.size(), () -> "" + timeline.inputs());
    return inputs.get(0);
  }
}
