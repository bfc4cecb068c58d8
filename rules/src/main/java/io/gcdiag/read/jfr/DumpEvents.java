package io.gcdiag.read.jfr;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.read.dumps.KnownLines;
import io.gcdiag.read.dumps.ParsedDump;
import io.gcdiag.read.dumps.ThreadDumps;
import io.gcdiag.read.dumps.ThreadSnapshots;
import io.gcdiag.read.jfr.reader.Event;
import java.io.IOException;
import java.io.StringReader;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Thread dumps inside the recording. */
final class DumpEvents extends EventGroup {

  private static final String DUMP = "jdk.ThreadDump";

  /**
   * JDK 17 writes two dumps some milliseconds apart, at the end of one chunk and the start of the
   * next.
   */
  private static final Duration SAME_DUMP = Duration.ofMillis(200);

  private final KnownLines lines = new KnownLines();
  private final List<Dated> dumps = new ArrayList<>();
  private Instant latest = Instant.MIN;

  private record Dated(Instant at, ParsedDump dump) {}

  DumpEvents(LaneContext lane) {
    super(lane);
    on(DUMP, this::dump);
  }

  /**
   * Of dumps at one moment only the first is parsed, provided that dumps are in order of time, as
   * those of one JVM are.
   */
  private void dump(Event event) {
    Instant at = event.start();
    if (!latest.isAfter(at) && !isApart(latest, at)) {
      return;
    }
    Optional<String> text = event.text("result");
    if (text.isEmpty()) {
      return;
    }
    try {
      for (ParsedDump dump : ThreadDumps.parse(new StringReader(text.get()), lines)) {
        dumps.add(new Dated(at, dump));
        latest = at;
      }
    } catch (IOException e) {
      // An unreadable dump does not affect the recording's other events.
      return;
    }
  }

  private static boolean isApart(Instant earlier, Instant later) {
    return earlier.equals(Instant.MIN) || earlier.plus(SAME_DUMP).isBefore(later);
  }

  @Override
  public void finish(TimelineBuilder timeline, RecordedSettings settings) {
    ThreadSnapshots snapshots = new ThreadSnapshots(frames, redactor);
    dumps.sort(Comparator.comparing(Dated::at));
    Instant last = Instant.MIN;
    for (Dated dated : dumps) {
      if (isApart(last, dated.at())) {
        timeline.dump(snapshots.of(dated.dump(), Optional.of(dated.at()), source(DUMP)));
        last = dated.at();
      }
    }
    timeline.signal(Signal.THREAD_DUMPS, settings.state(DUMP, !dumps.isEmpty()));
  }
}
