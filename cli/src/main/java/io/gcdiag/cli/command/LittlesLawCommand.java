package io.gcdiag.cli.command;

import io.gcdiag.Analysis;
import io.gcdiag.AnalysisRequest;
import io.gcdiag.PoolFacts;
import io.gcdiag.cli.report.LittlesLawDocument;
import io.gcdiag.cli.report.PoolQuestion;
import io.gcdiag.cli.report.PoolQuestion.TargetWait;
import io.gcdiag.cli.settings.SettingKey;
import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.Source;
import io.gcdiag.rules.PoolDemand.Known;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Rate;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Asks whether a pool is large enough. */
@Command(
    name = "littles-law",
    sortOptions = false,
    addMethodSubcommands = false,
    description =
        "Computes how many connections a load needs and how long it waits for them in a pool.")
final class LittlesLawCommand implements Runnable {

  @Option(
      names = "--rps",
      paramLabel = "RATE",
      description = "request rate: 1000, 1000/s or 60000/min")
  private Rate rate;

  @Option(
      names = "--hold",
      paramLabel = "DURATION",
      description = "time a request holds a connection: 4.32ms, 250us, 1.5s")
  private Duration hold;

  /** Whether the files tell only the longest that connections may be held. */
  private boolean holdIsBound;

  @Option(
      names = "--pool",
      paramLabel = "N",
      description = "size of the pool, to compute how long it lets requests wait")
  private Integer pool;

  @Option(
      names = "--pause",
      paramLabel = "DURATION",
      description = "length of a stop-the-world pause; requires --pool")
  private Duration pause;

  @Option(
      names = "--target-wait",
      paramLabel = "DURATION@PERCENTILE",
      description =
          "find the smallest pool in which this percentile of the waits is at most so long, such as"
              + " 5ms@99 or 5ms@p99 (default percentile: 99)")
  private TargetWait target;

  @Option(
      names = "--from",
      paramLabel = "FOLDER",
      description =
          "folder or file to take rate, hold time and pool size from, unless they are given")
  private Path from;

  @Mixin private MeaningOptions meanings;

  @Mixin private ReadingOptions reading;

  @Mixin private OutputOptions output;

  @Spec private CommandSpec spec;

  private final Terminal terminal;

  LittlesLawCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public void run() {
    output.check(from == null ? List.of() : List.of(from));
    output.print(new LittlesLawDocument(question()), spec.commandLine().getOut(), terminal);
  }

  private PoolQuestion question() {
    List<String> origins = new ArrayList<>();
    if (hold != null) {
      addSetting("Hold time", SettingKey.HOLD, Durations.format(hold), origins);
    }
    if (pool != null) {
      addSetting("Pool size", SettingKey.POOL_SIZE, pool.toString(), origins);
    }
    if (from != null) {
      fill(origins);
    }
    if (rate == null || hold == null) {
      throw CommandFailure.usage(
          from == null
              ? "give --rps and --hold, or --from FOLDER to read them from files"
              : "the files do not tell "
                  + (rate == null ? "the request rate; give --rps" : "the hold time; give --hold"));
    }
    try {
      return new PoolQuestion(
          rate,
          hold,
          holdIsBound,
          pool == null ? OptionalInt.empty() : OptionalInt.of(pool),
          Optional.ofNullable(pause),
          Optional.ofNullable(target),
          origins);
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage(e.getMessage(), e);
    }
  }

  private void addSetting(String what, String key, String value, List<String> origins) {
    Source source = GcdiagCommand.of(spec.commandLine()).sourceOf(key);
    if (!source.equals(OperatorFacts.SOURCE)) {
      origins.add(what + ": " + value + ", given in " + source);
    }
  }

  private void fill(List<String> origins) {
    Analysis.Demand demand =
        Analysis.demand(reading.of(AnalysisRequest.of(from).with(meanings.reading()), terminal));
    reading.tell(demand.inputs());
    PoolFacts facts = demand.facts();
    if (rate == null) {
      rate = taken("Rate", facts.rate(), Rate::toString, origins);
    }
    if (hold == null) {
      hold = taken("Hold time", facts.hold(), Durations::format, origins);
      holdIsBound = facts.hold().filter(known -> !known.bound().isEmpty()).isPresent();
      if (holdIsBound && target != null) {
        throw CommandFailure.usage(
            "the files do not tell how long connections are held, only the "
                + facts.hold().get().basis()
                + "; give --hold for --target-wait");
      }
    }
    if (pool == null) {
      pool = taken("Pool size", facts.size(), String::valueOf, origins);
    }
  }

  private static <T> T taken(
      String what, Optional<Known<T>> known, Function<T, String> text, List<String> origins) {
    if (known.isEmpty()) {
      return null;
    }
    String bound = known.get().bound().isEmpty() ? "" : known.get().bound() + " ";
    origins.add(
        what
            + ": "
            + bound
            + text.apply(known.get().value())
            + ", "
            + known.get().basis()
            + " ("
            + known.get().source()
            + ")");
    return known.get().value();
  }
}
