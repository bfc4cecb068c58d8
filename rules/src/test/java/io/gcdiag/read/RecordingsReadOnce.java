package io.gcdiag.read;

import io.gcdiag.SoftCache;
import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.time.Samples;
import io.gcdiag.read.bytes.ClockAlignment;
import io.gcdiag.read.bytes.IngestContext;
import io.gcdiag.read.bytes.IngestContext.JvmProcesses;
import io.gcdiag.read.bytes.InputFile;
import io.gcdiag.read.bytes.InputFormat.Outcome;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.read.jfr.RecordingFormat;
import io.gcdiag.read.jfr.RecordingFormat.RecordedChunks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Reads many choices of the same files, and a recording only once: it comes first in every choice
 * that holds it, and takes longer to read than all the rest. What was read of it is copied before
 * the others are read into the same intake.
 */
public final class RecordingsReadOnce {

  private static final SoftCache<Reading, Begun> KNOWN = new SoftCache<>();

  /** A recording, and how it is read. */
  private record Reading(Path recording, ReadOptions options) {}

  /** What a recording is read into; what collects other files begins empty in every choice. */
  private static final Set<String> COLLECTING =
      Set.of(
          TimelineBuilder.class.getName(),
          inside(TimelineBuilder.class, "LogsBesideRecordings"),
          Samples.class.getName(),
          ClockAlignment.class.getName(),
          RecordedChunks.class.getName(),
          JvmProcesses.class.getName(),
          Redactor.class.getName());

  private RecordingsReadOnce() {}

  /** A class that another one hides; one that is moved must not go unnoticed. */
  private static String inside(Class<?> outer, String name) {
    try {
      return Class.forName(outer.getName() + "$" + name).getName();
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  /** An intake that holds a recording and nothing else. */
  private record Begun(IngestContext intake, Outcome outcome) {}

  /**
   * What was read.
   *
   * @param redactor has hidden the secrets of these files
   */
  public record Choice(Timeline timeline, Redactor redactor) {}

  /** Reads files, or a folder, with one recording at most, the given one. */
  public static Choice read(List<Path> files, Optional<Path> recording, ReadOptions options) {
    Optional<Begun> begun =
        recording
            .map(path -> new Reading(path, options))
            .map(reading -> KNOWN.get(reading, () -> begin(reading)));
    IngestContext intake =
        begun
            .map(one -> begunFrom(one.intake(), options))
            .orElseGet(() -> new IngestContext(Redactor.hiding(), options));
    List<Ingest.Request> requests =
        files.stream()
            .map(file -> new Ingest.Request(file, Optional.empty(), Optional.empty()))
            .toList();
    Timeline timeline =
        Ingest.read(
            requests,
            OperatorFacts.none(),
            intake,
            (format, file, into) ->
                into == intake && format.id().equals(RecordingFormat.ID)
                    ? begun.orElseThrow().outcome()
                    : format.read(file, into));
    return new Choice(timeline, intake.redactor());
  }

  private static Begun begin(Reading reading) {
    IngestContext intake = new IngestContext(Redactor.hiding(), reading.options());
    try {
      return new Begun(
          intake, new RecordingFormat().read(InputFile.of(reading.recording()), intake));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Another one that collects from here on by itself. */
  private static Object copy(Object value) {
    if (value instanceof ArrayList<?> list) {
      List<Object> copy = new ArrayList<>(list.size());
      list.forEach(element -> copy.add(copy(element)));
      return copy;
    }
    if (value instanceof HashSet<?> set) {
      return set.clone();
    }
    if (value instanceof TreeSet<?> set) {
      return set.clone();
    }
    if (value instanceof HashMap<?, ?> map) {
      return ofCopies((Map<?, ?>) map.clone());
    }
    if (value instanceof TreeMap<?, ?> map) {
      return ofCopies((Map<?, ?>) map.clone());
    }
    if (value instanceof EnumMap<?, ?> map) {
      return ofCopies(map.clone());
    }
    return value != null && COLLECTING.contains(value.getClass().getName())
        ? collector(value)
        : value;
  }

  private static <V> Map<?, V> ofCopies(Map<?, V> map) {
    map.replaceAll((key, value) -> cast(copy(value)));
    return map;
  }

  @SuppressWarnings("unchecked")
  private static <V> V cast(Object copy) {
    return (V) copy;
  }

  private static IngestContext begunFrom(IngestContext intake, ReadOptions options) {
    IngestContext other = new IngestContext(Redactor.off(), options);
    for (Field field : fields(IngestContext.class)) {
      if (COLLECTING.contains(field.getType().getName())) {
        copy(field, intake, other);
      }
    }
    return other;
  }

  private static Object collector(Object value) {
    Object other = value instanceof Redactor ? Redactor.off() : empty(value.getClass());
    fields(value.getClass()).forEach(field -> copy(field, value, other));
    return other;
  }

  private static Object empty(Class<?> type) {
    try {
      Constructor<?> constructor = type.getDeclaredConstructor();
      constructor.setAccessible(true);
      return constructor.newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** By reflection, so that a field that is added later is not forgotten. */
  private static List<Field> fields(Class<?> type) {
    return Stream.of(type.getDeclaredFields())
        .filter(field -> !Modifier.isStatic(field.getModifiers()))
        .toList();
  }

  private static void copy(Field field, Object from, Object to) {
    try {
      field.setAccessible(true);
      field.set(to, copy(field.get(from)));
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
