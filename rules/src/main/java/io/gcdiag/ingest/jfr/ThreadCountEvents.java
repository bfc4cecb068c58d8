package io.gcdiag.ingest.jfr;

import io.gcdiag.evidence.Signal;
import io.gcdiag.evidence.Source;
import io.gcdiag.evidence.ThreadCount;
import io.gcdiag.ingest.Intake;
import io.gcdiag.ingest.Redactor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;

/** How many threads there are, and who starts them. */
final class ThreadCountEvents implements EventGroup {

  private static final String STATISTICS = "jdk.JavaThreadStatistics";
  private static final String START = "jdk.ThreadStart";
  private static final String END = "jdk.ThreadEnd";

  /** Between the start of a thread and the pool that wants it lie a few calls. */
  private static final int POOL_FRAMES = 6;

  /**
   * Classes that keep the threads they start, of the JDK and of servers alike: {@code
   * ThreadPoolExecutor}, {@code ForkJoinPool}, {@code QueuedThreadPool}, {@code
   * EnhancedQueueExecutor}, {@code NioEventLoopGroup}.
   */
  private static final Pattern POOL =
      Pattern.compile(".*\\b\\w*(?:Pool|Executor|EventLoop)\\w*(?:\\$\\w+)*\\.\\w+");

  private final String file;
  private final Stacks stacks;
  private final Redactor redactor;
  private final List<ThreadCount> counts = new ArrayList<>();
  private final ThreadStarts starts = new ThreadStarts();

  ThreadCountEvents(String file, Stacks stacks, Redactor redactor) {
    this.file = file;
    this.stacks = stacks;
    this.redactor = redactor;
  }

  @Override
  public Map<String, Consumer<RecordedEvent>> readers() {
    return Map.of(STATISTICS, this::count, START, this::start, END, this::end);
  }

  private void count(RecordedEvent event) {
    OptionalLong active = Fields.number(event, "activeCount");
    OptionalLong started = Fields.number(event, "accumulatedCount");
    if (active.isPresent() && started.isPresent()) {
      counts.add(
          new ThreadCount(
              event.getStartTime(),
              active.getAsLong(),
              started.getAsLong(),
              new Source(file, STATISTICS)));
    }
  }

  private void start(RecordedEvent event) {
    RecordedThread thread = event.hasField("thread") ? event.getThread("thread") : null;
    if (thread == null) {
      return;
    }
    List<String> frames =
        event.getStackTrace() == null ? List.of() : Stacks.frames(event.getStackTrace());
    boolean byPool = frames.stream().limit(POOL_FRAMES).anyMatch(f -> POOL.matcher(f).matches());
    String name = thread.getJavaName() == null ? "" : thread.getJavaName();
    String site = stacks.kind(event, "RUNNABLE", Optional.empty()).top();
    starts.started(
        event.getStartTime(), thread.getJavaThreadId(), redactor.redact(name), site, byPool);
  }

  private void end(RecordedEvent event) {
    RecordedThread thread = event.hasField("thread") ? event.getThread("thread") : null;
    if (thread != null) {
      starts.ended(event.getStartTime(), thread.getJavaThreadId());
    }
  }

  @Override
  public void finish(Intake intake, RecordedSettings settings) {
    counts.forEach(intake.timeline()::sample);
    starts.handOn(new Source(file, START), intake.timeline()::sample);
    intake.timeline().signal(Signal.THREAD_COUNTS, settings.state(STATISTICS, !counts.isEmpty()));
  }
}
