package io.gcdiag.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.read.bytes.IngestContext;
import io.gcdiag.read.bytes.InputFile;
import io.gcdiag.read.bytes.InputFormat;
import io.gcdiag.read.bytes.InputFormat.Outcome;
import io.gcdiag.read.bytes.JfrReader;
import io.gcdiag.read.bytes.Progress;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.read.bytes.ReaderDefectException;
import io.gcdiag.read.bytes.Redactor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the collector of evidence throws at a reader comes out as it is, of every reader: a sound
 * file is never reported as damaged because the program has a defect.
 */
@Tag("slow")
@Tag("reading")
class BuilderDefectTest {

  static Stream<Path> samples() {
    return Stream.of(
            "gc-logs",
            "thread-dumps",
            "class-histograms",
            "jvm-info",
            "load",
            "metrics",
            "packed",
            "recordings")
        .flatMap(Seeds::samples)
        .filter(sample -> sample.toFile().length() > 0);
  }

  @ParameterizedTest
  @MethodSource("samples")
  void whatAFullBuilderThrowsIsNoDamage(Path sample) throws IOException {
    Timeline sound =
        Ingest.read(
            List.of(new Ingest.Request(sample, Optional.empty(), Optional.empty())),
            OperatorFacts.none(),
            Redactor.off(),
            ReadOptions.STANDARD);
    for (InputFormat format : Formats.ALL) {
      boolean fits = sound.inputs().stream().anyMatch(input -> input.format().equals(format.id()));
      if (fits) {
        for (JfrReader reader : JfrReader.values()) {
          tryOne(format, sample, ReadOptions.STANDARD.with(reader));
        }
      }
    }
  }

  private static void tryOne(InputFormat format, Path sample, ReadOptions options)
      throws IOException {
    InputFile file = InputFile.of(sample);
    IngestContext intake = new IngestContext(Redactor.off(), options);
    Optional<Outcome> sound;
    try {
      sound = Optional.of(format.read(file, intake));
    } catch (IOException e) {
      // The sample itself is one that is refused.
      return;
    }
    intake.align();
    boolean any = !intake.timeline().build().inputs().isEmpty();
    assertFalse(any, "a reader does not report on its own file");

    IngestContext broken = new IngestContext(Redactor.off(), options);
    broken.timeline().build();
    Optional<Outcome> outcome = Optional.empty();
    try {
      outcome = Optional.of(format.read(file, broken));
    } catch (IllegalStateException e) {
      assertTrue(e.getMessage().contains("timeline is made"), e.getMessage());
    }
    // A reader that keeps what it finds for later has met no defect yet.
    outcome.ifPresent(kept -> assertEquals(sound.orElseThrow(), kept));
  }

  @ParameterizedTest
  @MethodSource("samples")
  void whatAReaderThrowsNamesTheFile(Path sample) {
    Progress defect =
        new Progress() {
          @Override
          public void at(String file, long read, long size) {
            throw new IllegalStateException("planted");
          }

          @Override
          public void ended() {
            // Nothing is planted here.
          }
        };
    ReaderDefectException thrown =
        assertThrows(
            ReaderDefectException.class,
            () ->
                Ingest.read(
                    List.of(new Ingest.Request(sample, Optional.empty(), Optional.empty())),
                    OperatorFacts.none(),
                    Redactor.off(),
                    ReadOptions.STANDARD.telling(defect)));
    assertEquals(sample.getFileName().toString(), thrown.file());
    assertEquals("planted", thrown.getCause().getMessage());
  }
}
