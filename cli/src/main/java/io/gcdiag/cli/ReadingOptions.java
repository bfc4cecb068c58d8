package io.gcdiag.cli;

import io.gcdiag.AnalysisRequest;
import io.gcdiag.cli.fleet.FleetRun;
import io.gcdiag.cli.render.Look;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.InputReport.Status;
import io.gcdiag.read.bytes.Progress;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Ratio;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Options of every command that reads files: privacy, warnings, progress. */
final class ReadingOptions extends OptionGroup {

  /** Silences the warnings. */
  static final String QUIET = "--quiet";

  private final BooleanSupplier noRedact = command.flag("--no-redact");

  private final BooleanSupplier redactHosts = command.flag("--redact-hosts");

  private final BooleanSupplier noProgress = command.flag("--no-progress");

  private final BooleanSupplier quiet = command.flag(QUIET);

  ReadingOptions(CommandModel command) {
    super(command);
  }

  AnalysisRequest of(AnalysisRequest request, Terminal terminal) {
    if (noRedact.getAsBoolean() && redactHosts.getAsBoolean()) {
      throw CommandFailure.usage("--redact-hosts hides more and --no-redact nothing; give one");
    }
    StandardInput input = command.tool().standardInput();
    AnalysisRequest hiding =
        request
            .reading(input.resolve(request.inputs()))
            .hiding(!noRedact.getAsBoolean(), redactHosts.getAsBoolean());
    return isTold(terminal)
        ? hiding.telling(
            new ProgressLine(command.err(), terminal.columns(Look.USUAL), System::nanoTime))
        : hiding;
  }

  /** Whether progress is shown: on a terminal, unless it is turned off. */
  private boolean isTold(Terminal terminal) {
    return terminal.errIsTerminal() && !noProgress.getAsBoolean() && !quiet.getAsBoolean();
  }

  /** Prints a note on standard error. */
  void warn(String line) {
    if (!quiet.getAsBoolean()) {
      Messages.say(command.err(), line);
    }
  }

  /**
   * Erases what stands on the terminal. An interrupt ends the JVM in the middle of a line, and the
   * prompt would stand behind it.
   */
  static void atInterrupt(Runnable erase) {
    Runtime.getRuntime().addShutdownHook(new Thread(erase));
  }

  /** Erases the line that an interrupt ended, with the terminal's own {@code ^C}. */
  static void erase(PrintWriter err, boolean over) {
    if (!over) {
      err.print(TerminalLine.ERASE);
      err.flush();
    }
  }

  /** How far the analysis of many cases is. */
  CaseProgress cases(Terminal terminal) {
    return new CaseProgress(command.err(), isTold(terminal), System::nanoTime);
  }

  /**
   * Warns of each input that could not be read in full.
   *
   * @throws CommandFailure if there is no other
   */
  void tell(List<InputReport> inputs) {
    List<String> lines =
        inputs.stream().filter(InputReport::isAffected).map(ReadingOptions::line).toList();
    if (inputs.stream().noneMatch(InputReport::isUsed)) {
      throw new CommandFailure(
          ExitCode.NO_INPUT, lines.isEmpty() ? List.of("no input was found") : lines, null);
    }
    lines.forEach(this::warn);
  }

  private static String line(InputReport input) {
    if (!input.note().isBlank()) {
      String what = input.status() == Status.LEFT_OUT ? ": left out, " : ": ";
      return input.file() + what + input.note();
    }
    return input.file()
        + (input.status() == Status.PARTIAL ? ": could only be read in part" : ": cannot be read");
  }

  /** A line on the terminal that changes some times a second and is erased at the end. */
  private abstract static class TerminalLine {

    /** More frequent updates are unreadable. */
    private static final long STEP_NANOS = 250_000_000L;

    /** Carriage return and erase in line (ECMA-48, EL). */
    private static final String ERASE = "\r\u001b[K";

    private final PrintWriter err;
    final LongSupplier clock;
    final long begun;
    private long shown;
    private boolean visible;
    private boolean kept;
    private boolean over;

    TerminalLine(PrintWriter err, LongSupplier clock) {
      this.err = err;
      this.clock = clock;
      this.begun = clock.getAsLong();
      this.shown = begun - STEP_NANOS;
    }

    /** Writes the text, unless the last one was written just before. */
    final void show(long now, Supplier<String> text) {
      if (over || now - shown < STEP_NANOS) {
        return;
      }
      shown = now;
      visible = true;
      if (!kept) {
        kept = true;
        atInterrupt(this::interrupted);
      }
      err.print(ERASE + text.get());
      err.flush();
    }

    /** Work goes on until the JVM has ended. */
    final synchronized void interrupted() {
      over = true;
      erase();
    }

    final synchronized void erase() {
      if (visible) {
        err.print(ERASE);
        err.flush();
        visible = false;
      }
    }
  }

  /** How many cases are done: {@code 120 of 4,000 cases, 41/min, 1 h 35 min left}. */
  static final class CaseProgress extends TerminalLine implements FleetRun.Progress, AutoCloseable {

    private static final double MINUTE_NANOS = 60e9;
    private static final int SECONDS_PER_MINUTE = 60;

    private final boolean wanted;

    /**
     * A line, not written yet.
     *
     * @param wanted whether it is to be written at all
     * @param clock a monotonic clock in nanoseconds
     */
    CaseProgress(PrintWriter err, boolean wanted, LongSupplier clock) {
      super(err, clock);
      this.wanted = wanted;
    }

    @Override
    public synchronized void done(int cases, int all) {
      long now = clock.getAsLong();
      if (wanted && now != begun) {
        show(now, () -> text(cases, all, cases * MINUTE_NANOS / (now - begun)));
      }
    }

    private static String text(int cases, int all, double perMinute) {
      return String.format(Locale.ROOT, "%,d of %,d cases, %.0f/min, ", cases, all, perMinute)
          + Durations.format(Math.ceil((all - cases) / perMinute * SECONDS_PER_MINUTE))
          + " left";
    }

    @Override
    public void close() {
      interrupted();
    }
  }

  /** The progress of reading: {@code gc.log 45 %, 96 MB/s, 6 s left}. It appears after a second. */
  static final class ProgressLine extends TerminalLine implements Progress {

    /** Shorter reads show no progress. */
    private static final long SILENT_NANOS = 1_000_000_000L;

    /** A rate over a shorter time is noise. */
    private static final double LEAST_SECONDS = 0.5;

    private static final double NANOS = 1e9;
    private static final double MEGABYTE = 1e6;
    private static final int SECONDS_PER_MINUTE = 60;

    /** Room for the figures behind the file's name. */
    private static final int FIGURES = 36;

    private static final int SHORTEST_NAME = 8;

    private final int columns;
    private String file = "";
    private long fileBegun;
    private long before;

    /**
     * A line that is not written yet.
     *
     * @param columns how many characters fit into a line of the terminal
     * @param clock a monotonic clock in nanoseconds
     */
    ProgressLine(PrintWriter err, int columns, LongSupplier clock) {
      super(err, clock);
      this.columns = columns;
    }

    @Override
    public synchronized void at(String name, long read, long size) {
      long now = clock.getAsLong();
      if (!name.equals(file) || read < before) {
        file = name;
        fileBegun = now;
      }
      before = read;
      if (now - begun >= SILENT_NANOS) {
        show(now, () -> text(read, size, (now - fileBegun) / NANOS));
      }
    }

    @Override
    public void ended() {
      erase();
    }

    private String text(long read, long size, double seconds) {
      StringBuilder text = new StringBuilder(fitting(file));
      if (size > 0) {
        text.append(
            String.format(
                Locale.ROOT,
                " %d %%",
                (int) new Ratio(Math.min(1, (double) read / size)).percent()));
      }
      if (seconds >= LEAST_SECONDS && read > 0) {
        double rate = read / seconds;
        text.append(String.format(Locale.ROOT, ", %.0f MB/s", rate / MEGABYTE));
        text.append(", ").append(time(Math.max(0, size - read) / rate)).append(" left");
      }
      return text.toString();
    }

    private static String time(double seconds) {
      long whole = Math.round(Math.ceil(seconds));
      return whole < SECONDS_PER_MINUTE
          ? whole + " s"
          : whole / SECONDS_PER_MINUTE + " min " + whole % SECONDS_PER_MINUTE + " s";
    }

    /** The end of a long name distinguishes it best. */
    private String fitting(String name) {
      int room = Math.max(SHORTEST_NAME, columns - FIGURES);
      return name.length() <= room ? name : "..." + name.substring(name.length() - room + 3);
    }
  }
}
