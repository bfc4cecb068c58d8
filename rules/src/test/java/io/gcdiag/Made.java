package io.gcdiag;

import io.gcdiag.evidence.jvm.CodePlace;
import io.gcdiag.evidence.threads.ThreadGroupSample.SampledTime;
import io.gcdiag.evidence.threads.ThreadPosition;
import io.gcdiag.evidence.threads.WaitKind;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Evidence as tests need it: without what is seldom known. */
public final class Made {

  private Made() {}

  /** A thread that carries no virtual thread. */
  public static ThreadPosition position(long stack, String at, long cpuNanos) {
    return position(stack, at, cpuNanos, ThreadPosition.NO_VIRTUAL_THREAD);
  }

  /** One of which only the place in the service's own code matters. */
  public static ThreadPosition positionIn(CodePlace own) {
    return new ThreadPosition(
        1,
        own.method(),
        ThreadPosition.UNKNOWN_CPU,
        ThreadPosition.NO_VIRTUAL_THREAD,
        Optional.of(own),
        Optional.of(own),
        false,
        false,
        false);
  }

  /** One of which no place in the service's own code is known. */
  public static ThreadPosition position(long stack, String at, long cpuNanos, long carries) {
    return new ThreadPosition(
        stack, at, cpuNanos, carries, Optional.empty(), Optional.empty(), false, false, false);
  }

  /** Samples of what is no call to a service, or of Java code. */
  public static SampledTime sampled(
      Instant at,
      Duration length,
      Optional<WaitKind> waiting,
      String name,
      String stack,
      String group,
      boolean onRequestThread,
      long samples,
      double threads) {
    return new SampledTime(
        at, length, waiting, name, false, stack, group, onRequestThread, samples, threads);
  }
}
