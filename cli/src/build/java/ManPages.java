import io.gcdiag.cli.CommandPages;
import io.gcdiag.cli.manual.CommandPage;
import io.gcdiag.cli.manual.CommandPage.Argument;
import io.gcdiag.cli.manual.CommandPage.Term;
import io.gcdiag.cli.manual.CommandPage.CommandTexts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Writes the man pages: gcdiag(1) and one page for each command. Run on the jar by the packaging,
 * {@code java -cp gcdiag.jar cli/src/build/java/ManPages.java FOLDER VERSION}, and no part of it.
 */
public final class ManPages {

  private static final String TOOL = "gcdiag";

  private final StringBuilder roff = new StringBuilder();

  private ManPages() {}

  /**
   * Writes them into the folder that is the first argument, with the version that is the second.
   */
  public static void main(String[] args) throws IOException {
    Path folder = Files.createDirectories(Path.of(args[0]));
    List<CommandPage> pages = CommandPages.all();
    for (CommandPage page : pages) {
      ManPages manual = new ManPages();
      manual.page(page, pages, args[1]);
      Files.writeString(folder.resolve(name(page) + ".1"), manual.roff);
    }
  }

  private static String name(CommandPage page) {
    return page.qualifiedName().replace(' ', '-');
  }

  private void page(CommandPage page, List<CommandPage> all, String version) {
    // Without a date, which would make two builds of one commit differ.
    roff.append(".TH ").append(escaped(name(page).toUpperCase(Locale.ROOT))).append(" 1 \"\" \"");
    roff.append(escaped(TOOL + " " + version)).append("\" \"gcdiag manual\"\n");
    // Neither hyphens nor blanks put in to fill a line: names of options stay whole.
    roff.append(".nh\n.ad l\n");
    section("NAME");
    text(name(page) + " - " + asPhrase(page.summary()));
    section("SYNOPSIS");
    synopsis(page);
    section("DESCRIPTION");
    text(page.summary());
    for (String detail : page.texts().details()) {
      if (CommandTexts.isCode(detail)) {
        code(detail.strip());
      } else {
        roff.append(".PP\n");
        text(detail);
      }
    }
    terms("COMMANDS", page.commands());
    section("OPTIONS");
    page.groups()
        .forEach(
            (group, arguments) -> {
              roff.append(".SS ").append(escaped(group)).append('\n');
              arguments.forEach(this::argument);
            });
    section("EXAMPLES");
    for (Term example : page.texts().examples()) {
      roff.append(".PP\n");
      text(example.meaning() + ":");
      code(example.name());
    }
    terms("EXIT STATUS", page.texts().exitCodes());
    terms("ENVIRONMENT", page.texts().environment());
    terms("FILES", page.texts().files());
    section("SEE ALSO");
    roff.append(
        all.stream()
            .filter(other -> !other.equals(page))
            .map(other -> "\\fB" + escaped(name(other)) + "\\fR(1)")
            .collect(Collectors.joining(",\n")));
    roff.append('\n');
  }

  private void synopsis(CommandPage page) {
    String rest = page.synopsis().substring(page.qualifiedName().length()).strip();
    roff.append("\\fB").append(escaped(page.qualifiedName())).append("\\fR");
    for (String part : rest.split(" ")) {
      roff.append(' ').append(escaped(part).replaceAll("([A-Z]+)", "\\\\fI$1\\\\fR"));
    }
    roff.append('\n');
  }

  private void argument(Argument argument) {
    roff.append(".TP\n");
    if (argument.positional()) {
      roff.append("\\fI").append(escaped(argument.usage())).append("\\fR\n");
    } else {
      roff.append(
          argument.names().stream()
              .map(name -> "\\fB" + escaped(name) + "\\fR")
              .collect(Collectors.joining(", ")));
      if (!argument.label().isEmpty()) {
        roff.append(" \\fI").append(escaped(argument.label())).append("\\fR");
      }
      roff.append('\n');
    }
    text(argument.description());
  }

  private void terms(String heading, List<Term> terms) {
    if (terms.isEmpty()) {
      return;
    }
    section(heading);
    for (Term term : terms) {
      roff.append(".TP\n\\fB").append(escaped(term.name())).append("\\fR\n");
      text(term.meaning());
    }
  }

  private void section(String heading) {
    roff.append(".SH ").append(heading).append('\n');
  }

  /** A line that is not broken. */
  private void code(String line) {
    roff.append(".PP\n.RS 4\n.nf\n");
    text(line);
    roff.append(".fi\n.RE\n");
  }

  /** A line of text, of which none is taken for a request. */
  private void text(String line) {
    boolean request = line.startsWith(".") || line.startsWith("'");
    roff.append(request ? "\\&" : "").append(escaped(line)).append('\n');
  }

  private static String asPhrase(String sentence) {
    String phrase = sentence.substring(0, 1).toLowerCase(Locale.ROOT) + sentence.substring(1);
    return phrase.endsWith(".") ? phrase.substring(0, phrase.length() - 1) : phrase;
  }

  /** What can be copied has to stay what it is: a plain minus, quotation mark, tilde. */
  private static String escaped(String text) {
    return text.replace("\\", "\\e")
        .replace("-", "\\-")
        .replace("'", "\\(aq")
        .replace("`", "\\(ga")
        .replace("^", "\\(ha")
        .replace("~", "\\(ti");
  }
}
