package io.gcdiag.cli.report;

import io.gcdiag.cli.report.Block.StackFrame;
import io.gcdiag.cli.report.Block.Stacks.Opened;
import io.gcdiag.evidence.jvm.StackProfile;
import io.gcdiag.figures.StackTree;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.verdict.Diagnosis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Trees of stacks, opened at the suspect's place. */
final class StackBlocks {

  private static final int NOWHERE = -1;

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
          case WAITING -> "Stacks on which request threads waited";
          case CALLS -> "Stacks of request threads in calls";
        };
    String total =
        switch (kind) {
          case CPU, CALLS -> Numbers.count(Math.round(tree.total())) + " samples";
          case ALLOCATION, ALLOCATION_OUTSIDE_TLABS -> FigureText.bytes(tree.total());
          case WAITING ->
              Durations.format(Duration.ofNanos(Math.round(tree.total()))) + " of thread time";
        };
    return new Block.Stacks(
        "stacks-" + kind.name().toLowerCase(Locale.ROOT).replace('_', '-'),
        title,
        total + (Opening.isIncident(diagnosis) ? " in the incident" : ""),
        tree.source().map(source -> InputSection.cell(diagnosis, source)).orElse(Cell.of("")),
        switch (kind) {
          case CPU -> "cpu";
          case ALLOCATION, ALLOCATION_OUTSIDE_TLABS -> "allocation";
          case WAITING, CALLS -> "waiting";
        },
        frames,
        suspect(diagnosis, tree).or(() -> ownCode(diagnosis, kind, tree)));
  }

  /** Where to open the tree: the first place of the suspect that a stack goes through. */
  private static Optional<Opened> suspect(Diagnosis diagnosis, StackTree tree) {
    return diagnosis
        .primary()
        .flatMap(primary -> primary.advice().place())
        .map(place -> place.parts().stream())
        .orElse(Stream.empty())
        .mapToInt(part -> tree.widest(part.name()).orElse(NOWHERE))
        .filter(frame -> frame != NOWHERE)
        .mapToObj(frame -> new Opened(frame, "the suspect's place"))
        .findFirst();
  }

  /**
   * A heap has no place in code, and calls that are too short for an event are on no stack of
   * waits: there the tree opens at the service's own method that allocates or waits most.
   */
  private static Optional<Opened> ownCode(
      Diagnosis diagnosis, StackProfile.Kind kind, StackTree tree) {
    if (kind == StackProfile.Kind.CPU || diagnosis.primary().isEmpty()) {
      return Optional.empty();
    }
    String what = kind.name().startsWith("ALLOCATION") ? "allocates" : "waits";
    return tree.widestOwn().stream()
        .mapToObj(frame -> new Opened(frame, "the service's own method that " + what + " most"))
        .findFirst();
  }
}
