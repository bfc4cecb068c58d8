package io.gcdiag.cli.command;

import io.gcdiag.AnalysisRequest;
import io.gcdiag.cli.Version;
import io.gcdiag.diagnosis.Diagnosis;
import java.io.PrintWriter;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The tool itself: without a command it says what can be done with it. */
@Command(
    name = "gcdiag",
    description = "Says why a JVM service was slow, from the files an incident leaves behind.",
    versionProvider = GcdiagCommand.VersionLine.class,
    synopsisSubcommandLabel = "COMMAND")
public final class GcdiagCommand implements Runnable {

  private static final String EXAMPLES =
      """
      gcdiag says why a JVM service was slow, from the files an incident leaves behind.

      Record a minute of the trouble, without a restart:
        jcmd PID JFR.start name=incident settings=profile duration=60s filename=incident.jfr

      Then ask:
        gcdiag analyze incident.jfr                       what is the cause, and why
        gcdiag analyze incident.jfr gc.log threads.txt    with all there is; folders, too
        gcdiag analyze incident.jfr --rps 800 --pool-size 10 --hold 4.32ms
                                                          with what only you know
        gcdiag analyze incident.jfr --incident 60s..120s --format markdown
                                                          a span of time, for a ticket
        gcdiag littles-law --rps 1000 --hold 4.32ms --pool 10
                                                          is the pool large enough
        gcdiag explain memory-pressure                    what a word of the report means

      'gcdiag COMMAND --help' lists the options of a command.
      """;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "show this help")
  private boolean help;

  @Option(names = "--version", versionHelp = true, description = "show the version")
  private boolean version;

  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      description = "show where an error happened")
  private boolean debug;

  @Spec private CommandSpec spec;

  /** The command line with everything it is made of. */
  public static CommandLine commandLine(
      Function<AnalysisRequest, Diagnosis> analysis,
      Terminal terminal,
      PrintWriter out,
      PrintWriter err) {
    CommandLine command =
        new CommandLine(new GcdiagCommand())
            .addSubcommand(new AnalyzeCommand(analysis, terminal))
            .addSubcommand(new CompareCommand(terminal))
            .addSubcommand(new SloCommand(terminal))
            .addSubcommand(new CorrelateCommand(terminal))
            .addSubcommand(new LittlesLawCommand(terminal))
            .addSubcommand(new ExplainCommand(terminal))
            .addSubcommand(new RulesCommand(terminal))
            .addSubcommand(new RecordingSettingsCommand())
            .addSubcommand(new CompletionCommand());
    Messages messages = new Messages();
    Converters.register(command);
    return command
        .setOut(out)
        .setErr(err)
        .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
        .setUsageHelpAutoWidth(false)
        .setUsageHelpWidth(100)
        .setParameterExceptionHandler(messages)
        .setExecutionExceptionHandler(messages);
  }

  @Override
  public void run() {
    spec.commandLine().getOut().print(EXAMPLES);
    spec.commandLine().getOut().flush();
  }

  static GcdiagCommand of(CommandLine command) {
    return (GcdiagCommand) command.getCommandSpec().root().userObject();
  }

  boolean debug() {
    return debug;
  }

  /** Reads the version when it is asked for. */
  static final class VersionLine implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"gcdiag " + Version.number()};
    }
  }
}
