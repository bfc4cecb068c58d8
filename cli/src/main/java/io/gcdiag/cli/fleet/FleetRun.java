package io.gcdiag.cli.fleet;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Has cases analysed by several processes at once; see {@link CaseRunner}. */
public final class FleetRun {

  /** An hour's recording takes some seconds, one of a gigabyte a minute. */
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
   * @param command starts a process
   */
  public record Limits(int processes, Duration perCase, List<String> command) {

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
}
