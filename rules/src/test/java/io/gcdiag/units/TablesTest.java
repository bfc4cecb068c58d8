package io.gcdiag.units;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.PlaceText;
import io.gcdiag.causes.calls.LoggedErrorsRule;
import io.gcdiag.causes.pool.HoldersTime;
import io.gcdiag.causes.waits.OwnersTime;
import io.gcdiag.evidence.threads.LoggedError;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSample.PoolHold;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.figures.Metric;
import io.gcdiag.figures.Metrics;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.verdict.Summary;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every constant has its words in the table beside it, and no line is of none. */
class TablesTest {

  private static Set<String> ids(Named... constants) {
    return Stream.of(constants).map(Named::id).collect(Collectors.toSet());
  }

  private static Set<String> names(Enum<?>... constants) {
    return Stream.of(constants).map(Enum::name).collect(Collectors.toSet());
  }

  private static Map<String, List<String>> table(Class<?> owner, String name, int columns) {
    Map<String, List<String>> table = ResourceText.table(owner, name);
    table.forEach((key, row) -> assertEquals(columns, row.size(), name + ": " + key));
    table.forEach(
        (key, row) -> row.forEach(cell -> assertFalse(cell.isBlank(), name + ": " + key)));
    return table;
  }

  @Test
  void everyConstantHasItsWords() {
    assertEquals(ids(Signal.values()), table(Signal.class, "signals.txt", 2).keySet(), "signals");
    assertEquals(ids(Effect.values()), table(Effect.class, "effects.txt", 2).keySet(), "effects");
    assertEquals(
        names(LoggedError.Kind.values()),
        table(LoggedErrorsRule.class, "logged-errors.txt", 3).keySet(),
        "messages");
    assertEquals(
        names(PoolHold.Kind.values()),
        table(HoldersTime.class, "holders.txt", 1).keySet(),
        "holds");
    assertEquals(
        names(ThreadActivity.values()),
        table(PlaceText.class, "activities.txt", 1).keySet(),
        "activities");
    assertTrue(
        names(WaitKind.values()).containsAll(table(OwnersTime.class, "owners.txt", 2).keySet()));
    assertEquals(5, table(HoldersTime.class, "longer-holds.txt", 2).size());
  }

  @Test
  void notesAreOfEffectsAndOfSignals() {
    Map<String, List<String>> notes = table(Summary.class, "ledger-notes.txt", 2);
    assertEquals(ids(Effect.values()), notes.keySet());
    Set<String> signals = Stream.of(Signal.values()).map(Enum::name).collect(Collectors.toSet());
    notes
        .values()
        .forEach(row -> assertTrue(row.get(0).equals("-") || signals.contains(row.get(0))));
  }

  @Test
  void metricsHaveUnits() {
    table(Metrics.class, "metrics.txt", 2).values().forEach(row -> Metric.Unit.valueOf(row.get(1)));
  }
}
