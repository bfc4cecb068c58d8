package io.gcdiag.cli.render;

import io.gcdiag.cli.report.Cell;
import io.gcdiag.cli.report.Tone;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/** States over time as bars; height and colour encode the same value. */
final class HtmlTrail {

  private static final int HEIGHT = 8;

  /** Between two bars, of the ten units that each has. */
  private static final int GAP = 1;

  private static final int WIDTH = 10;

  /** On the screen, in pixels. */
  private static final String SIZE = "width=\"192\" height=\"18\"";

  private HtmlTrail() {}

  /** The colours are those of texts of the same tone. */
  static String markup(Cell cell) {
    int width = cell.trail().size() * WIDTH;
    StringBuilder svg = new StringBuilder("<svg role=\"img\" aria-label=\"");
    svg.append(HtmlText.escape(words(cell))).append("\" ").append(SIZE);
    svg.append(" viewBox=\"0 0 ").append(width).append(' ').append(HEIGHT);
    svg.append("\" preserveAspectRatio=\"none\">");
    svg.append("<rect class=\"muted\" fill=\"currentColor\" fill-opacity=\"0.15\" width=\"");
    svg.append(width).append("\" height=\"").append(HEIGHT).append("\"/>");
    int x = 0;
    for (Tone tone : cell.trail()) {
      int height = height(tone);
      svg.append("<rect class=\"").append(tone.name().toLowerCase(Locale.ROOT));
      svg.append("\" fill=\"currentColor\" x=\"").append(x);
      svg.append("\" y=\"").append(HEIGHT - height);
      svg.append("\" width=\"").append(WIDTH - GAP);
      svg.append("\" height=\"").append(height).append("\"/>");
      x += WIDTH;
    }
    return svg.append("</svg>").toString();
  }

  private static int height(Tone tone) {
    return switch (tone) {
      case BAD -> HEIGHT;
      case WARNING -> HEIGHT / 2;
      default -> HEIGHT / 4;
    };
  }

  /** The count of each state, for screen readers. */
  private static String words(Cell cell) {
    Map<Tone, Integer> counts = new EnumMap<>(Tone.class);
    cell.trail().forEach(tone -> counts.merge(tone, 1, Integer::sum));
    StringJoiner words = new StringJoiner(", ");
    counts.forEach((tone, count) -> words.add(count + " " + word(tone)));
    return words.toString();
  }

  private static String word(Tone tone) {
    return switch (tone) {
      case BAD -> "with a suspect";
      case WARNING -> "undecided";
      case GOOD -> "healthy";
      default -> "failed";
    };
  }
}
