package io.gcdiag;

import io.gcdiag.evidence.Source;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Changes every text in a result, however deep it lies. Results are records of records; going
 * through their components, whatever they are, means that a field added later cannot be forgotten.
 */
final class RecordTexts {

  private final UnaryOperator<String> change;
  private final Map<Class<?>, Boolean> textless = new HashMap<>();

  private RecordTexts(UnaryOperator<String> change) {
    this.change = change;
  }

  /** The same with its texts changed; texts are met in the order of the components. */
  static <T extends Record> T map(T result, Class<T> type, UnaryOperator<String> change) {
    return type.cast(new RecordTexts(change).any(result));
  }

  private Object any(Object value) {
    if (value instanceof String text) {
      return change.apply(text);
    }
    if (value instanceof Source source) {
      return new Source(change.apply(source.file()), change.apply(source.place()));
    }
    if (value instanceof Optional<?> optional) {
      return optional.map(this::any);
    }
    if (value instanceof List<?> list) {
      List<Object> changed = new ArrayList<>(list.size());
      list.forEach(element -> changed.add(any(element)));
      return changed;
    }
    if (value instanceof Map<?, ?> map) {
      // Keys are names that rules and readers give.
      Map<Object, Object> changed = new TreeMap<>();
      map.forEach((key, element) -> changed.put(key, any(element)));
      return changed;
    }
    return value instanceof Record && !isTextless(value.getClass()) ? rebuilt(value) : value;
  }

  private Object rebuilt(Object value) {
    try {
      RecordComponent[] components = value.getClass().getRecordComponents();
      Object[] parts = new Object[components.length];
      for (int i = 0; i < parts.length; i++) {
        components[i].getAccessor().setAccessible(true);
        parts[i] = any(components[i].getAccessor().invoke(value));
      }
      Constructor<?> canonical =
          value
              .getClass()
              .getDeclaredConstructor(
                  Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
      canonical.setAccessible(true);
      return canonical.newInstance(parts);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("a record has accessors and a constructor: " + value, e);
    }
  }

  /** Points of charts and the like, of which there are many, hold numbers and times only. */
  private boolean isTextless(Class<?> type) {
    return textless.computeIfAbsent(
        type,
        record ->
            Arrays.stream(record.getRecordComponents())
                .map(RecordComponent::getType)
                .allMatch(
                    part ->
                        part.isPrimitive()
                            || part.isEnum()
                            || part.getPackageName().equals("java.time")));
  }
}
