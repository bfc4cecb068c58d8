package io.gcdiag.cli.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.fleet.CaseKey;
import io.gcdiag.fleet.CaseOrigin;
import io.gcdiag.fleet.CaseRow;
import io.gcdiag.fleet.FleetCase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes that die, hang or run out of memory cost their case and no other. */
@Tag("slow")
class FleetRunTest {

  private static final Duration LONG = Duration.ofMinutes(5);

  @TempDir Path folder;

  private final AtomicInteger told = new AtomicInteger();

  private static List<String> command(String main) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx64m",
        "-XX:TieredStopAtLevel=1",
        "-cp",
        System.getProperty("java.class.path"),
        main);
  }

  private CaseTask task(String id) {
    FleetCase one =
        new FleetCase(id, folder, List.of(), true, CaseOrigin.UNKNOWN, Optional.empty());
    return new CaseTask(
        one,
        new CaseKey(id, "digest", "1"),
        folder.resolve(id + ".html"),
        new CaseTask.Wishes(true, false, CaseTask.Reports.ALL));
  }

  private CaseSpool tasks(String... ids) throws IOException {
    CaseSpool tasks = CaseSpool.in(folder, "missing");
    for (String id : ids) {
      tasks.add(task(id));
    }
    return tasks;
  }

  /** The error of each case's row; each case must have exactly one line. */
  private Map<String, String> run(Duration limit, String... ids) throws IOException {
    try (FleetStore store = FleetStore.open(folder).orElseThrow()) {
      FleetRun.run(
          new FleetRun.Limits(2, limit, command(FaultyWorker.class.getName())),
          store,
          tasks(ids),
          (cases, all) -> told.set(Math.max(cases, told.get())));
    }
    List<String> lines = Files.readAllLines(folder.resolve(FleetStore.FILE));
    Map<String, String> errors = new TreeMap<>();
    for (String line : lines) {
      CaseRow row = RowJson.row(line).orElseThrow();
      // How much differs from run to run.
      errors.put(row.key().id(), row.error().replaceAll("CPU used [^;]+;", "CPU used;"));
    }
    assertEquals(ids.length, lines.size());
    assertEquals(ids.length, told.get());
    return errors;
  }

  @Test
  void aCaseWhoseProcessIsKilledIsTriedOnceMore() throws IOException {
    assertEquals(
        Map.of("a", "done", "b", "done", "c", "done", "dies-once", "done"),
        run(LONG, "a", "dies-once", "b", "c"));
  }

  @Test
  void aCaseThatAlwaysEndsItsProcessFailsAlone() throws IOException {
    assertEquals(
        Map.of(
            "a",
            "done",
            "b",
            "done",
            "dies-always",
            "its process ended twice, with exit code 134; --retry-failed tries again"),
        run(LONG, "dies-always", "a", "b"));
  }

  @Test
  void lackOfMemoryIsSaidAndNotTriedAgain() throws IOException {
    assertEquals(
        Map.of(
            "a",
            "done",
            "memory",
            "not enough memory; a larger --memory with --retry-failed allows more"),
        run(LONG, "memory", "a"));
  }

  @Test
  void aCaseThatHangsEndsByTheTimeLimit() throws IOException {
    assertEquals(
        Map.of(
            "a",
            "done",
            "hangs",
            "not finished within 5 s, CPU used; a longer --timeout with --retry-failed allows more"),
        run(Duration.ofSeconds(5), "hangs", "a"));
  }

  @Test
  void aDefectOfTheRunIsNoSuccess() throws IOException {
    try (FleetStore store = FleetStore.open(folder).orElseThrow()) {
      FleetRun.Limits limits = new FleetRun.Limits(1, LONG, command(FaultyWorker.class.getName()));
      FleetRun.Progress defect =
          (cases, all) -> {
            throw new IllegalArgumentException("defect");
          };
      IllegalStateException failure =
          assertThrows(
              IllegalStateException.class,
              () -> FleetRun.run(limits, store, tasks("a", "b"), defect));
      assertEquals("defect", failure.getCause().getMessage());
    }
  }

  @Test
  void aProcessThatEndsWhileItStartsIsStartedAgain() throws IOException {
    String firstEnds = "if mkdir '" + folder.resolve("first") + "' 2>&-; then exit 137; fi; ";
    String program = "'" + String.join("' '", command(FaultyWorker.class.getName())) + "'";
    try (FleetStore store = FleetStore.open(folder).orElseThrow()) {
      FleetRun.Limits limits =
          new FleetRun.Limits(1, LONG, List.of("sh", "-c", firstEnds + "exec " + program));
      FleetRun.run(limits, store, tasks("a"), (cases, all) -> {});
      assertEquals(1, store.size());
    }
  }

  @Test
  void aProcessThatDoesNotStartEndsTheRun() throws IOException {
    try (FleetStore store = FleetStore.open(folder).orElseThrow()) {
      FleetRun.Limits limits = new FleetRun.Limits(1, LONG, command("no.such.Main"));
      IOException failure =
          assertThrows(
              IOException.class, () -> FleetRun.run(limits, store, tasks("a"), (cases, all) -> {}));
      assertTrue(failure.getMessage().startsWith("an analysis process does not start"));
      assertEquals(0, store.size());
    }
  }
}
