package io.gcdiag.cli.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.cli.SampleDiagnosis;
import io.gcdiag.cli.report.Block.Stacks;
import io.gcdiag.cli.report.Block.Stacks.Opened;
import io.gcdiag.evidence.jvm.StackProfile.Kind;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.figures.StackTree;
import io.gcdiag.figures.StackTree.Node;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class StackBlocksTest {

  private static final List<Node> FRAMES =
      List.of(
          node(-1, "java.lang.Thread.run", false, 1),
          node(0, "shop.Cart.add", true, 0.7),
          node(1, "com.zaxxer.hikari.HikariPool.getConnection", false, 0.7),
          node(0, "shop.Stock.count", true, 0.3));

  private static Node node(int parent, String frame, boolean own, double share) {
    return new Node(parent, frame, 0, own, share, OptionalDouble.empty());
  }

  private static Optional<Opened> open(Kind kind) {
    StackTree tree =
        new StackTree(
            Optional.of(kind), Optional.of(new Source("a.jfr", "jdk.ThreadPark")), 100, FRAMES);
    return StackBlocks.of(SampleDiagnosis.memoryPressure(), tree)
        .flatMap(block -> ((Stacks) block).open());
  }

  @Test
  void waitsThatDoNotShowTheSuspectOpenAtTheOwnMethodThatWaitsMost() {
    assertEquals(
        Optional.of(new Opened(1, "the service's own method that waits most")), open(Kind.WAITING));
    assertEquals(
        Optional.of(new Opened(1, "the service's own method that allocates most")),
        open(Kind.ALLOCATION));
  }

  @Test
  void computingOpensAtTheSuspectAlone() {
    assertEquals(Optional.empty(), open(Kind.CPU));
  }
}
