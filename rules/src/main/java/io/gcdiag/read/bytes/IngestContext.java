package io.gcdiag.read.bytes;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.read.frames.FrameBook;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Where readers add what they find. Data with timestamps of another clock than the recording's
 * waits until all files are read and the clocks can be aligned.
 */
public final class IngestContext {

  private final TimelineBuilder timeline = new TimelineBuilder();
  private final ClockAlignment clocks = new ClockAlignment();
  private final JvmProcesses processes = new JvmProcesses();
  private final List<Consumer<ClockAlignment>> logs = new ArrayList<>();
  private final List<Consumer<ClockAlignment>> dumps = new ArrayList<>();

  private final Map<Class<?>, Object> shared = new HashMap<>();
  private final Redactor redactor;
  private final ReadOptions options;

  /** An empty intake; text from files is redacted before it is used. */
  public IngestContext(Redactor redactor, ReadOptions options) {
    this.redactor = redactor;
    this.options = options;
  }

  /** An empty intake with the same options, except for the meaning of frames. */
  public IngestContext fresh(FrameBook frames) {
    return new IngestContext(redactor, options.with(frames));
  }

  public Redactor redactor() {
    return redactor;
  }

  public ReadOptions options() {
    return options;
  }

  /** What the frames of a stack mean. */
  public FrameBook frames() {
    return options.frames();
  }

  /** Opens a file, unpacking it if it is compressed; reports the progress. */
  public Unpacked open(InputFile file) throws IOException {
    return file.open(options.progress());
  }

  public TimelineBuilder timeline() {
    return timeline;
  }

  /** Adds a note about limits of the data. */
  public void note(String note) {
    timeline.note(note);
  }

  /**
   * An object that the reader of a format shares between several files, such as the parts of one
   * log.
   *
   * @param type one class per reader
   * @param first creates it on first use
   */
  public <T> T shared(Class<T> type, Supplier<T> first) {
    return type.cast(shared.computeIfAbsent(type, made -> first.get()));
  }

  public JvmProcesses processes() {
    return processes;
  }

  public ClockAlignment clocks() {
    return clocks;
  }

  /**
   * Runs an action after every file is read: for logs, whose timestamps may need a recording's
   * clock.
   */
  public void afterRecordings(Consumer<ClockAlignment> action) {
    logs.add(action);
  }

  /**
   * Runs an action after the logs are aligned: for local times, whose zone follows from the rest of
   * the timeline.
   */
  public void afterLogs(Consumer<ClockAlignment> action) {
    dumps.add(action);
  }

  /** Runs the actions that waited. */
  public void align() {
    logs.forEach(action -> action.accept(clocks));
    timeline.datedSpan().ifPresent(clocks::span);
    dumps.forEach(action -> action.accept(clocks));
    clocks.notes().forEach(timeline::note);
  }

  /**
   * The processes of the files in an analysis. Figures of two JVMs cannot be combined: if files
   * contradict each other, one process is taken as the incident's, and files of other processes are
   * left out.
   */
  public static final class JvmProcesses {

    private final List<JvmProcess> all = new ArrayList<>();
    private final SortedMap<String, String> refuted = new TreeMap<>();

    /** Adds what a file states about its process. */
    public void add(JvmProcess process) {
      all.add(process);
    }

    /** Records that a file is not of the recorded process, and why. */
    public void refute(String file, String why) {
      refuted.put(file, "not of the JVM of the recording: " + why);
    }

    /**
     * The JVM's start by the age of threads in dumps, whose timestamps mostly have whole seconds
     * and no zone. Empty if no dump has both, or if the dumps are of several JVMs.
     */
    public Optional<Instant> startByDumps() {
      List<JvmProcess.Start> starts =
          all.stream()
              .filter(process -> process.kind() == JvmProcess.Kind.DUMP)
              .flatMap(process -> process.start().stream())
              .sorted(Comparator.comparing(JvmProcess.Start::at))
              .toList();
      return starts.stream()
          .findFirst()
          .filter(first -> starts.stream().allMatch(first::agrees))
          .map(JvmProcess.Start::at);
    }

    /**
     * The files of other processes than the main one, with the reason.
     *
     * <p>The main process is that of a recording if there is any, else of a log, else of a dump;
     * among several, the one that most files agree with, then the one that covers the longest time.
     * If recordings are of several processes, only these are listed: the files that belong to the
     * main one can be determined after the others are removed.
     */
    public SortedMap<String, String> foreign() {
      Map<Object, Long> agreeing = agreeing();
      Optional<JvmProcess> main =
          all.stream()
              .min(
                  Comparator.comparing(JvmProcess::kind)
                      .thenComparing(
                          process -> agreeing.get(process.traits()), Comparator.reverseOrder())
                      .thenComparing(JvmProcesses::seconds, Comparator.reverseOrder())
                      .thenComparing(JvmProcess::file));
      if (main.isEmpty()) {
        return refuted;
      }
      SortedMap<String, String> recordings = foreign(main.get(), true);
      if (!recordings.isEmpty()) {
        return recordings;
      }
      SortedMap<String, String> foreign = foreign(main.get(), false);
      refuted.forEach(foreign::putIfAbsent);
      return foreign;
    }

    private SortedMap<String, String> foreign(JvmProcess main, boolean recordings) {
      SortedMap<String, String> foreign = new TreeMap<>();
      for (JvmProcess one : all) {
        // Everything in one file, such as the output of a JVM and its application, is of one JVM.
        boolean another = !one.file().equals(main.file());
        if (another && recordings == (one.kind() == JvmProcess.Kind.RECORDING)) {
          one.differenceTo(main)
              .ifPresent(
                  why ->
                      foreign.putIfAbsent(
                          one.file(), "of another JVM than " + main.file() + ": " + why));
        }
      }
      return foreign;
    }

    /**
     * How many files agree with each set of traits. Grouped by traits, because thousands of files
     * have only a few different ones.
     */
    private Map<Object, Long> agreeing() {
      Map<Object, List<JvmProcess>> groups =
          all.stream()
              .collect(
                  Collectors.groupingBy(
                      JvmProcess::traits, LinkedHashMap::new, Collectors.toList()));
      Map<Object, Long> counts = new HashMap<>();
      groups.forEach(
          (traits, group) ->
              counts.put(
                  traits,
                  groups.values().stream()
                      .filter(other -> group.get(0).isLike(other.get(0)))
                      .flatMap(List::stream)
                      .map(JvmProcess::file)
                      .distinct()
                      .count()));
      return counts;
    }

    private static double seconds(JvmProcess process) {
      return process.span().map(Window::seconds).orElse(0.0);
    }
  }
}
