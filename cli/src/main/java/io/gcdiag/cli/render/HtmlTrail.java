package io.gcdiag.cli.render;

import io.gcdiag.cli.report.Cell;
import io.gcdiag.cli.report.Tone;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/** States over time as bars: the height says the same as the colour. */
final class HtmlTrail {

  private static final int HEIGHT = 8;

  /** Between two bars, of the ten units that each has. */
  private static final int GAP = 1;

  private static final int WIDTH = 10;

  private HtmlTrail() {}

  static String markup(Cell cell) {
    StringBuilder svg = new StringBuilder("<svg class=\"trail\" role=\"img\" aria-label=\"");
    svg.append(HtmlText.escape(words(cell))).append("\" viewBox=\"0 0 ");
    svg.append(cell.trail().size() * WIDTH).append(' ').append(HEIGHT);
    svg.append("\" preserveAspectRatio=\"none\">");
    int x = 0;
    for (Tone tone : cell.trail()) {
      int height = height(tone);
      svg.append("<rect class=\"").append(tone.name().toLowerCase(Locale.ROOT));
      svg.append("\" x=\"").append(x).append("\" y=\"").append(HEIGHT - height);
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

  /** How often each state comes, for those who cannot see it. */
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
