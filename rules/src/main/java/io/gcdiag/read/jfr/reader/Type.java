package io.gcdiag.read.jfr.reader;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A type as a chunk's metadata declares it. Filled while the metadata is read, then immutable. */
final class Type {

  static final int NONE = -1;

  static final String CLASS = "java.lang.Class";
  static final String METHOD = "jdk.types.Method";
  private static final String STACK = "jdk.types.StackTrace";
  private static final String EVENT = "jdk.jfr.Event";
  private static final String START = "startTime";
  private static final String DURATION = "duration";

  final long id;
  final int index;
  final String name;
  private final boolean event;
  private final boolean simple;
  private final boolean classes;
  private final boolean methods;
  private final boolean stacks;
  private final List<Field> declared = new ArrayList<>();
  private final Map<String, Integer> places = new HashMap<>();
  private Field[] fields = {};

  private String[] names = {};

  /**
   * A type without fields.
   *
   * @param index its index among the types of its metadata, from 0 without gaps
   */
  Type(long id, int index, String name, String superType, boolean simple) {
    this.id = id;
    this.index = index;
    this.name = name;
    this.event = superType.equals(EVENT);
    this.simple = simple;
    this.classes = name.equals(CLASS);
    this.methods = name.equals(METHOD);
    this.stacks = name.equals(STACK);
  }

  void add(Field field) {
    places.put(field.name, declared.size());
    declared.add(field);
  }

  /** To be called after all types have their fields. */
  void finish() {
    fields = declared.toArray(Field[]::new);
    // Of two fields with one name the later one wins, as in the map.
    names = declared.stream().map(field -> field.name.intern()).toArray(String[]::new);
  }

  /** Reads a value: each field's number, or the position of its text, structure or list. */
  void read(ChunkBytes in, long[] into) {
    for (int i = 0; i < fields.length; i++) {
      into[i] = fields[i].read(in);
    }
  }

  boolean isEvent() {
    return event;
  }

  /** Whether it stands for its only field, as names of causes, states and symbols do. */
  boolean isSimple() {
    return simple && declared.size() == 1;
  }

  boolean isClass() {
    return classes;
  }

  boolean isMethod() {
    return methods;
  }

  boolean isStack() {
    return stacks;
  }

  boolean isText() {
    return isSimple() || Kind.PRIMITIVES.get(name) == Kind.TEXT;
  }

  Optional<Field> field(String named) {
    int place = place(named);
    return place == NONE ? Optional.empty() : Optional.of(fields[place]);
  }

  Field[] fields() {
    return fields;
  }

  /**
   * The index of a field; {@link #NONE} if there is no such field. Called several times per event,
   * mostly with a constant of the program, which is the same object.
   */
  int place(String field) {
    for (int i = names.length - 1; i >= 0; i--) {
      if (names[i] == field) {
        return i;
      }
    }
    return places.getOrDefault(field, NONE);
  }

  int start() {
    return place(START);
  }

  int duration() {
    return place(DURATION);
  }

  /** Whether an event begins with its time, as those of all known producers do. */
  boolean isTimeFirst() {
    return start() == 0
        && fields[0].kind == Kind.LONG
        && (duration() == NONE || duration() == 1 && fields[1].kind == Kind.LONG);
  }

  void skip(ChunkBytes in) {
    for (Field field : fields) {
      field.skip(in);
    }
  }
}
