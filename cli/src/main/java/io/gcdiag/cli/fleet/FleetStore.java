package io.gcdiag.cli.fleet;

import io.gcdiag.fleet.CaseDigest;
import io.gcdiag.fleet.CaseKey;
import io.gcdiag.fleet.CaseRow;
import io.gcdiag.fleet.CaseRows;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * The rows of all cases, in a file of JSON Lines that is only appended to. Whatever ends the
 * process, a line is whole, or it is the last one and dropped by the next run. Of several rows of
 * one case the last counts. In memory is where each row stands, and not the row.
 */
public final class FleetStore implements CaseRows, FleetPlan.Filing, AutoCloseable {

  /** The name of the file in the folder of the results. */
  public static final String FILE = "cases.jsonl";

  private static final int BLOCK = 64 * 1024;

  /** Most rows are shorter. */
  private static final int ROW = 2048;

  private final FileChannel channel;

  /** Where the row of each case begins, by the number of its name. */
  private final Map<Long, Long> places = new LinkedHashMap<>();

  /** Where the next row goes. */
  private long end;

  private int damaged;

  private FleetStore(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Opens the rows in a folder, or begins them.
   *
   * @return empty if another process writes there
   */
  public static Optional<FleetStore> open(Path folder) throws IOException {
    Path file = folder.resolve(FILE);
    FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    FleetStore store = new FleetStore(channel);
    try {
      if (!store.lock()) {
        channel.close();
        return Optional.empty();
      }
      store.end = channel.size();
      // A run that was killed may have left half a line.
      store.end = store.lines(store::note);
      channel.truncate(store.end);
      return Optional.of(store);
    } catch (IOException | UncheckedIOException e) {
      channel.close();
      throw e;
    }
  }

  /** Given back by the system when the process ends, however it does. */
  private boolean lock() throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  /** Takes lines one after another. */
  @FunctionalInterface
  private interface LineVisitor {
    void line(long place, String line);
  }

  /** Visits all lines, and returns where the last one ends. */
  private long lines(LineVisitor visitor) throws IOException {
    Lines lines = new Lines(0, BLOCK);
    long place = 0;
    for (Optional<String> line = lines.next(); line.isPresent(); line = lines.next()) {
      visitor.line(place, line.get());
      place = lines.place();
    }
    return place;
  }

  /**
   * Reads line after line, by the channel that holds the lock: to close another one on the same
   * file gives the lock back on some systems. Bytes that are no text damage their line only.
   */
  private final class Lines {

    private final ByteBuffer block;
    private final long until = end;
    private long read;

    Lines(long from, int size) {
      block = ByteBuffer.allocate(size).limit(0);
      read = from;
    }

    /** Where the next line begins. */
    long place() {
      return read - block.remaining();
    }

    /** The next line; absent behind the last one. */
    Optional<String> next() throws IOException {
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      while (block.hasRemaining() || fill()) {
        int from = block.position();
        int to = from;
        while (to < block.limit() && block.get(to) != '\n') {
          to++;
        }
        line.write(block.array(), from, to - from);
        if (to < block.limit()) {
          block.position(to + 1);
          return Optional.of(line.toString(StandardCharsets.UTF_8));
        }
        block.position(to);
      }
      return Optional.empty();
    }

    private boolean fill() throws IOException {
      block.clear().limit((int) Math.min(block.capacity(), until - read));
      while (block.hasRemaining()) {
        if (channel.read(block, read + block.position()) < 0) {
          throw new EOFException(FILE + " became shorter");
        }
      }
      read += block.flip().limit();
      return block.hasRemaining();
    }
  }

  private void note(long place, String line) {
    Optional<CaseRow> row = RowJson.row(line);
    Optional<String> replaced = row.isPresent() ? Optional.empty() : RowJson.replaced(line);
    row.ifPresent(known -> places.put(CaseDigest.number(known.key().id()), place));
    replaced.ifPresent(id -> places.remove(CaseDigest.number(id)));
    damaged += row.isEmpty() && replaced.isEmpty() ? 1 : 0;
  }

  /** Lines that are no rows: their cases are analysed again. */
  public int damaged() {
    return damaged;
  }

  /** How many cases have a row. */
  public synchronized int size() {
    return places.size();
  }

  /** Whether a case of that name has a row. */
  synchronized boolean has(String id) {
    return places.containsKey(CaseDigest.number(id));
  }

  /** The row of each case, in the order of the file. */
  @Override
  public void forEach(Visitor visitor) {
    try {
      lines((place, line) -> RowJson.row(line).ifPresent(row -> hand(place, row, visitor)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void hand(long place, CaseRow row, Visitor visitor) {
    if (places.getOrDefault(CaseDigest.number(row.key().id()), -1L) == place) {
      visitor.row(place, row);
    }
  }

  /** The number of each name, and where its row is. */
  void forEachPlace(BiConsumer<Long, Long> visitor) {
    places.forEach(visitor);
  }

  @Override
  public CaseRow at(long place) {
    try {
      Optional<String> line = new Lines(place, ROW).next();
      return RowJson.row(line.orElseThrow()).orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The row of a case, if it is of the same inputs and the same program. */
  synchronized Optional<CaseRow> row(CaseKey key) {
    return Optional.ofNullable(places.get(CaseDigest.number(key.id())))
        .map(this::at)
        .filter(row -> row.key().equals(key));
  }

  @Override
  public synchronized void append(CaseRow row) throws IOException {
    long place = end;
    write(RowJson.text(row));
    places.put(CaseDigest.number(row.key().id()), place);
  }

  /** Drops the row of a case whose files are now filed under another name. */
  @Override
  public synchronized void replaced(String id) throws IOException {
    if (has(id)) {
      write(RowJson.replacedText(id));
      places.remove(CaseDigest.number(id));
    }
  }

  private void write(String text) throws IOException {
    ByteBuffer line = ByteBuffer.wrap((text + "\n").getBytes(StandardCharsets.UTF_8));
    while (line.hasRemaining()) {
      end += channel.write(line, end);
    }
  }

  @Override
  public void close() throws IOException {
    channel.force(true);
    channel.close();
  }
}
