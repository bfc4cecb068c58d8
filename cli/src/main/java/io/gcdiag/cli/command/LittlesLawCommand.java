package io.gcdiag.cli.command;

import io.gcdiag.cli.report.LittlesLawDocument;
import io.gcdiag.cli.report.PoolQuestion;
import io.gcdiag.cli.report.PoolQuestion.TargetWait;
import io.gcdiag.units.Rate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Asks whether a pool is large enough. */
@Command(
    name = "littles-law",
    sortOptions = false,
    description = "How many connections a load needs, and how long a pool lets it wait.")
final class LittlesLawCommand implements Runnable {

  @Option(
      names = "--rps",
      required = true,
      paramLabel = "RATE",
      description = "arrivals: 1000, 1000/s or 60000/min")
  private Rate rate;

  @Option(
      names = "--hold",
      required = true,
      paramLabel = "DURATION",
      description = "how long each holds a connection: 4.32ms, 250us, 1.5s")
  private Duration hold;

  @Option(names = "--pool", paramLabel = "N", description = "connections the pool has")
  private Integer pool;

  @Option(
      names = "--pause",
      paramLabel = "DURATION",
      description = "a stop of the whole process, such as a collection; needs --pool")
  private Duration pause;

  @Option(
      names = "--target-wait",
      paramLabel = "DURATION@PERCENTILE",
      description = "find the smallest pool that waits no longer: 5ms@p99")
  private TargetWait target;

  @Mixin private OutputOptions output;

  @Spec private CommandSpec spec;

  private final Terminal terminal;

  LittlesLawCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public void run() {
    output.check(List.of());
    output.print(new LittlesLawDocument(question()), spec.commandLine().getOut(), terminal);
  }

  private PoolQuestion question() {
    try {
      return new PoolQuestion(
          rate,
          hold,
          pool == null ? OptionalInt.empty() : OptionalInt.of(pool),
          Optional.ofNullable(pause),
          Optional.ofNullable(target));
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage(e.getMessage(), e);
    }
  }
}
