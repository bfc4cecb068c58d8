package io.gcdiag.read.jfr.reader;

import io.gcdiag.evidence.time.Window;
import io.gcdiag.read.bytes.HandlerException;
import io.gcdiag.read.jfr.reader.ChunkEvent.EventSpan;
import io.gcdiag.read.jfr.reader.Constants.Names;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Consumer;

/**
 * Reads the events of one lane in its own thread. The main thread goes through the file and passes
 * them on, one window at a time; both are at the same chunk.
 */
final class LaneThread implements EventWindow.Memory, AutoCloseable {

  /** Enough that neither thread waits if many events of one kind follow each other. */
  private static final int BATCHES = 8;

  private final LaneRun lane;
  private final BlockingQueue<Batch> empty = new ArrayBlockingQueue<>(BATCHES);
  private final BlockingQueue<Batch> full = new ArrayBlockingQueue<>(BATCHES + 1);

  /** Tells the thread to end. */
  private final Batch end = new Batch();

  private volatile Optional<Throwable> failure = Optional.empty();
  private Batch filling = new Batch();

  LaneThread(LaneRun lane) {
    this.lane = lane;
    for (int i = 1; i < BATCHES; i++) {
      empty.add(new Batch());
    }
    Thread thread = new Thread(this::run, "gcdiag-recording");
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    try {
      for (Batch batch = full.take(); batch != end; batch = full.take()) {
        read(batch);
        empty.add(batch);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failure = Optional.of(e);
    }
  }

  /** Errors are passed to the main thread, which must not wait for a batch forever. */
  private void read(Batch batch) {
    if (failure.isEmpty()) {
      try {
        batch.read(lane);
      } catch (RuntimeException | Error e) {
        failure = Optional.of(e);
      }
    }
  }

  void add(int type, ChunkBytes in, int end) {
    filling.add(type, in, end);
  }

  @Override
  public byte[] data() {
    return filling.data;
  }

  /** The bytes so far are handed to the other thread, if they contain an event for it. */
  @Override
  public byte[] next(int size) throws IOException {
    if (filling.count > 0) {
      full.add(filling);
      filling = take();
    }
    filling.empty(size);
    return filling.data;
  }

  /** Waits until all passed events have been read. */
  void drain() throws IOException {
    next(0);
    Batch[] all = new Batch[BATCHES - 1];
    for (int i = 0; i < all.length; i++) {
      all[i] = take();
    }
    for (Batch batch : all) {
      empty.add(batch);
    }
    if (failure.isPresent()) {
      if (failure.get() instanceof Error error) {
        throw error;
      }
      if (failure.get() instanceof HandlerException defect) {
        throw defect;
      }
      throw new IOException("a recording cannot be read", failure.get());
    }
  }

  private Batch take() throws IOException {
    try {
      return empty.take();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a recording was read");
    }
  }

  @Override
  public void close() {
    full.add(end);
  }

  /** Part of a chunk's bytes, and the positions of the events for another lane. */
  private static final class Batch {

    /** The index of its type, where its content begins, where it ends. */
    private static final int MARKS = 3;

    private static final int FIRST_SIZE = 1 << 12;

    private byte[] data = new byte[EventWindow.SIZE];
    private int[] marks = new int[FIRST_SIZE];
    private int count;
    private boolean compressed;

    /** Resets it to that size; a buffer enlarged for one very long event is released. */
    void empty(int size) {
      count = 0;
      if (data.length < size || data.length > EventWindow.SIZE && size <= EventWindow.SIZE) {
        data = new byte[Math.max(size, EventWindow.SIZE)];
      }
    }

    /**
     * Marks an event.
     *
     * @param type the index of its type
     * @param in positioned after its type
     */
    void add(int type, ChunkBytes in, int end) {
      if (count + MARKS > marks.length) {
        marks = Arrays.copyOf(marks, 2 * marks.length);
      }
      compressed = in.isCompressed();
      marks[count] = type;
      marks[count + 1] = in.at();
      marks[count + 2] = end;
      count += MARKS;
    }

    /** Reads the marked events. */
    void read(LaneRun lane) {
      ChunkBytes in = new ChunkBytes(data, compressed);
      for (int i = 0; i < count; i += MARKS) {
        in.at(marks[i + 1]);
        lane.event(marks[i]).read(in, marks[i + 2]);
      }
    }
  }

  /** Handles the events of consecutive chunks in one lane. */
  static final class LaneRun {

    private final EventLane lane;
    private final Names names = new Names();
    private final KnownStacks stacks = new KnownStacks(names);

    /** By the index of the type; only event types have one. */
    private ChunkEvent[] events = {};

    private EventSpan span = EventSpan.NEVER;

    LaneRun(EventLane lane) {
      this.lane = lane;
    }

    /**
     * Moves to the next chunk.
     *
     * @param plausible when its events may have ended
     */
    void begin(Metadata types, ConstantIndex index, ChunkClock clock, Window plausible) {
      told(() -> lane.types(types.events()));
      stacks.nextChunk();
      Constants constants = new Constants(index, clock, names, stacks);
      span = new EventSpan(clock, plausible);
      events = new ChunkEvent[types.types.size()];
      for (Type type : types.types.values()) {
        if (type.isEvent()) {
          events[type.index] = new ChunkEvent(type, reader(type), constants, clock, span);
        }
      }
    }

    /** Whether a handler reads events of that type. */
    boolean wants(Type type) {
      return events[type.index].wanted;
    }

    /** Reads the chunk's events of the type with that index. */
    ChunkEvent event(int type) {
      return events[type];
    }

    /** Whether the content of each event of the chunk fitted its size. */
    boolean isWhole() {
      return span.isWhole();
    }

    /** Reports the earliest and the latest end of the chunk's events. */
    void tell(EventSink sink) {
      told(() -> span.tell(sink));
    }

    private Optional<Consumer<Event>> reader(Type type) {
      try {
        return lane.reader(type.name);
      } catch (RuntimeException e) {
        throw HandlerException.of(e);
      }
    }

    private static void told(Runnable what) {
      try {
        what.run();
      } catch (RuntimeException e) {
        throw HandlerException.of(e);
      }
    }
  }
}
