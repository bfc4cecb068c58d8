package io.gcdiag.ingest.jfr;

import io.gcdiag.evidence.Window;
import io.gcdiag.ingest.Intake;
import io.gcdiag.ingest.Redactor;
import io.gcdiag.ingest.frames.FrameBook;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import jdk.jfr.EventType;
import jdk.jfr.consumer.RecordedEvent;

/** Hands each event of a recording to the group that knows its type. */
final class RecordingEvents {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final String file;
  private final Window plausible;
  private final RecordedSettings settings = new RecordedSettings();
  private final List<EventGroup> groups;
  private final Map<String, Consumer<RecordedEvent>> readers = new HashMap<>();
  private Optional<Instant> first = Optional.empty();
  private Optional<Instant> last = Optional.empty();

  /**
   * Readers for one recording.
   *
   * @param plausible when events can have ended; others are damaged
   * @param frames what the frames of stacks mean
   */
  RecordingEvents(String file, Window plausible, Redactor redactor, FrameBook frames) {
    this.file = file;
    this.plausible = plausible;
    Stacks stacks = new Stacks(frames);
    LockHandovers handovers = new LockHandovers(file);
    groups =
        List.of(
            new JvmEvents(file, redactor),
            new CollectionEvents(file),
            new CpuEvents(redactor, frames),
            new MachineEvents(file, redactor),
            new SampleEvents(file, stacks, frames),
            new SafepointEvents(file),
            new WaitEvents(file, stacks, redactor, handovers),
            new ThreadSampleEvents(stacks, redactor, handovers),
            new VirtualThreadEvents(file, stacks, redactor),
            new ThreadCountEvents(file, stacks, redactor),
            new CompilerEvents(file),
            new ExceptionEvents(file, stacks),
            new AllocationEvents(file, stacks),
            new AllocationStallEvents(file, stacks),
            new ExplicitCollectionEvents(file, stacks),
            new MetaspaceEvents(file),
            new OldObjectEvents(file, stacks),
            new DumpEvents(file, redactor));
    for (EventGroup group : groups) {
      group.readers().forEach((type, reader) -> readers.merge(type, reader, Consumer::andThen));
    }
    readers.put(RecordedSettings.EVENT, settings::accept);
  }

  /** The types the file declares, be there events of them or not. */
  void types(List<EventType> types) {
    settings.types(types);
  }

  void accept(RecordedEvent event) {
    String type = event.getEventType().getName();
    Instant end = event.getEndTime();
    if (!plausible.contains(end)) {
      return;
    }
    // Events may begin long before the recording did; the end of each lies inside it.
    if (first.isEmpty() || end.isBefore(first.get())) {
      first = Optional.of(end);
    }
    if (last.isEmpty() || end.isAfter(last.get())) {
      last = Optional.of(end);
    }
    Consumer<RecordedEvent> reader = readers.get(type);
    if (reader != null) {
      reader.accept(event);
    }
  }

  boolean isEmpty() {
    return first.isEmpty();
  }

  /** When the last event ended, in UTC. */
  Optional<String> lastTime() {
    return last.map(TIME::format);
  }

  void finish(Intake intake) {
    if (first.isPresent()) {
      intake.timeline().recording(file, new Window(first.get(), last.orElseThrow().plusNanos(1)));
    }
    groups.forEach(group -> group.finish(intake, settings));
  }
}
