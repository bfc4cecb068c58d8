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

  /** The timeline being built. */
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
}
