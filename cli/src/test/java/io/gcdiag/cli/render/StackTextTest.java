package io.gcdiag.cli.render;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.cli.render.TextRenderer.StackText;
import io.gcdiag.cli.report.Block;
import io.gcdiag.cli.report.Block.StackFrame;
import io.gcdiag.cli.report.Cell;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StackTextTest {

  private static List<String> lines(int width, String... names) {
    List<StackFrame> frames =
        IntStream.range(0, names.length)
            .mapToObj(
                level ->
                    new StackFrame(level - 1, level, names[level], true, 1, OptionalDouble.empty()))
            .toList();
    List<String> lines =
        StackText.lines(
            new Block.Stacks("id", "Stacks", "all", Cell.of(""), "cpu", frames, Optional.empty()),
            width);
    return lines.subList(1, lines.size());
  }

  @Test
  void aFrameThatFitsIsPrintedInFull() {
    assertEquals(
        List.of("100.0 %  com.acme.web.Orders.find"), lines(40, "com.acme.web.Orders.find"));
  }

  @Test
  void packagesGiveWayFromTheLeftUntilTheLineFitsAndClassAndMethodStay() {
    // "100.0 %  " takes nine characters.
    assertEquals(
        List.of("100.0 %  c.a.web.Orders.find"), lines(9 + 20, "com.acme.web.Orders.find"));
    assertEquals(List.of("100.0 %  c.a.w.Orders.find"), lines(9, "com.acme.web.Orders.find"));
    assertEquals(
        List.of("100.0 %  new j.u.Map$Entry[]"), lines(9 + 18, "new java.util.Map$Entry[]"));
  }

  @Test
  void aNameWiderThanItsRoomGoesOnBelowItselfAndKeepsItsPlaceInTheTree() {
    // "100.0 %  " and a level leave 29 of 39 characters; names are cut behind their separators.
    assertEquals(
        List.of(
            "100.0 %  a.B.c",
            "100.0 %   InterceptingRequest$",
            "            RequestExecution.execute",
            "100.0 %    d.E.f"),
        lines(39, "a.B.c", "InterceptingRequest$RequestExecution.execute", "d.E.f"));
  }

  @Test
  void noneAndHardlyAnyAreNotZeroPercent() {
    List<StackFrame> frames =
        List.of(
            new StackFrame(-1, 0, "a.B.c", true, 1, OptionalDouble.of(0)),
            new StackFrame(0, 1, "d.E.f", true, 1, OptionalDouble.of(0.0004)));
    assertEquals(
        List.of("   none 100.0 %  a.B.c", " <0.1 % 100.0 %   d.E.f"),
        StackText.lines(
                new Block.Stacks(
                    "id", "Stacks", "all", Cell.of(""), "cpu", frames, Optional.empty()),
                60)
            .subList(1, 3));
  }

  @Test
  void theIndentationTakesOfTheRoom() {
    assertEquals(
        "100.0 %   c.acme.Orders.find",
        lines(9 + 20, "java.lang.Thread.run", "com.acme.Orders.find").get(1));
  }
}
