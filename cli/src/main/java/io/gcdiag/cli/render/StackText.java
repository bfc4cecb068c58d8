package io.gcdiag.cli.render;

import io.gcdiag.cli.report.Block;
import io.gcdiag.cli.report.Block.StackFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A tree of stacks as indented lines. */
final class StackText {

  /** Smaller frames are left to the icicle of the HTML report. */
  private static final double LEAST_SHARE = 0.05;

  /** Less would be printed as 0.0 %. */
  private static final double LEAST_PRINTED = 0.0005;

  private static final int MOST_LINES = 60;

  /** With less room a name is not worth breaking. */
  private static final int LEAST_ROOM = 24;

  /** Deeper stacks are indented no further. */
  private static final int DEEPEST = 24;

  /** As its name is written: in lower case, with the word before a class that is allocated. */
  private static final Pattern PACKAGE = Pattern.compile("\\G((?:new )?[a-z])[a-z0-9_]*\\.");

  /** Before the second line of a name that is wider than its room: it stays in its place. */
  private static final String CONTINUED = "  ";

  /** Lines of no more than so many characters, if class and method are not longer. */
  static List<String> lines(Block.Stacks stacks, int width) {
    List<String> lines = new ArrayList<>();
    boolean compares = stacks.frames().stream().anyMatch(frame -> frame.before().isPresent());
    lines.add(
        (compares ? " Before " : "") + " During  Called from the frame that is less indented");
    for (StackFrame frame : stacks.frames()) {
      if (frame.share() >= LEAST_SHARE && lines.size() <= MOST_LINES) {
        String lead =
            (compares ? share(frame.before()) + " " : "")
                + share(OptionalDouble.of(frame.share()))
                + "  "
                + " ".repeat(Math.min(DEEPEST, frame.level()));
        String indent = lead;
        int room = width - lead.length();
        String name = shortened(frame.name(), room);
        boolean fits = name.length() <= room || room < LEAST_ROOM;
        for (String part : fits ? List.of(name) : Wrap.lines(name, room - CONTINUED.length())) {
          lines.add(indent + part);
          indent = " ".repeat(lead.length()) + CONTINUED;
        }
      }
    }
    return lines;
  }

  /** Abbreviates packages from the left until the name fits: {@code o.s.web.Handler.invoke}. */
  private static String shortened(String name, int room) {
    String shorter = name;
    Matcher segment = PACKAGE.matcher(name);
    StringBuilder letters = new StringBuilder();
    while (shorter.length() > room && segment.find()) {
      letters.append(segment.group(1)).append('.');
      shorter = letters + name.substring(segment.end());
    }
    return shorter;
  }

  private static String share(OptionalDouble share) {
    if (share.isEmpty()) {
      return "      -";
    }
    double value = share.getAsDouble();
    return value == 0
        ? "   none"
        : value < LEAST_PRINTED ? " <0.1 %" : String.format(Locale.ROOT, "%5.1f %%", 100 * value);
  }
}
