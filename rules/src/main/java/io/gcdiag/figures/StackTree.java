package io.gcdiag.figures;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.StackProfile;
import io.gcdiag.evidence.jvm.StackProfile.Kind;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.Windows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * Stacks of the incident window as a tree, callers above what they call: what an icicle draws.
 *
 * @param kind what was counted; absent if nothing was
 * @param source where the stacks were read; absent if nothing was
 * @param total what all of it is in the incident: samples, bytes, or nanoseconds
 * @param nodes the frames, each after its caller, larger ones first
 */
public record StackTree(
    Optional<StackProfile.Kind> kind, Optional<Source> source, double total, List<Node> nodes) {

  /**
   * Frames that belong together: one, or a run of plumbing through which all of it went.
   *
   * @param parent the index of the caller; -1 for the outermost
   * @param frame class and method; innermost what was allocated, or what was waited for
   * @param merged so many frames below it, each the only one called by the one above, are left out
   * @param own whether it is the service's own code: no JDK, framework, pool, driver or library
   * @param share of the total of the incident in it and in all that it called, 0 to 1
   * @param before the same in the baseline; absent without one, or with too little in it
   */
  public record Node(
      int parent, String frame, int merged, boolean own, double share, OptionalDouble before) {}

  /** Fewer samples say nothing on shares: each would be more than 3 %. */
  private static final int FEWEST_SAMPLES = 30;

  public StackTree {
    nodes = List.copyOf(nodes);
  }

  /** Nothing was sampled. */
  public static StackTree none() {
    return new StackTree(Optional.empty(), Optional.empty(), 0, List.of());
  }

  public static StackTree of(Timeline timeline, Windows windows, StackProfile.Kind... kinds) {
    return Arrays.stream(kinds)
        .flatMap(
            kind -> timeline.samples(StackProfile.class).stream().filter(p -> p.kind() == kind))
        .map(profile -> of(profile, windows))
        .filter(tree -> !tree.nodes.isEmpty())
        .findFirst()
        .orElse(none());
  }

  /** The widest place of a method, given with or without its line; absent where it is not seen. */
  public OptionalInt widest(String place) {
    int line = place.lastIndexOf(':');
    String method = line < 0 ? place : place.substring(0, line);
    return IntStream.range(0, nodes.size())
        .filter(i -> nodes.get(i).frame().equals(method))
        .reduce((one, other) -> nodes.get(other).share() > nodes.get(one).share() ? other : one);
  }

  /**
   * The frame of the service's own code with the most in it that is in no other such frame it
   * calls; absent where none is seen.
   */
  public OptionalInt widestOwn() {
    double[] inside = new double[nodes.size()];
    for (int i = 0; i < inside.length; i++) {
      if (nodes.get(i).own()) {
        inside[i] += nodes.get(i).share();
        int caller = ownCaller(i);
        if (caller >= 0) {
          inside[caller] -= nodes.get(i).share();
        }
      }
    }
    return IntStream.range(0, inside.length)
        .filter(i -> nodes.get(i).own())
        .reduce((one, other) -> inside[other] > inside[one] ? other : one);
  }

  /** The nearest caller of the service's own code; negative if there is none. */
  private int ownCaller(int node) {
    int caller = nodes.get(node).parent();
    while (caller >= 0 && !nodes.get(caller).own()) {
      caller = nodes.get(caller).parent();
    }
    return caller;
  }

  private static StackTree of(StackProfile profile, Windows windows) {
    long[] during = withCalled(profile, windows.incident());
    double total = total(profile, windows.incident());
    boolean counted = profile.kind() == Kind.CPU || profile.kind() == Kind.CALLS;
    if (total <= 0 || counted && total < FEWEST_SAMPLES) {
      return none();
    }
    Optional<Window> baseline =
        windows.baseline().filter(w -> total(profile, w) >= (counted ? FEWEST_SAMPLES : 1));
    return new StackTree(
        Optional.of(profile.kind()),
        Optional.of(profile.source()),
        total,
        new StackPruning(
                profile.nodes(),
                during,
                total,
                baseline.map(w -> withCalled(profile, w)),
                baseline.map(w -> total(profile, w)).orElse(0.0))
            .nodes());
  }

  private static double total(StackProfile profile, Window window) {
    return profile.within(window).values().stream().mapToLong(Long::longValue).sum();
  }

  /** Each frame with all that it called: callers come first. */
  private static long[] withCalled(StackProfile profile, Window window) {
    long[] amounts = new long[profile.nodes().size()];
    Map<Integer, Long> own = profile.within(window);
    own.forEach((node, amount) -> amounts[node] += amount);
    for (int i = amounts.length - 1; i >= 0; i--) {
      int parent = profile.nodes().get(i).parent();
      if (parent != StackProfile.NONE) {
        amounts[parent] += amounts[i];
      }
    }
    return amounts;
  }

  /**
   * Makes a tree of stacks as small as an eye can take in: what is too narrow to be seen is left
   * out, and runs of plumbing through which nearly all of it goes become one.
   */
  static final class StackPruning {

    /** Narrower than two pixels of a thousand. */
    private static final double LEAST_SHARE = 0.002;

    /** Beyond that a page gets slow, and is not read. */
    private static final int MOST_NODES = 800;

    /** A run that is left out has its first frame above it and its last below. */
    private static final int SHORTEST_RUN = 4;

    /** What of a frame may go elsewhere than on along a run of plumbing. */
    private static final double NEARLY_ALL = 0.98;

    private final List<StackProfile.Node> frames;
    private final long[] during;
    private final double total;
    private final Optional<long[]> before;
    private final double totalBefore;
    private final Map<Integer, List<Integer>> called = new HashMap<>();
    private final List<Node> nodes = new ArrayList<>();
    private final double least;

    StackPruning(
        List<StackProfile.Node> frames,
        long[] during,
        double total,
        Optional<long[]> before,
        double totalBefore) {
      this.frames = frames;
      this.during = during;
      this.total = total;
      this.before = before;
      this.totalBefore = totalBefore;
      for (int i = 0; i < frames.size(); i++) {
        called.computeIfAbsent(frames.get(i).parent(), p -> new ArrayList<>()).add(i);
      }
      called
          .values()
          .forEach(
              list ->
                  list.sort(
                      Comparator.comparingLong((Integer i) -> during[i])
                          .reversed()
                          .thenComparing(i -> frames.get(i).frame())));
      least = Math.max(LEAST_SHARE * total, smallestKept());
    }

    /** What the smallest of the largest has. */
    private double smallestKept() {
      if (during.length <= MOST_NODES) {
        return 0;
      }
      long[] sorted = during.clone();
      Arrays.sort(sorted);
      return sorted[sorted.length - MOST_NODES];
    }

    List<Node> nodes() {
      below(StackProfile.NONE, StackProfile.NONE);
      return nodes;
    }

    private void below(int frame, int parent) {
      for (int child : called.getOrDefault(frame, List.of())) {
        if (during[child] >= least && during[child] > 0) {
          show(child, parent);
        }
      }
    }

    private void show(int frame, int parent) {
      List<Integer> run = run(frame);
      boolean merged = run.size() >= SHORTEST_RUN;
      // The first frame of a run stays, with a word on how many follow; the last one does as well.
      nodes.add(node(frame, parent, merged ? run.size() - 2 : 0));
      int shown = nodes.size() - 1;
      if (merged) {
        nodes.add(node(run.get(run.size() - 1), shown, 0));
        below(run.get(run.size() - 1), nodes.size() - 1);
      } else {
        below(frame, shown);
      }
    }

    /** The frame and those below it, each plumbing with nearly all of what its caller has. */
    private List<Integer> run(int from) {
      List<Integer> run = new ArrayList<>();
      int at = from;
      while (true) {
        run.add(at);
        List<Integer> below = called.getOrDefault(at, List.of());
        if (frames.get(at).own() || below.isEmpty()) {
          return run;
        }
        int next = below.get(0);
        if (frames.get(next).own() || during[next] < NEARLY_ALL * during[at]) {
          return run;
        }
        at = next;
      }
    }

    private Node node(int frame, int parent, int merged) {
      StackProfile.Node of = frames.get(frame);
      return new Node(
          parent,
          of.frame(),
          merged,
          of.own(),
          during[frame] / total,
          before.isPresent() && totalBefore > 0
              ? OptionalDouble.of(before.get()[frame] / totalBefore)
              : OptionalDouble.empty());
    }
  }
}
