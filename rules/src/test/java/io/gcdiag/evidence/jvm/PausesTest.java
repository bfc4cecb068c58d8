package io.gcdiag.evidence.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Nanos;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PausesTest {

  private static final PauseType YOUNG = new PauseType(PauseKind.YOUNG, "G1", false);
  private static final PauseType FULL = new PauseType(PauseKind.FULL, "System.gc()", false);

  private static final GcPause FIRST = pause("a.log", 1, YOUNG, 10);
  private static final GcPause SECOND = pause("b.log", 2, FULL, 20);
  private static final GcPause THIRD = pause("a.log", 3, YOUNG, 30);

  private static GcPause pause(String file, int second, PauseType type, int millis) {
    boolean heap = type == FULL;
    return new GcPause(
        Instant.ofEpochSecond(second),
        Duration.ofMillis(millis),
        type,
        OptionalLong.of(second),
        heap
            ? Optional.of(new HeapChange(Bytes.of(9), Bytes.of(4), Bytes.of(16)))
            : Optional.empty(),
        Source.line(file, 100 + second));
  }

  private static Window seconds(int from, int to) {
    return new Window(Instant.ofEpochSecond(from), Instant.ofEpochSecond(to));
  }

  @Test
  void aListInAnyOrderIsOneByStart() {
    assertEquals(List.of(FIRST, SECOND, THIRD), Pauses.of(Set.of(THIRD, FIRST, SECOND)));
  }

  @Test
  void theFiguresAreThoseOfTheObjects() {
    Pauses pauses = Pauses.of(List.of(FIRST, SECOND, THIRD));

    assertEquals(2_000_000_000L, pauses.startNanos(1));
    assertEquals(2_020_000_000L, pauses.endNanos(1));
    assertEquals(0.02, pauses.seconds(1));
    assertEquals(PauseKind.FULL, pauses.kind(1));
    assertEquals("b.log", pauses.file(1));
    assertEquals(102, pauses.line(1));
    assertTrue(pauses.tellsHeap(1));
    assertFalse(pauses.tellsHeap(0));
    assertEquals(9, pauses.usedBefore(1));
    assertEquals(4, pauses.usedAfter(1));
    assertEquals(16, pauses.committedAfter(1));
    assertEquals(Duration.ofMillis(60), pauses.sum());
    assertEquals(Duration.ofMillis(30), pauses.longest());
  }

  @Test
  void typesAreToldApartHoweverManyThereAre() {
    // More than a byte tells apart; the first and the 257th differ in the higher bits alone.
    List<PauseType> types =
        IntStream.range(0, 600)
            .mapToObj(i -> new PauseType(PauseKind.YOUNG, "cause " + i, false))
            .toList();
    Pauses pauses =
        Pauses.of(
            IntStream.range(0, 600).mapToObj(i -> pause("a.log", i, types.get(i), 1)).toList());
    assertEquals(types, IntStream.range(0, 600).mapToObj(pauses::type).toList());
    assertEquals(1, pauses.ofType(type -> type.cause().equals("cause 256")).size());
  }

  @Test
  void aWindowHasItsStartAndNotItsEnd() {
    Pauses pauses = Pauses.of(List.of(FIRST, SECOND, THIRD));

    assertEquals(List.of(FIRST, SECOND), pauses.within(seconds(1, 3)));
    assertEquals(List.of(), pauses.within(seconds(4, 9)));
    assertSame(pauses, pauses.within(seconds(0, 9)));
  }

  @Test
  void anEarlierPauseMayEndLast() {
    Pauses pauses = Pauses.of(List.of(pause("a.log", 1, YOUNG, 5_000), SECOND, THIRD));
    assertTrue(pauses.endAfter(Instant.ofEpochSecond(5)));
    assertFalse(pauses.endAfter(Instant.ofEpochSecond(6)));
    assertFalse(Pauses.none().endAfter(Instant.EPOCH));
  }

  @Test
  void partsOfPartsKeepTheirPlaces() {
    Pauses pauses = Pauses.of(List.of(FIRST, SECOND, THIRD));
    Pauses young = pauses.ofType(YOUNG::equals);

    assertEquals(List.of(FIRST, THIRD), young);
    assertEquals(List.of(THIRD), young.within(seconds(2, 9)));
    assertEquals(List.of(THIRD), young.within(seconds(2, 9)).where(i -> true));
    assertEquals(List.of(SECOND), pauses.tellingHeap());
    assertEquals(List.of(), young.tellingHeap());
    assertEquals(Set.of(YOUNG), young.types());
    assertFalse(young.anyOfType(FULL::equals));
    assertThrows(IndexOutOfBoundsException.class, () -> young.get(2));
  }

  @Test
  void severalFilesAreOneInTheOrderOfTime() {
    Pauses joined =
        Pauses.joined(
            List.of(Pauses.of(List.of(FIRST, THIRD)), Pauses.none(), Pauses.of(List.of(SECOND))));

    assertEquals(List.of(FIRST, SECOND, THIRD), joined);
    assertEquals("b.log", joined.file(1));
    assertEquals(4, joined.usedAfter(1));
  }

  @Test
  void ofTwoAtOneTimeTheFirstFilesGoesFirst() {
    GcPause again = pause("c.log", 1, YOUNG, 5);

    assertEquals(
        List.of(FIRST, again),
        Pauses.joined(List.of(Pauses.of(List.of(FIRST)), Pauses.of(List.of(again)))));
  }

  @Test
  void aStoreIsNeverChangedOnceItIsRead() {
    PauseStore store = new PauseStore();
    store.add(FIRST);
    Pauses pauses = Pauses.of("a.log", store);

    assertThrows(UnsupportedOperationException.class, () -> store.add(SECOND));
    assertThrows(
        UnsupportedOperationException.class,
        () -> store.heap(0, new HeapChange(Bytes.of(1), Bytes.of(1), Bytes.of(1))));
    assertThrows(UnsupportedOperationException.class, () -> store.cut(0));
    assertEquals(List.of(FIRST), pauses);
  }

  @Test
  void pausesWithoutATimeAreLeftOutAndTheOthersInTheirOrder() {
    PauseStore store = new PauseStore();
    store.add(3_000_000_000L, Nanos.NO_TIME, 30_000_000, YOUNG, 3, 103);
    store.add(Nanos.NO_TIME, Nanos.NO_TIME, 1, YOUNG, 4, 104);
    store.add(1_000_000_000L, Nanos.NO_TIME, 10_000_000, YOUNG, 1, 101);

    assertEquals(List.of(FIRST, THIRD), Pauses.of("a.log", store));
  }
}
