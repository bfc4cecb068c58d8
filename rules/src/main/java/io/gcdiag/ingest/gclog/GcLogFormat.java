package io.gcdiag.ingest.gclog;

import io.gcdiag.evidence.Flag;
import io.gcdiag.evidence.GcCpu;
import io.gcdiag.evidence.GcPause;
import io.gcdiag.evidence.HeapSample;
import io.gcdiag.evidence.HeapSample.Moment;
import io.gcdiag.evidence.JvmFacts;
import io.gcdiag.evidence.SafepointStop;
import io.gcdiag.evidence.Signal;
import io.gcdiag.evidence.SignalState;
import io.gcdiag.evidence.Source;
import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.Window;
import io.gcdiag.ingest.ClockAlignment;
import io.gcdiag.ingest.ClockAlignment.LoggedCollection;
import io.gcdiag.ingest.ClockAlignment.Shift;
import io.gcdiag.ingest.Head;
import io.gcdiag.ingest.InputFile;
import io.gcdiag.ingest.InputFormat;
import io.gcdiag.ingest.Intake;
import io.gcdiag.ingest.text.JvmVersions;
import io.gcdiag.ingest.text.Unpacked;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Numbers;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Logs of HotSpot's collectors: reads them, and dates their pauses on the common clock. */
public final class GcLogFormat implements InputFormat {

  /** The format's public name. */
  public static final String ID = "gc-log";

  /** {@code 2026-11-21T05:46:05.799+0100}, with a comma in the logs of some locales. */
  private static final Pattern DATED =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d[.,]\\d{3}([+-]\\d\\d[0-5]\\d)\\b");

  private static final Set<String> SIZES =
      Set.of("MinHeapSize", "InitialHeapSize", "MaxHeapSize", "G1HeapRegionSize");

  /** No JVM that somebody uses stands still for longer; a damaged digit makes it years. */
  private static final Duration LONGEST_STOP = Duration.ofDays(1);

  /** Time zones reach to 14 hours; anything beyond is no offset. */
  private static final String WIDEST_OFFSET = "1400";

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String description() {
    return "a HotSpot GC log (-Xlog:gc* or -Xloggc)";
  }

  @Override
  public boolean recognises(Head head) {
    return GcLogReader.looksLikeGcLog(head.text());
  }

  @Override
  public List<String> marks() {
    return List.of("] GC(", "[GC (", "[GC [", "[Full GC");
  }

  @Override
  public Outcome read(InputFile file, Intake intake) throws IOException {
    GcLog log;
    Optional<String> damage;
    try (Unpacked in = Unpacked.open(file.path())) {
      log = GcLogReader.read(in);
      damage = in.damage();
    }
    intake.timeline().jvm(facts(file, log));
    zone(Head.of(file.path()).text()).ifPresent(intake.clocks()::zone);
    boolean dated = log.pauses().stream().anyMatch(pause -> pause.start().isPresent());
    intake.timeline().signal(Signal.GC_PAUSES, pauses(log, dated));
    boolean heap = log.pauses().stream().anyMatch(pause -> pause.heap().whole().isPresent());
    boolean cycles = !log.concurrent().cycles().isEmpty() && fixedSize(log).isPresent();
    if ((heap || cycles) && dated) {
      intake.timeline().signal(Signal.HEAP_AROUND_GC, state(true));
    }
    if (!log.stalls().isEmpty() && dated) {
      intake.timeline().signal(Signal.SAFEPOINTS, state(true));
    }
    intake.afterRecordings(clocks -> place(file, log, clocks, intake));
    for (String note : log.notes()) {
      intake.timeline().note(file.name() + ": " + note);
    }
    intake.logParts().add(file.name(), log);
    LogExtent extent = log.extent();
    if (extent.linesNotUnderstood() > 0) {
      intake
          .timeline()
          .note(
              file.name()
                  + ": "
                  + Numbers.count(extent.linesNotUnderstood())
                  + " of its "
                  + Numbers.count(extent.lines())
                  + " lines are not those of a collector's log, the first is line "
                  + extent.firstNotUnderstood());
    }
    return damage.map(Outcome::partial).orElse(Outcome.COMPLETE);
  }

  /**
   * The JVM's zone, from the first date that states an offset. An offset of zero tells nothing: it
   * is also what the {@code utctime} decoration prints, whatever the zone.
   */
  private static Optional<ZoneOffset> zone(String head) {
    return DATED
        .matcher(head)
        .results()
        .map(date -> date.group(1))
        .filter(offset -> offset.substring(1).compareTo(WIDEST_OFFSET) <= 0)
        .findFirst()
        .map(ZoneOffset::of)
        .filter(offset -> !offset.equals(ZoneOffset.UTC));
  }

  /**
   * A log may hold collections without pauses (ZGC at its lowest level) or pauses without times.
   */
  private static SignalState pauses(GcLog log, boolean dated) {
    if (dated) {
      return state(true);
    }
    return new SignalState(
        SignalState.Kind.NOT_RECORDED,
        Optional.empty(),
        log.pauses().isEmpty() ? "the GC log tells of none" : "the GC log gives no times");
  }

  private static SignalState state(boolean seen) {
    return new SignalState(
        seen ? SignalState.Kind.SEEN : SignalState.Kind.NOTHING_SEEN, Optional.empty(), "");
  }

  private static JvmFacts facts(InputFile file, GcLog log) {
    Map<String, String> facts = log.origin().facts();
    SortedMap<String, Flag> flags = new TreeMap<>();
    facts.forEach(
        (name, value) ->
            flags.put(name, new Flag(name, inBytes(name, value), "", new Source(file.name(), ""))));
    return new JvmFacts(
        log.origin().jvmVersion().flatMap(JvmVersions::ofJdk),
        log.origin().collector(),
        size(facts, "InitialHeapSize"),
        size(facts, "MaxHeapSize"),
        cpus(facts),
        Optional.empty(),
        flags);
  }

  /** A log writes {@code 256M} where the JVM's own tools write the number of bytes. */
  private static String inBytes(String name, String value) {
    return SIZES.contains(name)
        ? size(Map.of(name, value), name).map(size -> Long.toString(size.value())).orElse(value)
        : value;
  }

  private static Optional<Bytes> size(Map<String, String> facts, String name) {
    try {
      return Optional.ofNullable(facts.get(name)).map(Bytes::parse);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** {@code CPUs: 2 total, 2 available}. */
  private static OptionalInt cpus(Map<String, String> facts) {
    String text = facts.getOrDefault("CPUs", "").replaceAll("\\D+", " ").trim();
    String[] numbers = text.split(" ");
    String available = numbers[numbers.length - 1];
    return available.isEmpty() || available.length() > 6
        ? OptionalInt.empty()
        : OptionalInt.of(Integer.parseInt(available));
  }

  /** Where the log's stamps lie on the common clock. */
  private static void place(InputFile file, GcLog log, ClockAlignment clocks, Intake intake) {
    LogClock clock = LogClock.of(log);
    List<LoggedCollection> collections = new ArrayList<>();
    for (LoggedPause pause : log.pauses()) {
      if (pause.gcId().isPresent()) {
        clock
            .at(pause.start())
            .ifPresent(at -> collections.add(new LoggedCollection(pause.gcId().getAsLong(), at)));
      }
    }
    Optional<Shift> shift = clocks.shiftToRecording(file.name(), firstOfEach(collections));
    long astray = clock.astray(log);
    if (astray > 0) {
      intake
          .timeline()
          .note(
              file.name()
                  + ": the machine's clock was set while the JVM ran: the times of "
                  + astray
                  + " pauses differ from their uptimes by more than a second; the times count");
    }
    shift.ifPresent(by -> clocks.noteShift(file.name(), by, clock.isWallClock()));
    Duration move =
        shift
            .map(Shift::by)
            .orElseGet(() -> clock.isWallClock() ? Duration.ZERO : fromStart(file, clocks));
    add(file, log, clock, move, intake);
  }

  /** A concurrent cycle pauses more than once; the recording dates a collection by its first. */
  private static List<LoggedCollection> firstOfEach(List<LoggedCollection> collections) {
    Map<Long, LoggedCollection> first = new TreeMap<>();
    for (LoggedCollection collection : collections) {
      first.merge(collection.gcId(), collection, (a, b) -> a.stamp().isBefore(b.stamp()) ? a : b);
    }
    return List.copyOf(first.values());
  }

  /**
   * Uptimes count from the JVM's start, where a recording tells it, else from an unknown moment.
   */
  private static Duration fromStart(InputFile file, ClockAlignment clocks) {
    if (clocks.jvmStart().isEmpty()) {
      clocks.note(
          file.name()
              + " has no wall-clock times: its times are counted from the JVM's start, shown"
              + " as 1970-01-01; log with -Xlog:...:time,uptime to have both");
      return Duration.ZERO;
    }
    return Duration.between(Instant.EPOCH, clocks.jvmStart().get());
  }

  private static void add(InputFile file, GcLog log, LogClock clock, Duration move, Intake intake) {
    TimelineBuilder timeline = intake.timeline();
    List<GcPause> pauses = new ArrayList<>();
    List<HeapSample> samples = new ArrayList<>();
    for (LoggedPause pause : log.pauses()) {
      Optional<Instant> at = clock.at(pause.start()).map(instant -> instant.plus(move));
      if (at.isPresent() && pause.duration().compareTo(LONGEST_STOP) <= 0) {
        Source source = Source.line(file.name(), pause.line());
        pauses.add(
            new GcPause(
                at.get(),
                pause.duration(),
                pause.kind(),
                pause.cause(),
                pause.gcId(),
                pause.heap().whole(),
                pause.heap().evacuationFailure(),
                source));
        pause
            .cpu()
            .ifPresent(
                cpu ->
                    timeline.gcCpuOfLog(
                        new GcCpu(
                            at.get().plus(pause.duration()),
                            cpu.user(),
                            cpu.system(),
                            cpu.real(),
                            file.name())));
        pause
            .heap()
            .whole()
            .ifPresent(
                heap ->
                    samples.add(
                        new HeapSample(
                            at.get().plus(pause.duration()),
                            Moment.AFTER_COLLECTION,
                            heap.usedAfter(),
                            heap.committedAfter(),
                            pause.gcId(),
                            source)));
      }
    }
    for (LoggedStall stall : log.stalls()) {
      clock
          .at(stall.start())
          .filter(at -> stall.reaching().plus(stall.at()).compareTo(LONGEST_STOP) <= 0)
          .ifPresent(
              at ->
                  timeline.safepointOfLog(
                      new SafepointStop(
                          at.plus(move),
                          stall.reaching(),
                          stall.at(),
                          stall.operation(),
                          stall.collection(),
                          Source.line(file.name(), stall.line()))));
    }
    ConcurrentPlacing concurrent = new ConcurrentPlacing(file.name(), clock, move);
    concurrent.cycles(log, fixedSize(log), timeline);
    concurrent.waits(log, timeline, intake.frames());
    timeline.pauses(file.name(), pauses);
    timeline.heapOfLog(samples);
    extent(log, clock, move, pauses).ifPresent(timeline::log);
    if (pauses.size() < log.pauses().size()) {
      timeline.note(
          file.name()
              + ": "
              + (log.pauses().size() - pauses.size())
              + " pauses carry no credible time or length and are left out");
    }
  }

  /** The heap's size, if it begins as large as it can become. */
  private static Optional<Bytes> fixedSize(GcLog log) {
    Optional<Bytes> max = size(log.origin().facts(), "MaxHeapSize");
    return max.filter(
        size -> size(log.origin().facts(), "InitialHeapSize").filter(size::equals).isPresent());
  }

  private static Optional<Window> extent(
      GcLog log, LogClock clock, Duration move, List<GcPause> pauses) {
    Optional<Instant> first = clock.at(log.extent().first()).map(instant -> instant.plus(move));
    Optional<Instant> last = clock.at(log.extent().last()).map(instant -> instant.plus(move));
    Instant from = first.orElse(Instant.MAX);
    Instant to = last.orElse(Instant.MIN);
    for (GcPause pause : pauses) {
      from = pause.start().isBefore(from) ? pause.start() : from;
      to = pause.end().isAfter(to) ? pause.end() : to;
    }
    return from.isBefore(to) ? Optional.of(new Window(from, to)) : Optional.empty();
  }
}
