package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.cli.manual.CommandPage;
import io.gcdiag.cli.manual.CommandPage.Argument;
import io.gcdiag.cli.manual.CommandPage.Values;
import io.gcdiag.cli.manual.HelpTexts;
import io.gcdiag.units.ResourceText;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What help, man pages, reference and completion are made of. */
class CommandPagesTest {

  private static final List<CommandPage> PAGES = CommandPages.all();

  @Test
  void everyArgumentIsDescribedAndNoDescriptionIsASentence() {
    for (CommandPage page : PAGES) {
      for (Argument argument : page.groups().values().stream().flatMap(List::stream).toList()) {
        String what = page.command() + " " + argument.usage();
        assertFalse(argument.description().isBlank(), what);
        assertFalse(argument.description().endsWith("."), what);
      }
    }
  }

  @Test
  void theHelpSaysNothingOfWhatIsNotThere() {
    Set<String> known = new HashSet<>();
    for (CommandPage page : PAGES) {
      for (Argument argument : page.groups().values().stream().flatMap(List::stream).toList()) {
        List<String> names = argument.names();
        String name =
            argument.positional()
                ? argument.usage().replace("...", "")
                : names.get(names.size() - 1);
        known.addAll(List.of(name, page.command() + " " + name));
      }
    }
    String help = ResourceText.whole(HelpTexts.class, "help.txt");
    for (String paragraph : help.substring(help.indexOf("[options: ")).strip().split("\n\n")) {
      String name = paragraph.lines().findFirst().orElseThrow();
      assertTrue(name.startsWith("[options: ") || known.contains(name), name);
    }
  }

  @Test
  void everyCommandHasExamplesOfItsOwn() {
    for (CommandPage page : PAGES) {
      assertFalse(page.texts().examples().isEmpty(), page.command());
      page.texts()
          .examples()
          .forEach(one -> assertTrue(one.name().startsWith(page.qualifiedName()), one.name()));
    }
  }

  @Test
  void valuesAreKnownWhereTheyAreWordsOrFiles() {
    assertEquals(
        List.of("table", "markdown", "jira", "html", "junit", "json"),
        option("analyze", "--format").words());
    assertEquals(
        List.of("primary", "contributing", "undecided"), option("analyze", "--fail-on").words());
    assertEquals(Values.FILES, option("analyze", "--jfr").values());
    assertEquals(Values.FILES, option("analyze", "--frames").values());
    assertEquals(Values.TEXT, option("analyze", "--map").values());
    assertEquals(Values.TEXT, option("analyze", "--hold").values());
    assertEquals(Values.NONE, option("analyze", "--quiet").values());
    assertTrue(positional("explain").words().contains("memory-pressure"));
    assertTrue(positional("help").words().contains("littles-law"));
    assertEquals(Values.FILES, positional("compare").values());
  }

  @Test
  void theSynopsisTellsWhatIsOptional() {
    assertEquals("gcdiag COMMAND [OPTION...]", page("").synopsis());
    assertEquals("gcdiag analyze [OPTION...] [INPUT...]", page("analyze").synopsis());
    assertEquals("gcdiag compare [OPTION...] BEFORE AFTER", page("compare").synopsis());
  }

  private static CommandPage page(String command) {
    return PAGES.stream().filter(page -> page.command().equals(command)).findFirst().orElseThrow();
  }

  private static Argument option(String command, String name) {
    return page(command).options().filter(o -> o.names().contains(name)).findFirst().orElseThrow();
  }

  private static Argument positional(String command) {
    return page(command).positionals().findFirst().orElseThrow();
  }
}
