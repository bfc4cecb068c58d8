package io.gcdiag.figures;

import io.gcdiag.evidence.jvm.StackProfile;
import io.gcdiag.figures.StackTree.Node;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Makes a tree of stacks as small as an eye can take in: what is too narrow to be seen is left out,
 * and runs of plumbing through which nearly all of it goes become one.
 */
final class StackPruning {

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
