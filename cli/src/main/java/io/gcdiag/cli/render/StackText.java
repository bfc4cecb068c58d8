package io.gcdiag.cli.render;

import io.gcdiag.cli.report.Block;
import io.gcdiag.cli.report.StackFrame;
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

  private static final int MOST_LINES = 60;

  /** Deeper stacks are indented no further. */
  private static final int DEEPEST = 24;

  /** As its name is written: in lower case, with the word before a class that is allocated. */
  private static final Pattern PACKAGE = Pattern.compile("\\G((?:new )?[a-z])[a-z0-9_]*\\.");

  private StackText() {}

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
        lines.add(lead + shortened(frame.name(), width - lead.length()));
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
    return share.isPresent()
        ? String.format(Locale.ROOT, "%5.1f %%", 100 * share.getAsDouble())
        : "      -";
  }
}
