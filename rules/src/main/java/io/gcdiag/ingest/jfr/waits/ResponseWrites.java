package io.gcdiag.ingest.jfr.waits;

import io.gcdiag.ingest.format.IngestContext;
import io.gcdiag.ingest.jfr.event.Event;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Time that request threads spend writing responses: for slow clients, or a full network. */
final class ResponseWrites {

  /** One request thread for a hundredth of the time: less is what any response takes. */
  private static final double NOTABLE = 0.01;

  private final String file;
  private Duration total = Duration.ZERO;
  private Duration longest = Duration.ZERO;
  private long count;
  private Optional<Instant> first = Optional.empty();
  private Instant last = Instant.MIN;

  ResponseWrites(String file) {
    this.file = file;
  }

  void add(Event event, boolean onRequestThread) {
    Duration length = Duration.ofNanos(Math.max(0, event.lengthNanos()));
    if (!onRequestThread || length.compareTo(Duration.ofDays(1)) > 0) {
      return;
    }
    count++;
    total = total.plus(length);
    longest = length.compareTo(longest) > 0 ? length : longest;
    first = first.or(() -> Optional.of(event.start()));
    last = event.start().isAfter(last) ? event.start() : last;
  }

  void finish(IngestContext intake) {
    double seconds = first.map(from -> Durations.seconds(Duration.between(from, last))).orElse(0.0);
    if (count > 1 && Durations.seconds(total) >= NOTABLE * seconds) {
      intake
          .timeline()
          .note(
              file
                  + ": request threads spent "
                  + Durations.format(total)
                  + " writing responses, in "
                  + Numbers.count(count)
                  + " writes, the longest "
                  + Durations.format(longest)
                  + " (jdk.SocketWrite): clients that read slowly, or a full network");
    }
  }
}
