package io.gcdiag.ingest.jfr;

import io.gcdiag.evidence.Source;
import io.gcdiag.evidence.StackProfile;
import io.gcdiag.ingest.Intake;
import io.gcdiag.ingest.frames.FrameBook;
import io.gcdiag.ingest.jfr.event.Event;
import io.gcdiag.ingest.jfr.event.Trace;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Sums up whole stacks as they are read. Each distinct stack of a chunk is walked once. */
final class StackRecorder {

  /** Services have some thousands of distinct stacks; beyond that each is walked again. */
  private static final int REMEMBERED = 20_000;

  /** Deeper stacks are cut at their inner end, where recursion repeats itself. */
  private static final int DEEPEST = 128;

  private final FrameBook book;
  private final StackProfile.Builder profile;
  private final Map<Trace, Integer> places = new IdentityHashMap<>();

  StackRecorder(StackProfile.Kind kind, FrameBook book) {
    this.book = book;
    this.profile = new StackProfile.Builder(kind);
  }

  /**
   * Adds what was seen on the stack of an event.
   *
   * @param inner what stands below the innermost frame, such as the class that was allocated
   */
  void add(Event event, Optional<String> inner, long amount) {
    if (event.stack().isEmpty()) {
      return;
    }
    Trace trace = event.stack().get();
    Integer place = places.get(trace);
    if (place == null) {
      if (places.size() >= REMEMBERED) {
        // Mostly traces of chunks that are done with.
        places.clear();
      }
      place = walk(trace);
      places.put(trace, place);
    }
    int innermost = place;
    if (inner.isPresent()) {
      innermost = profile.place(place, inner.get(), frame -> false);
    }
    if (innermost != StackProfile.NONE) {
      profile.add(innermost, event.start(), amount);
    }
  }

  private int walk(Trace trace) {
    List<String> frames = trace.frames();
    int place = StackProfile.NONE;
    int least = Math.max(0, frames.size() - DEEPEST);
    for (int i = frames.size() - 1; i >= least; i--) {
      place = profile.place(place, frames.get(i), book::isOwn);
    }
    return place;
  }

  /** Hands the profile on if there is anything in it. */
  void finish(Intake intake, Source source) {
    profile.build(source).ifPresent(intake.timeline()::sample);
  }
}
