package io.gcdiag.cli;

import io.gcdiag.AnalysisRequest;
import io.gcdiag.cli.render.HelpText;
import io.gcdiag.cli.report.Version;
import io.gcdiag.cli.settings.Setting;
import io.gcdiag.cli.settings.Settings;
import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.units.ResourceText;
import io.gcdiag.verdict.Diagnosis;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

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
    commands.put("compare", () -> new CompareCommand(terminal).spec());
    commands.put("fleet", () -> new FleetCommand(terminal).spec());
    commands.put("slo", () -> new SloCommand(terminal).spec());
    commands.put("correlate", () -> new CorrelateCommand(terminal).spec());
    commands.put("littles-law", () -> new LittlesLawCommand(terminal).spec());
    commands.put("explain", () -> new ExplainCommand(terminal).spec());
    commands.put("rules", () -> new RulesCommand(terminal).spec());
    commands.put("collect", () -> new CollectCommand(terminal).spec());
    commands.put("recording-settings", () -> new RecordingSettingsCommand(terminal).spec());
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

  /** Remembers which settings are in use. */
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
}
