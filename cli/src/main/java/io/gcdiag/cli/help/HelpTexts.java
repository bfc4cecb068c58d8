package io.gcdiag.cli.help;

import io.gcdiag.cli.help.CommandPage.Term;
import java.util.ArrayList;
import java.util.List;

/** The texts of each command. They are no part of the commands: only a help page loads them. */
public final class HelpTexts {

  private static final Term DONE = new Term("0", "done");
  private static final Term READ =
      new Term("0", "done; each input that could not be read has a line on standard error");
  private static final Term INTERNAL =
      new Term("1", "internal error; --debug shows the stack trace");
  private static final Term USAGE = new Term("2", "wrong usage, or a file cannot be written");
  private static final Term NO_INPUT = new Term("3", "no input could be read");

  private static final List<Term> PLAIN_CODES = List.of(DONE, INTERNAL, USAGE);
  private static final List<Term> READING_CODES = List.of(READ, INTERNAL, USAGE, NO_INPUT);

  private static final List<Term> START =
      List.of(
          new Term("GCDIAG_JAVA_OPTS", "options for the JVM that runs gcdiag, such as -Xmx2g"),
          new Term("JAVA_HOME", "the JDK or JRE that runs gcdiag (default: java on the PATH)"),
          new Term(
              "JDK_JAVA_OPTIONS, JAVA_TOOL_OPTIONS, _JAVA_OPTIONS",
              "not read: they are meant for the services of the host"));

  private static final List<Term> TEXT =
      with(
          START,
          new Term("NO_COLOR", "no colours on a terminal if this is set to any text"),
          new Term("TERM", "dumb: neither colours nor a progress line"),
          new Term(
              "LC_ALL, LC_CTYPE, LANG",
              "on a terminal whose locale is not UTF-8, text is in ASCII as with --ascii"));

  private static final List<Term> NONE = List.of();

  private static final List<Term> SETTINGS =
      List.of(
          new Term(
              "gcdiag.properties",
              "settings that stay the same between incidents, such as pool-size = 10, in an input"
                  + " folder, the working directory or ~/.config/gcdiag; the nearest wins, the"
                  + " command line wins over all; see docs/reference/settings.md"));

  private HelpTexts() {}

  /** The texts of the command of that name; the empty name is gcdiag itself. */
  public static CommandTexts of(String command) {
    return switch (command) {
      case "" -> tool();
      case "analyze" -> analyze();
      case "compare" -> compare();
      case "fleet" -> fleet();
      case "slo" -> slo();
      case "correlate" -> correlate();
      case "littles-law" -> littlesLaw();
      case "explain" -> explain();
      case "rules" -> rules();
      case "recording-settings" -> recordingSettings();
      case "completion" -> completion();
      case "help" -> help();
      default -> throw new IllegalArgumentException("no texts for the command " + command);
    };
  }

  private static CommandTexts tool() {
    return new CommandTexts(
        List.of(
            "gcdiag runs offline: it reads the files it is given, opens no network connection and"
                + " attaches to no process. To record a minute of an incident, without a restart:",
            CommandTexts.CODE
                + "jcmd PID JFR.start name=incident settings=profile duration=60s"
                + " filename=incident.jfr",
            "'gcdiag help COMMAND' or 'gcdiag COMMAND --help' describes a command with its"
                + " options."),
        List.of(
            new Term("gcdiag analyze incident/", "diagnose the files in a folder"),
            new Term(
                "gcdiag analyze incident.jfr gc.log threads.txt", "diagnose files that you name"),
            new Term(
                "gcdiag littles-law --rps 1000 --hold 4.32ms --pool 10",
                "check whether a connection pool is large enough"),
            new Term("gcdiag explain memory-pressure", "explain a root cause or rule of a report")),
        with(
            READING_CODES,
            new Term("10", "--fail-on: the condition is met (analyze), a target is missed (slo)")),
        with(
            TEXT,
            new Term(
                "GCDIAG_DEBUG",
                "in a clone of the sources: if set, a build that fails prints its whole output")),
        NONE);
  }

  private static CommandTexts analyze() {
    return new CommandTexts(
        List.of(
            "The report names the primary suspect, its share of the lost time with the arithmetic,"
                + " what to change first, and which root causes are ruled out. The best input is a"
                + " JFR recording that covers the incident and some time before it; a GC log,"
                + " thread dumps, metrics and the result of a load test add evidence.",
            "The incident and baseline windows are detected by change-point analysis unless"
                + " --incident and --baseline give them. Rate, pool size and hold time given on the"
                + " command line replace what the files show."),
        List.of(
            new Term("gcdiag analyze incident/", "diagnose all files in a folder"),
            new Term("gcdiag analyze incident.jfr gc.log threads.txt", "diagnose these files"),
            new Term(
                "gcdiag analyze incident.jfr --rps 800 --pool-size 10 --hold 4.32ms",
                "add facts that the files do not hold"),
            new Term(
                "gcdiag analyze incident.jfr --incident 15s..30s --format md",
                "give the incident window; print Markdown for a ticket"),
            new Term(
                "gcdiag analyze incident/ --output report.html --redact-hosts",
                "write an HTML report without host names"),
            new Term(
                "gcdiag analyze incident/ --report report.json --report report.xml --fail-on"
                    + " primary",
                "gate a pipeline and keep reports for other tools")),
        with(READING_CODES, new Term("10", "--fail-on: the condition is met")),
        TEXT,
        SETTINGS);
  }

  private static CommandTexts compare() {
    return new CommandTexts(
        List.of(
            "If the first run has an incident window, it is compared with the same time of the"
                + " second run, counted from its start; otherwise the whole runs are compared."
                + " Record both under the same load. The report lists settings that differ and"
                + " says for each figure whether its change may be random."),
        List.of(
            new Term("gcdiag compare before/ after/", "compare two folders"),
            new Term(
                "gcdiag compare before/ after/ --output comparison.md",
                "write the comparison as Markdown")),
        READING_CODES,
        TEXT,
        SETTINGS);
  }

  private static CommandTexts fleet() {
    return new CommandTexts(
        List.of(
            "Each folder that holds files is a case, as for analyze. A folder of recordings of"
                + " several hours or several processes is a case for each hour and process, and"
                + " other files join the cases whose time they overlap.",
            "Cases are analysed in processes of their own. A case that takes too long or ends its"
                + " process is reported as failed; the others go on. A run that was interrupted"
                + " goes on where it ended, and a later run does only what is new or has changed."),
        List.of(
            new Term("gcdiag fleet recordings/ --out results/", "analyse all, and sum up"),
            new Term(
                "gcdiag fleet --out results/ --group-by host", "sum up again, by other groups"),
            new Term(
                "gcdiag fleet recordings/ --out results/ --pattern"
                    + " '(?<service>[^/]+)/(?<host>[^/]+)/.*'",
                "take service and host from the names of folders"),
            new Term(
                "gcdiag fleet recordings/ --out results/ --changed-at 2026-03-01T12:00Z",
                "see what changed with a release")),
        with(
            List.of(
                new Term(
                    "0",
                    "done; a case that failed has a line on standard error and in the summary"),
                INTERNAL,
                USAGE,
                new Term("3", "no case was found, or none could be analysed")),
            new Term("10", "--fail-on: the condition is met")),
        TEXT,
        SETTINGS);
  }

  private static CommandTexts slo() {
    return new CommandTexts(
        List.of(
            "Each target is judged over the whole test and in intervals of 10 s. Targets are upper"
                + " limits for percentiles and lower limits for --rate, --success and --for. Give at"
                + " least one; a target that is not given is not checked.",
            "The report also says what makes the test itself unreliable, such as requests sent only"
                + " after the last answer, or too few requests for a percentile."),
        List.of(
            new Term(
                "gcdiag slo results.csv --p95 200ms --rate 100 --success 99% --for 10m --fail-on"
                    + " slo",
                "gate a pipeline by the result of a load test"),
            new Term("gcdiag slo results.csv --p99 1s --output slo.md", "write a Markdown report")),
        with(READING_CODES, new Term("10", "--fail-on slo: a target is missed or not shown")),
        TEXT,
        SETTINGS);
  }

  private static CommandTexts correlate() {
    return new CommandTexts(
        List.of(
            "The test is cut into intervals. Every series of the inputs is correlated with the"
                + " latency percentile of the intervals; autocorrelation and the number of series"
                + " are taken into account. A correlation is a lead, not a proof."),
        List.of(
            new Term(
                "gcdiag correlate results.csv recording.jfr metrics.json",
                "correlate everything recorded with the 95th percentile"),
            new Term(
                "gcdiag correlate results.csv recording.jfr --percentile p99 --every 30s",
                "another percentile, in longer intervals")),
        READING_CODES,
        TEXT,
        SETTINGS);
  }

  private static CommandTexts littlesLaw() {
    return new CommandTexts(
        List.of(
            "Little's law gives the connections that the load keeps in use. Erlang's C formula"
                + " gives the waiting times in a pool of a given size, for exponentially"
                + " distributed hold times. --rps and --hold are required unless --from reads them"
                + " from files."),
        List.of(
            new Term(
                "gcdiag littles-law --rps 1000 --hold 4.32ms --pool 10",
                "check whether 10 connections are enough"),
            new Term(
                "gcdiag littles-law --rps 1000 --hold 4.32ms --pool 10 --pause 31ms",
                "compute the queue that a pause of 31 ms leaves behind"),
            new Term(
                "gcdiag littles-law --rps 1000 --hold 4.32ms --target-wait 5ms@99",
                "find the smallest pool whose 99th percentile of waiting is at most 5 ms"),
            new Term(
                "gcdiag littles-law --from incident/ --pool 10",
                "take rate and hold time from the files in a folder")),
        READING_CODES,
        TEXT,
        SETTINGS);
  }

  private static CommandTexts explain() {
    return new CommandTexts(
        List.of(
            "The page of a root cause says what it is, which evidence supports or contradicts it"
                + " and what to change first. The page of a rule says what it reads, its thresholds"
                + " and its limits."),
        List.of(
            new Term("gcdiag explain", "list the ids of all root causes and rules"),
            new Term("gcdiag explain memory-pressure", "print the page of a root cause"),
            new Term("gcdiag explain pool-wait", "print the page of a rule")),
        PLAIN_CODES,
        TEXT,
        NONE);
  }

  private static CommandTexts rules() {
    return new CommandTexts(
        List.of("A rule whose signals are missing from the inputs is skipped."),
        List.of(
            new Term("gcdiag rules", "print the table of rules"),
            new Term("gcdiag rules --format json", "print it for another program")),
        PLAIN_CODES,
        TEXT,
        NONE);
  }

  private static CommandTexts recordingSettings() {
    return new CommandTexts(
        List.of(
            "The settings of the JDK (default, profile) leave out short waits and some event"
                + " types. Save these once and record with them:",
            CommandTexts.CODE
                + "jcmd PID JFR.start name=incident settings=/path/to/gcdiag.jfc maxsize=500m"
                + " maxage=1h"),
        List.of(new Term("gcdiag recording-settings > gcdiag.jfc", "save the settings")),
        PLAIN_CODES,
        START,
        NONE);
  }

  private static CommandTexts completion() {
    return new CommandTexts(
        List.of(
            "For bash, add this line to ~/.bashrc:",
            CommandTexts.CODE + "source <(gcdiag completion bash)",
            "For zsh, add this line to ~/.zshrc, below compinit:",
            CommandTexts.CODE + "source <(gcdiag completion zsh)",
            "For fish, save the script as ~/.config/fish/completions/gcdiag.fish."),
        List.of(
            new Term("gcdiag completion bash > gcdiag.bash", "save the script for bash"),
            new Term("gcdiag completion zsh > _gcdiag", "save it for a folder of zsh's fpath"),
            new Term("gcdiag completion fish > gcdiag.fish", "save the script for fish")),
        PLAIN_CODES,
        with(START, new Term("SHELL", "the shell, if none is given on the command line")),
        NONE);
  }

  private static CommandTexts help() {
    return new CommandTexts(
        List.of("The pages are as wide as the terminal, or 80 columns where it is unknown."),
        List.of(
            new Term("gcdiag help", "list all commands"),
            new Term("gcdiag help analyze", "describe a command and its options")),
        PLAIN_CODES,
        START,
        NONE);
  }

  private static List<Term> with(List<Term> terms, Term... more) {
    List<Term> all = new ArrayList<>(terms);
    all.addAll(List.of(more));
    return List.copyOf(all);
  }
}
