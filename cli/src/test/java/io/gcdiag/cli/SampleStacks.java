package io.gcdiag.cli;

import io.gcdiag.evidence.jvm.StackProfile;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.figures.StackTree;
import io.gcdiag.figures.StackTree.Node;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Trees of stacks as a diagnosis holds them. */
final class SampleStacks {

  private SampleStacks() {}

  private static Node node(int parent, String frame, boolean own, double share, double before) {
    return new Node(parent, frame, 0, own, share, OptionalDouble.of(before));
  }

  /** 1,000 samples: 90 % in a controller, 61 % of all in the inflater below it. */
  static StackTree cpu() {
    return new StackTree(
        Optional.of(StackProfile.Kind.CPU),
        Optional.of(new Source("recording.jfr", "jdk.ExecutionSample")),
        1_000,
        List.of(
            new Node(-1, "java.lang.Thread.run", 7, false, 0.95, OptionalDouble.of(0.9)),
            node(0, "com.example.OrderController.list", true, 0.9, 0.5),
            node(1, "java.util.zip.Inflater.inflate", false, 0.61, 0.2),
            node(1, "com.example.Orders.sort", true, 0.1, 0.3),
            new Node(-1, "com.example.Cleaner.run", 0, true, 0.05, OptionalDouble.empty())));
  }

  /** 3 GiB, all of it by one method. */
  static StackTree allocation() {
    return new StackTree(
        Optional.of(StackProfile.Kind.ALLOCATION),
        Optional.of(new Source("recording.jfr", "jdk.ObjectAllocationSample")),
        3.0 * (1 << 30),
        List.of(
            node(-1, "com.example.Orders.list", true, 1, 1),
            node(0, "new byte[]", false, 0.75, 0.5)));
  }

  /** 100 s, 80 of them for a connection. */
  static StackTree waiting() {
    return new StackTree(
        Optional.of(StackProfile.Kind.WAITING),
        Optional.of(new Source("recording.jfr", "waits of request threads")),
        100e9,
        List.of(
            node(-1, "com.example.OrderController.list", true, 0.8, 0.5),
            node(0, "waiting for a connection: HikariCP", false, 0.8, 0.5),
            node(-1, "com.example.OrderController.count", true, 0.2, 0.5),
            node(2, "in a call: PostgreSQL", false, 0.2, 0.5)));
  }

  /** The text of a file as the name of a frame. */
  static StackTree quoting(StackProfile.Kind kind, String text) {
    return new StackTree(
        Optional.of(kind),
        Optional.of(new Source("f" + text, "x" + text)),
        100,
        List.of(node(-1, text, true, 1, 1), node(0, text + ".inner", false, 0.5, 0.25)));
  }
}
