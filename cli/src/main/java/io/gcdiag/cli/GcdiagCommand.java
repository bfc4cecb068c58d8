package io.gcdiag.cli;

import io.gcdiag.Analysis;
import io.gcdiag.Analysis.Facts;
import io.gcdiag.AnalysisRequest;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.cli.FleetCommand.Parallelism;
import io.gcdiag.cli.fleet.CaseTask;
import io.gcdiag.cli.fleet.WorkerCommand.WorkerHeap;
import io.gcdiag.cli.manual.Shell;
import io.gcdiag.cli.render.HelpText;
import io.gcdiag.cli.render.JsonRenderer;
import io.gcdiag.cli.render.ReportFormat;
import io.gcdiag.cli.report.ComparisonDocument;
import io.gcdiag.cli.report.CorrelationDocument;
import io.gcdiag.cli.report.DiagnosisDocument;
import io.gcdiag.cli.report.LittlesLawDocument.PoolQuestion.TargetWait;
import io.gcdiag.cli.report.RuleBookDocument;
import io.gcdiag.cli.report.Version;
import io.gcdiag.cli.settings.Settings;
import io.gcdiag.cli.settings.Settings.Setting;
import io.gcdiag.cli.settings.Settings.SettingKey;
import io.gcdiag.cli.settings.Settings.SettingsException;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.WindowRequest;
import io.gcdiag.fleet.FleetSummary.GroupBy;
import io.gcdiag.fleet.PathPattern;
import io.gcdiag.loadtests.Comparison;
import io.gcdiag.loadtests.Comparison.Run;
import io.gcdiag.loadtests.Correlations;
import io.gcdiag.loadtests.Correlator.CorrelationRequest;
import io.gcdiag.loadtests.Percentile;
import io.gcdiag.queueing.ErlangC;
import io.gcdiag.read.bytes.JfrReader;
import io.gcdiag.read.jfr.RecordingSettings;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Rate;
import io.gcdiag.units.Ratio;
import io.gcdiag.units.ResourceText;
import io.gcdiag.verdict.Diagnosis;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.IExecutionStrategy;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.TypeConversionException;

/** The tool itself: without a command it prints an overview. */
final class GcdiagCommand implements Runnable {

  private static final String COMPLETION = "completion";

  /** The only section of a help page: all of it. */
  private static final String HELP = "page";

  /** The commands that describe the others. */
  private static final List<String> NEED_ALL = List.of(COMPLETION, HelpCommand.NAME);

  private final CommandModel command = new CommandModel(this, "gcdiag");

  private final BooleanSupplier debug;

  private final StandardInput input;
  private List<Setting> settings = List.of();

  GcdiagCommand(StandardInput input) {
    this.input = input;
    command.helpFlag("-h", "--help");
    command.versionFlag("-V", "--version");
    debug = command.inheritedFlag("--debug");
    command.spec().versionProvider(() -> Version.lines().toArray(String[]::new));
  }

  /**
   * The command line that can read the arguments. Where they begin with the name of a command it
   * has that one only: picocli takes longer to look into all of them than some take to run.
   */
  static CommandLine commandLine(
      List<String> arguments,
      Function<AnalysisRequest, Diagnosis> analysis,
      Terminal terminal,
      StandardInput input,
      Settings.Folders folders,
      PrintWriter out,
      PrintWriter err) {
    Map<String, Supplier<CommandSpec>> commands = commands(analysis, terminal);
    String first = arguments.isEmpty() ? "" : arguments.get(0);
    boolean alone = commands.containsKey(first) && !NEED_ALL.contains(first);
    CommandLine root = new CommandLine(new GcdiagCommand(input).command.spec());
    commands.forEach(
        (name, made) -> {
          if (!alone || name.equals(first)) {
            root.addSubcommand(made.get());
          }
        });
    Messages messages = new Messages();
    Converters.register(root);
    return root.setOut(out)
        .setErr(err)
        .setExecutionStrategy(new SettingsStrategy(folders))
        .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
        .setHelpSectionKeys(List.of(HELP))
        .setHelpSectionMap(Map.of(HELP, help -> help(help.commandSpec(), terminal)))
        .setParameterExceptionHandler(messages)
        .setExecutionExceptionHandler(messages);
  }

  /**
   * What is to be run. Of a command that there is not, only its name: with {@code --help} behind it
   * picocli would print the help of gcdiag and call that a success.
   */
  static String[] toRun(CommandLine root, String... arguments) {
    return Arrays.stream(arguments)
        .filter(word -> !word.startsWith("-"))
        .findFirst()
        .filter(word -> !root.getSubcommands().containsKey(word))
        .map(unknown -> new String[] {unknown})
        .orElse(arguments);
  }

  private static String help(CommandSpec command, Terminal terminal) {
    return HelpText.render(CommandPages.of(command), terminal.columns(HelpText.USUAL));
  }

  /** The commands by name, in the order of the help. */
  static Map<String, Supplier<CommandSpec>> commands(
      Function<AnalysisRequest, Diagnosis> analysis, Terminal terminal) {
    Map<String, Supplier<CommandSpec>> commands = new LinkedHashMap<>();
    commands.put("analyze", () -> new AnalyzeCommand(analysis, terminal).spec());
    commands.put("facts", () -> new FactsCommand(terminal).spec());
    commands.put("compare", () -> new CompareCommand(terminal).spec());
    commands.put("fleet", () -> new FleetCommand(terminal).spec());
    commands.put("slo", () -> new SloCommand(terminal).spec());
    commands.put("correlate", () -> new CorrelateCommand(terminal).spec());
    commands.put("littles-law", () -> new LittlesLawCommand(terminal).spec());
    commands.put("explain", () -> new ExplainCommand(terminal).spec());
    commands.put("rules", () -> new RulesCommand(terminal).spec());
    commands.put("collect", () -> new CollectCommand(terminal).spec());
    commands.put("recording-settings", () -> new RecordingSettingsCommand(terminal).spec());
    commands.put("mcp", () -> new McpCommand(analysis, terminal).spec());
    commands.put(COMPLETION, () -> new CompletionCommand(terminal).spec());
    commands.put(HelpCommand.NAME, () -> new HelpCommand(terminal).spec());
    return commands;
  }

  @Override
  public void run() {
    command.out().print(ResourceText.whole(GcdiagCommand.class, "start.txt"));
    command.out().flush();
  }

  static GcdiagCommand of(CommandLine command) {
    return (GcdiagCommand) command.getCommandSpec().root().userObject();
  }

  boolean debug() {
    return debug.getAsBoolean();
  }

  StandardInput standardInput() {
    return input;
  }

  void use(List<Setting> used) {
    settings = List.copyOf(used);
  }

  /** Where a value comes from: the line of a settings file, or the command line. */
  Source sourceOf(String key) {
    return settings.stream()
        .filter(setting -> setting.key().name().equals(key))
        .findFirst()
        .map(setting -> Source.line(setting.file(), setting.line()))
        .orElse(OperatorFacts.SOURCE);
  }

  /** Converters of option values; each error message shows the correct form. */
  static final class Converters {

    /** A smaller report would lose the answer itself. */
    private static final long SMALLEST_REPORT = 4_000;

    static void register(CommandLine command) {
      command.registerConverter(Duration.class, converter(Durations::parse));
      command.registerConverter(ZoneId.class, converter(Converters::zone));
      command.registerConverter(Bytes.class, converter(Converters::reportSize));
      command.registerConverter(Rate.class, converter(Rate::parse));
      command.registerConverter(JfrReader.class, converter(JfrReader::named));
      command.registerConverter(MetricMeaning.class, converter(MetricMeaning::named));
      command.registerConverter(WindowRequest.class, converter(WindowRequest::parse));
      command.registerConverter(TargetWait.class, converter(TargetWait::parse));
      command.registerConverter(ReportFormat.class, converter(ReportFormat::named));
      command.registerConverter(Percentile.class, converter(Percentile::parse));
      command.registerConverter(Ratio.class, converter(Converters::share));
      command.registerConverter(Integer.class, converter(Converters::poolSize));
      command.registerConverter(Instant.class, converter(Converters::instant));
      command.registerConverter(Parallelism.class, converter(Parallelism::parse));
      command.registerConverter(WorkerHeap.class, converter(WorkerHeap::parse));
      command.registerConverter(PathPattern.class, converter(PathPattern::parse));
      registerWords(command, Terminal.Colour.class);
      registerWords(command, AnalyzeCommand.FailOn.class);
      registerWords(command, SloCommand.FailOn.class);
      registerWords(command, CaseTask.Reports.class);
      registerWords(command, GroupBy.class);
      registerWords(command, Shell.class);
      registerWords(command, Hypothesis.class);
    }

    private static <E extends Enum<E>> void registerWords(CommandLine command, Class<E> type) {
      command.registerConverter(type, converter(text -> constant(type, text)));
    }

    private static <T> ITypeConverter<T> converter(Function<String, T> parse) {
      return text -> {
        try {
          return parse.apply(text);
        } catch (IllegalArgumentException e) {
          throw new TypeConversionException(e.getMessage());
        }
      };
    }

    private static Integer poolSize(String text) {
      String digits = text.trim();
      int size = digits.matches("\\d{1,9}") ? Integer.parseInt(digits) : 0;
      if (size < 1 || size > ErlangC.MOST_SERVERS) {
        throw new IllegalArgumentException(
            "'%s' is not a number of connections; write a whole number from 1 to %s"
                .formatted(text, ErlangC.MOST_SERVERS));
      }
      return size;
    }

    private static ZoneId zone(String text) {
      try {
        ZoneId zone = ZoneId.of(text);
        return zone.normalized().equals(ZoneOffset.UTC) ? ZoneOffset.UTC : zone;
      } catch (DateTimeException e) {
        throw new IllegalArgumentException(
            "'" + text + "' is not a time zone; write it like Europe/Berlin, +02:00 or UTC", e);
      }
    }

    /** A date is midnight in UTC; so is a time without a zone in UTC. */
    private static Instant instant(String text) {
      String time = text.trim();
      String whole = time.matches("\\d{4}-\\d\\d-\\d\\d") ? time + "T00:00" : time;
      boolean zoned = whole.matches(".*T.*(Z|[+-]\\d\\d:?\\d\\d)");
      try {
        return OffsetDateTime.parse(zoned ? whole : whole + "Z").toInstant();
      } catch (DateTimeException e) {
        throw new IllegalArgumentException(
            "'" + text + "' is not a time; write it like 2026-03-01 or 2026-03-01T12:00Z", e);
      }
    }

    private static Bytes reportSize(String text) {
      Bytes size = Bytes.parse(text);
      if (size.value() < SMALLEST_REPORT) {
        throw new IllegalArgumentException(
            "'" + text + "' is too small for a report; write 4000 or more");
      }
      return size;
    }

    private static Ratio share(String text) {
      String number = text.trim();
      boolean percent = number.endsWith("%");
      String digits = percent ? number.substring(0, number.length() - 1).trim() : number;
      if (!digits.matches("\\d{1,3}(\\.\\d{1,9})?")) {
        throw new IllegalArgumentException(
            "'" + text + "' is not a share; write it like 99% or 0.99");
      }
      double value = Double.parseDouble(digits);
      return percent ? Ratio.ofPercent(value) : new Ratio(value);
    }

    private static <E extends Enum<E>> E constant(Class<E> type, String text) {
      List<String> words = Arrays.stream(type.getEnumConstants()).map(Converters::word).toList();
      int place = words.indexOf(text.toLowerCase(Locale.ROOT));
      if (place < 0) {
        throw new IllegalArgumentException("'" + text + "' is none of " + String.join(", ", words));
      }
      return type.getEnumConstants()[place];
    }

    /** How a constant is written on the command line. */
    static String word(Enum<?> constant) {
      return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /**
   * Runs a command with the values of settings files, as if they preceded the command line. The
   * files depend on the inputs, so the command line is first parsed without them; it is parsed
   * again only if there are settings.
   */
  private record SettingsStrategy(Settings.Folders folders) implements IExecutionStrategy {

    private static final List<String> INPUTS =
        List.of("--jfr", "--gc-log", "--thread-dump", "--load", "--metrics", "--from");

    private static final String OUTPUT = "--output";

    @Override
    public int execute(ParseResult given) {
      if (!given.hasSubcommand() || asksForHelp(given.subcommand())) {
        return new RunLast().execute(given);
      }
      CommandLine root = given.commandSpec().commandLine();
      try {
        Settings settings = Settings.read(inputs(given.subcommand()), folders);
        List<Setting> used = used(given.subcommand(), settings);
        return used.isEmpty() ? new RunLast().execute(given) : execute(root, given, used);
      } catch (SettingsException e) {
        throw failure(root, CommandFailure.usage(e.getMessage(), e));
      }
    }

    private static boolean asksForHelp(ParseResult command) {
      return command.isUsageHelpRequested() || command.isVersionHelpRequested();
    }

    private static ExecutionException failure(CommandLine root, CommandFailure failure) {
      return new ExecutionException(root, failure.getMessage(), failure);
    }

    private static int execute(CommandLine root, ParseResult given, List<Setting> used) {
      List<String> arguments = new ArrayList<>(given.originalArgs());
      int command = arguments.indexOf(given.subcommand().commandSpec().name());
      CommandSpec spec = given.subcommand().commandSpec();
      arguments.addAll(
          command + 1, used.stream().flatMap(setting -> arguments(setting, spec)).toList());
      ParseResult whole;
      try {
        whole = root.parseArgs(arguments.toArray(String[]::new));
      } catch (ParameterException e) {
        throw failure(root, CommandFailure.usage(wrongValue(e, used), e));
      }
      GcdiagCommand.of(root).use(used);
      return new RunLast().execute(whole);
    }

    private static Collection<Path> inputs(ParseResult command) {
      Stream<Path> positional =
          command.matchedPositionals().stream().flatMap(one -> paths(one.getValue()));
      Stream<Path> named =
          INPUTS.stream()
              .filter(command::hasMatchedOption)
              .flatMap(option -> paths(command.matchedOption(option).getValue()));
      return Stream.concat(positional, named).distinct().toList();
    }

    private static Stream<Path> paths(Object value) {
      Collection<?> all = value instanceof Collection<?> several ? several : List.of(value);
      return all.stream().filter(Path.class::isInstance).map(Path.class::cast);
    }

    /** The settings that the command knows and its command line does not override. */
    private static List<Setting> used(ParseResult command, Settings settings) {
      List<Setting> used = new ArrayList<>();
      CommandSpec spec = command.commandSpec();
      boolean verbose = command.hasMatchedOption("--verbose");
      for (Setting setting : settings.all()) {
        Optional<OptionSpec> option = option(setting, spec);
        if (option.isEmpty()) {
          continue;
        }
        Optional<String> instead = instead(setting, command);
        if (instead.isEmpty()) {
          used.add(setting);
        }
        // Warns whenever a setting shows secrets.
        boolean shows = setting.key().name().equals(SettingKey.NO_REDACT) && instead.isEmpty();
        if ((verbose || shows) && !command.hasMatchedOption("--quiet")) {
          Messages.say(
              spec.commandLine().getErr(),
              "setting "
                  + setting.text()
                  + " ("
                  + setting.where()
                  + ")"
                  + instead.map(given -> ": not used, " + given + " is given").orElse(""));
        }
      }
      return used;
    }

    /** One of that name that takes something else is no setting, as {@code collect --for}. */
    private static Optional<OptionSpec> option(Setting setting, CommandSpec spec) {
      boolean list = setting.key().kind() == SettingKey.Kind.LIST;
      return setting.key().options().stream()
          .flatMap(name -> Optional.ofNullable(spec.findOption(name)).stream())
          .filter(option -> option.isMultiValue() == list)
          .findFirst();
    }

    /** Options of the command line that override the setting. */
    private static Optional<String> instead(Setting setting, ParseResult command) {
      Stream<String> options =
          switch (setting.key().name()) {
            case SettingKey.NO_REDACT, SettingKey.REDACT_HOSTS ->
                Stream.of("--no-redact", "--redact-hosts");
            default -> setting.key().options().stream();
          };
      return options
          .filter(command::hasMatchedOption)
          .findFirst()
          .or(() -> endingInstead(setting, command));
    }

    private static Optional<String> endingInstead(Setting setting, ParseResult command) {
      boolean format = setting.key().name().equals(SettingKey.FORMAT);
      return format && command.hasMatchedOption(OUTPUT)
          ? ReportFormat.ofFileName(command.matchedOption(OUTPUT).getValue().toString())
              .map(any -> OUTPUT + " with such an ending")
          : Optional.empty();
    }

    private static Stream<String> arguments(Setting setting, CommandSpec spec) {
      String option = option(setting, spec).orElseThrow().longestName();
      return switch (setting.key().kind()) {
        case SWITCH -> setting.isOn() ? Stream.of(option) : Stream.empty();
        case TEXT, LIST, FILE -> setting.values().stream().map(value -> option + "=" + value);
      };
    }

    /** The message on a value, with the settings file in place of the option. */
    private static String wrongValue(ParameterException e, List<Setting> used) {
      Optional<Setting> wrong =
          e.getArgSpec() instanceof OptionSpec option
              ? used.stream()
                  .filter(
                      setting ->
                          setting.key().options().stream()
                              .anyMatch(Arrays.asList(option.names())::contains))
                  .findFirst()
              : Optional.empty();
      return wrong
          .map(setting -> setting.where() + ": " + setting.key().name() + ": " + reason(e))
          .orElse(e.getMessage());
    }

    /** The message of the converter, without the prefix of the parser. */
    private static String reason(ParameterException e) {
      return e.getCause() instanceof TypeConversionException cause
          ? cause.getMessage()
          : e.getMessage();
    }
  }

  /** Prints which rule judges which root cause. */
  private static final class RulesCommand extends Command {

    private final OutputOptions output = new OutputOptions(command);

    RulesCommand(Terminal terminal) {
      super("rules", terminal);
    }

    @Override
    public Integer call() {
      output.check(List.of());
      output.print(new RuleBookDocument(), command.out(), terminal);
      return ExitCode.DONE.code();
    }
  }

  private static final class RecordingSettingsCommand extends Command {

    private final BooleanSupplier requests = command.flag("--requests");

    RecordingSettingsCommand(Terminal terminal) {
      super("recording-settings", terminal);
    }

    @Override
    public Integer call() {
      return print(RecordingSettings.text(requests.getAsBoolean()));
    }
  }

  /** Prints a script that completes the command line in a shell. */
  private static final class CompletionCommand extends Command {

    private final Supplier<Optional<Shell>> shell = command.optionalArgument("SHELL", Shell.class);

    CompletionCommand(Terminal terminal) {
      super("completion", terminal);
    }

    @Override
    public Integer call() {
      return print(chosen().script(CommandPages.all(command.spec().root().commandLine())));
    }

    private Shell chosen() {
      return shell
          .get()
          .or(() -> Optional.ofNullable(System.getenv("SHELL")).flatMap(Shell::ofPath))
          .orElse(Shell.BASH);
    }
  }

  /** Prints what the files show, without a verdict, for programs that judge for themselves. */
  private static final class FactsCommand extends Command {

    private final InputOptions inputs = new InputOptions(command);

    private final Supplier<Optional<WindowRequest>> incident =
        command.value("--incident", "FROM..TO", WindowRequest.class);

    private final Supplier<Optional<WindowRequest>> baseline =
        command.value("--baseline", "FROM..TO", WindowRequest.class);

    private final ReadingOptions reading = new ReadingOptions(command);

    FactsCommand(Terminal terminal) {
      super("facts", terminal);
    }

    @Override
    public Integer call() {
      AnalysisRequest request = inputs.request().within(incident.get(), baseline.get());
      Facts facts =
          CommandFailure.unlessRefused(
              WindowRequest.RefusedException.class,
              () -> Analysis.facts(reading.of(request, terminal)));
      reading.tell(facts.diagnosis().inputs());
      return print(
          JsonRenderer.render(new DiagnosisDocument(facts.diagnosis()).facts(facts.onsets())));
    }
  }

  /** Puts two runs side by side. */
  static final class CompareCommand extends Command {

    private final Supplier<Path> before = command.argument(0, "BEFORE", Path.class);

    private final Supplier<Path> after = command.argument(1, "AFTER", Path.class);

    private final Supplier<ZoneId> zone = command.timeZone();

    private final MeaningOptions meanings = new MeaningOptions(command);

    private final ReadingOptions reading = new ReadingOptions(command);

    private final OutputOptions output = new OutputOptions(command);

    CompareCommand(Terminal terminal) {
      super("compare", terminal);
    }

    @Override
    public Integer call() {
      output.check(List.of(before.get(), after.get()));
      Comparison comparison = Analysis.compare(request(before.get()), request(after.get()));
      for (Run run : List.of(comparison.before(), comparison.after())) {
        reading.tell(run.inputs());
      }
      comparison.otherService().ifPresent(reading::warn);
      output.print(new ComparisonDocument(comparison, zone.get()), command.out(), terminal);
      return ExitCode.DONE.code();
    }

    private AnalysisRequest request(Path run) {
      return reading.of(AnalysisRequest.of(run).with(meanings.reading()), terminal);
    }
  }

  /** Correlates every series of the inputs with the tail latency. */
  static final class CorrelateCommand extends Command {

    private final InputOptions inputs = new InputOptions(command);

    private final Supplier<Percentile> percentile =
        command.value("--percentile", "PERCENTILE", Percentile.class, new Percentile(95));

    private final Supplier<Optional<Duration>> every =
        command.value("--every", "DURATION", Duration.class);

    private final Supplier<ZoneId> zone = command.timeZone();

    private final ReadingOptions reading = new ReadingOptions(command);

    private final OutputOptions output = new OutputOptions(command);

    CorrelateCommand(Terminal terminal) {
      super("correlate", terminal);
    }

    @Override
    public Integer call() {
      CorrelationRequest what = what();
      AnalysisRequest request = inputs.request();
      output.check(request, List.of());
      Correlations correlations = Analysis.correlate(reading.of(request, terminal), what);
      reading.tell(correlations.inputs());
      output.print(new CorrelationDocument(correlations, zone.get()), command.out(), terminal);
      return ExitCode.DONE.code();
    }

    private CorrelationRequest what() {
      try {
        return new CorrelationRequest(percentile.get(), every.get());
      } catch (IllegalArgumentException e) {
        throw CommandFailure.usage("--every: " + e.getMessage(), e);
      }
    }
  }
}
