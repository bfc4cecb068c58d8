package io.gcdiag.cli.fleet;

import io.gcdiag.cli.fleet.FleetRun.CaseRunner.WorkerProcess.Reply;
import io.gcdiag.fleet.CaseRow;
import io.gcdiag.units.Durations;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/** Has cases analysed by several processes at once; see {@link CaseRunner}. */
public final class FleetRun {

  /** A recording of an hour takes some seconds, one of a gigabyte a minute. */
  public static final Duration PER_CASE = Duration.ofMinutes(10);

  private final Limits limits;
  private final FleetStore store;
  private final Iterator<CaseTask> open;
  private final int all;
  private final Progress progress;
  private final AtomicInteger done = new AtomicInteger();
  private final AtomicBoolean isOver = new AtomicBoolean();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  /**
   * What a run may take.
   *
   * @param processes at once
   * @param perCase the time for one case
   */
  public record Limits(int processes, Duration perCase, List<String> command) {}

  /** Receives the progress of a run from several threads. */
  @FunctionalInterface
  public interface Progress {

    /** So many of the cases have a row. */
    void done(int cases, int all);
  }

  private FleetRun(Limits limits, FleetStore store, CaseSpool open, Progress progress) {
    this.limits = limits;
    this.store = store;
    this.open = open.iterator();
    this.all = open.size();
    this.progress = progress;
  }

  /**
   * Analyses the cases and files their rows.
   *
   * @throws WorkerStartException if no process starts
   * @throws IOException if rows cannot be written
   */
  public static void run(Limits limits, FleetStore store, CaseSpool open, Progress progress)
      throws IOException {
    FleetRun run = new FleetRun(limits, store, open, progress);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < Math.min(limits.processes(), run.all); i++) {
      threads.add(new Thread(run::work, "cases " + (i + 1)));
    }
    threads.forEach(Thread::start);
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      run.isOver.set(true);
      Thread.currentThread().interrupt();
    }
    run.rethrow();
  }

  private void rethrow() throws IOException {
    Throwable cause = failure.get();
    if (cause instanceof IOException e) {
      throw e;
    }
    if (cause != null) {
      throw new IllegalStateException("a thread of the run ended", cause);
    }
  }

  private void work() {
    try (CaseRunner runner = new CaseRunner(limits.perCase(), limits.command())) {
      for (Optional<CaseTask> task = next(); task.isPresent(); task = next()) {
        store.append(runner.run(task.get()));
        progress.done(done.incrementAndGet(), all);
      }
    } catch (IOException | RuntimeException | Error e) {
      // A thread that ends unnoticed would leave cases without rows.
      failure.compareAndSet(null, e);
      isOver.set(true);
    }
  }

  private Optional<CaseTask> next() {
    synchronized (open) {
      return isOver.get() || !open.hasNext() ? Optional.empty() : Optional.of(open.next());
    }
  }

  /**
   * Has cases analysed in a process of its own, one after another. A case that ends the process is
   * tried once more in a new one, as it may not be the cause; one that takes too long is not.
   * Either way it gets a row that says so.
   */
  public static final class CaseRunner implements AutoCloseable {

    /** Of a process for one case. */
    private static final int MOST_STARTS = 2;

    private final Duration perCase;
    private final List<String> command;
    private Optional<WorkerProcess> worker = Optional.empty();

    /**
     * Starts nothing yet.
     *
     * @param perCase the time for one case
     */
    public CaseRunner(Duration perCase, List<String> command) {
      this.perCase = perCase;
      this.command = List.copyOf(command);
    }

    /**
     * The row of a case.
     *
     * @throws WorkerStartException if no process starts
     * @throws IOException if the wait for the answer is interrupted
     */
    public CaseRow run(CaseTask task) throws IOException {
      Reply reply = ask(task);
      if (reply instanceof Reply.Died died && died.exitCode() != WorkerProcess.OUT_OF_MEMORY) {
        reply = ask(task);
      }
      return reply instanceof Reply.Answered answered
          ? answered.row()
          : CaseRow.failed(task.key(), task.one().placed(), task.one().time(), reason(reply));
    }

    /** A process that gave no answer is of no more use. */
    private Reply ask(CaseTask task) throws IOException {
      WorkerProcess asked = worker.isPresent() ? worker.get() : start();
      worker = Optional.of(asked);
      Reply reply = asked.ask(task, perCase);
      if (!(reply instanceof Reply.Answered)) {
        close();
      }
      return reply;
    }

    /**
     * One that was killed while it was started or came up is no reason to give up, two in a row
     * are.
     */
    private WorkerProcess start() throws WorkerStartException {
      IOException failure = null;
      for (int start = 0; start < MOST_STARTS; start++) {
        try {
          Optional<WorkerProcess> started = WorkerProcess.start(command);
          if (started.isPresent()) {
            return started.get();
          }
        } catch (IOException e) {
          failure = e;
        }
      }
      throw new WorkerStartException(command.get(0), failure);
    }

    private String reason(Reply reply) {
      if (reply instanceof Reply.TooLate late) {
        return "not finished within "
            + Durations.format(perCase)
            + late.cpu().map(cpu -> ", CPU used " + Durations.format(cpu)).orElse("")
            + "; a longer --timeout with --retry-failed allows more";
      }
      int code = reply instanceof Reply.Died died ? died.exitCode() : 0;
      return code == WorkerProcess.OUT_OF_MEMORY
          ? "not enough memory; a larger --memory with --retry-failed allows more"
          : "its process ended twice, with exit code " + code + "; --retry-failed tries again";
    }

    @Override
    public void close() {
      worker.ifPresent(WorkerProcess::close);
      worker = Optional.empty();
    }

    /** A process that analyses cases, seen from the one that gives it work. */
    static final class WorkerProcess implements AutoCloseable {

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
            new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        tasks =
            new PrintWriter(
                new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
      }

      /** How a case ended. */
      sealed interface Reply {

        record Answered(CaseRow row) implements Reply {}

        /**
         * Not within the time allowed.
         *
         * @param cpu what the process spent on it, if the system says so: next to none if it hung
         */
        record TooLate(Optional<Duration> cpu) implements Reply {}

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
       * In short steps, each of which counts with its length only: while the whole run is stopped,
       * by Ctrl-Z or by a job control, no case can be late.
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
  }

  /** Processes that analyse cases do not start on this machine. */
  public static final class WorkerStartException extends IOException {

    private static final long serialVersionUID = 1L;

    WorkerStartException(String program, IOException cause) {
      super("an analysis process does not start: " + program, cause);
    }
  }
}
