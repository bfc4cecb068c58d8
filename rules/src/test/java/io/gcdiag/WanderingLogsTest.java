package io.gcdiag;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Hypothesis;
import io.gcdiag.evidence.time.Windows;
import io.gcdiag.verdict.Conclusion;
import io.gcdiag.verdict.Diagnosis;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * GC logs alone, without latencies: what wanders is no incident, and full collections are never
 * silent.
 */
@Tag("slow")
class WanderingLogsTest {

  private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");

  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSZ", Locale.ROOT);

  /** Of so many logs one in twenty may be taken for an incident. */
  private static final int LOGS = 20;

  /** Neighbouring collections resemble each other. */
  private static final double AUTOCORRELATION = 0.95;

  @TempDir private Path folder;

  @Test
  void atMostOneLogInTwentyWhoseSeriesMerelyWanderNamesASuspect() {
    List<String> named =
        IntStream.range(0, LOGS)
            .parallel()
            .mapToObj(seed -> diagnose("wandering-" + seed, wandering(seed, 1)))
            .flatMap(diagnosis -> diagnosis.primarySuspect().stream())
            .map(suspect -> suspect.id())
            .toList();
    assertTrue(20 * named.size() <= LOGS, named::toString);
  }

  @Test
  void aLevelInSuchALogIsSeen() {
    // Pauses of 240 ms and more in place of 8 ms, in the second half of the log.
    Diagnosis diagnosis = diagnose("level", wandering(1, 30));
    assertEquals(Windows.ChosenBy.CHANGE_POINT, diagnosis.windows().chosenBy());
    assertNotEquals(Conclusion.HEALTHY, diagnosis.conclusion());
  }

  @Test
  void tenFullCollectionsInTheSecondHalfAreNotHealthy() {
    StringBuilder log = header("Parallel");
    int id = 0;
    for (int second = 1; second < 60; second++) {
      log.append(young(id++, second, "Allocation Failure", 20, 8));
      if (second >= 30 && second % 3 == 0) {
        log.append(
            line(
                second + 0.5,
                "GC(%d) Pause Full (Ergonomics) 250M->200M(310M) %.3fms"
                    .formatted(id++, 150.0 + (second - 30) * 80 / 27.0)));
      }
    }
    Diagnosis diagnosis = diagnose("full", log.toString());
    assertNotEquals(Conclusion.HEALTHY, diagnosis.conclusion(), diagnosis::summary);
    assertTrue(
        diagnosis.judgements().stream()
            .flatMap(judgement -> judgement.findings().stream())
            .anyMatch(finding -> finding.statement().startsWith("10 full GCs (1.9 s in total")));
  }

  /**
   * The incident is found where a service starts, and what ends it is outside: two full GCs in one
   * operation that free nothing, and after the error a heap that is empty, as the thread is gone.
   */
  @Test
  void aLogThatEndsOutOfMemoryNamesTheHeapWhereverTheWindowIs() {
    StringBuilder log = header("Parallel");
    // Rotated: what begins with the first collection of a JVM is its start.
    int id = 7;
    for (double second = 1; second < 60; second += 0.5) {
      log.append(young(id++, second, "Allocation Failure", second < 15 ? 20 : 2, 107));
    }
    for (String full : List.of("282M->263M", "263M->263M")) {
      log.append(
          line(
              60.136 + 0.136 * (id % 2),
              "GC(%d) Pause Full (Ergonomics) %s(284M) 136.000ms".formatted(id++, full)));
    }
    log.append(line(60.5, "GC(%d) Pause Full (Ergonomics) 264M->2M(284M) 13.000ms".formatted(id)));
    Diagnosis diagnosis = diagnose("ended", log.toString());
    assertTrue(diagnosis.windows().incident().to().isBefore(START.plusSeconds(30)));
    assertEquals(
        List.of(Hypothesis.MEMORY_PRESSURE),
        diagnosis.primarySuspect().stream().toList(),
        diagnosis::summary);
  }

  /**
   * Seven minutes and more of young collections whose intervals, lengths and live set wander.
   *
   * @param longer so many times as long are pauses of the second half
   */
  private static String wandering(int seed, double longer) {
    Random random = new Random(seed);
    double interval = 0;
    double pause = 0;
    double live = 0;
    double at = 1;
    StringBuilder log = header("G1");
    for (int id = 0; id < 400; id++) {
      interval = next(interval, random);
      pause = next(pause, random);
      live = next(live, random);
      at += Math.exp(0.4 * interval);
      double millis = (id < 200 ? 8 : 8 * longer) * Math.exp(0.5 * pause);
      log.append(young(id, at, "G1 Evacuation Pause", millis, 40 + (int) (6 * live)));
    }
    return log.toString();
  }

  /** Of unit variance at each step. */
  private static double next(double value, Random random) {
    return AUTOCORRELATION * value
        + Math.sqrt(1 - AUTOCORRELATION * AUTOCORRELATION) * random.nextGaussian();
  }

  private static StringBuilder header(String collector) {
    return new StringBuilder(line(0.01, "Using " + collector));
  }

  private static String young(int id, double at, String cause, double millis, int after) {
    return line(
        at,
        String.format(
            Locale.ROOT,
            "GC(%d) Pause Young%s (%s) %dM->%dM(310M) %.3fms",
            id,
            cause.startsWith("G1") ? " (Normal)" : "",
            cause,
            after + 100,
            after,
            millis));
  }

  private static String line(double at, String text) {
    Instant time = START.plus(Duration.ofMillis(Math.round(at * 1000)));
    return String.format(
        Locale.ROOT,
        "[%s][%.3fs][info][gc] %s%n",
        DATE.format(time.atOffset(ZoneOffset.UTC)),
        at,
        text);
  }

  private Diagnosis diagnose(String name, String log) {
    try {
      Path file = Files.writeString(folder.resolve(name + ".log"), log);
      return Analysis.run(AnalysisRequest.of(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
