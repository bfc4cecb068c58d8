package io.gcdiag.ingest.jfr.chunk;

import io.gcdiag.ingest.jfr.event.EventThread;
import io.gcdiag.ingest.text.ClassNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The constant pools of a chunk. Only where each value stands is noted when the pools are read;
 * something is made of those alone that somebody asks for, once.
 */
final class Constants {

  private static final String THREAD = "java.lang.Thread";
  private static final String STACK = "jdk.types.StackTrace";
  private static final String TEXT = "java.lang.String";

  private final Map<Long, Type> types;
  private final ChunkClock clock;
  private final Names names;
  private final Traces traces;

  /** By the index of the type. */
  private final Pool[] pools;

  private final List<Bytes> blocks = new ArrayList<>();
  private final Optional<Type> texts;

  /**
   * No constants yet.
   *
   * @param names that the chunks of a recording share
   * @param traces that they share
   */
  Constants(Map<Long, Type> types, ChunkClock clock, Names names, Traces traces) {
    this.types = types;
    this.names = names;
    this.traces = traces;
    this.pools = new Pool[types.size()];
    this.clock = clock;
    texts = types.values().stream().filter(type -> type.name().equals(TEXT)).findFirst();
  }

  /**
   * Notes the constants of one event.
   *
   * @param in stands at the number of pools
   */
  void add(Bytes in) throws DamagedChunkException {
    int block = blocks.size();
    blocks.add(in);
    int count = in.readLength();
    for (int i = 0; i < count; i++) {
      Type type = types.get(in.readLong());
      if (type == null) {
        throw new DamagedChunkException("constants of a type that is not declared");
      }
      Pool pool = pool(type);
      int values = in.readLength();
      boolean text = type.name().equals(TEXT);
      for (int j = 0; j < values; j++) {
        pool.put(in.readLong(), block, in.at());
        if (text) {
          in.skipText();
        } else {
          type.skip(in);
        }
      }
    }
  }

  /** The stacks that the chunks of the recording share. */
  Traces traces() {
    return traces;
  }

  private Pool pool(Type type) {
    if (pools[type.index()] == null) {
      pools[type.index()] = new Pool();
    }
    return pools[type.index()];
  }

  Constant get(Type type, long key) {
    Pool pool = pools[type.index()];
    int slot = pool == null ? Pool.FREE : pool.find(key);
    if (slot == Pool.FREE) {
      return Constant.ABSENT;
    }
    Constant known = pool.made(slot);
    if (known != Constant.UNMADE) {
      return known;
    }
    // Damage can make a value contain itself; inside, it is absent.
    pool.made(slot, Constant.ABSENT);
    Constant made = make(type, key, blocks.get(pool.block(slot)), pool.place(slot));
    pool.made(slot, made);
    return made;
  }

  /** A text that stands in the pool of texts. */
  Optional<String> text(long key) {
    return texts.flatMap(type -> get(type, key).text());
  }

  private Constant make(Type type, long key, Bytes in, int place) {
    in.at(place);
    if (type.name().equals(TEXT)) {
      return Constant.of(in.readText(this::text));
    }
    Values values = new Values(type, in, this, clock);
    values.read();
    return switch (type.name()) {
      case Type.CLASS -> Constant.of(values.text("name").map(ClassNames::source).map(names::one));
      case Type.METHOD -> Constant.of(method(values).map(names::one));
      case THREAD -> Constant.of(thread(key, values));
      case STACK -> Constant.of(FrameTrace.of(values, this));
      default -> type.isSimple() ? Constant.of(values.only()) : Constant.of(values);
    };
  }

  private static Optional<String> method(Values method) {
    return method.className("type").map(type -> type + "." + method.text("name").orElse("unknown"));
  }

  private EventThread thread(long key, Values thread) {
    return new EventThread(
        key,
        thread.number("javaThreadId").orElse(-1),
        names.one(thread.text("javaName").orElse("")),
        thread.isTrue("virtual"));
  }
}
