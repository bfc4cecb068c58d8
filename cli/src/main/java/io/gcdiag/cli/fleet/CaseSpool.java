package io.gcdiag.cli.fleet;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Cases to analyse, a line each in a file: there may be more than fit in memory. The file is
 * deleted when it is closed, and by the next run if this one is killed.
 */
public final class CaseSpool implements Iterable<CaseTask>, AutoCloseable {

  private final Path file;
  private final BufferedWriter out;
  private final List<BufferedReader> readers = new ArrayList<>();
  private int size;

  private CaseSpool(Path file, BufferedWriter out) {
    this.file = file;
    this.out = out;
  }

  /**
   * An empty one.
   *
   * @param folder where its file is
   * @param name of the file, without its end
   */
  public static CaseSpool in(Path folder, String name) throws IOException {
    Path file = folder.resolve(name + FleetFolder.UNFINISHED);
    // Ctrl-C closes nothing.
    file.toFile().deleteOnExit();
    return new CaseSpool(file, Files.newBufferedWriter(file));
  }

  void add(CaseTask task) throws IOException {
    out.write(task.text());
    out.write('\n');
    size++;
  }

  int size() {
    return size;
  }

  /**
   * The cases added so far, in their order.
   *
   * @throws UncheckedIOException if they cannot be read
   */
  @Override
  public Iterator<CaseTask> iterator() {
    try {
      out.flush();
      BufferedReader in = Files.newBufferedReader(file);
      readers.add(in);
      return in.lines().limit(size).map(line -> CaseTask.of(line).orElseThrow()).iterator();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    out.close();
    for (BufferedReader reader : readers) {
      reader.close();
    }
    Files.deleteIfExists(file);
  }
}
