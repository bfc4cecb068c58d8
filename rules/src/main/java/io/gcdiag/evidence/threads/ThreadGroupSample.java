package io.gcdiag.evidence.threads;

import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Sample;
import io.gcdiag.evidence.time.Source;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Number of threads of one kind, and what they spend their time on. */
public sealed interface ThreadGroupSample extends Sample {

  /**
   * Number of platform threads.
   *
   * @param active live threads, including daemons
   */
  record ThreadCount(Instant at, long active, Source source) implements ThreadGroupSample {}

  /**
   * Threads of one kind that were started by the same code, and how many of them ended, within a
   * second.
   *
   * @param at start of the second
   * @param group the threads' name with {@code *} for each number in it
   * @param site the code that started them: the innermost frame outside the JDK
   * @param pooled whether one or a few pools started them for their own use; a pool stops growing
   *     at its limit
   * @param started number of threads started in that second
   * @param ended number of threads that ended in that second, of those whose start was recorded
   */
  record ThreadTurnover(
      Instant at,
      String group,
      String site,
      boolean pooled,
      long started,
      long ended,
      Source source)
      implements ThreadGroupSample {}

  /**
   * Number of carriers of virtual threads, set by {@code -Djdk.virtualThreadScheduler.parallelism};
   * the default is one per CPU.
   *
   * @param parallelism threads, at least 1
   */
  record CarrierThreads(Instant at, int parallelism) implements ThreadGroupSample {

    public CarrierThreads {
      if (parallelism < 1) {
        throw new IllegalArgumentException("virtual threads need a carrier: " + parallelism);
      }
    }
  }

  /**
   * Virtual threads do a part of the work, and the JVM does not record their parks.
   *
   * @param at when the first of them was seen
   * @param share their share of the recorded waits, or of the samples of running threads, above 0
   *     and up to 1
   */
  record VirtualThreadUse(Instant at, double share) implements ThreadGroupSample {

    public VirtualThreadUse {
      if (!(share > 0 && share <= 1)) {
        throw new IllegalArgumentException("a share lies between 0 and 1: " + share);
      }
    }
  }

  /**
   * Threads of an unknown server that are assumed to serve requests, because as many of them wait
   * in one method as the load test has requests in progress.
   *
   * @param at when the first dump shows it
   * @param threads their name, with {@code *} for its numbers; empty for virtual threads without
   *     one
   * @param method the method of the service
   */
  record InferredServer(Instant at, String threads, String method) implements ThreadGroupSample {

    private static final String POOL = "own pool in ";

    /** Name for the queue or the permits that requests wait for in that method. */
    public static String pool(String method) {
      return POOL + method;
    }

    /** Whether a pool has such a name: what it hands out is known only by its use. */
    public static boolean isPool(String name) {
      return name.startsWith(POOL);
    }
  }

  /**
   * Threads on which events of a recording time requests from beginning to end.
   *
   * @param at when the first of the requests began
   * @param threads their name, with {@code *} for its numbers
   * @param event the type of the events
   */
  record TimedThreads(Instant at, String threads, String event) implements ThreadGroupSample {}

  /**
   * Code that reads from connections that the service accepted: a thread that waits there waits for
   * what its caller sends next, and what else it does is for that caller.
   *
   * @param at when the first of the reads began
   * @param reader the innermost method outside the JDK
   * @param loop the outermost method outside the JDK and plumbing
   * @param callers number of different connections
   */
  record CallersRead(Instant at, String reader, String loop, int callers)
      implements ThreadGroupSample {}

  /**
   * Threads outside the server that were seen to complete responses: requests wait for what these
   * threads do, although no thread waits for them.
   *
   * @param at when that was seen first
   * @param group the threads' name with its digits replaced by N, as in {@link SampledTime}
   * @param server the server or framework that took the response
   * @param samples how often it was seen
   */
  record AnsweringGroup(Instant at, String group, String server, long samples)
      implements ThreadGroupSample {}

  /**
   * CPU that threads of one kind used over an interval.
   *
   * @param at end of the interval
   * @param group their name, with a {@code *} for each number in it: {@code http-nio-*-exec-*}
   * @param kind what such threads do
   * @param threads how many of them used CPU
   * @param share user and system time as a share of all the cores that the JVM may use, 0 to 1
   */
  record ThreadGroupCpu(
      Instant at, Duration interval, String group, Kind kind, int threads, double share)
      implements ThreadGroupSample {

    /** What the threads do. GC threads are not recorded one by one. */
    public enum Kind {
      /** They serve requests. */
      REQUEST,
      /** They compile methods to machine code. */
      COMPILER,
      /** Anything else. */
      OTHER
    }
  }

  /**
   * Threads of a group in one state, by a sampler, over a short interval. Samples see calls of any
   * length, also those below the thresholds of events. They show how many threads were in a state,
   * not how long each call took.
   *
   * @param at start of the interval
   * @param length its length
   * @param waiting what the threads waited for in a native call, {@link WaitKind#IDLE} for a poll
   *     without work; empty for threads that ran Java code
   * @param name the pool, library or lock of that wait; may be empty
   * @param stack the innermost frame outside the JDK, as in {@link WaitSite#stack}; may be empty
   * @param group the threads' name with its digits replaced by N
   * @param ofService whether the name is that of a client of a service, not of a database
   * @param onRequestThread whether these threads serve requests, by stack or name
   * @param threads the average number of threads in that state
   */
  record SampledTime(
      Instant at,
      Duration length,
      Optional<WaitKind> waiting,
      String name,
      boolean ofService,
      String stack,
      String group,
      boolean onRequestThread,
      long samples,
      double threads)
      implements ThreadGroupSample {

    /** The samples of request threads; all samples if no request thread is known. */
    public static List<SampledTime> ofUsers(List<SampledTime> samples) {
      List<SampledTime> users = samples.stream().filter(SampledTime::onRequestThread).toList();
      return users.isEmpty() ? samples : users;
    }

    public boolean waitsFor(WaitKind kind) {
      return waiting.filter(what -> what == kind).isPresent();
    }

    public double seconds() {
      return threads * length.toNanos() / 1e9;
    }
  }

  /**
   * How long the threads of one group existed over a short interval, and how much of that events
   * explain. In the rest of the time they ran, or waited for less than the events' thresholds.
   *
   * @param at start of the interval
   * @param length its length
   * @param group the threads' name with its digits replaced by N, as in {@link SampledTime}
   * @param pattern the threads' name as in {@link ThreadGroupCpu}
   * @param onRequestThread whether threads of that name serve requests
   * @param presentSeconds thread time between each thread's first and last event or sample, without
   *     threads that only wait for sockets
   * @param waitedSeconds thread time in parks, monitors and sleeps, with work or without
   * @param nativeSeconds thread time in reads and writes of sockets and files, and in fsync
   */
  record GroupTime(
      Instant at,
      Duration length,
      String group,
      String pattern,
      boolean onRequestThread,
      double presentSeconds,
      double waitedSeconds,
      double nativeSeconds)
      implements ThreadGroupSample {}

  /**
   * Waits of the threads of one group outside native calls, over a short interval, by events:
   * parks, monitors and sleeps, with work or without. Samplers skip such threads.
   *
   * @param at start of the interval
   * @param length its length
   * @param group the threads' name with its digits replaced by N, as in {@link SampledTime}
   * @param onRequestThread whether threads of that name serve requests
   * @param workers threads of the group that the recording shows at work or parked at any time,
   *     minus those that the server reserves for its event loops, on average
   * @param loops further threads of the group that only wait for sockets
   * @param waited thread time in seconds by what was waited for; {@link WaitKind#IDLE} without work
   */
  record WorkerTime(
      Instant at,
      Duration length,
      String group,
      boolean onRequestThread,
      double workers,
      int loops,
      Map<WaitKind, Double> waited)
      implements ThreadGroupSample {

    public WorkerTime {
      waited = Collections.unmodifiableMap(new LinkedHashMap<>(waited));
    }
  }

  /**
   * A time in which a sampler found a thread several times and never idle: neither in a selector
   * nor parked without work.
   *
   * @param at start, in whole seconds
   * @param length its length
   * @param group the thread's name with its digits replaced by N, as in {@link SampledTime}
   * @param thread distinguishes the threads of a recording
   * @param waiting number of these inside a native call that waits for a response
   */
  record UnrestedRun(
      Instant at, Duration length, String group, long thread, long samples, long waiting)
      implements ThreadGroupSample {}

  /**
   * Busy times of the threads of one group between idle times, over a short interval. A busy time
   * is the latency of one request, provided that the idle times in between are longer than the
   * events' threshold.
   *
   * @param at start of the interval in which the busy times begin
   * @param length its length
   * @param group the threads' name with its digits replaced by N, as in {@link SampledTime}
   * @param lengths lengths of the busy times
   * @param rests lengths of the idle times before them
   */
  record WorkRounds(Instant at, Duration length, String group, Latencies lengths, Latencies rests)
      implements ThreadGroupSample {}
}
