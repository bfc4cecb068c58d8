package io.gcdiag.read.jfr;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.jvm.CodeSite;
import io.gcdiag.evidence.jvm.CpuProfile;
import io.gcdiag.evidence.jvm.StackProfile.Kind;
import io.gcdiag.evidence.threads.ThreadGroupSample.VirtualThreadUse;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.policy.Policy;
import io.gcdiag.read.frames.StackKind;
import io.gcdiag.read.jfr.reader.Event;
import io.gcdiag.read.jfr.reader.EventThread;
import io.gcdiag.read.jfr.reader.Note;
import io.gcdiag.read.jfr.reader.Trace;
import io.gcdiag.units.Numbers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Samples of what threads execute, summed up by place as they are read. */
final class SampleEvents extends EventGroup {

  private static final String JAVA = "jdk.ExecutionSample";
  private static final String LOST = "jdk.CPUTimeSamplesLost";

  /**
   * Limit of samples inside constructors that are kept; above it, they do not count as exceptions.
   */
  private static final int MOST_IN_CONSTRUCTORS = 100_000;

  /** Limit of stacks that are looked at again at the end; services have some thousands. */
  private static final int MOST_INTERPRETED = 20_000;

  private final CpuProfile.Builder profile = new CpuProfile.Builder();
  private final Note<Looked> looked = new Note<>(this::look);
  private final ExceptionConstructors exceptions = new ExceptionConstructors();

  /** Whether these create exceptions is known only after all stacks were read. */
  private final List<InConstructor> inConstructors = new ArrayList<>();

  /** How far their methods reach is known only after all stacks were read. */
  private final List<Trace> interpreted = new ArrayList<>();

  private boolean seen;
  private long samples;
  private long lost;
  private long virtualThreads;
  private Optional<Instant> firstVirtual = Optional.empty();

  private record InConstructor(Instant at, CodeSite site, Looked stack) {}

  /** Derived from one stack, independent of the thread. */
  private record Looked(
      StackKind kind,
      String method,
      Set<String> own,
      boolean interpreted,
      boolean creatingException,
      boolean waits) {}

  SampleEvents(LaneContext lane) {
    super(lane);
    on(JAVA, event -> sample(event, false));
    on("jdk.NativeMethodSample", event -> sample(event, true));
    on(LOST, event -> lost += Math.max(0, event.numberOr("lostSamples", 0)));
  }

  private void sample(Event event, boolean nativeCode) {
    Optional<Trace> found = event.stack();
    if (found.isEmpty() || WallSamples.isWaiting(event)) {
      return;
    }
    Looked stack = found.get().note(looked);
    if (stack.method().isEmpty() || nativeCode && stack.waits()) {
      return;
    }
    seen |= !nativeCode;
    Optional<EventThread> thread = event.thread("sampledThread");
    samples++;
    if (thread.isPresent() && thread.get().virtual()) {
      virtualThreads++;
      firstVirtual = firstVirtual.or(() -> Optional.of(event.start()));
    }
    boolean serving =
        stack.kind().requestThread()
            || stacks.isRequestThread(thread.map(EventThread::name).orElse(""));
    CodeSite site = new CodeSite(stack.method(), stack.kind().top(), serving, nativeCode);
    boolean open =
        !stack.creatingException() && ExceptionConstructors.isConstructor(stack.method());
    if (open && inConstructors.size() < MOST_IN_CONSTRUCTORS) {
      inConstructors.add(new InConstructor(event.start(), site, stack));
    } else {
      add(event.start(), site, stack, stack.creatingException());
    }
  }

  private void add(Instant at, CodeSite site, Looked stack, boolean creatingException) {
    profile.add(at, site, stack.own(), stack.interpreted(), creatingException);
  }

  private Looked look(Trace trace) {
    List<String> all = trace.frames();
    String method = all.isEmpty() ? "" : all.get(0);
    if (trace.interpreted() && interpreted.size() < MOST_INTERPRETED) {
      interpreted.add(trace);
    }
    return new Looked(
        stacks.running(trace),
        method,
        all.stream().filter(frames::isOwn).collect(Collectors.toSet()),
        trace.interpreted(),
        exceptions.isInside(all),
        frames.isWait(method));
  }

  @Override
  public void finish(TimelineBuilder timeline, RecordedSettings settings) {
    for (InConstructor sample : inConstructors) {
      add(sample.at(), sample.site(), sample.stack(), exceptions.isKnown(sample.stack().method()));
    }
    interpreted.stream()
        .filter(trace -> trace.highestIndex() >= CpuProfile.LARGEST_COMPILED)
        .filter(trace -> !trace.frames().isEmpty())
        .forEach(trace -> profile.tooLarge(trace.frames().get(0)));
    settings.period(JAVA).ifPresent(profile::period);
    if (seen) {
      profile.source(source(settings.written(JAVA)));
    }
    firstVirtual.ifPresent(
        at -> timeline.sample(new VirtualThreadUse(at, virtualThreads / (double) samples)));
    timeline.cpuProfile(profile.build());
    timeline.signal(Signal.CPU_SAMPLES, settings.state(settings.written(JAVA), seen));
    if (settings.byCpuTime() && lost >= Policy.NOTABLE * (samples + lost) && lost > 0) {
      timeline.note(
          ("%s: the JVM lost %s of %s samples by CPU time (%s): they are most often of threads"
                  + " that compute most; record with a longer jdk.CPUTimeSample#throttle")
              .formatted(file, Numbers.count(lost), Numbers.count(samples + lost), LOST));
    }
  }

  /**
   * Constructors of exceptions, learned from stacks. The JIT compiler inlines the stack walk, which
   * {@code Throwable}'s constructor requests, into the exception's own constructor, so samples show
   * only that. Now and then a sample shows the whole path.
   */
  static final class ExceptionConstructors {

    private static final String CONSTRUCTOR = ".<init>";
    private static final String WALK = "java.lang.Throwable.fillInStackTrace";
    private static final String ROOT = "java.lang.Throwable.<init>";

    /** A service has some hundred classes of exceptions. */
    private static final int MOST = 10_000;

    private final Set<String> known = new HashSet<>();

    /** Whether a stack is inside the creation of an exception; the constructor is remembered. */
    boolean isInside(List<String> frames) {
      int root = frames.indexOf(ROOT);
      for (int i = root + 1; root >= 0 && i < frames.size() && isConstructor(frames.get(i)); i++) {
        if (known.size() < MOST) {
          known.add(frames.get(i));
        }
      }
      return root >= 0 || frames.contains(WALK);
    }

    static boolean isConstructor(String method) {
      return method.endsWith(CONSTRUCTOR);
    }

    /** Whether a method is a known constructor of an exception. */
    boolean isKnown(String method) {
      return known.contains(method);
    }
  }

  /** Whole stacks of what executed or allocated, for the eye: rules judge by sites. */
  static final class StackEvents extends EventGroup {

    private static final String EXECUTED = "jdk.ExecutionSample";
    private static final String ALLOCATED = "jdk.ObjectAllocationSample";
    private static final String OUTSIDE_TLAB = "jdk.ObjectAllocationOutsideTLAB";

    private final StackRecorder executed;
    private final StackRecorder allocated;
    private final StackRecorder outside;

    StackEvents(LaneContext lane) {
      super(lane);
      this.executed = new StackRecorder(Kind.CPU, frames);
      this.allocated = new StackRecorder(Kind.ALLOCATION, frames);
      this.outside = new StackRecorder(Kind.ALLOCATION_OUTSIDE_TLABS, frames);
      on(EXECUTED, this::executed);
      on(ALLOCATED, event -> allocated(event, allocated, "weight"));
      on(OUTSIDE_TLAB, event -> allocated(event, outside, "allocationSize"));
    }

    private void executed(Event event) {
      if (!WallSamples.isWaiting(event)) {
        executed.add(event, 1);
      }
    }

    private static void allocated(Event event, StackRecorder recorder, String bytes) {
      Optional<String> type = event.className("objectClass");
      if (type.isPresent()) {
        recorder.add(event, "new ", type.get(), event.numberOr(bytes, 0));
      } else {
        recorder.add(event, event.numberOr(bytes, 0));
      }
    }

    @Override
    public void finish(TimelineBuilder timeline, RecordedSettings settings) {
      executed.finish(timeline, source(settings.written(EXECUTED)));
      allocated.finish(timeline, source(settings.written(ALLOCATED)));
      outside.finish(timeline, source(OUTSIDE_TLAB));
    }
  }
}
