package io.gcdiag.ingest.jfr.chunk;

import io.gcdiag.evidence.time.Window;
import io.gcdiag.ingest.jfr.event.EventSink;
import io.gcdiag.ingest.jfr.event.HandlerException;
import io.gcdiag.ingest.jfr.file.ChunkBytes;
import io.gcdiag.ingest.jfr.file.ChunkFile;
import io.gcdiag.ingest.jfr.file.ChunkHeader;
import io.gcdiag.ingest.jfr.file.ChunkTables;
import io.gcdiag.ingest.jfr.file.DamagedChunkException;
import io.gcdiag.ingest.jfr.file.EventWindow;
import io.gcdiag.ingest.jfr.file.ReadChunk.Outcome;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.LongPredicate;

/** Goes over the events of one chunk after another, and hands each to the lanes that read it. */
final class ChunkRun {

  private static final Read NOT_ALL = new Read(Outcome.BROKEN, 0);

  private final EventSink sink;
  private final LaneRun own;
  private final Optional<Beside> beside;
  private final EventWindow.Memory memory;

  /** Types of the chunk before, and the bytes that declared them: most chunks declare the same. */
  private Optional<Metadata> metadata = Optional.empty();

  private Optional<ConstantIndex> constants = Optional.empty();
  private byte[] declaration = {};

  /** Whether the present chunk's types are those that it declares in the end. */
  private boolean declared;

  /**
   * Another lane.
   *
   * @param lane is read by the thread alone while there are events for it
   */
  record Beside(LaneRun lane, LaneThread thread) {}

  /**
   * No chunk yet.
   *
   * @param sink learns when the first and the last of the events ended
   * @param own is read by the thread that goes over the chunks
   */
  ChunkRun(EventSink sink, LaneRun own, Optional<Beside> beside) {
    this.sink = sink;
    this.own = own;
    this.beside = beside;
    this.memory = beside.isPresent() ? beside.get().thread() : new EventWindow.OneMemory();
  }

  /**
   * What came of a chunk.
   *
   * @param outcome how much of it could be read; the sound events have been handed on
   * @param bytes how many bytes of it, if it was gone over to its end
   */
  record Read(Outcome outcome, long bytes) {}

  /**
   * Reads a chunk.
   *
   * @param plausible when its events can have ended
   */
  Read read(ChunkHeader header, Window plausible) {
    try {
      Metadata types = metadata(header);
      ConstantIndex index = constants.get();
      index.read(
          header.file(),
          header.constantsAt(),
          () -> header.tables(Optional.of(typesOf(types))).constants());
      return read(header, types, index, plausible);
    } catch (HandlerException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      // Without types or constants no event can be read.
      return new Read(Outcome.LOST, 0);
    }
  }

  private Read read(ChunkHeader header, Metadata types, ConstantIndex index, Window plausible) {
    try {
      own.begin(types, index, header.clock(), plausible);
      beside.ifPresent(other -> other.lane().begin(types, index, header.clock(), plausible));
      EventWindow events = header.events(memory, typesOf(types));
      long holes = events(events, types) + index.holes();
      if (events.endPosition() != header.file().end()) {
        return NOT_ALL;
      }
      long lost = events.lost() + holes;
      boolean whole =
          lost == 0
              && declared
              && index.isWhole()
              && own.isWhole()
              && (beside.isEmpty() || beside.get().lane().isWhole());
      return new Read(whole ? Outcome.WHOLE : Outcome.HOLED, header.file().end() - lost);
    } catch (HandlerException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      // Of what is damaged no more can be said than how much was read.
      return NOT_ALL;
    }
  }

  private static boolean isTable(long type) {
    return type == ChunkHeader.TYPE_METADATA || type == ChunkHeader.TYPE_CONSTANTS;
  }

  /**
   * Whether a number is that of a type of events, by what a chunk declares at a place, or by the
   * chunk before; empty if neither can be read.
   */
  Optional<LongPredicate> knownTypes(ChunkFile file, long metadataAt) {
    try {
      return Optional.of(typesOf(readMetadata(file, metadataAt)));
    } catch (IOException | RuntimeException e) {
      // Damaged, or of a chunk that is not finished and was never flushed.
      return metadata.map(ChunkRun::typesOf);
    }
  }

  private static LongPredicate typesOf(Metadata types) {
    return id -> isTable(id) || types.isEvent(id);
  }

  /**
   * What the chunk declares. Where that is damaged, what it had declared before; else what the
   * chunk before declared, if each event is of one of those types: a JVM keeps their numbers.
   */
  private Metadata metadata(ChunkHeader header) throws IOException {
    declared = true;
    try {
      return readMetadata(header.file(), header.metadataAt());
    } catch (DamagedChunkException | RuntimeException e) {
      declared = false;
      ChunkTables tables = header.tables(knownTypes(header.file(), 0));
      for (long at : tables.metadata()) {
        try {
          return readMetadata(header.file(), at);
        } catch (DamagedChunkException | RuntimeException again) {
          // The next one may be whole.
        }
      }
      if (metadata.isPresent() && tables.types().stream().allMatch(typesOf(metadata.get())::test)) {
        return metadata.get();
      }
      throw e;
    }
  }

  private Metadata readMetadata(ChunkFile file, long at) throws IOException {
    ChunkBytes event = file.event(at, ChunkHeader.TYPE_METADATA);
    // Time, duration and a running number.
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

  private long events(EventWindow events, Metadata types) throws IOException {
    try {
      return walk(events, new Routes(types, own, beside.map(Beside::lane)));
    } finally {
      if (beside.isPresent()) {
        beside.get().thread().drain();
        beside.get().lane().tell(sink);
      }
      own.tell(sink);
    }
  }

  /** Hands on each event; returns how many bytes of them are holes. */
  private long walk(EventWindow events, Routes routes) throws IOException {
    long lost = 0;
    while (events.next()) {
      int type = routes.find(events.type());
      if (type != Type.NONE) {
        lost += events.bytes().hole(events.bytes().at(), events.eventEnd());
        if (routes.goesBeside(type)) {
          beside.get().thread().add(type, events.bytes(), events.eventEnd());
        }
        if (routes.isOwn(type)) {
          own.event(type).read(events.bytes(), events.eventEnd());
        }
      }
    }
    return lost;
  }
}
