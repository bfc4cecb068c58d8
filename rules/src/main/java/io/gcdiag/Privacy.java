package io.gcdiag;

import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.verdict.Diagnosis;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;

/**
 * The last gate: every text of a result goes through the redactor, whichever field it is in and
 * whichever format will show it. Masks are numbered in the order in which they appear.
 */
final class Privacy {

  private final Redactor redactor;
  private final Map<String, Integer> numbers = new HashMap<>();
  private int places;

  private Privacy(Redactor redactor) {
    this.redactor = redactor;
  }

  /** The result without secrets. */
  static <T extends Record> T apply(T result, Class<T> type, Redactor redactor) {
    return RecordTexts.map(result, type, new Privacy(redactor)::clean);
  }

  /** The diagnosis without secrets, and how many there were. */
  static Diagnosis apply(Diagnosis diagnosis, Redactor redactor) {
    Privacy privacy = new Privacy(redactor);
    Diagnosis clean = RecordTexts.map(diagnosis, Diagnosis.class, privacy::clean);
    return clean.hiding(new Diagnosis.Hidden(privacy.numbers.size(), privacy.places));
  }

  private String clean(String text) {
    String hidden = redactor.redactOwn(text);
    return hidden.contains(Redactor.MASK_START)
        ? Redactor.MASK.matcher(hidden).replaceAll(this::renumbered)
        : hidden;
  }

  private String renumbered(MatchResult mask) {
    places++;
    int number = numbers.computeIfAbsent(mask.group(1), old -> numbers.size() + 1);
    return Redactor.MASK_START + number + "]";
  }

  /**
   * Changes every text in a result, however deep it lies. Results are records of records; going
   * through their components, whatever they are, means that a field added later cannot be
   * forgotten.
   */
  record RecordTexts(UnaryOperator<String> change) {

    /**
     * Kept for all results: of accessors that are asked for anew the JDK makes classes anew, a few
     * hundred a result, which the JVM then compiles.
     */
    private static final ClassValue<Shape> SHAPES =
        new ClassValue<>() {
          @Override
          protected Shape computeValue(Class<?> type) {
            return Shape.of(type);
          }
        };

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
      return value instanceof Record ? rebuilt(value) : value;
    }

    private Object rebuilt(Object value) {
      try {
        Shape shape = SHAPES.get(value.getClass());
        if (shape.textless()) {
          return value;
        }
        Object[] parts = new Object[shape.accessors().size()];
        for (int i = 0; i < parts.length; i++) {
          parts[i] = any(shape.accessors().get(i).invoke(value));
        }
        return shape.canonical().newInstance(parts);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("a record has accessors and a constructor: " + value, e);
      }
    }

    /**
     * What a type of records is made of. To ask for it takes longer than to rebuild a record.
     *
     * @param textless whether its components, as those of the many points of charts, are numbers
     *     and times only
     */
    private record Shape(List<Method> accessors, Constructor<?> canonical, boolean textless) {

      static Shape of(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types =
            Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        Constructor<?> canonical = canonical(type, types);
        canonical.setAccessible(true);
        List<Method> accessors =
            Arrays.stream(components).map(RecordComponent::getAccessor).toList();
        accessors.forEach(accessor -> accessor.setAccessible(true));
        return new Shape(accessors, canonical, Arrays.stream(types).noneMatch(Shape::mayHoldText));
      }

      private static Constructor<?> canonical(Class<?> type, Class<?>[] components) {
        try {
          return type.getDeclaredConstructor(components);
        } catch (NoSuchMethodException e) {
          throw new IllegalStateException("a record has a canonical constructor: " + type, e);
        }
      }

      private static boolean mayHoldText(Class<?> part) {
        return !part.isPrimitive() && !part.isEnum() && !part.getPackageName().equals("java.time");
      }
    }
  }
}
