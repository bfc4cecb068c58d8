package io.gcdiag.read.jfr.reader;

import io.gcdiag.read.bytes.ClassNames;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One lane's decoded constants of a chunk. Only requested ones are decoded, each once. */
final class Constants {

  private static final String THREAD = "java.lang.Thread";
  private static final String TEXT = "java.lang.String";
  private static final Constant[] NOTHING = {};

  /**
   * A stack refers to methods, these to classes, these to texts; only damage makes longer chains.
   */
  private static final int DEEPEST = 64;

  private final ConstantIndex index;
  private final ChunkClock clock;
  private final Names names;
  private final KnownStacks stacks;
  private final ChunkBytes[] blocks;

  /** The decoded constants, by the index of the type and the row in its pool. */
  private final Constant[][] made;

  /** Depth of nested decoding. */
  private int depth;

  /**
   * Without decoded constants yet.
   *
   * @param names the lane's names of all chunks
   * @param stacks the lane's stacks of all chunks
   */
  Constants(ConstantIndex index, ChunkClock clock, Names names, KnownStacks stacks) {
    this.index = index;
    this.names = names;
    this.stacks = stacks;
    this.clock = clock;
    this.blocks = index.bytes();
    this.made = new Constant[index.typeCount()][];
    Arrays.fill(made, NOTHING);
  }

  Constant get(Type type, long key) {
    Pool pool = index.constantsOf(type);
    int row = pool.find(key);
    if (row == Pool.FREE) {
      return Constant.ABSENT;
    }
    Constant[] known = made[type.index];
    if (known.length == 0) {
      known = new Constant[pool.count()];
      made[type.index] = known;
    }
    if (known[row] == null) {
      // Damage can make a value contain itself; the inner one is absent.
      known[row] = Constant.ABSENT;
      if (depth < DEEPEST) {
        depth++;
        try {
          known[row] = make(type, key, pool, row);
        } finally {
          depth--;
        }
      }
    }
    return known[row];
  }

  private Constant make(Type type, long key, Pool pool, int row) {
    try {
      ChunkBytes in = blocks[pool.block(row)];
      return type.isStack()
          ? Constant.of(stacks.one(type, in, pool.place(row), pool.end(row), this))
          : make(type, key, in, pool.place(row));
    } catch (RuntimeException e) {
      throw DamagedValueException.of(e);
    }
  }

  Optional<String> text(long key) {
    return index.texts.flatMap(type -> get(type, key).text());
  }

  private Constant make(Type type, long key, ChunkBytes in, int place) {
    in.at(place);
    if (type.name.equals(TEXT)) {
      return Constant.of(in.readText(this::text));
    }
    Values values = new Values(type, in, this, clock);
    values.read();
    return switch (type.name) {
      case Type.CLASS -> Constant.of(values.text("name").map(ClassNames::source).map(names::one));
      case Type.METHOD -> Constant.of(method(values));
      case THREAD -> Constant.of(thread(key, values));
      default -> type.isSimple() ? Constant.of(values.only()) : Constant.of(values);
    };
  }

  private Optional<String> method(Values method) {
    Optional<String> name =
        method
            .className("type")
            .map(type -> names.one(type + "." + method.text("name").orElse("unknown")));
    if (Modifier.isSynchronized((int) method.number("modifiers").orElse(0))) {
      name.ifPresent(names::holdsMonitor);
    }
    return name;
  }

  private EventThread thread(long key, Values thread) {
    return new EventThread(
        key,
        thread.number("javaThreadId").orElse(-1),
        names.one(thread.text("javaName").orElse("")),
        thread.isTrue("virtual"));
  }

  /**
   * A decoded value of a constant pool, by the kind of its type.
   *
   * @param text of a text, or of a type that stands for one; the name of a class or method
   * @param fields of any other structure
   */
  record Constant(
      Optional<String> text,
      Optional<EventThread> thread,
      Optional<Trace> trace,
      Optional<Fields> fields) {

    /** The absent value, like the number 0. */
    static final Constant ABSENT =
        new Constant(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    static Constant of(Optional<String> text) {
      return text.isEmpty()
          ? ABSENT
          : new Constant(text, Optional.empty(), Optional.empty(), Optional.empty());
    }

    static Constant of(EventThread thread) {
      return new Constant(
          Optional.empty(), Optional.of(thread), Optional.empty(), Optional.empty());
    }

    static Constant of(Trace trace) {
      return new Constant(Optional.empty(), Optional.empty(), Optional.of(trace), Optional.empty());
    }

    static Constant of(Fields fields) {
      return new Constant(
          Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(fields));
    }
  }

  /**
   * Interns the names of classes and methods across all chunks: names are compared and looked up
   * far more often than read, and comparing equal references is free.
   */
  static final class Names {

    /**
     * More than a large service has; beyond this number names are no longer interned, to limit
     * memory.
     */
    private static final int MOST = 100_000;

    private final Map<String, String> known = new HashMap<>();
    private final Set<String> synchronizedMethods = new HashSet<>();

    String one(String name) {
      String same = known.get(name);
      if (same != null) {
        return same;
      }
      if (known.size() < MOST) {
        known.put(name, name);
      }
      return name;
    }

    /** Records that a method of this name is synchronized. */
    void holdsMonitor(String method) {
      synchronizedMethods.add(method);
    }

    /** Whether a method of this name is synchronized; an overloaded one may not be. */
    boolean isSynchronized(String method) {
      return synchronizedMethods.contains(method);
    }
  }
}
