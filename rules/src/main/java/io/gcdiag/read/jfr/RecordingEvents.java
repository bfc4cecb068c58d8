package io.gcdiag.read.jfr;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.threads.ThreadGroupSample.AnsweringGroup;
import io.gcdiag.evidence.threads.ThreadNames;
import io.gcdiag.evidence.threads.WaitSample.AsyncClient;
import io.gcdiag.evidence.time.InputReport.Remark;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.read.bytes.IngestContext;
import io.gcdiag.read.bytes.InputFormat.Outcome;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.read.dumps.KnownLines;
import io.gcdiag.read.dumps.ParsedDump;
import io.gcdiag.read.dumps.ThreadDumps;
import io.gcdiag.read.dumps.ThreadSnapshots;
import io.gcdiag.read.frames.FrameBook;
import io.gcdiag.read.frames.StackKind;
import io.gcdiag.read.jfr.AllocationEvents.AllocationStallEvents;
import io.gcdiag.read.jfr.AllocationEvents.OldObjectEvents;
import io.gcdiag.read.jfr.CollectionEvents.PhaseEvents;
import io.gcdiag.read.jfr.CollectionEvents.SafepointEvents;
import io.gcdiag.read.jfr.CollectionEvents.YoungEvents;
import io.gcdiag.read.jfr.DataLossEvents.CutStacks;
import io.gcdiag.read.jfr.JvmEvents.CompilerEvents;
import io.gcdiag.read.jfr.JvmEvents.EndEvents;
import io.gcdiag.read.jfr.JvmEvents.ExceptionEvents;
import io.gcdiag.read.jfr.JvmEvents.NativeMemoryEvents;
import io.gcdiag.read.jfr.MachineEvents.LateWakeEvents;
import io.gcdiag.read.jfr.SampleEvents.StackEvents;
import io.gcdiag.read.jfr.SlowParts.Allocated;
import io.gcdiag.read.jfr.ThreadCountEvents.VirtualThreadEvents;
import io.gcdiag.read.jfr.reader.Event;
import io.gcdiag.read.jfr.reader.EventLane;
import io.gcdiag.read.jfr.reader.EventSink;
import io.gcdiag.read.jfr.reader.EventThread;
import io.gcdiag.read.jfr.reader.Note;
import io.gcdiag.read.jfr.reader.Trace;
import io.gcdiag.units.UtcText;
import java.io.IOException;
import java.io.StringReader;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Hands each event of a recording to the group that knows its type. */
final class RecordingEvents implements EventSink {

  /** Names that a note lists. */
  private static final int MOST_NAMED = 3;

  private static final String STACKS = "stacks of its events";

  private final String file;
  private final Stacks stacks;

  private final Stacks codeStacks;

  private final RecordedSettings settings = new RecordedSettings();
  private final JvmEvents jvm;
  private final RequestEvents requests;
  private final List<EventGroup> groups;
  private final Map<String, List<Use>> uses = new HashMap<>();

  /** Types that the user says time requests, and all that the recording knows. */
  private final Set<String> asked;

  private final Set<String> declared = new ConcurrentSkipListSet<>();
  private final List<EventLane> lanes;
  private Optional<Instant> first = Optional.empty();
  private Optional<Instant> last = Optional.empty();

  /**
   * The handlers for one recording.
   *
   * @param frames meanings of stack frames
   */
  RecordingEvents(String file, Redactor redactor, FrameBook frames) {
    this(file, redactor, frames, Map.of());
  }

  /**
   * The same with events of the service's own that time requests.
   *
   * @param requestEvents by type the field that names the endpoint, or an empty text
   */
  RecordingEvents(
      String file, Redactor redactor, FrameBook frames, Map<String, String> requestEvents) {
    this.file = file;
    asked = requestEvents.keySet();
    stacks = new Stacks(frames);
    codeStacks = new Stacks(frames);
    LaneContext lane = new LaneContext(file, stacks, frames, redactor);
    // The second lane handles code names and numbers.
    LaneContext code = new LaneContext(file, codeStacks, frames, redactor);
    LockHandovers handovers = new LockHandovers(file);
    PoolHolds holds = new PoolHolds(file, frames);
    WorkerTimes workers = new WorkerTimes(stacks, redactor);
    CodeBook waitCode = new CodeBook(stacks, frames);
    WaitedCode waited = new WaitedCode(stacks, frames, waitCode);
    WaitEvents waits = new WaitEvents(lane, handovers, holds, workers, waited);
    RecordedSettings declared = new RecordedSettings();
    jvm = new JvmEvents(lane);
    ThreadSpans<Allocated> allocations = new ThreadSpans<>();
    requests = new RequestEvents(lane, holds.steps, allocations, workers, requestEvents);
    groups =
        List.of(
            jvm,
            requests,
            new CollectionEvents(code),
            new YoungEvents(code),
            new CpuEvents(lane),
            new MachineEvents(lane),
            new PhaseEvents(lane),
            new PlainEvents(lane),
            new NativeMemoryEvents(lane),
            new DataLossEvents(lane),
            new EndEvents(lane),
            new SampleEvents(code),
            new StackEvents(code),
            new SafepointEvents(code),
            waits,
            new LateWakeEvents(lane),
            new WallSamples(lane, settings, waits),
            new ThreadSampleEvents(lane, handovers, holds, workers),
            new VirtualThreadEvents(lane),
            new ThreadCountEvents(lane, workers),
            new CompilerEvents(lane),
            new ExceptionEvents(code),
            new AllocationEvents(code, declared, allocations),
            new OwnCodeEvents(code, waitCode),
            new CutStacks(lane),
            new AnsweringGroups(code),
            new AllocationStallEvents(lane),
            new OldObjectEvents(lane),
            new DumpEvents(lane));
    // The handlers with redaction are in the first lane, because one redactor numbers all secrets.
    Lane first = new Lane(settings);
    Lane other = new Lane(declared);
    groups.forEach(group -> RecordingEvents.add(group, (group.isOf(code) ? other : first).uses));
    lanes = List.of(first, other);
    groups.forEach(group -> add(group, uses));
  }

  /** Methods, as frames, that begin and end with a request. */
  static List<String> entries() {
    return RequestEvents.ENTRIES;
  }

  /** How a group handles events of one type. */
  private record Use(EventGroup group, Consumer<Event> reader) {}

  private static void add(EventGroup group, Map<String, List<Use>> to) {
    group
        .readers()
        .forEach(
            (type, reader) ->
                to.computeIfAbsent(type, any -> new ArrayList<>()).add(new Use(group, reader)));
  }

  private static Optional<Consumer<Event>> reader(
      Map<String, List<Use>> uses, String type, RecordedSettings settings) {
    String standard = StandInEvent.standard(type);
    if (type.equals(RecordedSettings.EVENT)) {
      return Optional.of(settings::accept);
    }
    List<Consumer<Event>> readers =
        uses.getOrDefault(standard, List.of()).stream()
            .filter(use -> use.group().needs(standard))
            .map(Use::reader)
            .toList();
    return readers.isEmpty()
        ? Optional.empty()
        : Optional.of(StandInEvent.told(type, new InTurn(readers), settings));
  }

  /** Several handlers in an array; nested pairs would double the calls for each event. */
  private static final class InTurn implements Consumer<Event> {
    private final Consumer<Event>[] readers;

    @SuppressWarnings({"unchecked", "rawtypes"})
    InTurn(List<Consumer<Event>> readers) {
      this.readers = readers.toArray(new Consumer[0]);
    }

    @Override
    public void accept(Event event) {
      for (Consumer<Event> reader : readers) {
        reader.accept(event);
      }
    }
  }

  /** Handlers, and what they know of the recording's types. */
  private record Lane(RecordedSettings settings, Map<String, List<Use>> uses) implements EventLane {
    Lane(RecordedSettings settings) {
      this(settings, new HashMap<>());
    }

    @Override
    public void types(Map<Long, String> nameById) {
      settings.types(nameById);
    }

    @Override
    public Optional<Consumer<Event>> reader(String type) {
      return RecordingEvents.reader(uses, type, settings);
    }
  }

  @Override
  public List<EventLane> lanes() {
    return lanes;
  }

  @Override
  public void types(Map<Long, String> nameById) {
    declared.addAll(nameById.values());
    lanes.forEach(lane -> lane.types(nameById));
  }

  private static boolean isOfNoJvm(String type) {
    return type.indexOf('.') > 0 && !type.startsWith("jdk.") && !type.startsWith("java.");
  }

  /** With types named for requests that the recording does not know, and those it may mean. */
  Outcome outcome() {
    String missing =
        asked.stream().filter(type -> !declared.contains(type)).collect(Collectors.joining(", "));
    String own =
        declared.stream()
            .filter(RecordingEvents::isOfNoJvm)
            .limit(MOST_NAMED)
            .collect(Collectors.joining(", "));
    return missing.isEmpty()
        ? Outcome.COMPLETE
        : new Outcome(
            true, "not there: " + missing + " (--request); its events: " + own, Remark.ABSENT);
  }

  @Override
  public Optional<Consumer<Event>> reader(String type) {
    return reader(uses, type, settings);
  }

  Set<String> types() {
    Set<String> types = new TreeSet<>(uses.keySet());
    types.add(RecordedSettings.EVENT);
    return types;
  }

  /** Events may begin long before the recording, but end inside it. */
  @Override
  public void span(Instant firstEnd, Instant lastEnd) {
    if (first.isEmpty() || firstEnd.isBefore(first.get())) {
      first = Optional.of(firstEnd);
    }
    if (last.isEmpty() || lastEnd.isAfter(last.get())) {
      last = Optional.of(lastEnd);
    }
  }

  boolean isEmpty() {
    return first.isEmpty();
  }

  /** When the last event ended, in UTC. */
  Optional<String> lastTime() {
    return last.map(UtcText::time);
  }

  void finish(IngestContext intake) {
    Optional<Window> span = first.map(from -> new Window(from, last.orElseThrow().plusNanos(1)));
    span.ifPresent(window -> intake.timeline().recording(file, window));
    intake.processes().add(jvm.process(span));
    for (EventGroup group : groups) {
      group.finish(intake.timeline(), settings);
      group.tell(intake.clocks());
    }
    requests.tell(intake, settings, span);
    Set<String> clients = new TreeSet<>(stacks.asyncClients());
    clients.addAll(codeStacks.asyncClients());
    first.ifPresent(
        at ->
            clients.forEach(
                name ->
                    intake.timeline().sample(new AsyncClient(at, name, new Source(file, STACKS)))));
  }

  /** Thread dumps inside the recording. */
  private static final class DumpEvents extends EventGroup {

    private static final String DUMP = "jdk.ThreadDump";

    /**
     * JDK 17 writes two dumps some milliseconds apart, at the end of one chunk and the start of the
     * next.
     */
    private static final Duration SAME_DUMP = Duration.ofMillis(200);

    private final KnownLines lines = new KnownLines();
    private final List<Dated> dumps = new ArrayList<>();
    private Instant latest = Instant.MIN;

    private record Dated(Instant at, ParsedDump dump) {}

    DumpEvents(LaneContext lane) {
      super(lane);
      on(DUMP, this::dump);
    }

    /**
     * Of several dumps at one time only the first is parsed, if dumps are in order of time, as
     * those of one JVM are.
     */
    private void dump(Event event) {
      Instant at = event.start();
      if (!latest.isAfter(at) && !isApart(latest, at)) {
        return;
      }
      Optional<String> text = event.text("result");
      if (text.isEmpty()) {
        return;
      }
      try {
        for (ParsedDump dump : ThreadDumps.parse(new StringReader(text.get()), lines)) {
          dumps.add(new Dated(at, dump));
          latest = at;
        }
      } catch (IOException e) {
        // An unreadable dump does not affect the recording's other events.
        return;
      }
    }

    private static boolean isApart(Instant earlier, Instant later) {
      return earlier.equals(Instant.MIN) || earlier.plus(SAME_DUMP).isBefore(later);
    }

    @Override
    public void finish(TimelineBuilder timeline, RecordedSettings settings) {
      ThreadSnapshots snapshots = new ThreadSnapshots(frames, redactor);
      dumps.sort(Comparator.comparing(Dated::at));
      Instant last = Instant.MIN;
      for (Dated dated : dumps) {
        if (isApart(last, dated.at())) {
          timeline.dump(snapshots.of(dated.dump(), Optional.of(dated.at()), source(DUMP)));
          last = dated.at();
        }
      }
      timeline.signal(Signal.THREAD_DUMPS, settings.state(DUMP, !dumps.isEmpty()));
    }
  }

  /** Threads of no server that hand requests their answers: see {@link AnsweringGroup}. */
  private static final class AnsweringGroups extends EventGroup {

    /** A service has some dozens of groups. */
    private static final int MOST_GROUPS = 500;

    private final Map<String, Seen> groups = new TreeMap<>();
    private final Note<Answer> answers = new Note<>(this::answer);

    AnsweringGroups(LaneContext lane) {
      super(lane);
      on("jdk.ExecutionSample", event -> see(event, true));
      on("jdk.ObjectAllocationSample", event -> see(event, false));
    }

    /** For a stack: the server that takes a response, if any. */
    private record Answer(Optional<String> server, StackKind kind) {}

    /** Counts for one group. */
    private static final class Seen {
      private final String server;
      private Instant first;
      private long samples;

      Seen(String server, Instant first) {
        this.server = server;
        this.first = first;
      }
    }

    private Answer answer(Trace trace) {
      StackKind kind = stacks.running(trace);
      return new Answer(frames.answers(kind.frames()), kind);
    }

    private void see(Event event, boolean sampled) {
      Answer answer = stacks.note(event, answers);
      if (answer.server().isEmpty()) {
        return;
      }
      Optional<EventThread> thread = sampled ? event.thread("sampledThread") : event.thread();
      if (thread.isPresent()
          && !thread.get().virtual()
          && !thread.get().name().isBlank()
          && !stacks.onRequestThread(answer.kind(), thread.get().name())) {
        see(thread.get(), answer.server().get(), event);
      }
    }

    private void see(EventThread thread, String server, Event event) {
      String name = ThreadNames.numbered(thread.name());
      Seen seen = groups.get(name);
      if (seen == null) {
        if (groups.size() >= MOST_GROUPS) {
          return;
        }
        seen = new Seen(server, event.start());
        groups.put(name, seen);
      }
      seen.first = event.start().isBefore(seen.first) ? event.start() : seen.first;
      seen.samples++;
    }

    @Override
    public void finish(TimelineBuilder timeline, RecordedSettings settings) {
      groups.forEach(
          (name, seen) ->
              timeline.sample(
                  new AnsweringGroup(
                      seen.first, redactor.redact(name), seen.server, seen.samples)));
    }
  }
}
