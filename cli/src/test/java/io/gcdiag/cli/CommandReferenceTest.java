package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.cli.manual.CommandPage;
import io.gcdiag.cli.manual.CommandPage.Argument;
import io.gcdiag.cli.manual.CommandPage.CommandTexts;
import io.gcdiag.cli.manual.CommandPage.Term;
import io.gcdiag.fixtures.Incidents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/reference/commands.md} says what the help says; with -Dapprove it is written anew.
 */
class CommandReferenceTest {

  private static final Path REFERENCE =
      Incidents.all()
          .get(0)
          .getParent()
          .getParent()
          .getParent()
          .resolve("docs/reference/commands.md");

  private final StringBuilder page = new StringBuilder();

  @Test
  void theReferenceSaysWhatTheHelpSays() throws IOException {
    String reference = reference(CommandPages.all());
    if (System.getProperty("approve") != null) {
      Files.createDirectories(REFERENCE.getParent());
      Files.writeString(REFERENCE, reference);
    }
    assertEquals(
        Files.exists(REFERENCE) ? Files.readString(REFERENCE) : "",
        reference,
        () -> REFERENCE + " is stale; ./mvnw -B verify -Dapprove writes it");
  }

  private String reference(List<CommandPage> pages) {
    CommandPage root = pages.get(0);
    line("# Commands");
    line(
        "Generated from the command line itself: `gcdiag help COMMAND` and the man pages say the"
            + " same.");
    table("command", root.commands(), term -> link(root, term.name()));
    pages.forEach(this::command);
    line("## Environment");
    table("variable", root.texts().environment(), term -> "`" + term.name() + "`");
    return page.toString().stripTrailing() + "\n";
  }

  private static String link(CommandPage root, String command) {
    return "[" + command + "](#" + root.qualifiedName() + "-" + command + ")";
  }

  private void command(CommandPage command) {
    line("## " + command.qualifiedName());
    line("`" + command.synopsis() + "`");
    line(command.summary());
    for (String detail : command.texts().details()) {
      line((CommandTexts.isCode(detail) ? "  " : "") + detail);
    }
    command
        .groups()
        .forEach(
            (group, arguments) ->
                table(
                    group.toLowerCase(Locale.ROOT),
                    arguments.stream().map(CommandReferenceTest::term).toList(),
                    term -> "`" + term.name() + "`"));
    for (Term example : command.texts().examples()) {
      line(sentence(example.meaning()) + ":");
      line("    " + example.name());
    }
    table("exit code", command.texts().exitCodes(), Term::name);
    if (!command.texts().files().isEmpty()) {
      table("file", command.texts().files(), term -> "`" + term.name() + "`");
    }
  }

  private static Term term(Argument argument) {
    return new Term(argument.usage(), argument.description());
  }

  private static String sentence(String phrase) {
    return phrase.substring(0, 1).toUpperCase(Locale.ROOT) + phrase.substring(1);
  }

  private void table(String heading, List<Term> terms, Function<Term, String> name) {
    page.append("| ").append(heading).append(" | |\n|---|---|\n");
    for (Term term : terms) {
      page.append("| ").append(cell(name.apply(term)));
      page.append(" | ").append(cell(term.meaning())).append(" |\n");
    }
    page.append('\n');
  }

  private static String cell(String text) {
    return text.replace("|", "\\|");
  }

  private void line(String text) {
    page.append(text).append("\n\n");
  }
}
