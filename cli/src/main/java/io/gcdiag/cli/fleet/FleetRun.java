package io.gcdiag.cli.fleet;

import io.gcdiag.cli.fleet.WorkerProcess.Reply;
import io.gcdiag.fleet.CaseRow;
import io.gcdiag.units.Durations;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Has cases analysed by several processes at once. A case that ends its process is tried once more
 * in a new one, as it may not be the cause; one that takes too long is not. Either way it gets a
 * row that says so, and the rest goes on.
 */
public final class FleetRun {

  /** Of a process for one case. */
  private static final int MOST_STARTS = 2;

  private final Limits limits;
  private final FleetStore store;
  private final Queue<CaseTask> open;
  private final int all;
  private final Progress progress;
  private final AtomicInteger done = new AtomicInteger();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  /**
   * What a run may take.
   *
   * @param processes at once
   * @param perCase the time for one case
   * @param command starts a process
   */
  public record Limits(int processes, Duration perCase, List<String> command) {

    /** Copies the list. */
    public Limits {
      command = List.copyOf(command);
    }
  }

  /** Hears how far a run is; called by several threads. */
  @FunctionalInterface
  public interface Progress {

    /** So many of the cases have a row. */
    void done(int cases, int all);
  }

  private FleetRun(Limits limits, FleetStore store, List<CaseTask> tasks, Progress progress) {
    this.limits = limits;
    this.store = store;
    this.open = new ConcurrentLinkedQueue<>(tasks);
    this.all = tasks.size();
    this.progress = progress;
  }

  /**
   * Analyses the cases and files their rows.
   *
   * @throws WorkerStartException if no process starts
   * @throws IOException if rows cannot be written
   */
  public static void run(Limits limits, FleetStore store, List<CaseTask> tasks, Progress progress)
      throws IOException {
    FleetRun run = new FleetRun(limits, store, tasks, progress);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < Math.min(limits.processes(), tasks.size()); i++) {
      threads.add(new Thread(run::work, "cases " + (i + 1)));
    }
    threads.forEach(Thread::start);
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      run.open.clear();
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
    Optional<WorkerProcess> worker = Optional.empty();
    try {
      for (CaseTask task = open.poll(); task != null; task = open.poll()) {
        worker = Optional.of(worker.isPresent() ? worker.get() : start());
        Reply reply = worker.get().ask(task, limits.perCase());
        if (reply instanceof Reply.Died died && died.exitCode() != WorkerProcess.OUT_OF_MEMORY) {
          worker.get().close();
          worker = Optional.of(start());
          reply = worker.get().ask(task, limits.perCase());
        }
        if (!(reply instanceof Reply.Answered)) {
          worker.get().close();
          worker = Optional.empty();
        }
        store.append(row(task, reply));
        progress.done(done.incrementAndGet(), all);
      }
    } catch (IOException | RuntimeException | Error e) {
      // A thread that ends unnoticed would leave cases without rows.
      failure.compareAndSet(null, e);
      open.clear();
    } finally {
      worker.ifPresent(WorkerProcess::close);
    }
  }

  /**
   * One that was killed while it was started or came up is no reason to give up, two in a row are.
   */
  private WorkerProcess start() throws WorkerStartException {
    IOException failure = null;
    for (int start = 0; start < MOST_STARTS; start++) {
      try {
        Optional<WorkerProcess> worker = WorkerProcess.start(limits.command());
        if (worker.isPresent()) {
          return worker.get();
        }
      } catch (IOException e) {
        failure = e;
      }
    }
    throw new WorkerStartException(limits.command().get(0), failure);
  }

  private CaseRow row(CaseTask task, Reply reply) {
    if (reply instanceof Reply.Answered answered) {
      return answered.row();
    }
    return CaseRow.failed(task.key(), task.one().placed(), task.one().time(), reason(reply));
  }

  private String reason(Reply reply) {
    if (reply instanceof Reply.TooLate) {
      return "not finished within "
          + Durations.format(limits.perCase())
          + "; a longer --timeout with --retry-failed allows more";
    }
    int code = reply instanceof Reply.Died died ? died.exitCode() : 0;
    return code == WorkerProcess.OUT_OF_MEMORY
        ? "not enough memory; a larger --memory with --retry-failed allows more"
        : "its process ended twice, with exit code " + code + "; --retry-failed tries again";
  }
}
