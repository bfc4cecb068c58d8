package io.gcdiag.cli.render;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.cli.manual.CommandPage;
import io.gcdiag.cli.manual.CommandPage.Argument;
import io.gcdiag.cli.manual.CommandPage.CommandTexts;
import io.gcdiag.cli.manual.CommandPage.Term;
import io.gcdiag.cli.manual.CommandPage.Values;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class HelpTextTest {

  @Test
  void optionsStandInGroupsWithTheirDescriptionsInAColumn() {
    assertEquals(
        """
        Usage: gcdiag weigh [OPTION...] THING...

        Weighs things.

        One after another.

          a command that is to be copied stays a line, be it longer than all the others

        Inputs:
          THING...                what to weigh

        Output:
          --unit UNIT             kg or lb, where those two words are not enough to
                                  fill a line (default: kg)
          --a-very-long-name FILE...
                                  where to write

        Examples:
          gcdiag weigh apples
              weigh apples

        Exit codes:
          0                       done
        """,
        HelpText.render(page(), 78));
  }

  @Test
  void inANarrowTerminalDescriptionsStandBelow() {
    assertEquals(
        """
          --unit UNIT
              kg or lb, where those two words
              are not enough to fill a line
              (default: kg)
        """,
        HelpText.render(page(), 40)
            .lines()
            .dropWhile(line -> !line.contains("--unit"))
            .limit(4)
            .map(line -> line + "\n")
            .reduce("", String::concat));
  }

  private static CommandPage page() {
    Argument thing =
        new Argument(List.of(), "THING", "what to weigh", true, true, Values.TEXT, List.of());
    Argument unit =
        new Argument(
            List.of("--unit"),
            "UNIT",
            "kg or lb, where those two words are not enough to fill a line (default: kg)",
            false,
            false,
            Values.WORDS,
            List.of("kg", "lb"));
    Argument file =
        new Argument(
            List.of("--a-very-long-name"),
            "FILE...",
            "where to write",
            false,
            true,
            Values.FILES,
            List.of());
    return new CommandPage(
        "weigh",
        "Weighs things.",
        new TreeMap<>(Map.of("Inputs", List.of(thing), "Output", List.of(unit, file))),
        List.of(),
        new CommandTexts(
            List.of(
                "One after another.",
                "  a command that is to be copied stays a line, be it longer than all the others"),
            List.of(new Term("gcdiag weigh apples", "weigh apples")),
            List.of(new Term("0", "done")),
            List.of(),
            List.of()));
  }
}
