package io.gcdiag.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import io.gcdiag.evidence.jvm.StackProfile;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.figures.StackTree;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Optional;

/** Trees of stacks for machines: a list per property, so that hundreds of frames stay short. */
final class StackJson {

  /** Shares of at most a million samples have no more. */
  private static final MathContext DIGITS = new MathContext(4);

  private StackJson() {}

  /** A tree; absent if there are no samples. */
  static Optional<JsonFields> of(StackTree tree) {
    List<StackTree.Node> nodes = tree.nodes();
    return tree.kind()
        .map(
            kind ->
                new JsonFields()
                    .text("unit", unit(kind))
                    .set("total", DoubleNode.valueOf(tree.total()))
                    .text("source", tree.source().map(Source::toString))
                    .list("frames", nodes.stream().map(node -> JsonFields.string(node.frame())))
                    .list("parents", nodes.stream().map(node -> IntNode.valueOf(node.parent())))
                    .list("merged", nodes.stream().map(node -> IntNode.valueOf(node.merged())))
                    .list("own", nodes.stream().map(node -> BooleanNode.valueOf(node.own())))
                    .list("incident", nodes.stream().map(node -> rounded(node.share())))
                    .list("baseline", nodes.stream().map(node -> before(node))));
  }

  private static String unit(StackProfile.Kind kind) {
    return switch (kind) {
      case CPU, CALLS -> "samples";
      case ALLOCATION, ALLOCATION_OUTSIDE_TLABS -> "bytes";
      case WAITING -> "ns";
    };
  }

  private static JsonNode before(StackTree.Node node) {
    return node.before().isPresent() ? rounded(node.before().getAsDouble()) : NullNode.instance;
  }

  private static JsonNode rounded(double share) {
    return JsonNodeFactory.instance.numberNode(new BigDecimal(share, DIGITS).stripTrailingZeros());
  }
}
