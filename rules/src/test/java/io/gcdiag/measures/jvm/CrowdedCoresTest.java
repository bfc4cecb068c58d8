package io.gcdiag.measures.jvm;

import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadGroupCpu;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.verdict.Scene;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CrowdedCoresTest {

  @Test
  void aSecondInWhichTheServiceDidLittleCountsLittle() {
    // 12 s of 80 % own work and 15 % of others, 6 s of 8 % and 92 %, the rest idle:
    // (12 x 0.8 x 0.15 + 6 x 0.08 x 0.92) / (12 x 0.8 + 6 x 0.08) = 1.8816 / 10.08 = 18.7 %.
    IncidentBuilder builder = incident().withoutBaseline().cpus(2);
    for (int second = 60; second < 120; second++) {
      if (second < 72) {
        builder.cpu(second, 0.8, 0.95);
      } else if (second < 78) {
        builder.cpu(second, 0.08, 1);
      } else {
        builder.cpu(second, 0.08, 0.2);
      }
    }
    CrowdedCores crowded = CrowdedCores.of(builder.build()).orElseThrow();
    assertEquals(18 / 60.0, crowded.share(), 1e-9);
    assertEquals(1.8816 / 10.08, crowded.then().others(), 1e-9);
  }

  /**
   * A minute at 20 requests a second: each takes so many milliseconds in the seconds with full
   * cores that begin at 30, and 1 ms in the others.
   */
  private static Scene requests(int full, int millis) {
    Latencies[] seconds = new Latencies[60];
    for (int second = 0; second < seconds.length; second++) {
      Latencies.Counter counter = new Latencies.Counter();
      for (int i = 0; i < 20; i++) {
        counter.add(Duration.ofMillis(second >= 30 && second < 30 + full ? millis : 1));
      }
      seconds[second] = counter.latencies();
    }
    return Scene.of(60).latencies(seconds);
  }

  /** The load of a second is read at its end. */
  private static Scene cores(Scene scene, int full, double jvm) {
    return scene.cpu(1, 31, 0.1, 0.3).cpu(31, 31 + full, jvm, 0.99).cpu(31 + full, 61, 0.1, 0.3);
  }

  /** So much of all cores by threads that serve requests, and as much by others. */
  private static Scene by(Scene scene, double serving, double others) {
    return scene.samples(
        new ThreadGroupCpu(
            Scene.at(60),
            Duration.ofSeconds(60),
            "http-*",
            ThreadGroupCpu.Kind.REQUEST,
            8,
            serving),
        new ThreadGroupCpu(
            Scene.at(60), Duration.ofSeconds(60), "job-*", ThreadGroupCpu.Kind.OTHER, 8, others));
  }

  private static Optional<String> felt(Scene scene) {
    return CrowdedCores.slowerRequests(scene.incident());
  }

  @Test
  void requestsThatTakeThreeTimesAsLongWhileOthersFillTheCoresAreFelt() {
    assertEquals(
        Optional.of(
            "In 20 seconds with full CPUs requests took 2.99 ms on average, in seconds with free CPUs 1 ms"),
        felt(cores(requests(20, 3), 20, 0.1)));
    // 1 ms as ever: full cores alone delay no request.
    assertTrue(felt(cores(requests(20, 1), 20, 0.1)).isEmpty());
    // Nine seconds of other processes are a glance.
    assertTrue(felt(cores(requests(9, 3), 9, 0.1)).isEmpty());
  }

  @Test
  void burstsOfAJobAreFeltAndThoseOfRequestsAreTheirOwn() {
    assertTrue(felt(by(cores(requests(3, 4), 3, 0.9), 0.01, 0.05)).isPresent());
    assertTrue(felt(by(cores(requests(3, 4), 3, 0.9), 0.05, 0.01)).isEmpty());
    // Twice is an accident.
    assertTrue(felt(by(cores(requests(2, 4), 2, 0.9), 0.01, 0.05)).isEmpty());
  }

  @Test
  void aBaselineSaysMoreAndAWarmUpNothing() {
    Scene scene = cores(requests(20, 3), 20, 0.1);
    assertTrue(CrowdedCores.slowerRequests(scene.incidentFrom(30)).isEmpty());
    // Full from the first second on: 20 s of long requests, before there was any room.
    Scene warming = requests(20, 3).cpu(1, 51, 0.6, 0.99).cpu(51, 61, 0.1, 0.3);
    assertTrue(felt(warming).isEmpty());
  }
}
