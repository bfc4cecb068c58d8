package io.gcdiag.cli.fleet;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Function;

/**
 * Cases to analyse, a line each in a file: there may be more than fit in memory. The file is
 * deleted when it is closed, and by the next run if this one is killed.
 */
public final class CaseSpool implements Iterable<CaseTask>, AutoCloseable {

  private final Path file;
  private final Function<String, Path> files;
  private final BufferedWriter out;
  private int size;

  private CaseSpool(Path file, Function<String, Path> files, BufferedWriter out) {
    this.file = file;
    this.files = files;
    this.out = out;
  }

  /**
   * An empty one.
   *
   * @param folder where its file is
   * @param name of the file, without its end
   * @param files where the files of cases are, by their addresses
   */
  public static CaseSpool in(Path folder, String name, Function<String, Path> files)
      throws IOException {
    Path file = folder.resolve(name + FleetFolder.UNFINISHED);
    // Ctrl-C closes nothing.
    file.toFile().deleteOnExit();
    return new CaseSpool(file, files, Files.newBufferedWriter(file));
  }

  /** Adds a case. */
  void add(CaseTask task) throws IOException {
    out.write(task.text());
    out.write('\n');
    size++;
  }

  /** How many cases there are. */
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
      return new Tasks(in, files, size);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Tasks implements Iterator<CaseTask> {
    private final BufferedReader in;
    private final Function<String, Path> files;
    private int left;

    Tasks(BufferedReader in, Function<String, Path> files, int left) throws IOException {
      this.in = in;
      this.files = files;
      this.left = left;
      closeAtEnd();
    }

    @Override
    public boolean hasNext() {
      return left > 0;
    }

    @Override
    public CaseTask next() {
      if (left == 0) {
        throw new NoSuchElementException();
      }
      left--;
      try {
        CaseTask task = CaseTask.of(in.readLine(), files).orElseThrow();
        closeAtEnd();
        return task;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private void closeAtEnd() throws IOException {
      if (left == 0) {
        in.close();
      }
    }
  }

  @Override
  public void close() throws IOException {
    out.close();
    Files.deleteIfExists(file);
  }
}
