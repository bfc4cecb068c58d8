package io.gcdiag.read.jfr;

import io.gcdiag.evidence.time.Window;
import io.gcdiag.read.bytes.ClassNames;
import io.gcdiag.read.bytes.HandlerException;
import io.gcdiag.read.jfr.reader.Chunk;
import io.gcdiag.read.jfr.reader.ChunkScan;
import io.gcdiag.read.jfr.reader.DamagedValueException;
import io.gcdiag.read.jfr.reader.Event;
import io.gcdiag.read.jfr.reader.EventSink;
import io.gcdiag.read.jfr.reader.EventThread;
import io.gcdiag.read.jfr.reader.Fields;
import io.gcdiag.read.jfr.reader.ReadChunk;
import io.gcdiag.read.jfr.reader.ReadChunk.Outcome;
import io.gcdiag.read.jfr.reader.RecordingReader;
import io.gcdiag.read.jfr.reader.Trace;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import jdk.jfr.EventType;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedObject;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

/**
 * Reads recordings through {@code jdk.jfr.consumer}: the reference for gcdiag's own reader.
 *
 * <p>That API needs a random-access file, gives up the whole file for one bad chunk, and waits
 * forever on an unfinished one. So only complete, plain recordings are passed to it, and others are
 * refused.
 *
 * @param known chunks that were read before, from another file
 */
record ApiReader(Predicate<Chunk> known) implements RecordingReader {

  private static final String REFUSED =
      "--jfr-reader=api reads neither damaged nor compressed recordings, nor those with a chunk that"
          + " another file has, too: unpack it, or leave the option out";

  @Override
  public <S extends EventSink> Reading<S> read(Path file, ChunkScan scan, Supplier<S> sinks)
      throws IOException {
    Predicate<Chunk> unread = ReadChunk.unread(known, new HashSet<>());
    if (!scan.intact() || !scan.chunks().stream().allMatch(unread)) {
      throw new IOException(REFUSED);
    }
    S sink = sinks.get();
    try {
      new Run(sink, scan.plausibleTime()).readAll(file);
    } catch (HandlerException e) {
      throw e;
    } catch (IOException | RuntimeException | VirtualMachineError e) {
      // The headers are intact, but the contents are not. On damaged data the API also throws
      // errors, or allocates
      // any amount of memory.
      throw new IOException(REFUSED, e);
    }
    List<ReadChunk> whole =
        scan.chunks().stream().map(chunk -> new ReadChunk(chunk, Outcome.WHOLE)).toList();
    return new Reading<>(sink, true, whole, Files.size(file), Files.size(file));
  }

  @Override
  public <S extends EventSink> Reading<S> readPacked(Opener packed, Supplier<S> sinks)
      throws IOException {
    throw new IOException(REFUSED);
  }

  /** One sink being filled. */
  private static final class Run {

    private final EventSink sink;
    private final Window plausible;
    private final Map<String, Optional<Consumer<Event>>> readers = new HashMap<>();
    private final ApiTraces traces = new ApiTraces();

    Run(EventSink sink, Window plausible) {
      this.sink = sink;
      this.plausible = plausible;
    }

    void readAll(Path path) throws IOException {
      try (RecordingFile recording = new RecordingFile(path)) {
        Map<Long, String> types =
            recording.readEventTypes().stream()
                .collect(Collectors.toMap(EventType::getId, EventType::getName, (a, b) -> a));
        deliver(() -> sink.types(types));
        while (recording.hasMoreEvents()) {
          RecordedEvent event = recording.readEvent();
          Instant end = event.getEndTime();
          if (plausible.contains(end)) {
            deliver(() -> accept(event, end));
          }
        }
      }
    }

    /**
     * An exception of a handler is a defect of the handler, unless a value of the event is damaged.
     */
    private static void deliver(Runnable what) {
      try {
        what.run();
      } catch (DamagedValueException e) {
        throw e;
      } catch (RuntimeException e) {
        throw HandlerException.of(e);
      }
    }

    private void accept(RecordedEvent event, Instant end) {
      sink.span(end, end);
      readers
          .computeIfAbsent(event.getEventType().getName(), sink::reader)
          .ifPresent(reader -> reader.accept(new ApiEvent(event, traces)));
    }
  }

  private static final class ApiEvent extends Event {

    private static final long NANOS = 1_000_000_000L;

    private final RecordedEvent event;
    private final ApiTraces traces;

    ApiEvent(RecordedEvent event, ApiTraces traces) {
      super(new ApiFields(event));
      this.event = event;
      this.traces = traces;
    }

    @Override
    public String type() {
      return event.getEventType().getName();
    }

    @Override
    public long startNanos() {
      Instant start = Fields.storable(event.getStartTime());
      return start.getEpochSecond() * NANOS + start.getNano();
    }

    @Override
    public long lengthNanos() {
      return Fields.storable(event.getDuration()).toNanos();
    }

    @Override
    public Optional<Trace> stack() {
      return Optional.ofNullable(ApiFields.decode(event::getStackTrace)).map(traces::of);
    }

    @Override
    public Optional<EventThread> thread() {
      return thread("eventThread");
    }
  }

  /** Converted stacks. All events of a chunk with the same stack share one object. */
  private static final class ApiTraces {

    /**
     * Services have some thousands of distinct stacks; beyond this number stacks are converted
     * again.
     */
    private static final int REMEMBERED = 20_000;

    private final Map<RecordedStackTrace, Trace> traces = new IdentityHashMap<>();

    Trace of(RecordedStackTrace recorded) {
      if (traces.size() >= REMEMBERED) {
        // They are mostly stacks of earlier chunks.
        traces.clear();
      }
      return ApiFields.decode(() -> traces.computeIfAbsent(recorded, ApiTrace::of));
    }
  }

  /** Values of an event, or of a structure inside one, as the JDK gives them. */
  private record ApiFields(RecordedObject object) implements Fields {

    @Override
    public Optional<String> text(String field) {
      return value(field, Object.class)
          .filter(value -> !(value instanceof RecordedObject))
          .map(Object::toString);
    }

    @Override
    public OptionalLong number(String field) {
      Optional<Number> value = value(field, Number.class);
      return value.isEmpty() || value.get() instanceof Double || value.get() instanceof Float
          ? OptionalLong.empty()
          : OptionalLong.of(decode(() -> object.getLong(field)));
    }

    @Override
    public OptionalDouble decimal(String field) {
      return value(field, Number.class).isPresent()
          ? OptionalDouble.of(decode(() -> object.getDouble(field)))
          : OptionalDouble.empty();
    }

    @Override
    public Duration duration(String field) {
      return isTime(field)
          ? Fields.storable(decode(() -> object.getDuration(field)))
          : Duration.ZERO;
    }

    @Override
    public Optional<Instant> time(String field) {
      return isTime(field)
          ? Optional.of(Fields.storable(decode(() -> object.getInstant(field))))
          : Optional.empty();
    }

    private boolean isTime(String field) {
      OptionalLong number = number(field);
      return number.isPresent() && Fields.isTime(number.getAsLong());
    }

    @Override
    public Optional<String> className(String field) {
      return of(field, RecordedClass.class, named -> ClassNames.source(named.getName()));
    }

    @Override
    public Optional<String> method(String field) {
      return of(field, RecordedMethod.class, ApiTrace::spell).flatMap(spelled -> spelled);
    }

    @Override
    public Optional<EventThread> thread(String field) {
      return of(field, RecordedThread.class, ApiFields::thread);
    }

    private static EventThread thread(RecordedThread thread) {
      String name = thread.getJavaName();
      return new EventThread(
          thread.getId(),
          Math.max(0, thread.getJavaThreadId()), // JDK 25 says -1 where 17 says 0
          name == null ? "" : name,
          thread.hasField("virtual") && thread.getBoolean("virtual"));
    }

    @Override
    public Optional<Fields> inside(String field) {
      return value(field, RecordedObject.class)
          .filter(
              inner ->
                  !(inner instanceof RecordedClass
                      || inner instanceof RecordedMethod
                      || inner instanceof RecordedThread
                      || inner instanceof RecordedStackTrace))
          .map(ApiFields::new);
    }

    private <T, V> Optional<V> of(String field, Class<T> type, Function<T, V> made) {
      return value(field, type).map(value -> decode(() -> made.apply(value)));
    }

    private <T> Optional<T> value(String field, Class<T> type) {
      Object value = decode(() -> object.hasField(field) ? object.getValue(field) : null);
      return type.isInstance(value) ? Optional.of(type.cast(value)) : Optional.empty();
    }

    /** An exception of the JDK's decoder on damaged data is no defect of the handler. */
    static <T> T decode(Supplier<T> value) {
      try {
        return value.get();
      } catch (RuntimeException e) {
        throw DamagedValueException.of(e);
      }
    }
  }

  /** A stack whose frames are converted to text once. */
  private static final class ApiTrace extends Trace {

    private final boolean[] monitors;

    private ApiTrace(RecordedStackTrace trace, List<RecordedFrame> named, boolean interpreted) {
      super(
          named.stream().flatMap(frame -> spell(frame.getMethod()).stream()).toList(),
          named.stream().mapToInt(frame -> Math.max(NO_LINE, frame.getLineNumber())).toArray(),
          interpreted,
          trace.isTruncated());
      monitors = new boolean[named.size()];
      for (int i = 0; i < monitors.length; i++) {
        monitors[i] = Modifier.isSynchronized(named.get(i).getMethod().getModifiers());
      }
    }

    static Trace of(RecordedStackTrace trace) {
      List<RecordedFrame> recorded = trace.getFrames();
      List<RecordedFrame> named =
          recorded.stream()
              .filter(RecordedFrame::isJavaFrame)
              .filter(frame -> frame.getMethod() != null && frame.getMethod().getType() != null)
              .toList();
      Optional<RecordedFrame> innermost = recorded.stream().findFirst();
      boolean interpreted =
          innermost.map(RecordedFrame::getType).filter("Interpreted"::equals).isPresent();
      ApiTrace read = new ApiTrace(trace, named, interpreted);
      innermost.map(RecordedFrame::getBytecodeIndex).ifPresent(read::seenAt);
      return read;
    }

    static Optional<String> spell(RecordedMethod method) {
      return method.getType() == null
          ? Optional.empty()
          : Optional.of(ClassNames.source(method.getType().getName()) + "." + method.getName());
    }

    @Override
    public boolean inMonitor(int frame) {
      return monitors[frame];
    }
  }
}
