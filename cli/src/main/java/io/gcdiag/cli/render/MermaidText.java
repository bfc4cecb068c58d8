package io.gcdiag.cli.render;

import io.gcdiag.cli.report.Block;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A causal chain as a Mermaid flow chart, which GitHub and GitLab draw. */
final class MermaidText {

  /** All other characters could be syntax and are written as entities. */
  private static final String PLAIN = " ,.:()/+-=";

  private MermaidText() {}

  static List<String> lines(Block.Chain chain) {
    Map<String, String> ids = new LinkedHashMap<>();
    List<String> arrows = new ArrayList<>();
    for (Block.Arrow arrow : chain.links()) {
      String from = ids.computeIfAbsent(arrow.from(), text -> "n" + (ids.size() + 1));
      String to = ids.computeIfAbsent(arrow.to(), text -> "n" + (ids.size() + 1));
      arrows.add("  " + from + " -->|\"" + escape(arrow.how()) + "\"| " + to);
    }
    List<String> lines = new ArrayList<>();
    lines.add("flowchart TD");
    ids.forEach((text, id) -> lines.add("  " + id + "[\"" + escape(text) + "\"]"));
    lines.addAll(arrows);
    return lines;
  }

  private static String escape(String text) {
    return text.codePoints().mapToObj(MermaidText::escape).collect(Collectors.joining());
  }

  private static String escape(int c) {
    boolean plain = c < 0x80 && Character.isLetterOrDigit(c) || PLAIN.indexOf(c) >= 0;
    return plain ? Character.toString(c) : "#" + c + ";";
  }
}
