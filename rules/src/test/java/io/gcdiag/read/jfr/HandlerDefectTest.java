package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.gcdiag.read.bytes.HandlerException;
import io.gcdiag.read.jfr.reader.ChunkScan;
import io.gcdiag.read.jfr.reader.DamagedValueException;
import io.gcdiag.read.jfr.reader.Event;
import io.gcdiag.read.jfr.reader.EventLane;
import io.gcdiag.read.jfr.reader.EventSink;
import io.gcdiag.read.jfr.reader.RecordingReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a handler of events throws is its own defect, and never the damage of the recording. */
class HandlerDefectTest extends DamageScene {

  private static final String PARK = "jdk.ThreadPark";

  /** Where a defect is planted. */
  enum Planted {
    TYPES,
    READER,
    FIRST_LANE,
    SECOND_LANE,
    SPAN
  }

  static Stream<Arguments> readersAndDefects() {
    return Arrays.stream(Planted.values())
        .flatMap(
            planted ->
                Stream.of(
                    Arguments.of("own", Readers.own(), planted),
                    Arguments.of("own, two threads", Readers.own(2), planted),
                    Arguments.of("api", Readers.api(), planted)));
  }

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource("readersAndDefects")
  void aHandlersExceptionLeavesEveryReader(String name, RecordingReader reader, Planted planted) {
    Path cut =
        Recordings.write(
            folder.resolve("cut-" + planted + ".jfr"), Arrays.copyOf(all, all.length - 100));
    for (Path file : name.equals("api") ? List.of(whole) : List.of(whole, cut)) {
      HandlerException plain =
          assertThrows(
              HandlerException.class,
              () -> reader.read(file, ChunkScan.of(file), () -> new Sink(planted)));
      assertEquals(planted.name(), plain.getCause().getMessage());
      if (!name.equals("api")) {
        HandlerException packed =
            assertThrows(
                HandlerException.class,
                () -> reader.readPacked(() -> Files.newInputStream(file), () -> new Sink(planted)));
        assertEquals(planted.name(), packed.getCause().getMessage());
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Planted.class,
      names = {"FIRST_LANE", "SECOND_LANE"})
  void aValueThatCannotBeDecodedIsDamageAlthoughAHandlerAsksForIt(Planted planted)
      throws IOException {
    for (RecordingReader reader : List.of(Readers.own(), Readers.own(2))) {
      RecordingReader.Reading<Sink> reading =
          reader.read(whole, ChunkScan.of(whole), () -> new Sink(planted, true));
      assertFalse(reading.sound());
    }
    assertThrows(
        IOException.class,
        () -> Readers.api().read(whole, ChunkScan.of(whole), () -> new Sink(planted, true)));
  }

  /** Reads parks in two lanes, and throws in one place. */
  private record Sink(Planted planted, boolean damage) implements EventSink {

    Sink(Planted planted) {
      this(planted, false);
    }

    private void pass(Planted place) {
      if (place == planted) {
        IllegalStateException thrown = new IllegalStateException(place.name());
        throw damage ? DamagedValueException.of(thrown) : thrown;
      }
    }

    @Override
    public void types(Map<Long, String> nameById) {
      pass(Planted.TYPES);
    }

    @Override
    public Optional<Consumer<Event>> reader(String type) {
      pass(Planted.READER);
      return Optional.of(PARK)
          .filter(type::equals)
          .map(
              any ->
                  event -> {
                    pass(Planted.FIRST_LANE);
                    pass(Planted.SECOND_LANE);
                  });
    }

    @Override
    public List<EventLane> lanes() {
      return List.of(new Lane(this, Planted.FIRST_LANE), new Lane(this, Planted.SECOND_LANE));
    }

    @Override
    public void span(Instant firstEnd, Instant lastEnd) {
      pass(Planted.SPAN);
    }
  }

  private record Lane(Sink sink, Planted place) implements EventLane {
    @Override
    public void types(Map<Long, String> nameById) {
      sink.pass(Planted.TYPES);
    }

    @Override
    public Optional<Consumer<Event>> reader(String type) {
      sink.pass(Planted.READER);
      return Optional.of(PARK).filter(type::equals).map(any -> event -> sink.pass(place));
    }
  }
}
