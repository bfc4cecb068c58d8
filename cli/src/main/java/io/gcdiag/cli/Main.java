package io.gcdiag.cli;

import io.gcdiag.Analysis;
import io.gcdiag.AnalysisRequest;
import io.gcdiag.cli.settings.Settings.Folders;
import io.gcdiag.verdict.Diagnosis;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import picocli.CommandLine;

/** Where the process begins and ends; the only class that knows its streams and its exit. */
public final class Main {

  static {
    // picocli prepares for options that no command here has: it looks for Groovy in the jar, and
    // for
    // each kind of date and time.
    System.setProperty("picocli.disable.closures", "true");
    System.setProperty("picocli.converters.excludes", "java\\.(sql|time)\\..*");
  }

  private Main() {}

  /** Runs the command that the arguments name and ends with its exit code. */
  public static void main(String[] args) {
    OutputPipe pipe = new OutputPipe(new FileOutputStream(FileDescriptor.out));
    PrintWriter out = utf8(pipe);
    PrintWriter err = utf8(new FileOutputStream(FileDescriptor.err));
    int code;
    try (StandardInput input = standardInput()) {
      Folders folders = Folders.of(System.getenv(), System.getProperty("user.home"));
      code = run(args, Analysis::run, terminal(System.getenv()), input, folders, out, err);
    }
    if (out.checkError() && !pipe.closedByReader() && code == ExitCode.DONE.code()) {
      err.println("gcdiag: standard output could not be written");
      code = ExitCode.INTERNAL_ERROR.code();
    }
    err.flush();
    // Nothing is left that would keep the process alive; JDK 21 and later look for a logger to
    // report an exit, which takes a tenth of a short command.
    if (code != ExitCode.DONE.code()) {
      System.exit(code);
    }
  }

  /** The same without a process, for tests and other hosts; returns the exit code. */
  public static int run(
      String[] args,
      Function<AnalysisRequest, Diagnosis> analysis,
      Terminal terminal,
      PrintWriter out,
      PrintWriter err) {
    return run(args, analysis, terminal, StandardInput.none(), Folders.none(), out, err);
  }

  /** The same with a standard input and folders that may hold settings. */
  public static int run(
      String[] args,
      Function<AnalysisRequest, Diagnosis> analysis,
      Terminal terminal,
      StandardInput input,
      Folders folders,
      PrintWriter out,
      PrintWriter err) {
    try {
      CommandLine root =
          GcdiagCommand.commandLine(List.of(args), analysis, terminal, input, folders, out, err);
      return root.execute(GcdiagCommand.toRun(root, args));
    } catch (OutOfMemoryError | StackOverflowError e) {
      return Messages.report(e, err, Arrays.asList(args).contains("--debug"));
    }
  }

  /** Reports hold characters beyond ASCII, whatever the system's own encoding is. */
  private static PrintWriter utf8(OutputStream stream) {
    return new PrintWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), false);
  }

  private static StandardInput standardInput() {
    return new StandardInput(new FileInputStream(FileDescriptor.in), new TypedInput());
  }

  /** No lambda: what is made in this class is in no archive of classes, and costs each start. */
  private static final class TypedInput implements BooleanSupplier {

    /** Linux says what a stream is connected to; elsewhere only the launcher does. */
    @Override
    public boolean getAsBoolean() {
      try {
        String device = Files.readSymbolicLink(Path.of("/proc/self/fd/0")).toString();
        return device.startsWith("/dev/pts/") || device.startsWith("/dev/tty");
      } catch (IOException e) {
        return Boolean.getBoolean("gcdiag.in.terminal");
      }
    }
  }

  /**
   * Java cannot tell reliably whether one of its streams is a terminal, so the launcher says so in
   * system properties.
   */
  private static Terminal terminal(Map<String, String> environment) {
    boolean dumb = environment.getOrDefault("TERM", "").equals("dumb");
    boolean forbidden = !environment.getOrDefault("NO_COLOR", "").isEmpty() || dumb;
    int columns = Integer.getInteger("gcdiag.out.columns", 0);
    // Where the launcher cannot ask, as on Windows, a JVM with a console has both input and output
    // there.
    boolean console = Boolean.getBoolean("gcdiag.out.ask") && System.console() != null;
    boolean asked = !Boolean.getBoolean("gcdiag.out.ask") || console;
    return new Terminal(
        Boolean.getBoolean("gcdiag.out.terminal") || console,
        Boolean.getBoolean("gcdiag.err.terminal") && !dumb,
        !forbidden,
        asked ? columns : 0,
        asked ? Integer.getInteger("gcdiag.out.rows", 0) : 0,
        !Boolean.getBoolean("gcdiag.out.ascii"),
        dumb ? "" : Terminal.pager(environment));
  }

  /**
   * Standard output that remembers whether its reader went away. {@code gcdiag ... | head} is done
   * when {@code head} is; that is no error.
   */
  static final class OutputPipe extends FilterOutputStream {

    /** What Unix systems call a pipe without a reader; Java has no type of its own for it. */
    private static final String BROKEN_PIPE = "Broken pipe";

    private boolean closed;

    OutputPipe(OutputStream out) {
      super(out);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      try {
        out.write(bytes, from, length);
      } catch (IOException e) {
        closed |= BROKEN_PIPE.equals(e.getMessage());
        throw e;
      }
    }

    boolean closedByReader() {
      return closed;
    }
  }
}
