package io.gcdiag.read.jfr;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.jvm.GcSample.OldObjects;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.jfr.reader.Event;
import io.gcdiag.read.jfr.reader.Fields;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Sampled objects that are still reachable ({@code jdk.OldObjectSample}): at most 256 per
 * recording, written when it ends. With {@code path-to-gc-roots=true} each has the chain of its
 * holders.
 */
final class OldObjectEvents extends EventGroup {

  private static final String EVENT = "jdk.OldObjectSample";

  /** Chains can be as long as a linked list; the innermost holders are enough. */
  private static final int MOST_HOLDERS = 6;

  /** Distinct sites kept. */
  private static final int MOST_SITES = 1_000;

  private final Source source;
  private final Map<Key, Sum> sums = new HashMap<>();

  private record Key(String className, String allocatedAt, String holders) {}

  private record Sum(Instant at, long count, Duration youngest, Duration oldest) {
    Sum plus(Instant later, Duration age) {
      return new Sum(
          later.isAfter(at) ? later : at,
          count + 1,
          age.compareTo(youngest) < 0 ? age : youngest,
          age.compareTo(oldest) > 0 ? age : oldest);
    }
  }

  OldObjectEvents(LaneContext lane) {
    super(lane);
    this.source = source(EVENT);
    on(EVENT, this::sample);
  }

  private void sample(Event event) {
    Optional<Fields> found = event.inside("object");
    if (found.isEmpty()) {
      return;
    }
    Fields object = found.get();
    Key key =
        new Key(
            object.className("type").orElse("unknown class"),
            stacks.running(event).top(),
            holders(object));
    Duration age = event.duration("objectAge");
    if (sums.containsKey(key) || sums.size() < MOST_SITES) {
      sums.merge(
          key, new Sum(event.start(), 1, age, age), (sum, one) -> sum.plus(event.start(), age));
    }
  }

  /** {@code HashMap$Node[].[] < HashMap.table < PickSessions.open}, innermost first. */
  private static String holders(Fields object) {
    List<String> holders = new ArrayList<>();
    Optional<Fields> reference = object.inside("referrer");
    while (reference.isPresent() && holders.size() < MOST_HOLDERS) {
      Optional<Fields> holder = reference.get().inside("object");
      if (holder.isEmpty()) {
        break;
      }
      String type = holder.get().className("type").orElse("unknown class");
      String field =
          reference
              .get()
              .inside("field")
              .flatMap(named -> named.text("name"))
              .map(name -> "." + name)
              .orElse("");
      holders.add(type + field);
      reference = holder.get().inside("referrer");
    }
    return String.join(" < ", holders);
  }

  @Override
  public void finish(TimelineBuilder timeline, RecordedSettings settings) {
    sums.forEach(
        (key, sum) ->
            timeline.sample(
                new OldObjects(
                    sum.at(),
                    key.className(),
                    key.allocatedAt(),
                    key.holders(),
                    sum.count(),
                    sum.youngest(),
                    sum.oldest(),
                    source)));
  }
}
