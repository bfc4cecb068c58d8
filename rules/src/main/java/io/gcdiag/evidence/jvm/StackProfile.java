package io.gcdiag.evidence.jvm;

import io.gcdiag.evidence.time.PlaceCounts;
import io.gcdiag.evidence.time.Sample;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Whole stacks with amounts over time: samples of running code, bytes allocated, time waited.
 * Stacks share their common outer frames, so a recording of hours takes some megabytes. There are
 * at most {@value #MOST_NODES} frames in at most {@value #DEEPEST} levels; amounts of stacks beyond
 * that are counted at the last frame that is kept.
 */
public final class StackProfile implements Sample {

  /** A few thousand are normal; with more, a page would be unreadable. */
  static final int MOST_NODES = 20_000;

  /** JFR cuts stacks at 64 frames by default. */
  static final int DEEPEST = 128;

  /** The parent of outermost frames. */
  public static final int NONE = -1;

  /** The unit of the amounts. */
  public enum Kind {
    /** Samples of threads running Java code. */
    CPU,
    /** Bytes, estimated from weighted samples of all allocation. */
    ALLOCATION,
    /** Bytes of objects that did not fit a thread's local buffer. */
    ALLOCATION_OUTSIDE_TLABS,
    /** Nanoseconds of request threads' waits, by events. */
    WAITING,
    /** Samples of request threads in calls of any length. */
    CALLS
  }

  /**
   * A frame with its callers.
   *
   * @param parent the index of its caller, smaller than its own; {@link #NONE} for an outermost
   *     frame
   * @param frame class and method; as innermost frame also what was allocated, or what was waited
   *     for
   * @param own whether it is the service's own code: no JDK, framework, pool, driver or library
   */
  public record Node(int parent, String frame, boolean own) {}

  private final Kind kind;
  private final Source source;
  private final Instant first;
  private final List<Node> nodes;
  private final PlaceCounts amounts;

  private StackProfile(Builder from, Source source) {
    this.kind = from.kind;
    this.source = source;
    this.first = Instant.ofEpochSecond(0, from.first);
    this.nodes = List.copyOf(from.nodes);
    this.amounts = from.amounts;
    amounts.close();
  }

  public Kind kind() {
    return kind;
  }

  public Source source() {
    return source;
  }

  /** When the first of it was seen. */
  @Override
  public Instant at() {
    return first;
  }

  /** All frames; callers come before what they call. */
  public List<Node> nodes() {
    return nodes;
  }

  /** Amounts by the index of their innermost frame; borders are whole seconds. */
  public Map<Integer, Long> within(Window window) {
    return amounts.within(window);
  }

  /** Collects stacks in any order. Not thread-safe. */
  public static final class Builder {

    private final Kind kind;
    private final List<Node> nodes = new ArrayList<>();

    /** The callees of each place by frame; the first map has the outermost frames. */
    private final List<Map<String, Integer>> below = new ArrayList<>();

    private final PlaceCounts amounts = new PlaceCounts();
    private long first = Long.MAX_VALUE;

    public Builder(Kind kind) {
      this.kind = kind;
      below.add(new HashMap<>());
    }

    /**
     * The place of a frame below its caller.
     *
     * @param parent the place of its caller; {@link #NONE} for an outermost frame
     * @param own whether a frame is the service's own code; called for new places only
     * @return its place; that of the caller if the profile is full
     */
    public int place(int parent, String frame, Predicate<String> own) {
      Map<String, Integer> siblings = below.get(parent + 1);
      Integer place = siblings.get(frame);
      if (place != null) {
        return place;
      }
      if (nodes.size() >= MOST_NODES && parent != NONE) {
        return parent;
      }
      siblings.put(frame, nodes.size());
      nodes.add(new Node(parent, frame, own.test(frame)));
      below.add(new HashMap<>());
      return nodes.size() - 1;
    }

    /**
     * Adds an amount at a place.
     *
     * @param at nanoseconds since 1970
     */
    public void add(int place, long at, long amount) {
      if (amount > 0) {
        first = Math.min(first, at);
        amounts.add(place, at, amount);
      }
    }

    /** The finished profile; empty without amounts. */
    public Optional<StackProfile> build(Source source) {
      return first == Long.MAX_VALUE
          ? Optional.empty()
          : Optional.of(new StackProfile(this, source));
    }
  }
}
