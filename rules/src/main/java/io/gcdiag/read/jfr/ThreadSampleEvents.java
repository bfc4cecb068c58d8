package io.gcdiag.read.jfr;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.jvm.StackProfile;
import io.gcdiag.evidence.threads.ThreadGroupSample.SampledTime;
import io.gcdiag.evidence.threads.ThreadNames;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSample.LockHold.Doing;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.frames.StackKind;
import io.gcdiag.read.jfr.PoolHolds.Step;
import io.gcdiag.read.jfr.reader.Event;
import io.gcdiag.read.jfr.reader.EventThread;
import io.gcdiag.read.jfr.reader.Note;
import io.gcdiag.read.jfr.reader.Trace;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What the JVM's own sampler finds threads doing. Per period it takes one thread in a native call,
 * in turn (HotSpot, {@code jfrThreadSampler.cpp}: at most one native and five Java samples a
 * round), so with N threads that stay in native calls each is sampled every N-th time. N follows
 * from the thread sampled most often.
 */
final class ThreadSampleEvents extends EventGroup {

  private static final String NATIVE = "jdk.NativeMethodSample";
  static final String JAVA = "jdk.ExecutionSample";

  /** The setting of the JDK's own default and profile configurations. */
  private static final Duration USUAL_PERIOD = Duration.ofMillis(20);

  /** Half an hour of seconds; a longer recording is counted in steps of two, four... seconds. */
  private static final int MOST_SLICES = 2_048;

  /** A few hundred samples, enough to find the most frequent threads. */
  private static final int SLICES_A_BLOCK = 5;

  private static final int MOST_NAMES = 10_000;

  private final LockHandovers handovers;
  private final PoolHolds holds;
  private final WorkerTimes workers;
  private final StackRecorder calls;
  private final Source source;
  private final Map<String, String> groups = new HashMap<>();
  private TreeMap<Long, Map<Key, Integer>> slices = new TreeMap<>();
  private TreeMap<Long, Map<Long, Integer>> met = new TreeMap<>();
  private long sliceSeconds = 1;

  /** What a sampled stack says, of threads in native calls and of those in Java code. */
  private final Note<Step> nativeCalls = new Note<>(this::nativeCall);

  private final Note<Step> javaCode = new Note<>(this::javaCode);

  /** Looked up for each sample, for which what a record is given takes too long. */
  private record Key(
      Optional<WaitKind> waiting,
      String name,
      String stack,
      String group,
      boolean onRequestThread) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Key that
          && waiting.equals(that.waiting)
          && name.equals(that.name)
          && stack.equals(that.stack)
          && group.equals(that.group)
          && onRequestThread == that.onRequestThread;
    }

    @Override
    public int hashCode() {
      return ((waiting.map(Enum::ordinal).orElse(-1) * 31 + name.hashCode()) * 31
                  + stack.hashCode())
              * 31
          + group.hashCode();
    }
  }

  ThreadSampleEvents(
      LaneContext lane, LockHandovers handovers, PoolHolds holds, WorkerTimes workers) {
    super(lane);
    this.workers = workers;
    this.calls = new StackRecorder(StackProfile.Kind.CALLS, frames);
    this.source = source(NATIVE);
    this.handovers = handovers;
    this.holds = holds;
    on(NATIVE, this::inNative);
    on(JAVA, this::inJava);
  }

  private void inNative(Event event) {
    Optional<EventThread> sampled = event.thread("sampledThread");
    if (sampled.isEmpty()) {
      return;
    }
    EventThread thread = sampled.get();
    Step call = stacks.note(event, nativeCalls);
    count(event, thread, call);
    met.computeIfAbsent(slice(event.start()), any -> new HashMap<>())
        .merge(thread.id(), 1, Integer::sum);
    holds.step(thread.id(), event.startNanos(), 0, call);
    WaitKind waiting = call.stack().waitsFor();
    if (waiting == WaitKind.DOWNSTREAM && stacks.onRequestThread(call.stack(), thread.name())) {
      calls.add(event, 1);
    }
    if (waiting != WaitKind.IDLE && waiting != WaitKind.OTHER) {
      handovers.spans.add(thread.id(), event.startNanos(), 0, new Doing(waiting, call.what()));
    }
  }

  private Step nativeCall(Trace trace) {
    StackKind kind = stacks.running(trace);
    return new Step(Optional.of(kind.waitsFor()), redactor.redact(kind.name()), kind);
  }

  private void inJava(Event event) {
    if (!WallSamples.isWaiting(event)) {
      event.thread("sampledThread").ifPresent(thread -> inJava(event, thread));
    }
  }

  private void inJava(Event event, EventThread thread) {
    Step code = stacks.note(event, javaCode);
    count(event, thread, code);
    holds.step(thread.id(), event.startNanos(), 0, code);
  }

  private Step javaCode(Trace trace) {
    StackKind kind = stacks.running(trace);
    return new Step(Optional.empty(), kind.top(), kind);
  }

  private void count(Event event, EventThread thread, Step step) {
    StackKind kind = step.stack();
    Optional<WaitKind> waiting = step.waiting();
    boolean serving = stacks.onRequestThread(kind, thread.name());
    workers.met(thread, serving, event.start(), waiting);
    Key key =
        new Key(
            waiting,
            waiting.isPresent() ? kind.name() : "",
            waiting.isPresent() ? kind.top() : "",
            group(thread.name()),
            serving);
    slices
        .computeIfAbsent(slice(event.start()), any -> new HashMap<>())
        .merge(key, 1, Integer::sum);
    if (slices.size() > MOST_SLICES) {
      sliceSeconds *= 2;
      slices = halved(slices);
      met = halved(met);
    }
  }

  private String group(String threadName) {
    if (groups.size() >= MOST_NAMES) {
      groups.clear();
    }
    return groups.computeIfAbsent(threadName, name -> redactor.redact(ThreadNames.numbered(name)));
  }

  private long slice(Instant at) {
    return Math.floorDiv(at.getEpochSecond(), sliceSeconds);
  }

  private static <K> TreeMap<Long, Map<K, Integer>> halved(Map<Long, Map<K, Integer>> all) {
    TreeMap<Long, Map<K, Integer>> half = new TreeMap<>();
    all.forEach(
        (slice, counts) -> {
          Map<K, Integer> into =
              half.computeIfAbsent(Math.floorDiv(slice, 2), any -> new HashMap<>());
          counts.forEach((key, number) -> into.merge(key, number, Integer::sum));
        });
    return half;
  }

  /** Threads in native calls around that slice, all of them. */
  private double nativeThreads(long slice) {
    long block = Math.floorDiv(slice, SLICES_A_BLOCK) * SLICES_A_BLOCK;
    Map<Long, Integer> counts = new HashMap<>();
    met.subMap(block, block + SLICES_A_BLOCK)
        .values()
        .forEach(one -> one.forEach((id, number) -> counts.merge(id, number, Integer::sum)));
    int most = counts.values().stream().mapToInt(Integer::intValue).max().orElse(1);
    int all = counts.values().stream().mapToInt(Integer::intValue).sum();
    return Math.max(1, all / (double) most);
  }

  @Override
  public void finish(TimelineBuilder timeline, RecordedSettings settings) {
    calls.finish(timeline, source);
    double nativePeriod = seconds(settings.period(NATIVE));
    double javaPeriod = seconds(settings.period(JAVA));
    Duration length = Duration.ofSeconds(sliceSeconds);
    slices.forEach(
        (slice, counts) -> {
          double threads = nativeThreads(slice);
          counts.forEach(
              (key, samples) -> {
                double each = key.waiting().isPresent() ? threads * nativePeriod : javaPeriod;
                timeline.sample(
                    new SampledTime(
                        Instant.ofEpochSecond(slice * sliceSeconds),
                        length,
                        key.waiting(),
                        key.name(),
                        frames.isOfService(key.name()),
                        key.stack(),
                        key.group(),
                        key.onRequestThread(),
                        samples,
                        samples * each / sliceSeconds));
              });
        });
    handovers.holds(at -> nativeThreads(slice(at)) * nativePeriod).forEach(timeline::sample);
    holds
        .holds(at -> nativeThreads(slice(at)) * nativePeriod, javaPeriod)
        .forEach(timeline::sample);
  }

  static double seconds(Optional<Duration> period) {
    return period.orElse(USUAL_PERIOD).toNanos() / 1e9;
  }
}
