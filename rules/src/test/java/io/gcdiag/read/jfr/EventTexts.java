package io.gcdiag.read.jfr;

import io.gcdiag.read.jfr.reader.ChunkScan;
import io.gcdiag.read.jfr.reader.Event;
import io.gcdiag.read.jfr.reader.EventSink;
import io.gcdiag.read.jfr.reader.Fields;
import io.gcdiag.read.jfr.reader.RecordingReader;
import io.gcdiag.read.jfr.reader.Trace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
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
 * Every event of a recording as text, as a reader gives it, with every field of the first five
 * hundred of each type, or of all with {@code -Dgcdiag.recordings=all}. Which fields there are is
 * asked of the JDK.
 */
final class EventTexts implements EventSink {

  /** Structures hold structures: a class its loader, the loader its class. */
  private static final int DEEPEST = 3;

  /** Fields are read in the same way each time; the values that they point to come by then. */
  private static final int MOST_OF_A_TYPE =
      "all".equals(System.getProperty("gcdiag.recordings")) ? Integer.MAX_VALUE : 500;

  private final Map<String, Integer> met = new HashMap<>();
  private final Map<String, List<Field>> fields = new HashMap<>();
  private final Map<Long, String> types = new TreeMap<>();
  private final Map<Trace, Integer> numbers = new IdentityHashMap<>();
  private final Map<String, Integer> stacks = new HashMap<>();
  private final List<String> lines = new ArrayList<>();
  private Instant first = Instant.MAX;
  private Instant last = Instant.MIN;

  private EventTexts(Path file) throws IOException {
    try (RecordingFile recording = new RecordingFile(file)) {
      for (EventType type : recording.readEventTypes()) {
        fields.putIfAbsent(type.getName(), Field.of(type.getFields(), 0));
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
    event.stack().ifPresent(trace -> line.append(' ').append(text(trace)));
    if (met.merge(event.type(), 1, Integer::sum) <= MOST_OF_A_TYPE) {
      append(line, event, fields.get(event.type()));
    }
    lines.add(line.toString());
  }

  /** The frames where a stack is met first, from then on its number. */
  private String text(Trace trace) {
    Integer known = numbers.get(trace);
    if (known != null) {
      return "stack " + known;
    }
    String text = trace.frames() + " " + trace.interpreted();
    int number = stacks.size() + 1;
    Integer same = stacks.putIfAbsent(text, number);
    numbers.put(trace, same == null ? number : same);
    return same == null ? text : "stack " + same;
  }

  private static void append(StringBuilder line, Fields values, List<Field> fields) {
    for (Field field : fields) {
      String name = field.name();
      line.append(' ').append(name).append('=');
      line.append(values.text(name)).append(values.number(name)).append(values.decimal(name));
      line.append(values.className(name)).append(values.method(name)).append(values.thread(name));
      line.append(values.isTrue(name));
      if (field.isTimespan()) {
        line.append(values.duration(name));
      }
      if (field.isTimestamp()) {
        line.append(values.time(name));
      }
      Optional<Fields> inside = field.inside().isEmpty() ? Optional.empty() : values.inside(name);
      if (inside.isPresent()) {
        line.append('{');
        append(line, inside.get(), field.inside());
        line.append('}');
      }
    }
  }

  /**
   * What is to be asked of a field. The JDK looks for annotations anew each time that it is asked.
   *
   * @param inside the fields of a structure, as far as they are looked at
   */
  private record Field(String name, boolean isTimespan, boolean isTimestamp, List<Field> inside) {

    static List<Field> of(List<ValueDescriptor> fields, int depth) {
      return fields.stream().map(field -> of(field, depth)).toList();
    }

    private static Field of(ValueDescriptor field, int depth) {
      return new Field(
          field.getName(),
          field.getAnnotation(Timespan.class) != null,
          field.getAnnotation(Timestamp.class) != null,
          depth < DEEPEST ? of(field.getFields(), depth + 1) : List.of());
    }
  }
}
