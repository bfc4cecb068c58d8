package io.gcdiag.read.jfr;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.jvm.Flag;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.jvm.JvmSample.RecordedProgram;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.SignalState;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.read.bytes.ClockAlignment;
import io.gcdiag.read.bytes.JvmProcess;
import io.gcdiag.read.bytes.JvmVersions;
import io.gcdiag.read.jfr.reader.Event;
import io.gcdiag.units.Bytes;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * What the recording says of the JVM: version, flags, collector, heap bounds, processors, start.
 */
final class JvmEvents extends EventGroup {

  /** {@code OpenJDK 64-Bit Server VM (17.0.15+6-Debian-1deb12u1) for linux-amd64 ...}. */
  private static final Pattern VERSION = Pattern.compile("\\((\\d[^)]*)\\)");

  private static final String[] FLAG_EVENTS = {
    "jdk.BooleanFlag",
    "jdk.IntFlag",
    "jdk.UnsignedIntFlag",
    "jdk.LongFlag",
    "jdk.UnsignedLongFlag",
    "jdk.DoubleFlag",
    "jdk.StringFlag"
  };

  /**
   * {@code -Dorders.pool=10}; a value is cut at the first blank, because blanks separate arguments.
   */
  private static final Pattern PROPERTY = Pattern.compile("(?<=^|\\s)-D([^\\s=]+)=(\\S*)");

  /**
   * Above this number of GC threads, several numbers of processors are possible: {@code
   * WorkerPolicy::calc_parallel_worker_threads} in HotSpot's {@code workerPolicy.cpp}.
   */
  private static final int MOST_WITH_A_THREAD_EACH = 7;

  private static final Set<String> THREAD_PER_CPU = Set.of("G1", "Parallel");

  private static final Set<String> CHOSEN_BY_THE_JVM = Set.of("Default", "Ergonomic");

  /** Each chunk derives the JVM's start again, from a clock that may have been changed. */
  private static final Duration START_WITHIN = Duration.ofSeconds(2);

  private final SortedMap<String, Flag> flags = new TreeMap<>();
  private Optional<String> version = Optional.empty();
  private Optional<Instant> start = Optional.empty();
  private Optional<String> collector = Optional.empty();
  private Optional<Bytes> initialHeap = Optional.empty();
  private Optional<Bytes> maxHeap = Optional.empty();
  private OptionalInt cpus = OptionalInt.empty();
  private OptionalLong parallelThreads = OptionalLong.empty();
  private String application = "";
  private Optional<RecordedProgram> program = Optional.empty();

  JvmEvents(LaneContext lane) {
    super(lane);
    on("jdk.JVMInformation", this::jvm);
    on("jdk.GCConfiguration", this::collector);
    on("jdk.GCHeapConfiguration", this::heap);
    on("jdk.CPUInformation", this::cpu);
    on("jdk.ContainerConfiguration", this::container);
    for (String event : FLAG_EVENTS) {
      on(event, this::flag);
    }
  }

  private void jvm(Event event) {
    version =
        event
            .text("jvmVersion")
            .map(VERSION::matcher)
            .filter(Matcher::find)
            .flatMap(matcher -> JvmVersions.ofJdk(matcher.group(1)))
            // async-profiler writes only the version number.
            .or(() -> event.text("jvmVersion").flatMap(JvmVersions::ofJdk))
            .or(() -> version);
    start = event.time("jvmStartTime").or(() -> start);
    event.text("jvmArguments").ifPresent(this::properties);
    event.text("javaArguments").ifPresent(text -> application = text.split("\\s", 2)[0]);
    program =
        RecordedProgram.nameOf(application)
            .map(
                name ->
                    new RecordedProgram(
                        event.start(), redactor.redact(name), source("jdk.JVMInformation")));
  }

  /** System properties of the command line, with the configuration of frameworks and pools. */
  private void properties(String arguments) {
    Matcher property = PROPERTY.matcher(arguments);
    while (property.find()) {
      String name = property.group(1);
      // Redacted together with its name, by which secrets are recognised.
      String told = redactor.redact(name + "=" + property.group(2));
      flags.put(
          Flag.PROPERTY + name,
          new Flag(
              Flag.PROPERTY + name,
              told.substring(Math.min(told.length(), name.length() + 1)),
              "Command line",
              source("jdk.JVMInformation")));
    }
  }

  private void collector(Event event) {
    parallelThreads = event.number("parallelGCThreads");
    collector =
        event
            .text("youngCollector")
            .map(young -> name(young, event.text("oldCollector").orElse("")));
  }

  /** The usual short name, from the JVM's two names. */
  private static String name(String young, String old) {
    return switch (young) {
      case "G1New" -> "G1";
      case "ParallelScavenge" -> "Parallel";
      case "DefNew" -> "Serial";
      case "ParNew" -> "ParNew + CMS";
      case "N/A", "" -> old;
      default -> young;
    };
  }

  private void heap(Event event) {
    initialHeap = bytes(event, "initialSize").or(() -> initialHeap);
    maxHeap = bytes(event, "maxSize").or(() -> maxHeap);
  }

  private static Optional<Bytes> bytes(Event event, String field) {
    OptionalLong value = event.number(field);
    return value.isPresent() && value.getAsLong() >= 0
        ? Optional.of(Bytes.of(value.getAsLong()))
        : Optional.empty();
  }

  private void cpu(Event event) {
    OptionalLong threads = event.number("hwThreads");
    if (cpus.isEmpty() && threads.isPresent()) {
      cpus = OptionalInt.of((int) threads.getAsLong());
    }
  }

  private void container(Event event) {
    OptionalLong effective = event.number("effectiveCpuCount");
    if (effective.isPresent() && effective.getAsLong() > 0) {
      cpus = OptionalInt.of((int) effective.getAsLong());
    }
  }

  private void flag(Event event) {
    Optional<String> name = event.text("name");
    if (name.isPresent()) {
      flags.put(
          name.get(),
          new Flag(
              name.get(),
              redactor.redact(event.text("value").orElse("")),
              event.text("origin").orElse(""),
              source(event.type() + " " + name.get())));
    }
  }

  @Override
  public void finish(TimelineBuilder timeline, RecordedSettings settings) {
    timeline.jvm(facts());
    program.ifPresent(timeline::sample);
    SignalState.Kind kind = flags.isEmpty() ? SignalState.Kind.NOT_RECORDED : SignalState.Kind.SEEN;
    timeline.signal(Signal.FLAGS, new SignalState(kind, Optional.empty(), ""));
  }

  @Override
  public void tell(ClockAlignment clocks) {
    start.ifPresent(at -> clocks.jvmStarted(file, at));
  }

  /**
   * The recorded process.
   *
   * @param span the time that the recording covers
   */
  JvmProcess process(Optional<Window> span) {
    return new JvmProcess(
        file,
        JvmProcess.Kind.RECORDING,
        facts(),
        start.map(at -> new JvmProcess.Start(at, START_WITHIN, true)),
        span,
        application);
  }

  private JvmFacts facts() {
    return new JvmFacts(version, collector, initialHeap, maxHeap, usable(), start, flags);
  }

  /** The smallest number of processors that the recording shows for the JVM. */
  private OptionalInt usable() {
    OptionalInt byThreads =
        cpusOf(
            collector.orElse(""),
            (int) parallelThreads.orElse(0),
            Optional.ofNullable(flags.get("ParallelGCThreads")).map(Flag::origin).orElse(""));
    return IntStream.concat(cpus.stream(), byThreads.stream()).min();
  }

  /**
   * The number of processors that the JVM found, which no event states outside of containers. If
   * the JVM chose the number of GC threads, G1 and Parallel have one per processor up to eight, and
   * eight for nine.
   *
   * @param origin origin of the number of threads; empty if not recorded
   */
  static OptionalInt cpusOf(String collector, int threads, String origin) {
    boolean chosen = THREAD_PER_CPU.contains(collector) && CHOSEN_BY_THE_JVM.contains(origin);
    return chosen && threads > 0 && threads <= MOST_WITH_A_THREAD_EACH
        ? OptionalInt.of(threads)
        : OptionalInt.empty();
  }
}
