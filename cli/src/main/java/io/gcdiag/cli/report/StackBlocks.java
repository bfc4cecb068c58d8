package io.gcdiag.cli.report;

import io.gcdiag.diagnosis.Diagnosis;
import io.gcdiag.evidence.profile.StackProfile;
import io.gcdiag.figures.StackTree;
import io.gcdiag.units.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Trees of stacks, for whoever asks whose code it is. */
final class StackBlocks {

  private StackBlocks() {}

  /** The tree; none if nothing was sampled. */
  static Optional<Block> of(Diagnosis diagnosis, StackTree tree) {
    return tree.kind().map(kind -> block(diagnosis, tree, kind));
  }

  private static Block block(Diagnosis diagnosis, StackTree tree, StackProfile.Kind kind) {
    List<StackFrame> frames = new ArrayList<>();
    for (StackTree.Node node : tree.nodes()) {
      String name =
          node.merged() == 0 ? node.frame() : node.frame() + " (and " + node.merged() + " below)";
      int level = node.parent() < 0 ? 0 : frames.get(node.parent()).level() + 1;
      frames.add(
          new StackFrame(node.parent(), level, name, node.own(), node.share(), node.before()));
    }
    String title =
        switch (kind) {
          case CPU -> "Stacks that executed";
          case ALLOCATION -> "Stacks that allocated";
          case ALLOCATION_OUTSIDE_TLABS -> "Stacks that allocated outside TLABs";
        };
    String total =
        switch (kind) {
          case CPU -> Numbers.count(Math.round(tree.total())) + " samples";
          case ALLOCATION, ALLOCATION_OUTSIDE_TLABS -> FigureText.bytes(tree.total());
        };
    return new Block.Stacks(
        "stacks-" + kind.name().toLowerCase(Locale.ROOT).replace('_', '-'),
        title,
        total + (Opening.isIncident(diagnosis) ? " in the incident" : ""),
        tree.source().map(source -> InputSection.cell(diagnosis, source)).orElse(Cell.of("")),
        kind == StackProfile.Kind.CPU ? "cpu" : "allocation",
        frames);
  }
}
