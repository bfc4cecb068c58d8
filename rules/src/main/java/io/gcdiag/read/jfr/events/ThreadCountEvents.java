package io.gcdiag.read.jfr.events;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadCount;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.read.jfr.reader.Event;
import io.gcdiag.read.jfr.reader.EventThread;
import io.gcdiag.read.jfr.reader.Note;
import io.gcdiag.read.jfr.reader.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How many threads there are, and who starts them. */
public final class ThreadCountEvents extends EventGroup {

  private static final String STATISTICS = "jdk.JavaThreadStatistics";
  private static final String START = "jdk.ThreadStart";
  private static final String END = "jdk.ThreadEnd";

  private final List<ThreadCount> counts = new ArrayList<>();
  private final ThreadStarts starts = new ThreadStarts();
  private final Note<Starter> starters = new Note<>(this::starter);

  /** What the stack of a start says: the code, and whether a pool or executor is about to. */
  private record Starter(String site, boolean isPool) {}

  public ThreadCountEvents(LaneContext lane) {
    super(lane);
    on(STATISTICS, this::count);
    on(START, this::start);
    on(END, this::end);
  }

  private void count(Event event) {
    event
        .number("activeCount")
        .ifPresent(
            active -> counts.add(new ThreadCount(event.start(), active, source(STATISTICS))));
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
    String top = stacks.kind(trace, "RUNNABLE").top();
    return new Starter(top, frames.startsInPool(trace.frames(), top));
  }

  private void end(Event event) {
    event.thread("thread").ifPresent(thread -> starts.ended(event.start(), thread.javaId()));
  }

  @Override
  public void finish(TimelineBuilder timeline, RecordedSettings settings) {
    counts.forEach(timeline::sample);
    starts.handOn(source(START), timeline::sample);
    timeline.signal(Signal.THREAD_COUNTS, settings.state(STATISTICS, !counts.isEmpty()));
  }
}
