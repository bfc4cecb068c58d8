package io.gcdiag.read.jfr;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.threads.ThreadGroupSample.AnsweringGroup;
import io.gcdiag.evidence.threads.ThreadNames;
import io.gcdiag.read.frames.StackKind;
import io.gcdiag.read.jfr.reader.Event;
import io.gcdiag.read.jfr.reader.EventThread;
import io.gcdiag.read.jfr.reader.Note;
import io.gcdiag.read.jfr.reader.Trace;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Threads of no server that hand requests their answers: see {@link AnsweringGroup}. */
final class AnsweringGroups extends EventGroup {

  private static final String EXECUTED = "jdk.ExecutionSample";
  private static final String ALLOCATED = "jdk.ObjectAllocationSample";

  /** A service has some dozens of groups. */
  private static final int MOST_GROUPS = 500;

  private final Map<String, Seen> groups = new TreeMap<>();
  private final Note<Answer> answers = new Note<>(this::answer);

  AnsweringGroups(LaneContext lane) {
    super(lane);
    on(EXECUTED, event -> see(event, true));
    on(ALLOCATED, event -> see(event, false));
  }

  /** For a stack: the server that takes a response, if any. */
  private record Answer(Optional<String> server, StackKind kind) {}

  /** Counts for one group. */
  private static final class Seen {
    private final String server;
    private Instant first;
    private long samples;

    Seen(String server, Instant first) {
      this.server = server;
      this.first = first;
    }
  }

  private Answer answer(Trace trace) {
    StackKind kind = stacks.running(trace);
    return new Answer(frames.answers(kind.frames()), kind);
  }

  private void see(Event event, boolean sampled) {
    Answer answer = stacks.note(event, answers);
    if (answer.server().isEmpty()) {
      return;
    }
    Optional<EventThread> thread = sampled ? event.thread("sampledThread") : event.thread();
    if (thread.isPresent()
        && !thread.get().virtual()
        && !thread.get().name().isBlank()
        && !stacks.onRequestThread(answer.kind(), thread.get().name())) {
      see(thread.get(), answer.server().get(), event);
    }
  }

  private void see(EventThread thread, String server, Event event) {
    String name = ThreadNames.numbered(thread.name());
    Seen seen = groups.get(name);
    if (seen == null) {
      if (groups.size() >= MOST_GROUPS) {
        return;
      }
      seen = new Seen(server, event.start());
      groups.put(name, seen);
    }
    seen.first = event.start().isBefore(seen.first) ? event.start() : seen.first;
    seen.samples++;
  }

  @Override
  public void finish(TimelineBuilder timeline, RecordedSettings settings) {
    groups.forEach(
        (name, seen) ->
            timeline.sample(
                new AnsweringGroup(seen.first, redactor.redact(name), seen.server, seen.samples)));
  }
}
