package io.gcdiag.evidence;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.gcdiag.evidence.jvm.AllocationProfile;
import io.gcdiag.evidence.jvm.AllocationSite;
import io.gcdiag.evidence.jvm.CpuSample.CpuQuota;
import io.gcdiag.evidence.jvm.CpuSample.ThrottleCount;
import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.jvm.GcSample.PausePhase;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.jvm.JvmSample.CodeCacheFull;
import io.gcdiag.evidence.jvm.JvmSample.Deoptimized;
import io.gcdiag.evidence.jvm.JvmSample.ExceptionCount;
import io.gcdiag.evidence.jvm.MemorySample.MachineMemory;
import io.gcdiag.evidence.jvm.MemorySample.MemoryLimit;
import io.gcdiag.evidence.jvm.MemorySample.ResidentMemory;
import io.gcdiag.evidence.jvm.MemorySample.SwapSpace;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.jvm.StackProfile;
import io.gcdiag.evidence.threads.ThreadGroupSample.SampledTime;
import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadCount;
import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadGroupCpu;
import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadTurnover;
import io.gcdiag.evidence.threads.ThreadGroupSample.UnrestedRun;
import io.gcdiag.evidence.threads.ThreadGroupSample.WorkRounds;
import io.gcdiag.evidence.threads.ThreadGroupSample.WorkerTime;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSample.LockHold;
import io.gcdiag.evidence.threads.WaitSample.PoolHold;
import io.gcdiag.evidence.time.Sample;
import io.gcdiag.evidence.time.Series;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.SignalState;
import io.gcdiag.evidence.time.Window;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The same evidence as if one signal had not been recorded. What belongs to a signal is said here
 * once; a kind of sample or an event that is in no list belongs to no signal, and stays: the test
 * of a rule that needs a signal fails if evidence of it is left ({@code NeedsCheck}).
 */
public final class EvidenceWithout {

  /** The signal that each kind of sample belongs to. */
  private static final Map<Class<? extends Sample>, Signal> SAMPLES =
      Map.ofEntries(
          Map.entry(CodeCacheFull.class, Signal.CODE_CACHE),
          Map.entry(Deoptimized.class, Signal.CODE_CACHE),
          Map.entry(CpuQuota.class, Signal.CPU_THROTTLING),
          Map.entry(ThrottleCount.class, Signal.CPU_THROTTLING),
          Map.entry(ExceptionCount.class, Signal.EXCEPTION_COUNTS),
          Map.entry(MachineMemory.class, Signal.MACHINE_MEMORY),
          Map.entry(MemoryLimit.class, Signal.MACHINE_MEMORY),
          Map.entry(ResidentMemory.class, Signal.MACHINE_MEMORY),
          Map.entry(SwapSpace.class, Signal.MACHINE_MEMORY),
          Map.entry(PausePhase.class, Signal.GC_PAUSES),
          Map.entry(SampledTime.class, Signal.CPU_SAMPLES),
          Map.entry(StackProfile.class, Signal.CPU_SAMPLES),
          Map.entry(ThreadCount.class, Signal.THREAD_COUNTS),
          Map.entry(ThreadTurnover.class, Signal.THREAD_COUNTS),
          Map.entry(ThreadGroupCpu.class, Signal.THREAD_CPU),
          Map.entry(UnrestedRun.class, Signal.THREAD_PARKS),
          Map.entry(WorkRounds.class, Signal.THREAD_PARKS),
          Map.entry(WorkerTime.class, Signal.THREAD_PARKS));

  /** Every kind of sample there is. */
  private static final List<Class<? extends Sample>> KINDS = kinds();

  /** The signal that the waits of each event belong to. */
  private static final Map<String, Signal> EVENTS =
      Map.of(
          "jdk.ThreadPark", Signal.THREAD_PARKS,
          "jdk.JavaMonitorEnter", Signal.MONITOR_WAITS,
          "jdk.SocketRead", Signal.SOCKET_READS,
          "jdk.SocketWrite", Signal.SOCKET_READS,
          "jdk.FileRead", Signal.FILE_IO,
          "jdk.FileWrite", Signal.FILE_IO,
          "jdk.FileForce", Signal.FILE_IO,
          "jdk.ThreadSleep", Signal.THREAD_SLEEPS,
          "jdk.VirtualThreadPinned", Signal.PINNED_THREADS);

  /** The signals that tell what owners of locks wait for. */
  private static final Map<WaitKind, Signal> LOCK_HOLDS =
      Map.of(
          WaitKind.FILE, Signal.FILE_IO,
          WaitKind.DOWNSTREAM, Signal.SOCKET_READS,
          WaitKind.SLEEP, Signal.THREAD_SLEEPS);

  /** And those that hold connections. */
  private static final Map<PoolHold.Kind, Signal> POOL_HOLDS =
      Map.of(
          PoolHold.Kind.FILE, Signal.FILE_IO,
          PoolHold.Kind.OWN_CALL, Signal.SOCKET_READS,
          PoolHold.Kind.OTHER_CALL, Signal.SOCKET_READS,
          PoolHold.Kind.SLEEP, Signal.THREAD_SLEEPS);

  private final Timeline whole;
  private final Signal gone;

  private EvidenceWithout(Timeline whole, Signal gone) {
    this.whole = whole;
    this.gone = gone;
  }

  /** What is left of a timeline. */
  public static Timeline of(Timeline whole, Signal gone) {
    return new EvidenceWithout(whole, gone).rest();
  }

  private static List<Class<? extends Sample>> kinds() {
    return new ClassFileImporter()
        .importPath(Path.of("target/classes/io/gcdiag/evidence")).stream()
            .filter(found -> found.isAssignableTo(Sample.class) && !found.isInterface())
            .<Class<? extends Sample>>map(found -> found.reflect().asSubclass(Sample.class))
            .toList();
  }

  private boolean keeps(Signal signal) {
    return gone != signal;
  }

  private Timeline rest() {
    TimelineBuilder rest = new TimelineBuilder();
    if (whole.dated()) {
      rest.recording("without " + gone, whole.span());
    }
    rest.jvm(keeps(Signal.FLAGS) ? whole.jvm() : withoutFlags(whole.jvm()));
    if (keeps(Signal.GC_PAUSES)) {
      whole.stops().pausesByFile().forEach((file, own) -> rest.pauses(file, pauses(own)));
      whole.gcCpu(always()).forEach(rest::gcCpu);
    }
    if (keeps(Signal.HEAP_AROUND_GC)) {
      rest.heap(whole.heap());
    }
    if (keeps(Signal.SAFEPOINTS)) {
      whole.safepoints().forEach(rest::safepoint);
    }
    if (keeps(Signal.CPU_LOAD)) {
      whole.cpu().forEach(rest::cpu);
    }
    if (keeps(Signal.CPU_SAMPLES)) {
      rest.cpuProfile(whole.profiles().cpu());
    }
    if (keeps(Signal.THREAD_DUMPS)) {
      whole.dumps().forEach(rest::dump);
    }
    if (keeps(Signal.CLASS_HISTOGRAMS)) {
      whole.snapshots().histograms().forEach(rest::histogram);
    }
    if (keeps(Signal.REQUEST_STATS)) {
      whole.requests().stats().forEach(rest::requestStats);
      whole.requests().series().forEach(rest::requestSeries);
    }
    whole.waits().stream()
        .filter(series -> EVENTS.get(series.source().place()) != gone)
        .filter(series -> gone != Signal.THREAD_SLEEPS || series.site().kind() != WaitKind.SLEEP)
        .forEach(rest::waits);
    for (Class<? extends Sample> kind : KINDS) {
      if (SAMPLES.get(kind) != gone) {
        whole.samples(kind).forEach(sample -> rest.sample(reduced(sample)));
      }
    }
    whole.metrics().forEach(rest::metric);
    whole.stops().secondReadings().forEach(rest::secondReading);
    whole.inputs().forEach(rest::input);
    whole.coverage().notes().forEach(rest::note);
    whole
        .coverage()
        .signals()
        .forEach((signal, state) -> rest.signal(signal, keeps(signal) ? state : lost()));
    return rest.allocation(allocation()).operator(operator()).build();
  }

  /** What is summed up of several signals, without the part of the one that is gone. */
  private Sample reduced(Sample sample) {
    if (sample instanceof LockHold hold) {
      return new LockHold(
          hold.at(),
          hold.lock(),
          hold.holds(),
          hold.heldSeconds(),
          kept(hold.timed(), LockHold.Doing::kind, LOCK_HOLDS),
          keeps(Signal.CPU_SAMPLES) ? hold.sampled() : Map.of(),
          hold.source());
    }
    if (sample instanceof PoolHold hold) {
      return new PoolHold(
          hold.at(),
          hold.pool(),
          hold.holds(),
          hold.heldSeconds(),
          kept(hold.timed(), PoolHold.Doing::kind, POOL_HOLDS),
          keeps(Signal.CPU_SAMPLES) ? hold.sampled() : Map.of(),
          hold.source());
    }
    return sample;
  }

  private <D, K, V> Map<D, V> kept(Map<D, V> doings, Function<D, K> kind, Map<K, Signal> signals) {
    return doings.entrySet().stream()
        .filter(entry -> signals.get(kind.apply(entry.getKey())) != gone)
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  private static SignalState lost() {
    return SignalState.NOT_RECORDED;
  }

  private static Window always() {
    return new Window(Instant.EPOCH, Instant.parse("2200-01-01T00:00:00Z"));
  }

  private static JvmFacts withoutFlags(JvmFacts jvm) {
    return new JvmFacts(
        jvm.version(),
        jvm.collector(),
        jvm.initialHeap(),
        jvm.maxHeap(),
        jvm.cpus(),
        jvm.start(),
        new TreeMap<>());
  }

  private List<GcPause> pauses(Pauses own) {
    return keeps(Signal.HEAP_AROUND_GC)
        ? own
        : own.stream()
            .map(
                pause ->
                    new GcPause(
                        pause.start(),
                        pause.duration(),
                        pause.type(),
                        pause.gcId(),
                        Optional.empty(),
                        pause.source()))
            .toList();
  }

  private AllocationProfile allocation() {
    AllocationProfile all = whole.profiles().allocation();
    if (gone == Signal.ALLOCATION_SAMPLES) {
      return new AllocationProfile(
          all.sites().of(AllocationSite.Path.OUTSIDE_TLAB),
          Series.empty(),
          OptionalDouble.empty(),
          all.source());
    }
    if (gone == Signal.OUTSIDE_TLAB) {
      return new AllocationProfile(
          all.sites().of(AllocationSite.Path.SAMPLED),
          all.sampledBytesPerSecond(),
          all.totalBytesPerSecond(),
          all.source());
    }
    return all;
  }

  private OperatorFacts operator() {
    OperatorFacts all = whole.operator();
    return new OperatorFacts(
        keeps(Signal.REQUEST_STATS) ? all.rate() : Optional.empty(),
        keeps(Signal.POOL_SIZE) ? all.poolSize() : OptionalInt.empty(),
        keeps(Signal.HOLD_TIME) ? all.hold() : Optional.empty());
  }
}
