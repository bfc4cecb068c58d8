package io.gcdiag.cli.render;

import io.gcdiag.cli.report.Block;
import io.gcdiag.cli.report.StackFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** A tree of stacks as indented lines. */
final class StackText {

  /** What is less than a fiftieth is seen better in an icicle. */
  private static final double LEAST_SHARE = 0.02;

  private static final int MOST_LINES = 60;

  /** Deeper ones stand below each other. */
  private static final int DEEPEST = 24;

  private StackText() {}

  static List<String> lines(Block.Stacks stacks) {
    List<String> lines = new ArrayList<>();
    boolean compares = stacks.frames().stream().anyMatch(frame -> frame.before().isPresent());
    lines.add(
        (compares ? " Before " : "") + " During  Called from the frame that is less indented");
    for (StackFrame frame : stacks.frames()) {
      if (frame.share() >= LEAST_SHARE && lines.size() <= MOST_LINES) {
        lines.add(
            (compares ? share(frame.before()) + " " : "")
                + share(OptionalDouble.of(frame.share()))
                + "  "
                + " ".repeat(Math.min(DEEPEST, frame.level()))
                + frame.name());
      }
    }
    return lines;
  }

  private static String share(OptionalDouble share) {
    return share.isPresent()
        ? String.format(Locale.ROOT, "%5.1f %%", 100 * share.getAsDouble())
        : "      -";
  }
}
