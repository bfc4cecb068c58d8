package io.gcdiag.measures.jvm;

import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.jvm.Flag;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Ratio;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class HeapRoomTest {

  private static Optional<HeapRoom> room(IncidentBuilder builder) {
    return HeapRoom.after(builder.build().timeline(), IncidentBuilder.TROUBLE);
  }

  private static HeapRoom.Wanted wanted(IncidentBuilder builder) {
    MeasuredIncident incident = builder.build();
    return HeapRoom.Wanted.of(incident.timeline().jvm());
  }

  @Test
  void theMedianCollectionIsTheTypicalOne() {
    // Free: 5 %, 50 % and 90 %.
    HeapRoom room =
        room(incident()
                .heapAfterCollection(70, Bytes.of(50), Bytes.of(100))
                .heapAfterCollection(80, Bytes.of(95), Bytes.of(100))
                .heapAfterCollection(90, Bytes.of(10), Bytes.of(100)))
            .orElseThrow();
    assertEquals(0.5, room.freeRatio().value(), 1e-9);
    assertEquals(3, room.samples());
    assertEquals("free ratio = (100 B - 50 B) / 100 B = 50.0 %", room.arithmetic());
  }

  @Test
  void moreInUseThanCommittedIsNothingFree() {
    HeapRoom room =
        room(incident().heapAfterCollection(70, Bytes.of(110), Bytes.of(100))).orElseThrow();
    assertEquals(new Ratio(0), room.freeRatio());
  }

  @Test
  void aHeapOfSizeZeroIsNoSample() {
    assertEquals(
        Optional.empty(), room(incident().heapAfterCollection(70, Bytes.ZERO, Bytes.ZERO)));
  }

  @Test
  void theFlagsValueIsWhatIsWanted() {
    assertEquals(Ratio.ofPercent(70), wanted(incident().flag("MinHeapFreeRatio", "70")).ratio());
  }

  @Test
  void theDefaultIsFortyPercentAndSaidToBeTheDefault() {
    HeapRoom.Wanted wanted = wanted(incident());
    assertEquals(Ratio.ofPercent(40), wanted.ratio());
    assertEquals("MinHeapFreeRatio 40 % (default)", wanted.text());
    assertEquals(Optional.empty(), wanted.source());
  }

  @Test
  void aCollectorThatSetsTheFlagToZeroIsMeasuredByTheUsualValue() {
    HeapRoom.Wanted wanted = wanted(incident().flag("MinHeapFreeRatio", "0"));
    assertEquals(Ratio.ofPercent(40), wanted.ratio());
    assertTrue(wanted.text().contains("does not use the flag"), wanted::text);
  }

  private static String wanted(String collector, String flag) {
    Map<String, Flag> flags =
        Map.of("MinHeapFreeRatio", new Flag("MinHeapFreeRatio", flag, "", new Source("a.jfr", "")));
    JvmFacts jvm =
        new JvmFacts(
            Optional.empty(),
            Optional.of(collector),
            Optional.empty(),
            Optional.empty(),
            OptionalInt.empty(),
            Optional.empty(),
            new TreeMap<>(flags));
    return HeapRoom.Wanted.of(jvm).text();
  }

  @Test
  void whatACollectorDoesWithTheFlagIsSaid() {
    // Recordings state the flag's default, 40, whatever the collector does with it.
    assertEquals("MinHeapFreeRatio 40 % (ZGC does not use the flag)", wanted("ZGC", "40"));
    assertEquals(
        "MinHeapFreeRatio 40 % (HotSpot's default; Parallel does not use the flag)",
        wanted("Parallel", "0"));
    // Given, it sizes Parallel's old generation as well: 70 of 228 MiB in use with 70 on JDK 17.
    assertEquals(
        "MinHeapFreeRatio 70 % (Parallel applies it to the old generation)",
        wanted("Parallel", "70"));
    assertEquals(
        "MinHeapFreeRatio 40 % (Serial applies it to the old generation)", wanted("Serial", "40"));
    assertEquals("MinHeapFreeRatio 40 %", wanted("G1", "40"));
  }
}
