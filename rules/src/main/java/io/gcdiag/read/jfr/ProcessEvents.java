package io.gcdiag.read.jfr;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.jvm.CpuSample.ProcessList;
import io.gcdiag.evidence.jvm.CpuSample.ProcessList.Program;
import io.gcdiag.read.jfr.reader.Event;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The other processes on the machine, by name. How they were started stays in the file. */
final class ProcessEvents extends EventGroup {

  private static final String PROCESS = "jdk.SystemProcess";
  private static final String JVM = "jdk.JVMInformation";

  /** Longer than any process number, which the event has as text. */
  private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");

  /** Several times what a large machine runs; the rest is left out. */
  private static final int MOST_LISTED = 50_000;

  private final SortedMap<Instant, List<ListedProcess>> lists = new TreeMap<>();
  private OptionalLong own = OptionalLong.empty();
  private int listed;

  ProcessEvents(LaneContext lane) {
    super(lane);
    on(PROCESS, this::process);
    on(JVM, this::jvm);
  }

  private void jvm(Event event) {
    if (event.number("pid").isPresent()) {
      own = event.number("pid");
    }
  }

  private void process(Event event) {
    String number = event.text("pid").orElse("");
    if (listed < MOST_LISTED && NUMBER.matcher(number).matches()) {
      listed++;
      lists
          .computeIfAbsent(event.start(), at -> new ArrayList<>())
          .add(ListedProcess.of(Long.parseLong(number), event.text("commandLine").orElse("")));
    }
  }

  @Override
  public void finish(TimelineBuilder timeline, RecordedSettings settings) {
    lists.forEach(
        (at, processes) ->
            timeline.sample(new ProcessList(at, others(processes), source(PROCESS))));
  }

  private List<Program> others(List<ListedProcess> processes) {
    Map<String, Integer> counts = new LinkedHashMap<>();
    ListedProcess.programs(processes).stream()
        .filter(process -> own.isEmpty() || own.getAsLong() != process.number())
        .sorted(Comparator.comparingLong(ListedProcess::number).reversed())
        .forEach(process -> counts.merge(redactor.redact(process.program()), 1, Integer::sum));
    return counts.entrySet().stream()
        .map(entry -> new Program(entry.getKey(), entry.getValue()))
        .toList();
  }

  /**
   * A process in the JVM's list, without its arguments.
   *
   * @param number its process id
   * @param program the program's file without folders and arguments
   * @param text kind of the listed text
   */
  record ListedProcess(long number, String program, Text text) {

    /** Kind of the listed text. Linux lists kernel threads as processes, by their names. */
    enum Text {
      /** It has a folder or arguments: a command line. */
      COMMAND_LINE,
      /** A word. */
      WORD,
      /** A word with a slash inside, as in {@code kworker/1:2} and {@code jbd2/vda1-8}. */
      WORD_WITH_SLASH
    }

    /** The parent of the kernel's threads; if it is listed, so are these. */
    private static final ListedProcess KERNEL = new ListedProcess(2, "kthreadd", Text.WORD);

    /** The program; a path with blanks is quoted, or is of Windows. */
    private static final Pattern PROGRAM =
        Pattern.compile(
            "\"(?<quoted>[^\"]+)\".*|(?<windows>[a-z]:\\\\.+?\\.exe)(?:\\s.*)?|(?<word>\\S+).*",
            Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    static ListedProcess of(long number, String commandLine) {
      Text text =
          commandLine.startsWith("/") || commandLine.contains(" ")
              ? Text.COMMAND_LINE
              : commandLine.contains("/") ? Text.WORD_WITH_SLASH : Text.WORD;
      return new ListedProcess(number, program(commandLine.strip()), text);
    }

    private static String program(String commandLine) {
      Matcher matcher = PROGRAM.matcher(commandLine);
      if (!matcher.matches()) {
        return "?";
      }
      String path =
          List.of("quoted", "windows", "word").stream()
              .filter(group -> matcher.start(group) >= 0)
              .map(matcher::group)
              .findFirst()
              .orElseThrow();
      String file = path.substring(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
      // Removes the marks of a process title, as in "postgres: writer", and of a login shell:
      // -bash.
      return file.replaceAll("^-|:$", "");
    }

    /** The processes without kernel threads. */
    static List<ListedProcess> programs(Collection<ListedProcess> listed) {
      if (!listed.contains(KERNEL)) {
        return List.copyOf(listed);
      }
      // The kernel starts its own threads before its first process starts others.
      long first =
          listed.stream()
              .filter(process -> process.number() > KERNEL.number())
              .filter(process -> process.text() == Text.COMMAND_LINE)
              .mapToLong(ListedProcess::number)
              .min()
              .orElse(Long.MAX_VALUE);
      return listed.stream().filter(process -> process.isProgram(first)).toList();
    }

    /** Kernel threads started later are named after what they work for. */
    private boolean isProgram(long first) {
      return switch (text) {
        case COMMAND_LINE -> true;
        case WORD -> number > first;
        case WORD_WITH_SLASH -> false;
      };
    }
  }
}
