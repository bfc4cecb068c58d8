package io.gcdiag.properties;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Hypothesis;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.jvm.HeapSample;
import io.gcdiag.evidence.jvm.HeapSample.Moment;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.threads.WaitSite;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.SignalState;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.WindowRequest;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Rate;
import io.gcdiag.verdict.Diagnoser;
import io.gcdiag.verdict.Diagnosis;
import io.gcdiag.verdict.Judgement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An incident in slow motion has the same causes to the same shares: every pause, wait, latency and
 * distance of time is longer by one factor, and every rate lower by it.
 *
 * <p>Some thresholds are absolute, for good reasons, and the incidents here stay on one side of
 * them: what users feel (5 ms a request), the shortest baseline (10 s) and window (2 s) that tell
 * anything, the resolution of waits ({@link WaitSeries#BUCKET}: what waits so near to a pause may
 * go with it), what a recording keeps (10 or 20 ms), and the collections and dumps that make a
 * sample. Windows are named: those that gcdiag chooses by itself lie on whole seconds.
 */
@Tag("slow")
class ScaledTimePropertyTest {

  private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");
  private static final String RECORDING = "recording.jfr";

  /** Buckets of waits do not scale; a wait's ends may fall into others. */
  private static final double ROUNDING = 2e-3;

  private static final double MOST_UNEXPLAINED = 0.3;

  private static final SignalState SEEN =
      new SignalState(SignalState.Kind.SEEN, Optional.empty(), "");

  /** A minute of baseline and a minute of incident, drawn out by a factor. */
  private static final class Scene {
    private final TimelineBuilder timeline = new TimelineBuilder();
    private final List<GcPause> pauses = new ArrayList<>();
    private final double factor;

    Scene(double factor) {
      this.factor = factor;
      timeline.recording(RECORDING, new Window(at(0), at(120)));
      for (Signal signal : List.of(Signal.GC_PAUSES, Signal.THREAD_PARKS, Signal.SOCKET_READS)) {
        timeline.signal(signal, SEEN);
      }
      timeline.signal(Signal.MONITOR_WAITS, SEEN).signal(Signal.HEAP_AROUND_GC, SEEN);
    }

    Instant at(double second) {
      return START.plus(length(second));
    }

    Duration length(double seconds) {
      return Durations.ofSeconds(seconds * factor);
    }

    /** Pauses one after another, each after which so much of a heap of 512 MiB is in use. */
    Scene pauses(double from, double to, double every, double seconds, int usedMebi) {
      for (double start = from; start < to; start += every) {
        pauses.add(
            new GcPause(
                at(start),
                length(seconds),
                PauseKind.YOUNG,
                "G1 Evacuation Pause",
                OptionalLong.of(pauses.size()),
                Optional.empty(),
                false,
                new Source(RECORDING, "jdk.GCPhasePause")));
        timeline.heap(
            List.of(
                new HeapSample(
                    at(start + seconds),
                    Moment.AFTER_COLLECTION,
                    Bytes.ofMebi(usedMebi),
                    Bytes.ofMebi(512),
                    new Source(RECORDING, "jdk.GCHeapSummary"))));
      }
      return this;
    }

    /** Waits of one length on so many threads, one after another, with a rest as long between. */
    Scene waits(WaitKind kind, String name, double from, double to, double seconds, int threads) {
      return waits(kind, name, from, to, 2 * seconds, seconds, threads);
    }

    Scene waits(
        WaitKind kind,
        String name,
        double from,
        double to,
        double every,
        double seconds,
        int threads) {
      WaitSeries.Builder series =
          new WaitSeries.Builder(
              new WaitSite(kind, name, true, "Shop.order"),
              new Source(RECORDING, "jdk.ThreadPark"));
      for (double start = from; start < to; start += every) {
        for (int thread = 0; thread < threads; thread++) {
          series.add(at(start), length(seconds));
        }
      }
      timeline.waits(series.build());
      return this;
    }

    Scene load(double rate, double mean, double median, double p99) {
      timeline
          .signal(Signal.REQUEST_STATS, SEEN)
          .requestStats(
              new RequestStats.Builder("k6", new Source("load.json", ""))
                  .requests(Math.round(rate * 120))
                  .rate(new Rate(rate / factor))
                  .mean(length(mean))
                  .shortest(length(median / 2))
                  .longest(length(p99 * 2))
                  .percentile(50, length(median))
                  .percentile(99, length(p99))
                  .build());
      return this;
    }

    Diagnosis diagnosis() {
      Timeline built = timeline.pauses(RECORDING, pauses).build();
      return Diagnoser.diagnose(built, Optional.of(request(60, 120)), Optional.of(request(0, 60)));
    }

    private WindowRequest request(double from, double to) {
      return new WindowRequest(at(from).toString(), at(to).toString());
    }
  }

  private static Diagnosis collections(double factor) {
    return new Scene(factor)
        .pauses(0, 60, 10, 0.02, 100)
        .pauses(60, 120, 2, 0.4, 450)
        .waits(WaitKind.POOL, "HikariCP", 60, 120, 2, 0.4, 12)
        .load(50, 0.18, 0.1, 4)
        .diagnosis();
  }

  private static Diagnosis downstream(double factor) {
    return new Scene(factor)
        .pauses(0, 120, 10, 0.02, 100)
        .waits(WaitKind.DOWNSTREAM, "db:5432", 0, 60, 0.1, 2)
        .waits(WaitKind.DOWNSTREAM, "db:5432", 60, 120, 1.5, 14)
        .load(20, 0.36, 0.2, 4)
        .diagnosis();
  }

  private static Diagnosis locks(double factor) {
    return new Scene(factor)
        .waits(WaitKind.LOCK, "Journal", 60, 120, 0.5, 20)
        .waits(WaitKind.DOWNSTREAM, "db:5432", 60, 120, 0.2, 4)
        .load(30, 0.41, 0.2, 4)
        .diagnosis();
  }

  private static Map<Hypothesis, Double> shares(Diagnosis diagnosis) {
    Map<Hypothesis, Double> shares = new EnumMap<>(Hypothesis.class);
    for (Judgement judgement : diagnosis.judgements()) {
      shares.put(judgement.hypothesis(), judgement.share().explained().orElse(0));
    }
    return shares;
  }

  private static void assertSame(Diagnosis one, Diagnosis slow) {
    assertEquals(one.conclusion(), slow.conclusion());
    assertEquals(one.primarySuspect(), slow.primarySuspect());
    assertEquals(one.lostTime().unexplainedShare(), slow.lostTime().unexplainedShare(), ROUNDING);
    Map<Hypothesis, Double> scaled = shares(slow);
    shares(one)
        .forEach((cause, share) -> assertEquals(share, scaled.get(cause), ROUNDING, cause.id()));
  }

  @ParameterizedTest
  @ValueSource(doubles = {2, 3, 10})
  void collectionsInSlowMotion(double factor) {
    assertSame(collections(1), collections(factor));
  }

  @ParameterizedTest
  @ValueSource(doubles = {2, 3, 10})
  void slowAnswersInSlowMotion(double factor) {
    assertSame(downstream(1), downstream(factor));
  }

  @ParameterizedTest
  @ValueSource(doubles = {2, 3, 10})
  void aLockInSlowMotion(double factor) {
    assertSame(locks(1), locks(factor));
  }

  /** Else little would be compared but zeros. */
  @Test
  void mostOfTheirTimeIsShared() {
    for (Diagnosis diagnosis : List.of(collections(1), downstream(1), locks(1))) {
      assertTrue(diagnosis.primarySuspect().isPresent(), diagnosis.summary());
      assertTrue(diagnosis.lostTime().unexplainedShare() <= MOST_UNEXPLAINED, diagnosis.summary());
    }
  }
}
