package io.gcdiag.read.bytes;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * The lines of a {@link LineSource}. After a number of lines, a background thread reads, unpacks
 * and splits ahead, in a few reused blocks, while the caller processes the lines. Only one thread
 * may request lines.
 */
public final class LineFeed implements AutoCloseable {

  /** Number of lines, one or two megabytes, below which a background thread does not pay off. */
  private static final int FEW = 15_000;

  /** One block being filled, one being read, and two in between. */
  private static final int BLOCKS = 4;

  private final LineSource source;
  private final long readHere;
  private final BlockingQueue<LineBlock> filled = new ArrayBlockingQueue<>(BLOCKS);
  private final BlockingQueue<LineBlock> free = new ArrayBlockingQueue<>(BLOCKS);
  private final Line shown = new Line();
  private Thread ahead;
  private LineBlock block = new LineBlock();
  private int next;
  private Line current = shown;
  private long number;

  /** Takes over a source, which no other reader may use from now on. */
  public LineFeed(LineSource source) {
    this(source, Runtime.getRuntime().availableProcessors() > 1 ? FEW : Long.MAX_VALUE);
  }

  /**
   * The same.
   *
   * @param readHere how many lines the caller's thread splits before the background thread starts
   */
  public LineFeed(LineSource source, long readHere) {
    this.source = source;
    this.readHere = readHere;
  }

  /** Moves to the next line; false after the last one. */
  public boolean advance() throws IOException {
    if (number < readHere) {
      current = source.line();
      boolean any = source.advance();
      number += any ? 1 : 0;
      return any;
    }
    if (ahead == null) {
      begin();
    }
    while (next == block.count()) {
      if (block.isLast()) {
        fail(block.failure());
        return false;
      }
      another();
    }
    block.show(next++, shown);
    current = shown;
    number++;
    return true;
  }

  private void begin() {
    for (int i = 1; i < BLOCKS; i++) {
      free.add(new LineBlock());
    }
    ahead = new Thread(this::readAhead, "gcdiag-lines");
    ahead.setDaemon(true);
    ahead.start();
  }

  private void another() throws IOException {
    block.clear();
    free.add(block);
    next = 0;
    try {
      block = filled.take();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a file was read");
    }
  }

  private void readAhead() {
    try {
      LineBlock filling = free.take();
      Throwable problem = null;
      try {
        while (source.advance()) {
          if (!filling.add(source.line())) {
            filled.put(filling);
            filling = free.take();
            filling.add(source.line());
          }
        }
      } catch (IOException | RuntimeException | Error e) {
        problem = e;
      }
      filling.end(problem);
      filled.put(filling);
    } catch (InterruptedException e) {
      // The reader was closed.
      Thread.currentThread().interrupt();
    }
  }

  private static void fail(Optional<Throwable> problem) throws IOException {
    if (problem.isEmpty()) {
      return;
    }
    if (problem.get() instanceof IOException failure) {
      throw failure;
    }
    if (problem.get() instanceof Error error) {
      throw error;
    }
    throw (RuntimeException) problem.get();
  }

  /** The line that {@link #advance()} moved to; valid until the next call. */
  public Line line() {
    return current;
  }

  /** Its number, counted from 1. */
  public long number() {
    return number;
  }

  /** Whether a line was truncated; known after the last line. */
  public boolean hadLongLine() {
    return source.hadLongLine();
  }

  /** Damage of the file, as a note; known after the last line. */
  public Optional<String> damage() {
    return source.damage();
  }

  /** Stops reading ahead; the stream is closed by its opener. */
  @Override
  public void close() {
    if (ahead == null) {
      return;
    }
    ahead.interrupt();
    boolean interrupted = false;
    while (ahead.isAlive()) {
      try {
        ahead.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** A block of lines on its way from the background thread to the caller. */
  private static final class LineBlock {

    private static final int BYTES = 256 * 1024;

    /** Lines of a log are twice as long on average as the bytes reserved for each of these. */
    private static final int LINES = BYTES / 32;

    private final byte[] bytes = new byte[BYTES];
    private final int[] ends = new int[LINES];
    private int count;
    private boolean last;
    private Throwable failure;

    /** Copies a line; false if it does not fit. */
    boolean add(Line line) {
      int start = end(count - 1);
      if (count == LINES || BYTES - start < line.length()) {
        return false;
      }
      line.copyTo(bytes, start);
      ends[count++] = start + line.length();
      return true;
    }

    /** Sets the line to the one at that index, without copying it. */
    void show(int index, Line line) {
      line.set(bytes, end(index - 1), ends[index]);
    }

    private int end(int index) {
      return index < 0 ? 0 : ends[index];
    }

    int count() {
      return count;
    }

    /** Forgets all lines. */
    void clear() {
      count = 0;
    }

    /** Marks the last block, with the error that ended reading; null if there was none. */
    void end(Throwable problem) {
      last = true;
      failure = problem;
    }

    boolean isLast() {
      return last;
    }

    /** The error after the last line. */
    Optional<Throwable> failure() {
      return Optional.ofNullable(failure);
    }
  }
}
