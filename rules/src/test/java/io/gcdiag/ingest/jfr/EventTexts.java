package io.gcdiag.ingest.jfr;

import io.gcdiag.ingest.jfr.chunk.ChunkScan;
import io.gcdiag.ingest.jfr.event.Event;
import io.gcdiag.ingest.jfr.event.EventSink;
import io.gcdiag.ingest.jfr.event.Fields;
import io.gcdiag.ingest.jfr.event.RecordingReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import jdk.jfr.EventType;
import jdk.jfr.Timespan;
import jdk.jfr.Timestamp;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordingFile;

/**
 * Every field of every event of a recording as text, as a reader gives it. Which fields there are
 * is asked of the JDK.
 */
final class EventTexts implements EventSink {

  /** Structures hold structures: a class its loader, the loader its class. */
  private static final int DEEPEST = 3;

  private final Map<String, List<ValueDescriptor>> fields = new HashMap<>();
  private final Map<Long, String> types = new TreeMap<>();
  private final List<String> lines = new ArrayList<>();
  private Instant first = Instant.MAX;
  private Instant last = Instant.MIN;

  private EventTexts(Path file) throws IOException {
    try (RecordingFile recording = new RecordingFile(file)) {
      for (EventType type : recording.readEventTypes()) {
        fields.putIfAbsent(type.getName(), type.getFields());
      }
    }
  }

  /** What a reader gives: a line for the types, one for the span, one for each event. */
  static List<String> of(Path file, RecordingReader reader) throws IOException {
    return of(file, reader, file);
  }

  /**
   * The same.
   *
   * @param declared a recording that the JDK can read, with the same types
   */
  static List<String> of(Path file, RecordingReader reader, Path declared) throws IOException {
    EventTexts texts = new EventTexts(declared);
    RecordingReader.Reading<EventTexts> reading =
        reader.read(file, ChunkScan.of(file), () -> texts);
    texts.lines.add("sound " + reading.sound());
    texts.lines.add("types " + texts.types);
    texts.lines.add("span " + texts.first + " " + texts.last);
    return texts.lines;
  }

  @Override
  public void types(Map<Long, String> nameById) {
    nameById.forEach(types::putIfAbsent);
  }

  @Override
  public Optional<Consumer<Event>> reader(String type) {
    return Optional.of(this::accept);
  }

  @Override
  public void span(Instant firstEnd, Instant lastEnd) {
    first = firstEnd.isBefore(first) ? firstEnd : first;
    last = lastEnd.isAfter(last) ? lastEnd : last;
  }

  private void accept(Event event) {
    StringBuilder line = new StringBuilder(event.type());
    line.append(' ').append(event.start()).append(' ').append(event.end());
    line.append(' ').append(event.duration()).append(' ').append(event.thread());
    event.stack().ifPresent(trace -> line.append(trace.frames()).append(trace.interpreted()));
    append(line, event, fields.get(event.type()), 0);
    lines.add(line.toString());
  }

  private static void append(
      StringBuilder line, Fields values, List<ValueDescriptor> fields, int depth) {
    for (ValueDescriptor field : fields) {
      String name = field.getName();
      line.append(' ').append(name).append('=');
      line.append(values.text(name)).append(values.number(name)).append(values.decimal(name));
      line.append(values.className(name)).append(values.method(name)).append(values.thread(name));
      line.append(values.isTrue(name));
      if (field.getAnnotation(Timespan.class) != null) {
        line.append(values.duration(name));
      }
      if (field.getAnnotation(Timestamp.class) != null) {
        line.append(values.time(name));
      }
      Optional<Fields> inside = depth < DEEPEST ? values.inside(name) : Optional.empty();
      if (inside.isPresent()) {
        line.append('{');
        append(line, inside.get(), field.getFields(), depth + 1);
        line.append('}');
      }
    }
  }
}
