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

/** How many threads of one kind there are, and how they spend their time. */
public sealed interface ThreadGroupSample extends Sample {

  /**
   * How many platform threads there were.
   *
   * @param active threads alive, daemons among them
   */
  record ThreadCount(Instant at, long active, Source source) implements ThreadGroupSample {}

  /**
   * Threads of one kind that were started by the same code, and those of them that ended, within a
   * second.
   *
   * @param at the start of the second
   * @param group the threads' name with {@code *} for each number in it
   * @param site the code that started them: the innermost frame outside the JDK
   * @param pooled whether one pool or a few started them for their own use, which grow to a bound
   * @param started how many began in that second
   * @param ended how many of those that this recording saw begin ended in that second
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
   * How many platform threads run virtual threads, as set by {@code
   * -Djdk.virtualThreadScheduler.parallelism}; without it there is one a core.
   *
   * @param parallelism threads, at least 1
   */
  record CarrierThreads(Instant at, int parallelism) implements ThreadGroupSample {

    /** Checks the range. */
    public CarrierThreads {
      if (parallelism < 1) {
        throw new IllegalArgumentException("virtual threads need a carrier: " + parallelism);
      }
    }
  }

  /**
   * Virtual threads do part of the work, and the JVM does not record what they park for.
   *
   * @param at when the first of them was seen
   * @param share of the recorded waits, or of the samples of executing threads, that were theirs,
   *     above 0 and up to 1
   */
  record VirtualThreadUse(Instant at, double share) implements ThreadGroupSample {

    /** Checks the range. */
    public VirtualThreadUse {
      if (!(share > 0 && share <= 1)) {
        throw new IllegalArgumentException("a share lies between 0 and 1: " + share);
      }
    }
  }

  /**
   * Threads of a server that no rule knows, taken to serve requests because as many of them wait in
   * one method as the load test has in progress.
   *
   * @param at when the first dump shows it
   * @param threads their name, with {@code *} for its numbers; empty for virtual threads without
   *     one
   * @param method the method of the service
   */
  record InferredServer(Instant at, String threads, String method) implements ThreadGroupSample {

    private static final String POOL = "own pool in ";

    /** What the queue or the permits are called that requests wait for in that method. */
    public static String pool(String method) {
      return POOL + method;
    }

    /** Whether a pool is one of these: what it hands out is known by its use only. */
    public static boolean isPool(String name) {
      return name.startsWith(POOL);
    }
  }

  /**
   * Threads that belong to no server were seen to hand requests their answers: requests wait for
   * what such threads do, though no thread does.
   *
   * @param at when that was seen first
   * @param group the threads' name with its digits replaced by N, as in {@link SampledTime}
   * @param server the server or framework that took the answer
   * @param samples how often it was seen
   */
  record AnsweringGroup(Instant at, String group, String server, long samples)
      implements ThreadGroupSample {}

  /**
   * CPU that threads of one kind used over the interval that ended at an instant.
   *
   * @param at the end of the interval
   * @param interval its length
   * @param group their name, with a {@code *} for each number in it: {@code http-nio-*-exec-*}
   * @param kind what such threads do
   * @param threads how many of them used any
   * @param share user and system time as a share of all the cores that the JVM may use, 0 to 1
   */
  record ThreadGroupCpu(
      Instant at, Duration interval, String group, Kind kind, int threads, double share)
      implements ThreadGroupSample {

    /** What threads do. The collector's own threads are not recorded one by one. */
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
   * How many threads of a group a sampler found at one thing, over a short stretch of time. Samples
   * see calls of any length, also those below the thresholds of events; they count and do not time.
   *
   * @param at when the stretch begins
   * @param length how long it is
   * @param waiting what the threads waited for in a native call, {@link WaitKind#IDLE} for a poll
   *     without work; empty for threads that executed Java code
   * @param name the pool, library or lock of that wait; may be empty
   * @param stack the innermost frame outside the JDK, as in {@link WaitSite#stack}; may be empty
   * @param group the threads' name with its digits replaced by N
   * @param ofService whether the name is of a client of a service that is no database
   * @param onRequestThread whether these threads serve requests, by stack or name
   * @param samples how often they were met
   * @param threads the mean number of threads that this stands for
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

    /** Those of threads that serve users, where any is known to. */
    public static List<SampledTime> ofUsers(List<SampledTime> samples) {
      List<SampledTime> users = samples.stream().filter(SampledTime::onRequestThread).toList();
      return users.isEmpty() ? samples : users;
    }

    /** Whether they waited for that. */
    public boolean waitsFor(WaitKind kind) {
      return waiting.filter(what -> what == kind).isPresent();
    }

    /** Thread time in seconds. */
    public double seconds() {
      return threads * length.toNanos() / 1e9;
    }
  }

  /**
   * For how long the threads of one group were there, over a short stretch of time, and for how
   * much of that an event says where they were. The rest they computed, or waited for less than
   * events show.
   *
   * @param at when the stretch begins
   * @param length how long it is
   * @param group the threads' name with its digits replaced by N, as in {@link SampledTime}
   * @param pattern the threads' name as in {@link ThreadGroupCpu}
   * @param onRequestThread whether threads of that name serve requests
   * @param presentSeconds thread time between each thread's first event or sample and its last,
   *     without that of threads that do nothing but wait for sockets
   * @param waitedSeconds thread time in parks, monitors and sleeps, with work or without
   * @param nativeSeconds thread time in reads, writes and forces of sockets and files
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
   * Where the threads of one group waited without being in a native call, over a short stretch of
   * time, by events: parks, monitors and sleeps, be they for work or in the middle of it. Samplers
   * pass such threads over.
   *
   * @param at when the stretch begins
   * @param length how long it is
   * @param group the threads' name with its digits replaced by N, as in {@link SampledTime}
   * @param onRequestThread whether threads of that name serve requests
   * @param workers threads of the group that the recording shows at work or parked at any time,
   *     less those that the server keeps in reserve for its own loops, on average
   * @param loops further threads of the group that do nothing but wait for sockets
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

    /** Copies the map. */
    public WorkerTime {
      waited = Collections.unmodifiableMap(new LinkedHashMap<>(waited));
    }
  }

  /**
   * A stretch of time in which a sampler found a thread again and again and never at rest: neither
   * in a selector nor parked without work.
   *
   * @param at when it begins, in whole seconds
   * @param length how long it is
   * @param group the thread's name with its digits replaced by N, as in {@link SampledTime}
   * @param thread tells the threads of a recording apart
   * @param samples how many
   * @param waiting how many of them inside a native call that waits for an answer
   */
  record UnrestedRun(
      Instant at, Duration length, String group, long thread, long samples, long waiting)
      implements ThreadGroupSample {}

  /**
   * How long threads of one group worked from one rest to the next, over a short stretch of time:
   * the time that each request took them, as long as they rest in between for longer than events
   * show.
   *
   * @param at when the stretch begins, in which the rounds do
   * @param length how long it is
   * @param group the threads' name with its digits replaced by N, as in {@link SampledTime}
   * @param lengths how long the rounds were
   * @param rests how long the rests before them were
   */
  record WorkRounds(Instant at, Duration length, String group, Latencies lengths, Latencies rests)
      implements ThreadGroupSample {}
}
