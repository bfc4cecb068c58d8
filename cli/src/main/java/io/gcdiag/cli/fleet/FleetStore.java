package io.gcdiag.cli.fleet;

import io.gcdiag.fleet.CaseRow;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The rows of all cases, in a file of JSON Lines that is only appended to. Whatever ends the
 * process, a line is whole, or it is the last one and dropped by the next run. Of several rows of
 * one case the last counts.
 */
public final class FleetStore implements AutoCloseable {

  /** The name of the file in the folder of the results. */
  public static final String FILE = "cases.jsonl";

  private static final int BLOCK = 64 * 1024;

  private final FileChannel channel;
  private final Map<String, CaseRow> rows = new TreeMap<>();
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
      store.dropTornLine();
      store.read();
      channel.position(channel.size());
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

  private void dropTornLine() throws IOException {
    long end = channel.size();
    while (end > 0) {
      int length = (int) Math.min(BLOCK, end);
      ByteBuffer block = ByteBuffer.allocate(length);
      long from = end - length;
      while (block.hasRemaining() && channel.read(block, from + block.position()) >= 0) {
        // Reads on until the block is full.
      }
      for (int i = block.position() - 1; i >= 0; i--) {
        if (block.get(i) == '\n') {
          channel.truncate(from + i + 1);
          return;
        }
      }
      end = from;
    }
    channel.truncate(0);
  }

  /**
   * By the channel that holds the lock: to close another one on the same file gives the lock back
   * on some systems. Bytes that are no text damage their line only.
   */
  private void read() throws IOException {
    channel.position(0);
    BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(Channels.newInputStream(channel), StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      Optional<CaseRow> row = RowJson.row(line);
      Optional<String> replaced = RowJson.replaced(line);
      row.ifPresent(known -> rows.put(known.key().id(), known));
      replaced.ifPresent(rows::remove);
      damaged += row.isEmpty() && replaced.isEmpty() ? 1 : 0;
    }
  }

  /** Lines that are no rows: their cases are analysed again. */
  public int damaged() {
    return damaged;
  }

  /** The row of each case, by name. */
  public synchronized Collection<CaseRow> rows() {
    return List.copyOf(rows.values());
  }

  /** Adds a row. */
  public synchronized void append(CaseRow row) throws IOException {
    write(RowJson.text(row));
    rows.put(row.key().id(), row);
  }

  /** Drops the row of a case whose files are now filed under another name. */
  public synchronized void replaced(String id) throws IOException {
    if (rows.remove(id) != null) {
      write(RowJson.replacedText(id));
    }
  }

  private void write(String text) throws IOException {
    ByteBuffer line = ByteBuffer.wrap((text + "\n").getBytes(StandardCharsets.UTF_8));
    while (line.hasRemaining()) {
      channel.write(line);
    }
  }

  @Override
  public void close() throws IOException {
    channel.force(true);
    channel.close();
  }
}
