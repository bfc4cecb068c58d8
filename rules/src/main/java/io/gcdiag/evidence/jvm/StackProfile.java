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
 * Whole stacks and what was seen on them, over time: samples of executing code, bytes allocated,
 * time waited. Stacks that begin alike share their beginning, so that a recording of hours takes
 * some megabytes; there are at most {@value #MOST_NODES} frames of at most {@value #DEEPEST}
 * levels, and what lies beyond is counted where its stack leaves what is kept.
 */
public final class StackProfile implements Sample {

  /** Some thousands are usual; this is where a page would no longer show them anyway. */
  static final int MOST_NODES = 20_000;

  /** JFR cuts stacks at 64 frames by default. */
  static final int DEEPEST = 128;

  /** The parent of outermost frames. */
  public static final int NONE = -1;

  /** What is counted. */
  public enum Kind {
    /** Samples of threads that executed Java code. */
    CPU,
    /** Bytes, estimated from weighted samples of all allocation. */
    ALLOCATION,
    /** Bytes of objects that did not fit a thread's local buffer. */
    ALLOCATION_OUTSIDE_TLABS,
    /** Nanoseconds that request threads waited, as far as events show it. */
    WAITING,
    /** Samples of request threads in calls, however short these are. */
    CALLS
  }

  /**
   * A frame below the same callers.
   *
   * @param parent the index of its caller, less than its own; {@link #NONE} for an outermost frame
   * @param frame class and method; innermost what was allocated, or what was waited for
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

  /** What is counted. */
  public Kind kind() {
    return kind;
  }

  /** Where the stacks were read. */
  public Source source() {
    return source;
  }

  /** When the first of it was seen. */
  @Override
  public Instant at() {
    return first;
  }

  /** All frames; callers stand before what they call. */
  public List<Node> nodes() {
    return nodes;
  }

  /** What was seen with a node as the innermost frame, by its index; borders are whole seconds. */
  public Map<Integer, Long> within(Window window) {
    return amounts.within(window);
  }

  /** Collects stacks in any order. Not safe for use by several threads. */
  public static final class Builder {

    private final Kind kind;
    private final List<Node> nodes = new ArrayList<>();

    /** What stands below each place, by frame; the first are the outermost frames. */
    private final List<Map<String, Integer>> below = new ArrayList<>();

    private final PlaceCounts amounts = new PlaceCounts();
    private long first = Long.MAX_VALUE;

    /** Starts an empty profile. */
    public Builder(Kind kind) {
      this.kind = kind;
      below.add(new HashMap<>());
    }

    /**
     * The place of a frame below its caller.
     *
     * @param parent the place of its caller; {@link #NONE} for an outermost frame
     * @param own whether a frame is the service's own code; asked for new places only
     * @return its place; that of the caller when there is no room for more
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
     * Adds what was seen at a place.
     *
     * @param at nanoseconds since 1970
     */
    public void add(int place, long at, long amount) {
      if (amount > 0) {
        first = Math.min(first, at);
        amounts.add(place, at, amount);
      }
    }

    /** The finished profile; absent if nothing was seen. */
    public Optional<StackProfile> build(Source source) {
      return first == Long.MAX_VALUE
          ? Optional.empty()
          : Optional.of(new StackProfile(this, source));
    }
  }
}
