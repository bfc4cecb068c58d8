package io.gcdiag.cli.fleet;

import io.gcdiag.cli.fleet.WorkerProcess.Reply;
import io.gcdiag.fleet.CaseRow;
import io.gcdiag.units.Durations;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Has cases analysed in a process of its own, one after another. A case that ends the process is
 * tried once more in a new one, as it may not be the cause; one that takes too long is not. Either
 * way it gets a row that says so.
 */
public final class CaseRunner implements AutoCloseable {

  /** Of a process for one case. */
  private static final int MOST_STARTS = 2;

  private final Duration perCase;
  private final List<String> command;
  private Optional<WorkerProcess> worker = Optional.empty();

  /**
   * Starts nothing yet.
   *
   * @param perCase the time for one case
   * @param command starts the process
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
   * One that was killed while it was started or came up is no reason to give up, two in a row are.
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
}
