package io.gcdiag.figures;

import io.gcdiag.books.Finding;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.jvm.GcSample.ConcurrentCycle;
import io.gcdiag.evidence.jvm.GcSample.ExplicitCollection;
import io.gcdiag.evidence.jvm.HeapSamples;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.jvm.SafepointStop;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * When it happened what the sources of findings name: the pause of a line in a log, the sample of a
 * collection, the instant of a dump. A report leads from the evidence to that place in its charts.
 */
public final class SourceTimes {

  /** What happens at an instant is drawn as wide as this. */
  private static final Duration INSTANT = Duration.ofMillis(1);

  /** What a source names that lasts longer is a kind of event, all through the incident. */
  private static final Duration LONGEST = Duration.ofSeconds(5);

  private final Set<Source> wanted;

  /** The lines among them, in whatever file. */
  private final long[] lines;

  private final Map<Source, Window> times = new LinkedHashMap<>();

  private SourceTimes(Set<Source> wanted) {
    this.wanted = wanted;
    this.lines = wanted.stream().flatMapToLong(source -> source.line().stream()).sorted().toArray();
  }

  /** The times of those sources that stand for one event, or for some close together. */
  public static List<SourceTime> of(Incident incident, List<Finding> findings) {
    SourceTimes found =
        new SourceTimes(
            findings.stream()
                .flatMap(finding -> finding.sources().stream())
                .filter(source -> !source.place().isEmpty())
                .collect(Collectors.toSet()));
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    for (Pauses pauses : timeline.stops().pausesByFile().values()) {
      found.add(window, pauses.within(window));
    }
    found.add(window, timeline.heap(window));
    for (SafepointStop stop : timeline.safepoints(window)) {
      found.add(window, stop.source(), stop.start(), stop.lost());
    }
    timeline
        .samples(ConcurrentCycle.class, window)
        .forEach(cycle -> found.add(window, cycle.source(), cycle.at(), INSTANT));
    timeline
        .samples(ExplicitCollection.class, window)
        .forEach(call -> found.add(window, call.source(), call.at(), call.duration()));
    timeline
        .dumps()
        .forEach(dump -> dump.at().ifPresent(at -> found.add(window, dump.source(), at, INSTANT)));
    return found.times.entrySet().stream()
        .filter(known -> known.getValue().length().compareTo(LONGEST) <= 0)
        .map(known -> new SourceTime(known.getKey(), known.getValue()))
        .toList();
  }

  /** A log has far more pauses than findings name: these are found by their lines alone. */
  private void add(Window window, Pauses pauses) {
    for (int i = 0; i < pauses.size(); i++) {
      if (mayBeWanted(pauses.line(i))) {
        GcPause pause = pauses.get(i);
        add(window, pause.source(), pause.start(), pause.duration());
      }
    }
  }

  private void add(Window window, HeapSamples heap) {
    for (int i = 0; i < heap.size(); i++) {
      if (mayBeWanted(heap.line(i))) {
        add(window, heap.get(i).source(), heap.get(i).at(), INSTANT);
      }
    }
  }

  private boolean mayBeWanted(long line) {
    return line == Source.NO_LINE || Arrays.binarySearch(lines, line) >= 0;
  }

  private void add(Window window, Source source, Instant start, Duration length) {
    if (wanted.contains(source) && window.contains(start)) {
      Duration drawn = length.compareTo(INSTANT) < 0 ? INSTANT : length;
      times.merge(source, new Window(start, start.plus(drawn)), Window::hull);
    }
  }

  /**
   * When it happened what a source names.
   *
   * @param source the place of an input
   * @param time from the start of what was read there to its end
   */
  public record SourceTime(Source source, Window time) {}
}
