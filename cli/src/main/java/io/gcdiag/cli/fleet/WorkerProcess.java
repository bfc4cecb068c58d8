package io.gcdiag.cli.fleet;

import io.gcdiag.fleet.CaseRow;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/** A process that analyses cases, seen from the one that gives it work. */
final class WorkerProcess implements AutoCloseable {

  /** Options that the JVM takes from these variables are meant for the services of the host. */
  private static final List<String> NOT_MEANT =
      List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS");

  /** What a JVM exits with by -XX:+ExitOnOutOfMemoryError. */
  static final int OUT_OF_MEMORY = 3;

  /** Between the end of its output and its own. */
  private static final int EXIT_SECONDS = 5;

  /** A banner and some warnings; a program that prints more is another one. */
  private static final int MOST_LINES_BEFORE = 100;

  private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final Process process;
  private final BufferedReader answers;
  private final PrintWriter tasks;

  private WorkerProcess(Process process) {
    this.process = process;
    answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    tasks =
        new PrintWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
  }

  /** How a case ended. */
  sealed interface Reply {

    /** With a row. */
    record Answered(CaseRow row) implements Reply {}

    /**
     * Not within the time allowed.
     *
     * @param cpu what the process spent on it, if the system says so: next to none if it hung
     */
    record TooLate(Optional<Duration> cpu) implements Reply {}

    /** With the process. */
    record Died(int exitCode) implements Reply {}
  }

  /**
   * Starts one.
   *
   * @return empty if it ends before it has come up
   * @throws IOException if the program cannot be started
   */
  static Optional<WorkerProcess> start(List<String> command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(Redirect.DISCARD);
    NOT_MEANT.forEach(builder.environment()::remove);
    WorkerProcess worker = new WorkerProcess(builder.start());
    if (!worker.comesUp()) {
      worker.close();
      return Optional.empty();
    }
    return Optional.of(worker);
  }

  /** What a JVM or its agents print before is no answer. */
  private boolean comesUp() {
    return Stream.generate(this::line)
        .limit(MOST_LINES_BEFORE)
        .takeWhile(Optional::isPresent)
        .anyMatch(line -> line.filter(CaseWorker.READY::equals).isPresent());
  }

  /** Has a case analysed; unless it is answered, this process is of no more use. */
  Reply ask(CaseTask task, Duration limit) throws IOException {
    AtomicReference<Reply.TooLate> late = new AtomicReference<>();
    AtomicBoolean done = new AtomicBoolean();
    Optional<Duration> before = cpu();
    Thread watch = new Thread(() -> end(limit, done, before, late), "time limit");
    watch.setDaemon(true);
    watch.start();
    try {
      tasks.println(task.text());
      tasks.flush();
      return read(late);
    } finally {
      done.set(true);
      watch.interrupt();
    }
  }

  private void end(
      Duration limit,
      AtomicBoolean done,
      Optional<Duration> before,
      AtomicReference<Reply.TooLate> late) {
    try {
      sleep(limit);
      if (!done.get()) {
        late.set(new Reply.TooLate(cpu().flatMap(now -> before.map(now::minus))));
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      // The case was answered in time.
      Thread.currentThread().interrupt();
    }
  }

  /**
   * In short steps, each of which counts with its length only: while the whole run is stopped, by
   * Ctrl-Z or by a job control, no case can be late.
   */
  private static void sleep(Duration limit) throws InterruptedException {
    for (long left = limit.toNanos(); left > 0; left -= STEP_NANOS) {
      TimeUnit.NANOSECONDS.sleep(Math.min(left, STEP_NANOS));
    }
  }

  /** User and system time of the process since its start. */
  private Optional<Duration> cpu() {
    return process.info().totalCpuDuration();
  }

  private Reply read(AtomicReference<Reply.TooLate> late) throws IOException {
    for (Optional<String> line = line(); line.isPresent(); line = line()) {
      Optional<CaseRow> row = RowJson.row(line.get());
      if (row.isPresent()) {
        return new Reply.Answered(row.get());
      }
    }
    int code = exitCode();
    Optional<Reply> tooLate = Optional.ofNullable(late.get());
    return tooLate.orElseGet(() -> new Reply.Died(code));
  }

  /** A pipe whose process was killed may break in the middle of a line. */
  private Optional<String> line() {
    try {
      return Optional.ofNullable(answers.readLine());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Its own exit code if it is about to end. */
  private int exitCode() throws IOException {
    try {
      process.waitFor(EXIT_SECONDS, TimeUnit.SECONDS);
      return process.destroyForcibly().waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
