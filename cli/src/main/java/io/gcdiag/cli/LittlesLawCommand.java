package io.gcdiag.cli;

import io.gcdiag.Analysis;
import io.gcdiag.AnalysisRequest;
import io.gcdiag.PoolFacts;
import io.gcdiag.cli.report.LittlesLawDocument;
import io.gcdiag.cli.report.LittlesLawDocument.PoolQuestion;
import io.gcdiag.cli.report.LittlesLawDocument.PoolQuestion.TargetWait;
import io.gcdiag.cli.settings.Settings.SettingKey;
import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.threads.PoolDemand.Known;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Rate;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.Supplier;

/** Checks whether a pool is large enough. */
final class LittlesLawCommand extends Command {

  private final Supplier<Optional<Rate>> rate = command.value("--rps", "RATE", Rate.class);

  private final Supplier<Optional<Duration>> hold =
      command.value("--hold", "DURATION", Duration.class);

  private final Supplier<Optional<Integer>> pool = command.value("--pool", "N", Integer.class);

  private final Supplier<Optional<Duration>> pause =
      command.value("--pause", "DURATION", Duration.class);

  private final Supplier<Optional<TargetWait>> target =
      command.value("--target-wait", "DURATION@PERCENTILE", TargetWait.class);

  private final Supplier<Optional<Path>> from = command.value("--from", "FOLDER", Path.class);

  private final MeaningOptions meanings = new MeaningOptions(command);

  private final ReadingOptions reading = new ReadingOptions(command);

  private final OutputOptions output = new OutputOptions(command);

  LittlesLawCommand(Terminal terminal) {
    super("littles-law", terminal);
  }

  @Override
  public Integer call() {
    output.check(from.get().stream().toList());
    output.print(new LittlesLawDocument(question()), command.out(), terminal);
    return ExitCode.DONE.code();
  }

  private PoolQuestion question() {
    List<String> origins = new ArrayList<>();
    hold.get()
        .ifPresent(t -> addSetting("Hold time", SettingKey.HOLD, Durations.format(t), origins));
    pool.get().ifPresent(n -> addSetting("Pool size", SettingKey.POOL_SIZE, n.toString(), origins));
    Optional<PoolFacts> files = from.get().map(this::read);
    Optional<Rate> load =
        rate.get().or(() -> taken("Rate", files.flatMap(PoolFacts::rate), Rate::toString, origins));
    Optional<Known<Duration>> held =
        hold.get().isPresent() ? Optional.empty() : files.flatMap(PoolFacts::hold);
    Optional<Duration> time =
        hold.get().or(() -> taken("Hold time", held, Durations::format, origins));
    boolean holdIsBound = held.filter(known -> !known.bound().isEmpty()).isPresent();
    if (holdIsBound && target.get().isPresent()) {
      throw CommandFailure.usage(
          "the files do not show how long connections are held, only the "
              + held.get().basis()
              + "; give --hold for --target-wait");
    }
    Optional<Integer> size =
        pool.get()
            .or(() -> taken("Pool size", files.flatMap(PoolFacts::size), String::valueOf, origins));
    if (load.isEmpty() || time.isEmpty()) {
      throw CommandFailure.usage(
          files.isEmpty()
              ? "give --rps and --hold, or --from FOLDER to read them from files"
              : "the files do not show "
                  + (load.isEmpty()
                      ? "the request rate; give --rps"
                      : "the hold time; give --hold"));
    }
    return CommandFailure.unlessRefused(
        IllegalArgumentException.class,
        () ->
            new PoolQuestion(
                load.get(),
                time.get(),
                holdIsBound,
                size.map(OptionalInt::of).orElseGet(OptionalInt::empty),
                pause.get(),
                target.get(),
                origins));
  }

  private void addSetting(String what, String key, String value, List<String> origins) {
    Source source = command.tool().sourceOf(key);
    if (!source.equals(OperatorFacts.SOURCE)) {
      origins.add(what + ": " + value + ", given in " + source);
    }
  }

  private PoolFacts read(Path files) {
    Analysis.Demand demand =
        Analysis.demand(reading.of(AnalysisRequest.of(files).with(meanings.reading()), terminal));
    reading.tell(demand.inputs());
    return demand.facts();
  }

  private static <T> Optional<T> taken(
      String what, Optional<Known<T>> known, Function<T, String> text, List<String> origins) {
    known.ifPresent(fact -> origins.add(what + ": " + origin(fact, text)));
    return known.map(Known::value);
  }

  private static <T> String origin(Known<T> fact, Function<T, String> text) {
    String bound = fact.bound().isEmpty() ? "" : fact.bound() + " ";
    return bound + text.apply(fact.value()) + ", " + fact.basis() + " (" + fact.source() + ")";
  }
}
