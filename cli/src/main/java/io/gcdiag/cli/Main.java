package io.gcdiag.cli;

import io.gcdiag.Analysis;
import io.gcdiag.AnalysisRequest;
import io.gcdiag.cli.settings.Settings.Folders;
import io.gcdiag.verdict.Diagnosis;
import java.io.File;
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
import java.util.concurrent.atomic.AtomicBoolean;
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

  /** Streams, by the numbers that Unix systems give them. */
  private static final int IN = 0;

  private static final int OUT = 1;
  private static final int ERR = 2;

  private static final String ROWS = "gcdiag.out.rows";
  private static final String COLUMNS = "gcdiag.out.columns";

  private Main() {}

  /** Runs the command that the arguments name and ends with its exit code. */
  public static void main(String[] args) {
    OutputPipe pipe = new OutputPipe(new FileOutputStream(FileDescriptor.out));
    PrintWriter out = utf8(pipe);
    PrintWriter err = utf8(new FileOutputStream(FileDescriptor.err));
    Terminal terminal = terminal(System.getenv());
    AtomicBoolean over = new AtomicBoolean(!terminal.errIsTerminal());
    ReadingOptions.atInterrupt(() -> ReadingOptions.erase(err, over.get()));
    int code;
    try (StandardInput input =
        new StandardInput(new FileInputStream(FileDescriptor.in), new TypedInput())) {
      Folders folders = Folders.of(System.getenv(), System.getProperty("user.home"));
      code = run(args, Analysis::run, terminal, input, folders, out, err);
    }
    over.set(true);
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

  /** No lambda: what is made in this class is in no archive of classes, and costs each start. */
  private static final class TypedInput implements BooleanSupplier {

    @Override
    public boolean getAsBoolean() {
      return isTerminal(IN, "gcdiag.in.terminal");
    }
  }

  /** What the launcher says; without it, as by {@code java -jar}, the system is asked. */
  private static Terminal terminal(Map<String, String> environment) {
    boolean dumb = environment.getOrDefault("TERM", "").equals("dumb");
    boolean forbidden = !environment.getOrDefault("NO_COLOR", "").isEmpty() || dumb;
    boolean out = isTerminal(OUT, "gcdiag.out.terminal");
    if (out && System.getProperty(ROWS) == null) {
      askSize();
    }
    return new Terminal(
        out,
        isTerminal(ERR, "gcdiag.err.terminal") && !dumb,
        !forbidden,
        Integer.getInteger(COLUMNS, 0),
        Integer.getInteger(ROWS, 0),
        !Boolean.getBoolean("gcdiag.out.ascii"),
        dumb ? "" : Terminal.pager(environment));
  }

  /** Linux says what a stream is connected to. Elsewhere a JVM has a console or none. */
  private static boolean isTerminal(int stream, String told) {
    String answer = System.getProperty(told);
    if (answer != null) {
      return Boolean.parseBoolean(answer);
    }
    try {
      String device = Files.readSymbolicLink(Path.of("/proc/self/fd/" + stream)).toString();
      return device.startsWith("/dev/pts/") || device.startsWith("/dev/tty");
    } catch (IOException e) {
      // The JDK's own kind of console: that of JLine is one for files as well.
      System.setProperty("jdk.console", "java.base");
      return stream != ERR && System.console() != null;
    }
  }

  /** Lines and columns, such as {@code 24 80}; without a command stty, as on Windows, not known. */
  private static void askSize() {
    try {
      Process stty = new ProcessBuilder("stty", "size").redirectInput(new File("/dev/tty")).start();
      String size = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      System.setProperty(ROWS, size.replaceFirst("(?s) .*", ""));
      System.setProperty(COLUMNS, size.replaceFirst(".* ", "").strip());
    } catch (IOException e) {
      // Nothing is left out then.
    }
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
