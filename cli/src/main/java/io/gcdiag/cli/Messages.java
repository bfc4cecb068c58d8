package io.gcdiag.cli;

import io.gcdiag.cli.manual.NearestNames;
import io.gcdiag.cli.report.SafeText;
import io.gcdiag.read.bytes.ReaderDefectException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns every failure into a line for the user and an exit code. */
final class Messages implements IParameterExceptionHandler, IExecutionExceptionHandler {

  /** What the JVM makes of bytes that are no character of the locale. */
  private static final char UNMAPPED = '\uFFFD';

  private static final String UNMAPPED_ADVICE =
      "has characters that the locale does not hold; set LC_ALL=C.UTF-8, or name the folder of the"
          + " file";

  @Override
  public int handleParseException(ParameterException exception, String[] args) {
    CommandLine command = exception.getCommandLine();
    say(command.getErr(), usageMessage(exception, command));
    return ExitCode.WRONG_USAGE.code();
  }

  @Override
  public int handleExecutionException(
      Exception exception, CommandLine command, ParseResult parseResult) {
    boolean debug = GcdiagCommand.of(command).debug();
    return report(exception, command.getErr(), debug);
  }

  /** Prints the failure and returns the exit code. */
  static int report(Throwable problem, PrintWriter err, boolean debug) {
    ExitCode code = ExitCode.INTERNAL_ERROR;
    if (problem instanceof CommandFailure failure) {
      failure.lines().forEach(line -> say(err, line));
      code = failure.exitCode();
    } else if (problem instanceof OutOfMemoryError) {
      say(err, "not enough memory; run again with a larger heap: GCDIAG_JAVA_OPTS=-Xmx2g");
    } else {
      say(err, defect(problem) + (debug ? "" : "; run again with --debug to see where"));
    }
    if (debug) {
      problem.printStackTrace(err);
    }
    err.flush();
    return code.code();
  }

  /** Names the file, and how to continue without it. */
  private static String defect(Throwable problem) {
    if (problem instanceof ReaderDefectException reading) {
      return ("a defect of gcdiag, found while it read %s: %s; the file may be sound: leave"
              + " it out to analyze the others, and please report this with the file, if you"
              + " may")
          .formatted(reading.file(), reading.getCause());
    }
    return "a defect of gcdiag, an internal error: " + problem + "; please report it";
  }

  static void say(PrintWriter err, String line) {
    err.println("gcdiag: " + SafeText.clean(line));
    err.flush();
  }

  private static String usageMessage(ParameterException exception, CommandLine command) {
    if (exception instanceof UnmatchedArgumentException unmatched) {
      return unknown(unmatched, command);
    }
    String message = exception.getMessage();
    if (message.contains(InvalidPathException.class.getSimpleName())) {
      return "a path " + UNMAPPED_ADVICE;
    }
    // The message of the converter, which already shows the correct form.
    boolean explained = message.startsWith("Invalid value");
    return lowerCaseStart(message) + (explained ? "" : "; see '" + help(command) + "'");
  }

  private static String unknown(UnmatchedArgumentException unmatched, CommandLine command) {
    String written = unmatched.getUnmatched().get(0);
    CommandSpec spec = command.getCommandSpec();
    if (unmatched.isUnknownOption()) {
      int value = written.indexOf('=');
      String name = value < 0 ? written : written.substring(0, value);
      if (isFile(written)) {
        return "unknown option '" + name + "'; for the file of that name write './" + written + "'";
      }
      return "unknown option '%s'; %s'%s' lists all options"
          .formatted(
              name,
              NearestNames.instead(name, List.copyOf(spec.optionsMap().keySet())),
              help(command));
    }
    if (written.indexOf(UNMAPPED) >= 0) {
      return "'" + written + "' " + UNMAPPED_ADVICE;
    }
    if (spec.parent() != null) {
      return "unexpected argument '" + written + "'; see '" + help(command) + "'";
    }
    if (isFile(written)) {
      return "unknown command '" + written + "'; it is a file: gcdiag analyze " + written;
    }
    return "unknown command '%s'; %s'%s' lists all commands"
        .formatted(
            written,
            NearestNames.instead(written, List.copyOf(command.getSubcommands().keySet())),
            help(command));
  }

  private static boolean isFile(String written) {
    try {
      return Files.exists(Path.of(written));
    } catch (InvalidPathException e) {
      return false;
    }
  }

  private static String help(CommandLine command) {
    return command.getCommandSpec().qualifiedName() + " --help";
  }

  private static String lowerCaseStart(String message) {
    return message.substring(0, 1).toLowerCase(Locale.ROOT) + message.substring(1);
  }
}
