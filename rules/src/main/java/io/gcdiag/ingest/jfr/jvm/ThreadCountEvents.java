package io.gcdiag.ingest.jfr.jvm;

import io.gcdiag.evidence.source.Signal;
import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.threads.ThreadCount;
import io.gcdiag.ingest.format.IngestContext;
import io.gcdiag.ingest.format.Redactor;
import io.gcdiag.ingest.frames.FrameBook;
import io.gcdiag.ingest.jfr.event.Event;
import io.gcdiag.ingest.jfr.event.EventThread;
import io.gcdiag.ingest.jfr.event.Note;
import io.gcdiag.ingest.jfr.event.Trace;
import io.gcdiag.ingest.jfr.group.EventGroup;
import io.gcdiag.ingest.jfr.group.RecordedSettings;
import io.gcdiag.ingest.jfr.group.Stacks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** How many threads there are, and who starts them. */
public final class ThreadCountEvents implements EventGroup {

  private static final String STATISTICS = "jdk.JavaThreadStatistics";
  private static final String START = "jdk.ThreadStart";
  private static final String END = "jdk.ThreadEnd";

  private final String file;
  private final Stacks stacks;
  private final Redactor redactor;
  private final List<ThreadCount> counts = new ArrayList<>();
  private final ThreadStarts starts = new ThreadStarts();
  private final Note<Starter> starters = new Note<>(this::starter);

  /** What the stack of a start says: the code, and whether a pool or executor is about to. */
  private record Starter(String site, boolean isPool) {}

  public ThreadCountEvents(String file, Stacks stacks, Redactor redactor) {
    this.file = file;
    this.stacks = stacks;
    this.redactor = redactor;
  }

  @Override
  public Map<String, Consumer<Event>> readers() {
    return Map.of(STATISTICS, this::count, START, this::start, END, this::end);
  }

  private void count(Event event) {
    event
        .number("activeCount")
        .ifPresent(
            active ->
                counts.add(new ThreadCount(event.start(), active, new Source(file, STATISTICS))));
  }

  private void start(Event event) {
    Optional<EventThread> thread = event.thread("thread");
    if (thread.isEmpty()) {
      return;
    }
    String name = redactor.redact(thread.get().name());
    Starter starter = stacks.note(event, starters);
    starts.started(event.start(), thread.get().javaId(), name, starter.site(), starter.isPool());
  }

  private Starter starter(Trace trace) {
    return new Starter(
        stacks.kind(trace, "RUNNABLE").top(), FrameBook.startsInPool(trace.frames()));
  }

  private void end(Event event) {
    event.thread("thread").ifPresent(thread -> starts.ended(event.start(), thread.javaId()));
  }

  @Override
  public void finish(IngestContext intake, RecordedSettings settings) {
    counts.forEach(intake.timeline()::sample);
    starts.handOn(new Source(file, START), intake.timeline()::sample);
    intake.timeline().signal(Signal.THREAD_COUNTS, settings.state(STATISTICS, !counts.isEmpty()));
  }
}
