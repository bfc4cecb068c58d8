package io.gcdiag.read.bytes;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.read.frames.FrameBook;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Where readers put what they find. What is dated by another clock than the recording's waits until
 * all files are read and the clocks can be brought together.
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

  /** An empty intake; text from files goes through the redactor before it is used. */
  public IngestContext(Redactor redactor, ReadOptions options) {
    this.redactor = redactor;
    this.options = options;
  }

  /** One that is empty, with the same choices of how to read but for the meaning of frames. */
  public IngestContext fresh(FrameBook frames) {
    return new IngestContext(redactor, options.with(frames));
  }

  /** Hides secrets in what is kept of a file's text. */
  public Redactor redactor() {
    return redactor;
  }

  /** The choices of how files are read. */
  public ReadOptions options() {
    return options;
  }

  /** What the frames of a stack mean. */
  public FrameBook frames() {
    return options.frames();
  }

  /** Opens a file, out of its packing if it has one; how far it is read is reported. */
  public Unpacked open(InputFile file) throws IOException {
    return file.open(options.progress());
  }

  /** The timeline in the making. */
  public TimelineBuilder timeline() {
    return timeline;
  }

  /** Adds a fact that limits what can be said. */
  public void note(String note) {
    timeline.note(note);
  }

  /**
   * What the reader of a format collects over several files, such as the parts of one log.
   *
   * @param type one for each reader
   * @param first makes it when it is asked for the first time
   */
  public <T> T shared(Class<T> type, Supplier<T> first) {
    return type.cast(shared.computeIfAbsent(type, made -> first.get()));
  }

  /** Which process each file is of. */
  public JvmProcesses processes() {
    return processes;
  }

  /** What is known of the clocks. */
  public ClockAlignment clocks() {
    return clocks;
  }

  /** Runs once every file is read: for logs, whose stamps may need a recording's clock. */
  public void afterRecordings(Consumer<ClockAlignment> action) {
    logs.add(action);
  }

  /** Runs after the logs are placed: for local times, whose zone the rest of the timeline tells. */
  public void afterLogs(Consumer<ClockAlignment> action) {
    dumps.add(action);
  }

  /** Places everything that waited. */
  public void align() {
    logs.forEach(action -> action.accept(clocks));
    timeline.datedSpan().ifPresent(clocks::span);
    dumps.forEach(action -> action.accept(clocks));
    clocks.notes().forEach(timeline::note);
  }
}
