package io.gcdiag.cli.render;

import io.gcdiag.cli.report.Block;
import io.gcdiag.cli.report.StackFrame;
import io.gcdiag.units.Ratio;
import io.gcdiag.units.ResourceText;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** A tree of stacks in a page: the data for the drawing script, and an accessible table. */
final class HtmlStacks {

  /** Narrower frames are unreadable in the drawing as well. */
  private static final double LEAST_SHARE = 0.01;

  private static final int MOST_ROWS = 150;

  private static final String COMPARED =
      "<span class=\"frame grew\">\u25b2 5 points or more above the baseline</span>"
          + "<span>\u25bc as much below it</span>";

  private HtmlStacks() {}

  static String markup(Block.Stacks stacks, String source) {
    String title = HtmlText.escape(stacks.title());
    boolean compares = stacks.frames().stream().anyMatch(frame -> frame.before().isPresent());
    String rows =
        stacks.frames().stream()
            .filter(frame -> frame.share() >= LEAST_SHARE)
            .limit(MOST_ROWS)
            .map(frame -> row(frame, compares))
            .collect(Collectors.joining());
    return ResourceText.whole(HtmlStacks.class, "stacks.html")
        .formatted(
            HtmlText.escape(stacks.id()),
            HtmlText.escape(stacks.json()),
            stacks.open().map(at -> " data-open=\"" + at.frame() + "\"").orElse(""),
            title,
            HtmlText.escape(stacks.total()),
            source,
            stacks.open().map(HtmlStacks::suspect).orElse(""),
            compares ? COMPARED : "",
            title,
            compares ? "<th scope=\"col\" class=\"number\">Before</th>" : "",
            rows);
  }

  private static String suspect(Block.Stacks.Opened at) {
    return "<span class=\"frame suspect\">" + HtmlText.escape(at.why()) + "</span>";
  }

  private static String row(StackFrame frame, boolean compares) {
    return "<tr>"
        + number("Level", String.valueOf(frame.level() + 1))
        + "<td data-label=\"Frame\">"
        + HtmlText.prose(frame.name())
        + "</td>"
        + (compares ? number("Before", share(frame.before())) : "")
        + number("During", share(OptionalDouble.of(frame.share())))
        + "</tr>\n";
  }

  private static String number(String label, String number) {
    return "<td class=\"number\" data-label=\"" + label + "\">" + number + "</td>";
  }

  private static String share(OptionalDouble share) {
    return share.isPresent() ? new Ratio(share.getAsDouble()).share() : "-";
  }
}
