package io.gcdiag.read.jfr;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.jvm.StackProfile;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.frames.FrameBook;
import io.gcdiag.read.jfr.reader.Event;
import io.gcdiag.read.jfr.reader.Note;
import io.gcdiag.read.jfr.reader.Trace;
import java.util.List;
import java.util.function.Predicate;

/** Sums up whole stacks while reading. Each distinct stack of a chunk is walked once. */
final class StackRecorder {

  /** Deeper stacks are cut at their inner end, where recursion repeats itself. */
  private static final int DEEPEST = 128;

  private final Predicate<String> own;
  private final StackProfile.Builder profile;
  private final String[] latestFrames = new String[DEEPEST];
  private final int[] latestPlaces = new int[DEEPEST];
  private int latestDepth;
  private final Trace noStack = Trace.none();
  private final Note<Place> places = new Note<>(Place::new);

  StackRecorder(StackProfile.Kind kind, FrameBook book) {
    this.own = book::isServices;
    this.profile = new StackProfile.Builder(kind);
  }

  /** The end of a stack in the profile, with the latest object class or wait below it. */
  private final class Place {
    private final int innermost;
    private String last = "";
    private int end = StackProfile.NONE;

    Place(Trace trace) {
      innermost = walk(trace);
    }

    /** Cached: one location mostly creates objects of one class, or waits for one thing. */
    int end(String introduction, String name) {
      if (end == StackProfile.NONE || !last.equals(name)) {
        last = name;
        end = profile.place(innermost, introduction + name, frame -> false);
      }
      return end;
    }
  }

  void add(Event event, long amount) {
    if (event.hasStack()) {
      add(event, event.stackNote(places, noStack).innermost, amount);
    }
  }

  /**
   * Adds an amount for the stack of an event, with a subject below the innermost frame.
   *
   * @param introduction text before the name, the same for all events of that name
   */
  void add(Event event, String introduction, String name, long amount) {
    if (event.hasStack()) {
      add(event, event.stackNote(places, noStack).end(introduction, name), amount);
    }
  }

  /**
   * The end of a stack in the profile, for events that are added by place.
   *
   * @param about what was waited for, below the innermost frame; empty for nothing
   */
  int place(Trace trace, String about) {
    int innermost = trace.note(places).innermost;
    return about.isEmpty() ? innermost : profile.place(innermost, about, frame -> false);
  }

  /**
   * Adds what was seen at a place.
   *
   * @param at nanoseconds since 1970
   */
  void add(int place, long at, long amount) {
    if (place != StackProfile.NONE) {
      profile.add(place, at, amount);
    }
  }

  private void add(Event event, int place, long amount) {
    if (place != StackProfile.NONE) {
      profile.add(place, event.startNanos(), amount);
    }
  }

  /** Reuses the previous path: consecutive stacks mostly share their outer frames. */
  private int walk(Trace trace) {
    List<String> frames = trace.frames();
    int depth = Math.min(DEEPEST, frames.size());
    int place = StackProfile.NONE;
    boolean common = true;
    int level = 0;
    for (; level < depth; level++) {
      String frame = frames.get(frames.size() - 1 - level);
      common &= level < latestDepth && frame.equals(latestFrames[level]);
      int next = common ? latestPlaces[level] : profile.place(place, frame, own);
      if (next == place) {
        // The profile is full; the amount is counted at this frame.
        break;
      }
      place = next;
      latestFrames[level] = frame;
      latestPlaces[level] = place;
    }
    latestDepth = level;
    return place;
  }

  /** Adds the profile to the timeline unless it is empty. */
  void finish(TimelineBuilder timeline, Source source) {
    profile.build(source).ifPresent(timeline::sample);
  }
}
