package io.gcdiag.evidence.jvm;

import io.gcdiag.evidence.time.PlaceCounts;
import io.gcdiag.evidence.time.SampleCounts;
import io.gcdiag.evidence.time.Series;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Nanos;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * CPU profile: samples of running threads' stacks, taken once per period. Samples times period is
 * the time that threads spent running Java code, within these limits of the sampler:
 *
 * <ul>
 *   <li>HotSpot samples at most {@value #MOST_THREADS_A_PERIOD} threads in Java code per period
 *       ({@code MAX_NR_OF_JAVA_SAMPLES} in {@code jfrThreadSampler.cpp}, JDK 11 to 25);
 *   <li>it stops a thread with a signal that the thread itself must answer, so threads that wait
 *       for CPU are skipped. A machine with many more runnable threads than cores gives fewer
 *       samples, not more. They show what runs, but never the run queue;
 *   <li>threads inside the JVM (creating an exception's stack trace, allocating slowly, compiling,
 *       collecting) are not sampled at all.
 * </ul>
 *
 * <p>So shares of samples are reliable, and sums are lower bounds.
 */
public final class CpuProfile {

  /** HotSpot's limit, see above. */
  public static final int MOST_THREADS_A_PERIOD = 5;

  /**
   * HotSpot does not compile a method of more bytes of bytecode than this ({@code
   * -XX:+DontCompileHugeMethods}, the default; the limit, {@code HugeMethodLimit}, is a constant of
   * the JDK's builds). A frame at this index or above is in such a method.
   */
  public static final int LARGEST_COMPILED = 8000;

  private final Duration period;
  private final Optional<Source> source;
  private final Series java;
  private final Series serving;
  private final Series interpreted;
  private final Series exceptions;
  private final BucketCounts<CodeSite> sites;
  private final BucketCounts<String> methods;
  private final BucketCounts<String> interpretedMethods;
  private final Set<String> tooLarge;

  private CpuProfile(Builder from) {
    period = from.period;
    source = from.source;
    java = from.java.build();
    serving = from.serving.build();
    interpreted = from.interpreted.build();
    exceptions = from.exceptions.build();
    sites = from.sites.closed();
    methods = from.methods.closed();
    interpretedMethods = from.interpretedMethods.closed();
    tooLarge = from.tooLarge;
  }

  public static CpuProfile empty() {
    return new Builder().build();
  }

  /**
   * Merges it with that of another recording of the JVM. If both cover the same time the first one
   * is used, because both sampled the same threads.
   */
  public CpuProfile and(CpuProfile other) {
    if (isEmpty() || other.isEmpty()) {
      return isEmpty() ? other : this;
    }
    return java.overlaps(other.java) ? this : new CpuProfile(this, other);
  }

  private CpuProfile(CpuProfile one, CpuProfile other) {
    period = one.period;
    source = one.source;
    java = one.java.plus(other.java);
    serving = one.serving.plus(other.serving);
    interpreted = one.interpreted.plus(other.interpreted);
    exceptions = one.exceptions.plus(other.exceptions);
    sites = joined(one.sites, other.sites);
    methods = joined(one.methods, other.methods);
    interpretedMethods = joined(one.interpretedMethods, other.interpretedMethods);
    tooLarge = new TreeSet<>(one.tooLarge);
    tooLarge.addAll(other.tooLarge);
  }

  private static <K> BucketCounts<K> joined(BucketCounts<K> one, BucketCounts<K> other) {
    BucketCounts<K> both = new BucketCounts<>();
    both.add(one);
    both.add(other);
    return both.closed();
  }

  /** Whether there is no sample of Java code. */
  public boolean isEmpty() {
    return java.isEmpty();
  }

  /** Where the samples were read; absent when there are none. */
  public Optional<Source> source() {
    return source;
  }

  /** Samples of a window, whose borders are rounded to seconds. */
  public SampleCounts within(Window window) {
    return new SampleCounts(
        Math.round(java.sum(window)),
        Math.round(serving.sum(window)),
        Math.round(interpreted.sum(window)),
        Math.round(exceptions.sum(window)));
  }

  /** Threads running Java code, on average: a lower bound. */
  public double threadsSeen(Window window) {
    return within(window).java() * Durations.seconds(period) / window.seconds();
  }

  /** Samples by place, most first: in Java code as well as native. */
  public Map<CodeSite, Long> sites(Window window) {
    return largestFirst(sites.within(window));
  }

  /**
   * Samples by method of the service and its libraries (without the JDK and the plumbing of servers
   * and frameworks), including everything that the method called; most first.
   */
  public Map<String, Long> methods(Window window) {
    return largestFirst(methods.within(window));
  }

  /** Methods that were sampled at {@link #LARGEST_COMPILED} or above, by name. */
  public Set<String> tooLarge() {
    return Collections.unmodifiableSet(tooLarge);
  }

  /** Samples of Java code in a method itself, without what it called. */
  public long inside(String method, Window window) {
    return sites.within(window).entrySet().stream()
        .filter(site -> !site.getKey().nativeCode() && site.getKey().method().equals(method))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** Those of them that ran in the interpreter. */
  public long interpreted(String method, Window window) {
    return interpretedMethods.within(window).getOrDefault(method, 0L);
  }

  private static <K extends Comparable<K>> Map<K, Long> largestFirst(Map<K, Long> counts) {
    Map<K, Long> sorted = new LinkedHashMap<>();
    counts.entrySet().stream()
        .sorted(
            Map.Entry.<K, Long>comparingByValue()
                .reversed()
                .thenComparing(Map.Entry.comparingByKey()))
        .forEach(entry -> sorted.put(entry.getKey(), entry.getValue()));
    return sorted;
  }

  /** Collects samples in any order. Not thread-safe. */
  public static final class Builder {

    private Duration period = Duration.ZERO;
    private Optional<Source> source = Optional.empty();
    private final Series.Builder java = new Series.Builder();
    private final Series.Builder serving = new Series.Builder();
    private final Series.Builder interpreted = new Series.Builder();
    private final Series.Builder exceptions = new Series.Builder();
    private final BucketCounts<CodeSite> sites = new BucketCounts<>();
    private final BucketCounts<String> methods = new BucketCounts<>();
    private final BucketCounts<String> interpretedMethods = new BucketCounts<>();
    private final Set<String> tooLarge = new TreeSet<>();

    /** Sets the time between two samplings. */
    public Builder period(Duration duration) {
      period = duration;
      return this;
    }

    /** Sets where the samples were read. */
    public Builder source(Source read) {
      source = Optional.of(read);
      return this;
    }

    /** Adds a method that was sampled at {@link #LARGEST_COMPILED} or above. */
    public Builder tooLarge(String method) {
      tooLarge.add(method);
      return this;
    }

    /**
     * Adds a sample.
     *
     * @param at when it was taken
     * @param site where
     * @param stack the methods of the service and its libraries on the stack, each once
     * @param inInterpreter whether the innermost frame was interpreted
     * @param creatingException whether an exception was being created
     */
    public Builder add(
        Instant at,
        CodeSite site,
        Collection<String> stack,
        boolean inInterpreter,
        boolean creatingException) {
      sites.add(site, at);
      if (site.nativeCode()) {
        return this;
      }
      java.add(at, 1);
      stack.forEach(method -> methods.add(method, at));
      if (site.requestThread()) {
        serving.add(at, 1);
      }
      if (inInterpreter) {
        interpreted.add(at, 1);
        interpretedMethods.add(site.method(), at);
      }
      if (creatingException) {
        exceptions.add(at, 1);
      }
      return this;
    }

    /** The finished profile; this builder must not be used afterwards. */
    public CpuProfile build() {
      return new CpuProfile(this);
    }
  }

  /** Counts by key over time, in bounded memory. Not thread-safe until it is closed. */
  static final class BucketCounts<K> {

    private final Map<K, Integer> places = new HashMap<>();
    private final List<K> keys = new ArrayList<>();
    private final PlaceCounts counts = new PlaceCounts();

    void add(K key, Instant at) {
      counts.add(place(key), Nanos.since1970(at), 1);
    }

    void add(BucketCounts<K> others) {
      counts.addAll(others.counts, place -> place(others.keys.get(place)));
    }

    private int place(K key) {
      Integer known = places.putIfAbsent(key, keys.size());
      if (known == null) {
        keys.add(key);
      }
      return known == null ? keys.size() - 1 : known;
    }

    BucketCounts<K> closed() {
      counts.close();
      return this;
    }

    /** Counts of a window, whose borders are rounded as those of {@link Series#sum}. */
    Map<K, Long> within(Window window) {
      Map<K, Long> sums = new HashMap<>();
      counts.within(window).forEach((place, sum) -> sums.put(keys.get(place), sum));
      return sums;
    }
  }
}
