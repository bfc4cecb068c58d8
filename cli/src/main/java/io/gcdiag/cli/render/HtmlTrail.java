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
    StringBuilder bars = new StringBuilder();
    for (int i = 0; i < cell.trail().size(); i++) {
      bars.append(bar(cell.trail().get(i), i * WIDTH));
    }
    int width = cell.trail().size() * WIDTH;
    return ("<svg role=\"img\" aria-label=\"%s\" %s viewBox=\"0 0 %s %s\""
            + " preserveAspectRatio=\"none\"><rect class=\"muted\" fill=\"currentColor\""
            + " fill-opacity=\"0.15\" width=\"%s\" height=\"%s\"/>%s</svg>")
        .formatted(HtmlText.escape(words(cell)), SIZE, width, HEIGHT, width, HEIGHT, bars);
  }

  private static String bar(Tone tone, int x) {
    int height = height(tone);
    return ("<rect class=\"%s\" fill=\"currentColor\" x=\"%s\" y=\"%s\" width=\"%s\""
            + " height=\"%s\"/>")
        .formatted(tone.name().toLowerCase(Locale.ROOT), x, HEIGHT - height, WIDTH - GAP, height);
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
