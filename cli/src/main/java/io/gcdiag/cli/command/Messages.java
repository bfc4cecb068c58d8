package io.gcdiag.cli.command;

import io.gcdiag.cli.report.SafeText;
import java.io.PrintWriter;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** The one place that turns what went wrong into a line for the user and an exit code. */
public final class Messages implements IParameterExceptionHandler, IExecutionExceptionHandler {

  private static final String PREFIX = "gcdiag: ";

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

  /** Says what went wrong and with which code to end. */
  public static int report(Throwable problem, PrintWriter err, boolean debug) {
    ExitCode code = ExitCode.INTERNAL_ERROR;
    if (problem instanceof CommandFailure failure) {
      failure.lines().forEach(line -> say(err, line));
      code = failure.exitCode();
    } else if (problem instanceof OutOfMemoryError) {
      say(err, "not enough memory; run again with a larger heap: GCDIAG_JAVA_OPTS=-Xmx2g");
    } else if (debug) {
      say(err, "internal error: " + problem);
    } else {
      say(err, "internal error: " + problem + "; run again with --debug to see where");
    }
    if (debug) {
      problem.printStackTrace(err);
    }
    err.flush();
    return code.code();
  }

  /** One line on standard error. */
  static void say(PrintWriter err, String line) {
    err.println(PREFIX + SafeText.clean(line));
    err.flush();
  }

  private static String usageMessage(ParameterException exception, CommandLine command) {
    String help = "; see '" + command.getCommandSpec().qualifiedName() + " --help'";
    if (exception instanceof UnmatchedArgumentException unmatched) {
      String what = unmatched.isUnknownOption() ? "unknown option" : "nothing known as";
      return what + " '" + unmatched.getUnmatched().get(0) + "'" + help;
    }
    String message = exception.getMessage();
    // Those end in what our converters say, which already tells how to write it right.
    boolean explained = message.startsWith("Invalid value");
    return lowerCaseStart(message) + (explained ? "" : help);
  }

  private static String lowerCaseStart(String message) {
    return message.substring(0, 1).toLowerCase(Locale.ROOT) + message.substring(1);
  }
}
