package io.gcdiag.read.jfr.reader;

import io.gcdiag.evidence.time.Window;
import io.gcdiag.read.bytes.HandlerException;
import io.gcdiag.read.jfr.reader.ChunkHeader.ChunkTables;
import io.gcdiag.read.jfr.reader.ChunkReader.ChunkSource.Located;
import io.gcdiag.read.jfr.reader.ChunkScan.PlausibleTime;
import io.gcdiag.read.jfr.reader.ChunkWalk.HeldTooMuchException;
import io.gcdiag.read.jfr.reader.LaneThread.LaneRun;
import io.gcdiag.read.jfr.reader.ReadChunk.Outcome;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * gcdiag's own reader, chunk by chunk: only requested types are decoded, and only the constants
 * that these refer to.
 *
 * <p>Chunks are independent, so a damaged one does not affect others. Of a truncated or unfinished
 * chunk all complete events are read, provided that its metadata and a constant pool are among
 * them.
 *
 * <p>With two threads, one goes through the file and serves one lane of the sink. It passes the
 * events of the second lane, in file order, to the other thread. So every handler gets its events
 * in file order, and the result is identical to that of one thread.
 */
public final class ChunkReader implements RecordingReader {

  /**
   * For a compressed recording a whole chunk is kept in memory, in addition to the data read so
   * far; this is the divisor of the heap for it.
   */
  private static final int HELD_PART = 3;

  private final int threads;
  private final LongConsumer progress;
  private final Predicate<Chunk> known;
  private final long mostHeld;

  /**
   * Reads recordings without some of their chunks.
   *
   * @param threads largest number of threads
   * @param progress receives, after each chunk, how many bytes of the file are done
   * @param known chunks that were read before, from another file
   */
  public ChunkReader(int threads, LongConsumer progress, Predicate<Chunk> known) {
    this(threads, progress, known, Runtime.getRuntime().maxMemory() / HELD_PART);
  }

  /**
   * With a limit on the memory for a chunk of a compressed recording.
   *
   * @param mostHeld in bytes
   */
  ChunkReader(int threads, LongConsumer progress, Predicate<Chunk> known, long mostHeld) {
    this.threads = threads;
    this.progress = progress;
    this.known = known;
    this.mostHeld = mostHeld;
  }

  @Override
  public <S extends EventSink> Reading<S> read(Path file, ChunkScan scan, Supplier<S> sinks)
      throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      Content content = Content.of(channel);
      int chunks = scan.chunks().size();
      long total = channel.size();
      if (threads > 1 && scan.intact()) {
        S sink = sinks.get();
        Pass pass = inLanes(ChunkSource.of(scan.chunks(), content), sink);
        if (pass.isSound(chunks)) {
          return pass.of(sink, true, total);
        }
        // Which damage is found depends on what is read, so the result of a single thread is
        // reported.
      }
      S sink = sinks.get();
      Pass pass = inOrder(ChunkSource.of(scan.chunks(), content), sink);
      return pass.of(sink, scan.intact() && pass.isSound(chunks), total);
    }
  }

  @Override
  public <S extends EventSink> Reading<S> readPacked(Opener packed, Supplier<S> sinks)
      throws IOException {
    if (threads > 1) {
      S sink = sinks.get();
      try (InputStream in = packed.open()) {
        StreamChunks source = new StreamChunks(new StreamContent(in, mostHeld));
        Pass pass = inLanes(source, sink);
        if (source.intact() && pass.isSound(source.count)) {
          return pass.of(sink, true, source.total());
        }
      }
    }
    S sink = sinks.get();
    try (InputStream in = packed.open()) {
      StreamChunks source = new StreamChunks(new StreamContent(in, mostHeld));
      Pass pass = inOrder(source, sink);
      return pass.of(sink, source.intact() && pass.isSound(source.count), source.total());
    }
  }

  /**
   * The result of one pass over the chunks of a recording.
   *
   * @param parts the chunks, in file order
   * @param bytes number of bytes read
   */
  private record Pass(List<ReadChunk> parts, long bytes) {

    /** Whether all of the given number of chunks were read without damage. */
    boolean isSound(int chunks) {
      return parts.size() == chunks
          && parts.stream()
              .allMatch(part -> part.outcome() == Outcome.WHOLE || part.outcome() == Outcome.KNOWN);
    }

    <S extends EventSink> Reading<S> of(S sink, boolean sound, long total) {
      return new Reading<>(sink, sound, parts, bytes, total);
    }
  }

  /** Uses a second thread if the sink has two lanes. */
  private Pass inLanes(ChunkSource source, EventSink sink) throws IOException {
    List<EventLane> lanes = sink.lanes();
    if (lanes.size() != 2) {
      return inOrder(source, sink);
    }
    LaneRun first = new LaneRun(lanes.get(0));
    try (LaneThread thread = new LaneThread(first)) {
      Beside beside = new Beside(first, thread);
      return pass(source, new Run(sink, new LaneRun(lanes.get(1)), Optional.of(beside)));
    }
  }

  /** Uses one thread. */
  private Pass inOrder(ChunkSource source, EventSink sink) throws IOException {
    return pass(source, new Run(sink, new LaneRun(sink), Optional.empty()));
  }

  private Pass pass(ChunkSource source, Run run) throws IOException {
    PlausibleTime plausible = new PlausibleTime();
    Predicate<Chunk> unread = ReadChunk.unread(known, new HashSet<>());
    List<ReadChunk> parts = new ArrayList<>();
    long bytes = 0;
    Optional<ChunkClock> clock = Optional.empty();
    Optional<Chunk> reading = Optional.empty();
    try {
      for (Optional<Located> next = source.next(); next.isPresent(); next = source.next()) {
        Chunk chunk = next.get().chunk();
        reading = Optional.of(chunk);
        plausible.add(chunk);
        Outcome outcome = Outcome.KNOWN;
        double clockRatio = 1;
        if (unread.test(chunk)) {
          ChunkHeader header = ChunkHeader.of(next.get().content(), chunk, clock, run.types::known);
          clock = Optional.of(header.clock());
          clockRatio = header.clock().ratio;
          Read read = header.isReadable() ? run.read(header, plausible.window()) : Read.NOTHING;
          boolean cut = read.outcome() == Outcome.WHOLE && !chunk.intact();
          outcome = cut ? Outcome.CUT : read.outcome();
          bytes += read.bytes();
        }
        parts.add(new ReadChunk(chunk, outcome, clockRatio));
        reading = Optional.empty();
        progress.accept(chunk.offset() + chunk.size());
      }
    } catch (EOFException e) {
      // The file became shorter during reading; what was read before counts.
      reading.ifPresent(chunk -> parts.add(new ReadChunk(chunk, Outcome.BROKEN)));
    }
    return new Pass(parts, bytes);
  }

  /**
   * The result of reading a chunk.
   *
   * @param outcome how much of it could be read; its intact events have been passed on
   * @param bytes number of bytes, if it was read to its end
   */
  private record Read(Outcome outcome, long bytes) {

    private static final Read NOTHING = new Read(Outcome.LOST, 0);
    private static final Read NOT_ALL = new Read(Outcome.BROKEN, 0);
  }

  /**
   * The second lane.
   *
   * @param lane used only by the thread while there are events for it
   */
  private record Beside(LaneRun lane, LaneThread thread) {}

  /**
   * Goes through the events of one chunk after another, and passes each to the lanes that handle
   * it.
   */
  private static final class Run {

    private final EventSink sink;
    private final LaneRun own;
    private final Optional<Beside> beside;
    private final EventWindow.Memory memory;
    private final ChunkTypes types = new ChunkTypes();

    /**
     * A run before the first chunk.
     *
     * @param sink receives when the first and the last of the events ended
     * @param own served by the thread that goes through the chunks
     */
    Run(EventSink sink, LaneRun own, Optional<Beside> beside) {
      this.sink = sink;
      this.own = own;
      this.beside = beside;
      this.memory = beside.isPresent() ? beside.get().thread() : new EventWindow.OneMemory();
    }

    /**
     * Reads a chunk.
     *
     * @param plausible when its events may have ended
     */
    Read read(ChunkHeader header, Window plausible) {
      try {
        Metadata declared = types.of(header);
        return read(header, declared, types.constants(header, declared), plausible);
      } catch (HandlerException e) {
        throw e;
      } catch (IOException | RuntimeException e) {
        // No event can be read without types or constants.
        return Read.NOTHING;
      }
    }

    private Read read(ChunkHeader header, Metadata of, ConstantIndex index, Window plausible) {
      try {
        own.begin(of, index, header.clock(), plausible);
        beside.ifPresent(other -> other.lane().begin(of, index, header.clock(), plausible));
        EventWindow events = header.events(memory, ChunkTypes.numbers(of));
        long holes = events(events, of) + index.holes();
        if (events.endPosition() != header.file().end()) {
          return Read.NOT_ALL;
        }
        long lost = events.lost() + holes;
        boolean whole =
            lost == 0
                && types.declared
                && index.isWhole()
                && own.isWhole()
                && (beside.isEmpty() || beside.get().lane().isWhole());
        return new Read(whole ? Outcome.WHOLE : Outcome.HOLED, header.file().end() - lost);
      } catch (HandlerException e) {
        throw e;
      } catch (IOException | RuntimeException e) {
        // For a damaged chunk, only how much was read is known.
        return Read.NOT_ALL;
      }
    }

    private long events(EventWindow events, Metadata of) throws IOException {
      try {
        return walk(events, new Routes(of, own, beside.map(Beside::lane)));
      } finally {
        if (beside.isPresent()) {
          beside.get().thread().drain();
          beside.get().lane().tell(sink);
        }
        own.tell(sink);
      }
    }

    /** Passes on each event; returns the number of bytes in holes. */
    private long walk(EventWindow events, Routes routes) throws IOException {
      long lost = 0;
      while (events.next()) {
        int type = routes.find(events.type());
        if (type != Type.NONE) {
          lost += events.bytes().hole(events.bytes().at(), events.eventEnd());
          if (routes.beside[type]) {
            beside.get().thread().add(type, events.bytes(), events.eventEnd());
          }
          if (routes.own[type]) {
            own.event(type).read(events.bytes(), events.eventEnd());
          }
        }
      }
      return lost;
    }
  }

  /**
   * The types of consecutive chunks, and the constants that their values refer to. Most chunks
   * declare the same types as the previous one, and then these are reused.
   */
  private static final class ChunkTypes {

    private Optional<Metadata> metadata = Optional.empty();
    private Optional<ConstantIndex> constants = Optional.empty();

    private byte[] declaration = {};

    /** Whether the present chunk's types are those of its final declaration. */
    private boolean declared;

    /**
     * The types of a chunk. If its declaration is damaged, an earlier declaration in the same chunk
     * is used. Otherwise the previous chunk's types are used if every event has one of them,
     * because a JVM keeps their numbers.
     */
    Metadata of(ChunkHeader header) throws IOException {
      declared = true;
      try {
        return read(header.file(), header.metadataAt());
      } catch (DamagedChunkException | RuntimeException e) {
        declared = false;
        ChunkTables tables = header.tables(known(header.file(), 0));
        for (long at : tables.metadata()) {
          try {
            return read(header.file(), at);
          } catch (DamagedChunkException | RuntimeException again) {
            // The next one may be intact.
          }
        }
        if (metadata.isPresent()
            && tables.types().stream().allMatch(numbers(metadata.get())::test)) {
          return metadata.get();
        }
        throw e;
      }
    }

    /** The constants of the chunk whose types were read last. */
    ConstantIndex constants(ChunkHeader header, Metadata types) throws IOException {
      ConstantIndex index = constants.get();
      index.read(
          header.file(),
          header.constantsAt(),
          () -> header.tables(Optional.of(numbers(types))).constants());
      return index;
    }

    /**
     * Tests whether a number is that of an event type, by the declaration at a position in the
     * chunk or by the previous chunk; empty if neither can be read.
     */
    Optional<LongPredicate> known(ChunkFile file, long metadataAt) {
      try {
        return Optional.of(numbers(read(file, metadataAt)));
      } catch (IOException | RuntimeException e) {
        // It is damaged, or the chunk is unfinished and was never flushed.
        return metadata.map(ChunkTypes::numbers);
      }
    }

    /** The numbers of event types and of the tables among them. */
    static LongPredicate numbers(Metadata types) {
      return id ->
          id == ChunkHeader.TYPE_METADATA || id == ChunkHeader.TYPE_CONSTANTS || types.isEvent(id);
    }

    private Metadata read(ChunkFile file, long at) throws IOException {
      ChunkBytes event = file.event(at, ChunkHeader.TYPE_METADATA);
      // Skips time, duration and a running number.
      event.readLong();
      event.readLong();
      event.readLong();
      byte[] data = event.data();
      int from = event.at();
      boolean same = Arrays.equals(data, from, data.length, declaration, 0, declaration.length);
      if (metadata.isEmpty() || !same) {
        if (event.hole(from, data.length) > 0) {
          throw new DamagedChunkException("a hole in what declares the types");
        }
        metadata = Optional.of(Metadata.read(event));
        declaration = Arrays.copyOfRange(data, from, data.length);
        constants = metadata.map(ConstantIndex::new);
      }
      return metadata.get();
    }
  }

  /** Which lanes get which event types in one chunk. */
  private static final class Routes {

    /** Numbers below this are looked up in an array; few recordings have larger ones. */
    private static final int COMMON = 1 << 14;

    private final Metadata types;

    /** Indexes of event types by their numbers. */
    private final int[] common = new int[COMMON];

    /** By the index of the type. */
    private final boolean[] own;

    private final boolean[] beside;

    /**
     * Asks the lanes for their types.
     *
     * @param ownLane also gets events without a handler, because the time of each event counts
     */
    Routes(Metadata types, LaneRun ownLane, Optional<LaneRun> laneBeside) {
      this.types = types;
      Arrays.fill(common, Type.NONE);
      own = new boolean[types.types.size()];
      beside = new boolean[own.length];
      for (Type type : types.types.values()) {
        if (type.isEvent()) {
          beside[type.index] = laneBeside.isPresent() && laneBeside.get().wants(type);
          own[type.index] = ownLane.wants(type) || !beside[type.index];
          if (type.id >= 0 && type.id < COMMON) {
            common[(int) type.id] = type.index;
          }
        }
      }
    }

    /** The index of the event type with that number; {@link Type#NONE} if it is no event type. */
    int find(long id) {
      if (id >= 0 && id < COMMON) {
        return common[(int) id];
      }
      Type type = types.types.get(id);
      return type != null && type.isEvent() ? type.index : Type.NONE;
    }
  }

  /** The chunks of a compressed recording, unpacked on demand and kept in memory one at a time. */
  private static final class StreamChunks implements ChunkSource {

    private final StreamContent content;
    private final ChunkWalk walk;
    private int count;
    private boolean ended;

    StreamChunks(StreamContent content) {
      this.content = content;
      this.walk = new ChunkWalk(content);
    }

    @Override
    public Optional<Located> next() throws IOException {
      content.release(walk.offset());
      Optional<Chunk> chunk = walk.next();
      if (chunk.isEmpty()) {
        ended = true;
        return Optional.empty();
      }
      count++;
      return Optional.of(new Located(chunk.get(), content.held(walk.offset())));
    }

    /** Whether the end was reached, and no header showed damage. */
    boolean intact() {
      return ended && walk.intact();
    }

    /** Total size, unpacked. */
    long total() throws IOException {
      return content.drain();
    }
  }

  /**
   * A compressed recording: the unpacked data that was not yet released is kept in memory, so that
   * earlier positions can be read. For one thread; the result of {@link #held} may be shared.
   */
  static final class StreamContent implements Content {

    /** Small enough that the data kept beyond a chunk's ends is negligible. */
    static final int SEGMENT = 1 << 20;

    private final InputStream in;
    private final long most;
    private final List<byte[]> segments = new ArrayList<>();

    /** Start of the first segment, and end of the data read. */
    private long from;

    private long to;
    private boolean ended;

    /**
     * Reads from a stream.
     *
     * @param most largest number of bytes to keep
     */
    StreamContent(InputStream in, long most) {
      this.in = in;
      this.most = most;
    }

    @Override
    public int read(ByteBuffer into, long at) throws IOException {
      return reaches(at + 1) ? copy(segments, from, to, into, at) : -1;
    }

    @Override
    public boolean reaches(long place) throws IOException {
      while (place > to && more()) {
        // Reads until the position or the end is reached.
      }
      return place <= to;
    }

    @Override
    public long end() throws IOException {
      while (more()) {
        // Reads until the end.
      }
      return to;
    }

    private static int copy(List<byte[]> segments, long from, long to, ByteBuffer into, long at) {
      if (at < from) {
        throw new IllegalStateException("the requested content was released");
      }
      byte[] segment = segments.get((int) ((at - from) / SEGMENT));
      int start = (int) ((at - from) % SEGMENT);
      int count = (int) Math.min(Math.min(SEGMENT - start, to - at), into.remaining());
      into.put(segment, start, count);
      return count;
    }

    private boolean more() throws IOException {
      int start = (int) ((to - from) % SEGMENT);
      if (ended) {
        return false;
      }
      if (start == 0 && to - from == (long) segments.size() * SEGMENT) {
        if (to - from + SEGMENT > most) {
          throw new HeldTooMuchException(most);
        }
        segments.add(new byte[SEGMENT]);
      }
      int count = in.read(segments.get(segments.size() - 1), start, SEGMENT - start);
      ended = count < 0;
      to += Math.max(0, count);
      return !ended;
    }

    void release(long before) {
      int passed = (int) Math.min(segments.size(), Math.max(0, before - from) / SEGMENT);
      segments.subList(0, passed).clear();
      from += (long) passed * SEGMENT;
    }

    /** The data up to a position that was not released; it stays valid. */
    Content held(long end) {
      return new Held(List.copyOf(segments), from, end);
    }

    private record Held(List<byte[]> segments, long from, long end) implements Content {
      @Override
      public int read(ByteBuffer into, long at) {
        return at < end ? copy(segments, from, end, into, at) : -1;
      }

      @Override
      public boolean reaches(long place) {
        return place <= end;
      }
    }

    /** Reads to the end of the stream without keeping anything. */
    long drain() throws IOException {
      segments.clear();
      byte[] passed = new byte[SEGMENT];
      while (!ended) {
        int count = in.read(passed);
        ended = count < 0;
        to += Math.max(0, count);
      }
      return to;
    }
  }

  /** Provides the chunks of a recording, one after another. */
  interface ChunkSource {

    /**
     * A chunk and its bytes.
     *
     * @param content contains at least those of the chunk
     */
    record Located(Chunk chunk, Content content) {}

    /**
     * The next chunk; the previous one is no longer used.
     *
     * @return empty after the last one
     */
    Optional<Located> next() throws IOException;

    /** The chunks of a random-access file. */
    static ChunkSource of(List<Chunk> chunks, Content content) {
      Iterator<Chunk> rest = chunks.iterator();
      return () ->
          rest.hasNext() ? Optional.of(new Located(rest.next(), content)) : Optional.empty();
    }
  }
}
