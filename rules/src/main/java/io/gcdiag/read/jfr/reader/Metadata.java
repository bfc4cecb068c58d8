package io.gcdiag.read.jfr.reader;

import io.gcdiag.read.jfr.reader.Field.TimeUnit;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The types of a chunk, read from its metadata event: a list of texts, and a tree of elements whose
 * names and attributes are indexes into that list. {@code root/metadata} has a {@code class} for
 * each type, with its {@code field}s and their {@code annotation}s.
 */
final class Metadata {

  private static final String TYPE = "class";
  private static final String FIELD = "field";
  private static final String ANNOTATION = "annotation";
  private static final String ID = "id";
  private static final String NAME = "name";
  private static final String VALUE = "value";

  /** The tree is {@code root/metadata/class/field/annotation}; a deeper one is damaged. */
  private static final int DEEPEST = 16;

  /** Limit on the fields of a value, including nested structures. JDK 25 has at most 40. */
  private static final long MOST_FIELDS = 10_000;

  /** A JVM numbers its types from 1. */
  private static final int FEW = 1 << 16;

  final Map<Long, Type> types = new HashMap<>();

  /** The numbers of event types that are less than {@link #FEW}. */
  private final BitSet events = new BitSet();

  private Metadata() {}

  private record Element(String name, Map<String, String> attributes, List<Element> children) {

    String attribute(String key) {
      return attributes.getOrDefault(key, "");
    }

    List<Element> children(String named) {
      return children.stream().filter(child -> child.name().equals(named)).toList();
    }
  }

  /** Reads the event's content, from the list of texts on. */
  static Metadata read(ChunkBytes in) throws DamagedChunkException {
    String[] texts = new String[in.readLength()];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = in.readText(id -> Optional.empty()).orElse("");
    }
    Metadata metadata = new Metadata();
    for (Element list : element(in, texts, 0).children("metadata")) {
      metadata.define(list.children(TYPE));
    }
    return metadata;
  }

  private static Element element(ChunkBytes in, String[] texts, int depth)
      throws DamagedChunkException {
    if (depth > DEEPEST) {
      throw new DamagedChunkException("types inside of types without end");
    }
    String name = texts[in.readInt()];
    Map<String, String> attributes = new HashMap<>();
    int count = in.readLength();
    for (int i = 0; i < count; i++) {
      String key = texts[in.readInt()];
      attributes.put(key, texts[in.readInt()]);
    }
    int children = in.readLength();
    List<Element> inside = new ArrayList<>();
    for (int i = 0; i < children; i++) {
      inside.add(element(in, texts, depth + 1));
    }
    return new Element(name, attributes, inside);
  }

  private void define(List<Element> elements) throws DamagedChunkException {
    for (Element element : elements) {
      long id = number(element, ID);
      int index = types.containsKey(id) ? types.get(id).index : types.size();
      types.put(
          id,
          new Type(
              id,
              index,
              element.attribute(NAME),
              element.attribute("superType"),
              element.attributes().containsKey("simpleType")));
    }
    for (Element element : elements) {
      Type type = types.get(number(element, ID));
      for (Element field : element.children(FIELD)) {
        type.add(field(field));
      }
    }
    types.values().forEach(Type::finish);
    types.values().stream()
        .filter(type -> type.isEvent() && type.id >= 0 && type.id < FEW)
        .forEach(type -> events.set((int) type.id));
    Map<Type, Extent> extents = new HashMap<>();
    for (Type type : types.values()) {
      extent(type, 1, extents);
    }
  }

  /**
   * The size of a type with its nested structures.
   *
   * @param depth levels of nesting, including the type itself
   * @param fields number of fields to read
   */
  private record Extent(int depth, long fields) {}

  /**
   * A single damaged byte can make a type contain itself, so that reading a value would never end.
   */
  private static Extent extent(Type type, int depth, Map<Type, Extent> known)
      throws DamagedChunkException {
    Extent extent = known.get(type);
    if (extent == null) {
      int inside = 0;
      long fields = 0;
      for (Field field : type.fields()) {
        fields++;
        if (field.isStructured() && depth < DEEPEST) {
          Extent structure = extent(field.type(), depth + 1, known);
          inside = Math.max(inside, structure.depth());
          fields += structure.fields();
        } else if (field.isStructured()) {
          inside = DEEPEST;
        }
      }
      extent = new Extent(1 + inside, fields);
      if (extent.depth() > DEEPEST || fields > MOST_FIELDS) {
        throw new DamagedChunkException("a type that contains itself, or far too many others");
      }
      known.put(type, extent);
    }
    return extent;
  }

  private Field field(Element element) throws DamagedChunkException {
    Type type = typeOf(element);
    TimeUnit unit = TimeUnit.NONE;
    boolean unsigned = false;
    for (Element annotation : element.children(ANNOTATION)) {
      String name = typeOf(annotation).name;
      String value = annotation.attribute(VALUE);
      unsigned |= name.equals("jdk.jfr.Unsigned");
      if (name.equals("jdk.jfr.Timespan")) {
        unit = timespan(value);
      } else if (name.equals("jdk.jfr.Timestamp")) {
        unit = timestamp(value);
      }
    }
    String dimension = element.attribute("dimension");
    boolean array = !dimension.isEmpty() && !dimension.equals("0");
    boolean constant = element.attributes().containsKey("constantPool");
    return new Field(element.attribute(NAME), type, constant, array, unsigned, unit);
  }

  private static TimeUnit timespan(String value) {
    return switch (value) {
      case "TICKS" -> TimeUnit.TICKS;
      case "NANOSECONDS" -> TimeUnit.NANOSECONDS;
      case "MICROSECONDS" -> TimeUnit.MICROSECONDS;
      case "MILLISECONDS" -> TimeUnit.MILLISECONDS;
      case "SECONDS" -> TimeUnit.SECONDS;
      default -> TimeUnit.NONE;
    };
  }

  private static TimeUnit timestamp(String value) {
    return switch (value) {
      case "TICKS" -> TimeUnit.TICK_STAMP;
      case "MILLISECONDS_SINCE_EPOCH" -> TimeUnit.MILLISECOND_STAMP;
      default -> TimeUnit.NONE;
    };
  }

  private Type typeOf(Element element) throws DamagedChunkException {
    Type type = types.get(number(element, TYPE));
    if (type == null) {
      throw new DamagedChunkException("a field of a type that is not declared");
    }
    return type;
  }

  private static long number(Element element, String key) throws DamagedChunkException {
    try {
      return Long.parseLong(element.attribute(key));
    } catch (NumberFormatException e) {
      throw new DamagedChunkException("a type without a number");
    }
  }

  Map<Long, String> events() {
    Map<Long, String> names = new HashMap<>();
    types.values().stream().filter(Type::isEvent).forEach(type -> names.put(type.id, type.name));
    return names;
  }

  /** Whether a number is that of an event type; called for each event. */
  boolean isEvent(long id) {
    if (id >= 0 && id < FEW) {
      return events.get((int) id);
    }
    Type type = types.get(id);
    return type != null && type.isEvent();
  }
}
