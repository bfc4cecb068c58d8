package io.gcdiag.cli.render;

import io.gcdiag.cli.report.Block;
import java.util.ArrayList;
import java.util.List;

/** Draws a causal chain: causes above, effects below, the reason on the arrow. */
final class ChainText {

  private static final String SHAFT = "    │";

  static List<String> lines(Block.Chain chain, int width) {
    List<String> lines = new ArrayList<>();
    String above = "";
    for (Block.Arrow arrow : chain.links()) {
      if (!arrow.from().equals(above)) {
        if (!lines.isEmpty()) {
          lines.add("");
        }
        lines.addAll(Wrap.lines(arrow.from(), width));
      }
      shaft(lines, arrow.how(), width);
      arrow.rows().forEach(row -> shaft(lines, row, width));
      lines.add("    ▼");
      lines.addAll(Wrap.lines(arrow.to(), width));
      above = arrow.to();
    }
    return lines;
  }

  private static void shaft(List<String> lines, String text, int width) {
    for (String line : Wrap.lines(text, width - SHAFT.length() - 2)) {
      lines.add((SHAFT + "  " + line).stripTrailing());
    }
  }
}
