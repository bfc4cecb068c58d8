package io.gcdiag.cli.render;

import io.gcdiag.cli.manual.CommandPage;
import io.gcdiag.cli.manual.CommandPage.Argument;
import io.gcdiag.cli.manual.CommandPage.CommandTexts;
import io.gcdiag.cli.manual.CommandPage.Term;
import java.util.List;
import java.util.Map;

/** The page of a command as {@code --help} prints it. */
public final class HelpText {

  /** The width where that of the terminal is unknown. */
  public static final int USUAL = 80;

  /** Narrower terminals wrap the lines themselves. */
  private static final int NARROWEST = 40;

  private static final int INDENT = 2;

  /** Where descriptions begin, and how far they are indented below a name that is too long. */
  private static final int COLUMN = 26;

  private static final int BELOW = 6;

  /** Minimum width of the descriptions beside the names. */
  private static final int LEAST_BESIDE = 34;

  private final StringBuilder text = new StringBuilder();
  private final int width;

  private HelpText(int width) {
    this.width = Math.max(NARROWEST, width);
  }

  /** The page in lines of at most so many characters, except for what is to be copied. */
  public static String render(CommandPage page, int width) {
    HelpText help = new HelpText(width);
    help.page(page);
    return help.text.toString();
  }

  private void page(CommandPage page) {
    paragraph("Usage: " + page.synopsis());
    text.append('\n');
    paragraph(page.summary());
    for (String detail : page.texts().details()) {
      text.append('\n');
      if (CommandTexts.isCode(detail)) {
        line(0, detail);
      } else {
        paragraph(detail);
      }
    }
    terms("Commands", page.commands());
    for (Map.Entry<String, List<Argument>> group : page.groups().entrySet()) {
      heading(group.getKey());
      group.getValue().forEach(argument -> entry(argument.usage(), argument.description()));
    }
    examples(page.texts().examples());
    terms("Exit codes", page.texts().exitCodes());
    terms("Environment", page.texts().environment());
    terms("Files", page.texts().files());
  }

  private void terms(String heading, List<Term> terms) {
    if (!terms.isEmpty()) {
      heading(heading);
      terms.forEach(term -> entry(term.name(), term.meaning()));
    }
  }

  /** Commands are not broken, so that they can be copied. */
  private void examples(List<Term> examples) {
    heading("Examples");
    for (Term example : examples) {
      line(INDENT, example.name());
      Wrap.lines(example.meaning(), width - BELOW).forEach(line -> line(BELOW, line));
    }
  }

  private void heading(String heading) {
    text.append('\n').append(heading).append(":\n");
  }

  private void paragraph(String words) {
    Wrap.lines(words, width).forEach(line -> line(0, line));
  }

  private void entry(String name, String meaning) {
    boolean beside = width - COLUMN >= LEAST_BESIDE;
    int indent = beside ? COLUMN : BELOW;
    List<String> lines = Wrap.lines(meaning, width - indent);
    int first = 0;
    if (beside && INDENT + name.length() + 2 <= COLUMN) {
      line(INDENT, name + " ".repeat(COLUMN - INDENT - name.length()) + lines.get(0));
      first = 1;
    } else {
      Wrap.lines(name, width - INDENT).forEach(line -> line(INDENT, line));
    }
    lines.subList(first, lines.size()).forEach(line -> line(indent, line));
  }

  private void line(int indent, String line) {
    text.append(" ".repeat(indent)).append(line).append('\n');
  }
}
