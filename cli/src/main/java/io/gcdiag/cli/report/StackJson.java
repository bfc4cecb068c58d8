package io.gcdiag.cli.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gcdiag.evidence.profile.StackProfile;
import io.gcdiag.evidence.source.Source;
import io.gcdiag.figures.StackTree;
import java.math.BigDecimal;
import java.math.MathContext;

/** Trees of stacks for machines: a list per property, so that hundreds of frames stay short. */
final class StackJson {

  /** Shares of at most a million samples have no more. */
  private static final MathContext DIGITS = new MathContext(4);

  private StackJson() {}

  static void put(ObjectNode node, StackTree tree) {
    if (tree.kind().isEmpty()) {
      node.putNull("stacks");
      return;
    }
    ObjectNode stacks = node.putObject("stacks");
    stacks.put("unit", unit(tree.kind().get()));
    stacks.put("total", tree.total());
    stacks.set("source", JsonText.text(tree.source().map(Source::toString)));
    ArrayNode frames = stacks.putArray("frames");
    ArrayNode parents = stacks.putArray("parents");
    ArrayNode merged = stacks.putArray("merged");
    ArrayNode own = stacks.putArray("own");
    ArrayNode incident = stacks.putArray("incident");
    ArrayNode baseline = stacks.putArray("baseline");
    for (StackTree.Node frame : tree.nodes()) {
      frames.add(JsonText.text(frame.frame()));
      parents.add(frame.parent());
      merged.add(frame.merged());
      own.add(frame.own());
      incident.add(rounded(frame.share()));
      if (frame.before().isPresent()) {
        baseline.add(rounded(frame.before().getAsDouble()));
      } else {
        baseline.addNull();
      }
    }
  }

  private static String unit(StackProfile.Kind kind) {
    return switch (kind) {
      case CPU, CALLS -> "samples";
      case ALLOCATION, ALLOCATION_OUTSIDE_TLABS -> "bytes";
      case WAITING -> "ns";
    };
  }

  private static BigDecimal rounded(double share) {
    return new BigDecimal(share, DIGITS).stripTrailingZeros();
  }
}
