package io.gcdiag.read.bytes;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Supplier;

/**
 * The lines of a {@link LineSource}, with a second thread after a number of lines. Where a line
 * depends on those before it, that thread reads, unpacks and splits ahead, in a few reused blocks,
 * while the caller processes the lines ({@link #advance}). Where each can be read alone, both
 * threads take blocks in turn ({@link #share}). Only one of the two may be used.
 */
public final class LineFeed implements AutoCloseable {

  /** Number of lines, one or two megabytes, below which a background thread does not pay off. */
  private static final int FEW = 15_000;

  /** One block being filled, one being read, and two in between. */
  private static final int BLOCKS = 4;

  /** One thread may lie still while the other reads so many blocks. */
  private static final int MOST_READ = 32;

  private final LineSource source;
  private final long readHere;
  private final BlockingQueue<LineBlock> filled = new ArrayBlockingQueue<>(BLOCKS);
  private final BlockingQueue<LineBlock> free = new ArrayBlockingQueue<>(BLOCKS);
  private final Line shown = new Line();
  private Thread second;
  private LineBlock block = new LineBlock();
  private int next;
  private Line current = shown;
  private long number;

  /** Blocks taken from the source, and those of them that are done with. */
  private long taken;

  private long done;

  /** What is left to do with the blocks between these, by their numbers; null while one is read. */
  private final Runnable[] rests = new Runnable[MOST_READ];

  private boolean passing;
  private boolean exhausted;
  private volatile Throwable problem;

  /** Takes over a source, which no other reader may use from now on. */
  public LineFeed(LineSource source) {
    this(source, Runtime.getRuntime().availableProcessors() > 1 ? FEW : Long.MAX_VALUE);
  }

  /**
   * The same.
   *
   * @param readHere how many lines the caller's thread reads before the second thread starts
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
    if (second == null) {
      for (int i = 1; i < BLOCKS; i++) {
        free.add(new LineBlock());
      }
      begin(this::readAhead);
    }
    while (next == block.count) {
      if (block.last) {
        fail(Optional.ofNullable(block.failure));
        return false;
      }
      another();
    }
    block.show(next++, shown);
    current = shown;
    number++;
    return true;
  }

  private void begin(Runnable work) {
    second = new Thread(work, "gcdiag-lines");
    second.setDaemon(true);
    second.start();
  }

  private void another() throws IOException {
    block.count = 0;
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

  /** What a thread makes of the lines of its blocks. */
  public interface Lane {

    /** Reads a line, which is valid until the next one. */
    void read(Line line);

    /** What is left to do with these lines in the order of the file, by one thread at a time. */
    Runnable endOfBlock();
  }

  /**
   * Reads all lines, on two threads that take a block each in turn.
   *
   * @param lanes makes what one of the threads alone uses
   */
  public void share(Supplier<? extends Lane> lanes) throws IOException {
    takeTurns(lanes.get(), Optional.of(lanes));
    awaitDone(taken);
    fail(Optional.ofNullable(problem));
  }

  private void takeTurns(Lane lane, Optional<Supplier<? extends Lane>> others) {
    try {
      LineSource block = LineSource.ofBlocks();
      for (long turn = take(block); turn >= 0; turn = take(block)) {
        while (block.advance()) {
          lane.read(block.line());
        }
        if (others.isPresent() && second == null && block.number() >= readHere) {
          Lane other = others.get().get();
          begin(() -> takeTurns(other, Optional.empty()));
        }
        Runnable next = next(turn, lane.endOfBlock());
        while (next != null) {
          next.run();
          next = next();
        }
      }
    } catch (IOException | RuntimeException | Error e) {
      stop(e);
    }
  }

  /** The number of the block that was filled, from 0; below 0 if there is none left. */
  private long take(LineSource block) throws IOException {
    synchronized (source) {
      awaitDone(taken - MOST_READ + 1);
      exhausted = exhausted || problem != null || !source.handOn(block);
      return exhausted ? -1 : taken++;
    }
  }

  /** Waits for so many blocks to be done with, or for a problem. */
  private synchronized void awaitDone(long blocks) {
    while (done < blocks && problem == null) {
      try {
        wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        stop(new InterruptedIOException("interrupted while a file was read"));
      }
    }
  }

  /** What the caller does next: null if the other thread does it, or has to read first. */
  private synchronized Runnable next(long turn, Runnable rest) {
    rests[(int) (turn % MOST_READ)] = rest;
    return passing ? null : first();
  }

  private synchronized Runnable next() {
    done++;
    notifyAll();
    return first();
  }

  private Runnable first() {
    int at = (int) (done % MOST_READ);
    Runnable rest = rests[at];
    rests[at] = null;
    passing = rest != null;
    return rest;
  }

  private synchronized void stop(Throwable cause) {
    problem = problem == null ? cause : problem;
    notifyAll();
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

  /** What it was wrapped in; empty if nothing, and behind the first lines of a file. */
  public String wrapper() {
    return second == null ? source.wrapper() : "";
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
    if (second == null) {
      return;
    }
    second.interrupt();
    boolean interrupted = false;
    while (second.isAlive()) {
      try {
        second.join();
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

    /** Marks the last block, with the error that ended reading; null if there was none. */
    void end(Throwable problem) {
      last = true;
      failure = problem;
    }
  }
}
