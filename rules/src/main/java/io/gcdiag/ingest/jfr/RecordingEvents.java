package io.gcdiag.ingest.jfr;

import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.waits.WaitSample.AsyncClient;
import io.gcdiag.ingest.format.IngestContext;
import io.gcdiag.ingest.format.Redactor;
import io.gcdiag.ingest.frames.FrameBook;
import io.gcdiag.ingest.jfr.event.Event;
import io.gcdiag.ingest.jfr.event.EventLane;
import io.gcdiag.ingest.jfr.event.EventSink;
import io.gcdiag.ingest.jfr.group.CodeBook;
import io.gcdiag.ingest.jfr.group.DatadogEvent;
import io.gcdiag.ingest.jfr.group.EventGroup;
import io.gcdiag.ingest.jfr.group.LaneContext;
import io.gcdiag.ingest.jfr.group.RecordedSettings;
import io.gcdiag.ingest.jfr.group.Stacks;
import io.gcdiag.ingest.jfr.jvm.AllocationStallEvents;
import io.gcdiag.ingest.jfr.jvm.AnsweringGroups;
import io.gcdiag.ingest.jfr.jvm.CollectionEvents;
import io.gcdiag.ingest.jfr.jvm.CompilerEvents;
import io.gcdiag.ingest.jfr.jvm.CpuEvents;
import io.gcdiag.ingest.jfr.jvm.DataLossEvents;
import io.gcdiag.ingest.jfr.jvm.DumpEvents;
import io.gcdiag.ingest.jfr.jvm.EndEvents;
import io.gcdiag.ingest.jfr.jvm.JvmEvents;
import io.gcdiag.ingest.jfr.jvm.MachineEvents;
import io.gcdiag.ingest.jfr.jvm.NativeMemoryEvents;
import io.gcdiag.ingest.jfr.jvm.PhaseEvents;
import io.gcdiag.ingest.jfr.jvm.PlainEvents;
import io.gcdiag.ingest.jfr.jvm.ProcessEvents;
import io.gcdiag.ingest.jfr.jvm.SafepointEvents;
import io.gcdiag.ingest.jfr.jvm.ThreadCountEvents;
import io.gcdiag.ingest.jfr.jvm.VirtualThreadEvents;
import io.gcdiag.ingest.jfr.jvm.YoungEvents;
import io.gcdiag.ingest.jfr.profile.AllocationEvents;
import io.gcdiag.ingest.jfr.profile.CutStacks;
import io.gcdiag.ingest.jfr.profile.ExceptionEvents;
import io.gcdiag.ingest.jfr.profile.OldObjectEvents;
import io.gcdiag.ingest.jfr.profile.OwnCodeEvents;
import io.gcdiag.ingest.jfr.profile.SampleEvents;
import io.gcdiag.ingest.jfr.profile.StackEvents;
import io.gcdiag.ingest.jfr.waits.LateWakeEvents;
import io.gcdiag.ingest.jfr.waits.LockHandovers;
import io.gcdiag.ingest.jfr.waits.PoolHolds;
import io.gcdiag.ingest.jfr.waits.ThreadSampleEvents;
import io.gcdiag.ingest.jfr.waits.WaitEvents;
import io.gcdiag.ingest.jfr.waits.WaitedCode;
import io.gcdiag.ingest.jfr.waits.WallSamples;
import io.gcdiag.ingest.jfr.waits.WorkerTimes;
import io.gcdiag.units.UtcText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Hands each event of a recording to the group that knows its type. */
final class RecordingEvents implements EventSink {

  private static final String STACKS = "stacks of its events";

  private final String file;
  private final Stacks stacks;

  /** Of the second lane. */
  private final Stacks codeStacks;

  private final RecordedSettings settings = new RecordedSettings();
  private final JvmEvents jvm;
  private final List<EventGroup> groups;
  private final Map<String, List<Use>> uses = new HashMap<>();
  private final List<EventLane> lanes;
  private Optional<Instant> first = Optional.empty();
  private Optional<Instant> last = Optional.empty();

  /**
   * Readers for one recording.
   *
   * @param frames what the frames of stacks mean
   */
  RecordingEvents(String file, Redactor redactor, FrameBook frames) {
    this.file = file;
    stacks = new Stacks(frames);
    codeStacks = new Stacks(frames);
    LaneContext lane = new LaneContext(file, stacks, frames, redactor);
    // Of the second lane: names of code, and numbers.
    LaneContext code = new LaneContext(file, codeStacks, frames, redactor);
    LockHandovers handovers = new LockHandovers(file);
    PoolHolds holds = new PoolHolds(file, frames);
    WorkerTimes workers = new WorkerTimes(stacks, redactor);
    CodeBook waitCode = new CodeBook(stacks, frames);
    WaitedCode waited = new WaitedCode(stacks, frames, waitCode);
    WaitEvents waits = new WaitEvents(lane, handovers, holds, workers, waited);
    RecordedSettings declared = new RecordedSettings();
    jvm = new JvmEvents(lane);
    groups =
        List.of(
            jvm,
            new CollectionEvents(code),
            new YoungEvents(code),
            new CpuEvents(lane),
            new MachineEvents(lane),
            new PhaseEvents(lane),
            new ProcessEvents(lane),
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
            new ThreadCountEvents(lane),
            new CompilerEvents(lane),
            new ExceptionEvents(code),
            new AllocationEvents(code, declared),
            new OwnCodeEvents(code, waitCode),
            new CutStacks(lane),
            new AnsweringGroups(code),
            new AllocationStallEvents(lane),
            new OldObjectEvents(lane),
            new DumpEvents(lane));
    // The reader that hides secrets is in the first lane: one redactor numbers them all.
    Lane first = new Lane(settings);
    Lane other = new Lane(declared);
    groups.forEach(group -> (group.isOf(code) ? other : first).add(group));
    lanes = List.of(first, other);
    groups.forEach(group -> add(group, uses));
  }

  /** What one group does with events of one type. */
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
    String standard = DatadogEvent.standard(type);
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
        : Optional.of(DatadogEvent.told(type, new InTurn(readers)));
  }

  /** Several readers; a chain of pairs would be twice the calls with each event. */
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

  /** Some readers, and what they know of the recording's types. */
  private record Lane(RecordedSettings settings, Map<String, List<Use>> uses) implements EventLane {
    Lane(RecordedSettings settings) {
      this(settings, new HashMap<>());
    }

    void add(EventGroup group) {
      RecordingEvents.add(group, uses);
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
    lanes.forEach(lane -> lane.types(nameById));
  }

  @Override
  public Optional<Consumer<Event>> reader(String type) {
    return reader(uses, type, settings);
  }

  /** Names of the event types that are read. */
  Set<String> types() {
    Set<String> types = new TreeSet<>(uses.keySet());
    types.add(RecordedSettings.EVENT);
    return types;
  }

  /** Events may begin long before the recording did; the end of each lies inside it. */
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
    Set<String> clients = new TreeSet<>(stacks.asyncClients());
    clients.addAll(codeStacks.asyncClients());
    first.ifPresent(
        at ->
            clients.forEach(
                name ->
                    intake.timeline().sample(new AsyncClient(at, name, new Source(file, STACKS)))));
  }
}
