package io.gcdiag.figures;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.jvm.StackProfile;
import io.gcdiag.figures.StackTree.StackPruning;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class StackPruningTest {

  private static StackProfile.Node plumbing(int parent, String frame) {
    return new StackProfile.Node(parent, frame, false);
  }

  private static StackProfile.Node own(int parent, String frame) {
    return new StackProfile.Node(parent, frame, true);
  }

  private static List<String> shown(List<StackTree.Node> nodes) {
    return nodes.stream()
        .map(n -> n.parent() + " " + n.frame() + (n.merged() == 0 ? "" : " +" + n.merged()))
        .toList();
  }

  @Test
  void aRunOfPlumbingIsItsFirstAndItsLastFrame() {
    List<StackProfile.Node> frames =
        List.of(
            plumbing(-1, "Thread.run"),
            plumbing(0, "Worker.run"),
            plumbing(1, "Endpoint.doRun"),
            plumbing(2, "Valve.invoke"),
            plumbing(3, "Servlet.service"),
            own(4, "Orders.list"),
            plumbing(5, "Arrays.sort"));
    long[] during = {1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 400};
    List<StackTree.Node> nodes =
        new StackPruning(frames, during, 1_000, Optional.empty(), 0).nodes();
    // Five frames of plumbing: the first, the last, and three between them.
    assertEquals(
        List.of("-1 Thread.run +3", "0 Servlet.service", "1 Orders.list", "2 Arrays.sort"),
        shown(nodes));
    assertEquals(0.4, nodes.get(3).share());
    assertEquals(OptionalDouble.empty(), nodes.get(3).before());
  }

  @Test
  void largerOnesComeFirstAndWhatNobodyCouldSeeIsLeftOut() {
    List<StackProfile.Node> frames =
        List.of(own(-1, "root"), own(0, "small"), own(0, "large"), own(0, "dust"));
    long[] during = {10_000, 3_000, 6_981, 19};
    long[] before = {500, 250, 250, 0};
    List<StackTree.Node> nodes =
        new StackPruning(frames, during, 10_000, Optional.of(before), 500).nodes();
    // 19 of 10,000 is less than two pixels of a thousand.
    assertEquals(List.of("-1 root", "0 large", "0 small"), shown(nodes));
    assertEquals(OptionalDouble.of(0.5), nodes.get(1).before());
  }
}
