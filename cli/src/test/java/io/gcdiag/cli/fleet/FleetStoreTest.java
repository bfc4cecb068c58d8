package io.gcdiag.cli.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Hypothesis;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.fleet.CaseKey;
import io.gcdiag.fleet.CaseOrigin;
import io.gcdiag.fleet.CaseOutcome;
import io.gcdiag.fleet.CaseRow;
import io.gcdiag.fleet.Suspect;
import io.gcdiag.verdict.Confidence;
import io.gcdiag.verdict.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FleetStoreTest {

  @TempDir Path folder;

  static CaseRow row(String id, String digest) {
    return new CaseRow(
        new CaseKey(id, digest, "1"),
        new CaseOrigin(Optional.of("orders \"1\"\n"), Optional.empty(), Optional.of("2")),
        Optional.of(
            new Window(
                Instant.parse("2026-03-01T10:00:00.5Z"), Instant.parse("2026-03-01T11:00:00Z"))),
        CaseOutcome.PRIMARY_SUSPECT,
        List.of(
            new Suspect(
                Hypothesis.MEMORY_PRESSURE,
                Verdict.PRIMARY_SUSPECT,
                OptionalDouble.of(0.75),
                Optional.of(Confidence.HIGH),
                "-Xmx1g"),
            new Suspect(
                Hypothesis.SLOW_DISK,
                Verdict.CONTRIBUTING,
                OptionalDouble.empty(),
                Optional.empty(),
                "")),
        OptionalDouble.of(12.5),
        List.of("a.jfr: cut"),
        "",
        "cases/a.html");
  }

  private FleetStore open() throws IOException {
    return FleetStore.open(folder).orElseThrow();
  }

  private static List<CaseRow> rows(FleetStore store) {
    List<CaseRow> rows = new ArrayList<>();
    store.forEach(
        (place, row) -> {
          assertEquals(row, store.at(place));
          rows.add(row);
        });
    assertEquals(store.size(), rows.size());
    return rows;
  }

  private Path file() {
    return folder.resolve(FleetStore.FILE);
  }

  private void write(CaseRow... rows) throws IOException {
    try (FleetStore store = open()) {
      for (CaseRow row : rows) {
        store.append(row);
      }
    }
  }

  @Test
  void aRowComesBackAsItWas() throws IOException {
    CaseRow row = row("a", "1");
    CaseRow failed =
        CaseRow.failed(new CaseKey("b", "", "1"), CaseOrigin.UNKNOWN, Optional.empty(), "x");
    write(row, failed);
    assertEquals(2, Files.readAllLines(file()).size());
    try (FleetStore store = open()) {
      assertEquals(List.of(row, failed), rows(store));
      assertEquals(Optional.of(row), store.row(row.key()));
      assertEquals(Optional.empty(), store.row(new CaseKey("a", "2", "1")));
    }
  }

  /** Longer than what is read at once, and with characters of two and three bytes everywhere. */
  @Test
  void aLongRowComesBackAsItWas() throws IOException {
    CaseRow[] rows = new CaseRow[20];
    for (int i = 0; i < rows.length; i++) {
      String error = "ä€".repeat(5000 + i) + i;
      rows[i] =
          CaseRow.failed(
              new CaseKey("case " + i, "", "1"), CaseOrigin.UNKNOWN, Optional.empty(), error);
    }
    write(rows);
    try (FleetStore store = open()) {
      assertEquals(List.of(rows), rows(store));
    }
  }

  @Test
  void theLastRowOfACaseCounts() throws IOException {
    write(row("a", "1"), row("a", "2"));
    try (FleetStore store = open()) {
      assertEquals(List.of(row("a", "2")), rows(store));
    }
  }

  @Test
  void aTornLineIsDroppedWhereverItIsTorn() throws IOException {
    write(row("a", "1"), row("b", "1"));
    byte[] whole = Files.readAllBytes(file());
    int first = Files.readAllLines(file()).get(0).length() + 1;
    for (int length = first; length < whole.length; length += 37) {
      Files.write(file(), Arrays.copyOf(whole, length));
      try (FleetStore store = open()) {
        assertEquals(List.of(row("a", "1")), rows(store));
        store.append(row("c", "1"));
      }
      assertEquals(2, Files.readAllLines(file()).size());
    }
    Files.write(file(), Arrays.copyOf(whole, first - 1));
    try (FleetStore store = open()) {
      assertEquals(0, store.size());
    }
  }

  @Test
  void aDamagedLineIsCountedAndTheOthersAreKept() throws IOException {
    write(row("a", "1"));
    Files.writeString(file(), "{\"case\":\n[]\n", StandardOpenOption.APPEND);
    write(row("b", "1"));
    try (FleetStore store = open()) {
      assertEquals(2, store.size());
      assertEquals(2, store.damaged());
    }
  }

  @Test
  void bytesThatAreNoTextDamageTheirLineOnly() throws IOException {
    write(row("a", "1"));
    Files.write(file(), new byte[] {(byte) 0xff, '\n'}, StandardOpenOption.APPEND);
    write(row("b", "1"));
    try (FleetStore store = open()) {
      assertEquals(2, store.size());
      assertEquals(1, store.damaged());
    }
  }

  @Test
  void aReplacedRowStaysAwayUntilItsCaseIsBack() throws IOException {
    write(row("a", "1"), row("b", "1"));
    try (FleetStore store = open()) {
      store.replaced("a");
      store.replaced("no such case");
    }
    try (FleetStore store = open()) {
      assertEquals(List.of(row("b", "1")), rows(store));
      assertEquals(0, store.damaged());
      store.append(row("a", "2"));
    }
    try (FleetStore store = open()) {
      assertEquals(2, store.size());
    }
  }

  @Test
  void twoRunsDoNotWriteToOneFile() throws IOException {
    try (FleetStore store = open()) {
      assertTrue(FleetStore.open(folder).isEmpty());
      store.append(row("a", "1"));
    }
    assertTrue(FleetStore.open(folder).isPresent());
  }
}
