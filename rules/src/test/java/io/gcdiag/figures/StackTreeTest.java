package io.gcdiag.figures;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.jvm.StackProfile;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.figures.StackTree.Node;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class StackTreeTest {

  private static Node node(int parent, String frame, double share) {
    return new Node(parent, frame, 0, true, share, OptionalDouble.empty());
  }

  private static final StackTree TREE =
      new StackTree(
          Optional.of(StackProfile.Kind.WAITING),
          Optional.of(new Source("recording.jfr", "waits of request threads")),
          1e9,
          List.of(
              node(-1, "shop.Cart.show", 0.3),
              node(0, "shop.Orders.find", 0.3),
              node(-1, "shop.Cart.pay", 0.7),
              node(2, "shop.Orders.find", 0.6)));

  @Test
  void aMethodIsFoundWhereMostOfItIsWithItsLineOrWithout() {
    assertEquals(OptionalInt.of(3), TREE.widest("shop.Orders.find"));
    assertEquals(OptionalInt.of(3), TREE.widest("shop.Orders.find:88"));
    assertEquals(OptionalInt.of(0), TREE.widest("shop.Cart.show"));
  }

  @Test
  void whatIsOnNoStackIsNotFound() {
    assertEquals(OptionalInt.empty(), TREE.widest("shop.Orders.save:12"));
    assertEquals(OptionalInt.empty(), TREE.widest("localhost:5432"));
  }

  @Test
  void theOwnFrameWithMostOutsideOfOwnFramesThatItCallsIsTheWidest() {
    // show 0.3 - 0.3 = 0, find 0.3, pay 0.7 - 0.6 = 0.1, find 0.6
    assertEquals(OptionalInt.of(3), TREE.widestOwn());
    // Through a framework, what save calls is not in it: 0.9 - 0.2 = 0.7.
    StackTree through =
        new StackTree(
            TREE.kind(),
            TREE.source(),
            1e9,
            List.of(
                node(-1, "shop.Orders.save", 0.9),
                new Node(0, "framework.Proxy.invoke", 0, false, 0.8, OptionalDouble.empty()),
                node(1, "shop.Audit.write", 0.2)));
    assertEquals(OptionalInt.of(0), through.widestOwn());
    assertEquals(OptionalInt.empty(), StackTree.none().widestOwn());
  }
}
