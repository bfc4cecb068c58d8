package io.gcdiag.sketches;

import io.gcdiag.evidence.threads.ThreadGroupSample.GroupTime;
import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadGroupCpu;
import io.gcdiag.evidence.time.Sample;
import java.time.Duration;
import java.time.Instant;

/** Twenty request threads of which the events show all their time: they wait for work in it. */
public final class RestingThreads {

  private static final int THREADS = 20;

  private RestingThreads() {}

  /** That many seconds of them, at nearly no CPU. */
  public static Sample[] of(Instant from, int seconds) {
    Duration length = Duration.ofSeconds(seconds);
    double all = THREADS * (double) seconds;
    return new Sample[] {
      new GroupTime(from, length, "http-N", "http-*", true, all, all, 0),
      new ThreadGroupCpu(
          from.plus(length), length, "http-*", ThreadGroupCpu.Kind.REQUEST, THREADS, 0.001)
    };
  }
}
