package io.gcdiag.evidence;

import io.gcdiag.evidence.jvm.GcCpu;
import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.jvm.HeapSample;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.jvm.SafepointStop;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Sample;
import io.gcdiag.evidence.time.TimeOrder;
import io.gcdiag.evidence.time.Window;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Merges logs with recordings of the same JVM, so that nothing counts twice. Inside a recording's
 * span its events are used, because their timestamps are exact. Safepoints are taken from the log,
 * which has all of them, while a recording has only those above its threshold.
 */
final class LogsBesideRecordings {

  /** Log and recording give the start of one pause within this many milliseconds. */
  private static final int SAME_START_MILLIS = 2;

  final List<List<SafepointStop>> safepoints = new ArrayList<>();
  final List<WaitSeries> waits = new ArrayList<>();
  final List<Sample> samples = new ArrayList<>();
  final List<List<HeapSample>> heap = new ArrayList<>();
  final List<List<GcCpu>> gcCpu = new ArrayList<>();
  final List<Window> spans = new ArrayList<>();
  final Set<String> recordings = new HashSet<>();
  final List<Window> recordingSpans = new ArrayList<>();

  /** The span of the recordings; without any, that of the logs. */
  Optional<Window> datedSpan() {
    return Spans.hull(recordingSpans.isEmpty() ? spans : recordingSpans);
  }

  Stream<Sample> samplesNotRecorded() {
    return samples.stream().filter(sample -> notRecorded(sample.at()));
  }

  /** Waits of the kinds that no recording contains. */
  List<WaitSeries> waitsOfOtherKinds(List<WaitSeries> recorded) {
    return waits.stream()
        .filter(s -> recorded.stream().noneMatch(r -> r.site().kind() == s.site().kind()))
        .toList();
  }

  List<HeapSample> heapBeside(List<HeapSample> recorded) {
    return together(
        recorded,
        heap,
        sample -> recorded.isEmpty() || notRecorded(sample.at()),
        Comparator.comparing(HeapSample::at).thenComparing(HeapSample::moment));
  }

  List<GcCpu> gcCpuBeside(List<GcCpu> recorded) {
    return together(
        recorded,
        gcCpu,
        time -> recorded.isEmpty() || notRecorded(time.at()),
        Comparator.comparing(GcCpu::at));
  }

  List<SafepointStop> safepointsBefore(List<SafepointStop> recorded) {
    boolean logged = safepoints.stream().anyMatch(stops -> !stops.isEmpty());
    return together(
        logged ? List.of() : recorded,
        safepoints,
        any -> true,
        Comparator.comparing(SafepointStop::start));
  }

  /** The pauses of all files, each once. */
  Pauses pauses(SortedMap<String, Pauses> byFile) {
    boolean recorded = anyRecorded(byFile);
    List<Pauses> parts = new ArrayList<>();
    byFile.forEach(
        (file, pauses) ->
            parts.add(
                recorded && !recordings.contains(file)
                    ? pauses.where(i -> notRecorded(pauses.start(i)))
                    : pauses));
    Pauses joined = Pauses.joined(parts);
    return parts.size() < 2 ? joined : withoutDuplicates(joined);
  }

  private boolean anyRecorded(Map<String, Pauses> byFile) {
    return byFile.entrySet().stream()
        .anyMatch(entry -> recordings.contains(entry.getKey()) && !entry.getValue().isEmpty());
  }

  private <T> List<T> together(
      List<T> recorded, List<List<T>> logged, Predicate<T> counts, Comparator<T> order) {
    List<List<T>> parts = new ArrayList<>();
    parts.add(recorded);
    for (List<T> part : logged) {
      parts.add(recordingSpans.isEmpty() ? part : TimeOrder.where(part, counts));
    }
    return TimeOrder.merged(parts, order);
  }

  private boolean notRecorded(Instant at) {
    return recordingSpans.stream().noneMatch(span -> span.contains(at));
  }

  private static Pauses withoutDuplicates(Pauses sorted) {
    Deque<GcPause> near = new ArrayDeque<>();
    return sorted.where(
        i -> {
          GcPause pause = sorted.get(i);
          while (!near.isEmpty()
              && near.peek().start().plusMillis(SAME_START_MILLIS).isBefore(pause.start())) {
            near.remove();
          }
          boolean seen = near.stream().anyMatch(earlier -> same(earlier, pause));
          if (!seen) {
            near.add(pause);
          }
          return !seen;
        });
  }

  private static boolean same(GcPause earlier, GcPause pause) {
    return !earlier.source().file().equals(pause.source().file())
        && earlier.gcId().equals(pause.gcId())
        && earlier.kind() == pause.kind();
  }
}
