package io.gcdiag.read.jfr;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.threads.ThreadGroupSample.VirtualThreadUse;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.read.jfr.reader.Event;
import io.gcdiag.read.jfr.reader.EventThread;
import java.time.Instant;
import java.util.Optional;

/**
 * Which waits a recording can show: what was seen of each type, and how much by virtual threads.
 */
final class WaitCoverage {

  private final String file;
  private long virtualThreadEvents;
  private Optional<Instant> firstVirtual = Optional.empty();

  WaitCoverage(String file) {
    this.file = file;
  }

  void count(Event event) {
    Optional<EventThread> thread = event.thread();
    if (thread.isPresent() && thread.get().virtual()) {
      virtualThreadEvents++;
      firstVirtual = firstVirtual.or(() -> Optional.of(event.start()));
    }
  }

  void tell(
      TimelineBuilder timeline,
      RecordedSettings settings,
      Signal signal,
      String event,
      WaitPlace.Finder places) {
    timeline.signal(signal, settings.state(event, places.asked() > 0));
  }

  /**
   * Says what virtual threads hide.
   *
   * @param event the type that stands for all of theirs
   * @param events of all threads
   */
  void tellOfVirtualThreads(TimelineBuilder timeline, String event, long events) {
    if (firstVirtual.isEmpty()) {
      return;
    }
    timeline
        .sample(new VirtualThreadUse(firstVirtual.get(), virtualThreadEvents / (double) events))
        .note(
            file
                + " has events of virtual threads, but the JVM records no parks of virtual"
                + " threads: their waits for pools and locks are not in it; use jcmd PID"
                + " Thread.dump_to_file to see them");
  }
}
