package io.gcdiag.read.jfr;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.time.Sample;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.bytes.ClockAlignment;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.read.frames.FrameBook;
import io.gcdiag.read.jfr.reader.Event;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A few event types that are read together, in one lane of a recording. */
abstract class EventGroup {

  final String file;

  final Stacks stacks;

  final FrameBook frames;

  /** Hides secrets in texts that are kept. */
  final Redactor redactor;

  private final LaneContext lane;
  private final Map<String, Consumer<Event>> readers = new LinkedHashMap<>();
  private final List<Sample> samples = new ArrayList<>();

  /** Without any handlers yet. */
  EventGroup(LaneContext lane) {
    this.lane = lane;
    file = lane.file();
    stacks = lane.stacks();
    frames = lane.frames();
    redactor = lane.redactor();
  }

  final boolean isOf(LaneContext other) {
    return lane == other;
  }

  final void on(String type, Consumer<Event> reader) {
    readers.put(type, reader);
  }

  final Source source(String type) {
    return new Source(file, type);
  }

  /** What to do with an event, by event type name. */
  final Map<String, Consumer<Event>> readers() {
    return Collections.unmodifiableMap(readers);
  }

  /** Whether events of a type would be used, with the types that the recording declares so far. */
  boolean needs(String type) {
    return true;
  }

  final void keep(Sample sample) {
    samples.add(sample);
  }

  /** Hands on what was collected: by default the samples that were kept. */
  void finish(TimelineBuilder timeline, RecordedSettings settings) {
    samples.forEach(timeline::sample);
  }

  /** Hands on what was collected of the recording's clock: by default nothing. */
  void tell(ClockAlignment clocks) {}
}
