package io.gcdiag.read.frames;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringReader;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FrameRulesTest {

  private static FrameRules parse(String text) throws IOException {
    return FrameRules.parse(new StringReader(text));
  }

  @Test
  void aFrameWithoutATrailingDotMatchesOnlyWhole() throws IOException {
    FrameRules rules = parse("[pool]\nMy pool: a.Pool.take b.Pool.take\n");
    assertEquals(Optional.of("My pool"), rules.name(Section.POOL, "a.Pool.take"));
    assertEquals(Optional.of("My pool"), rules.name(Section.POOL, "b.Pool.take"));
    assertFalse(rules.is(Section.POOL, "a.Pool.takeBack"));
    assertFalse(rules.is(Section.CLIENT, "a.Pool.take"));
  }

  @Test
  void aTrailingDotOrDollarMatchesTheBeginningAndTheLongestBeginningNames() throws IOException {
    FrameRules rules = parse("[client]\nWhole: a.\nPart: a.b.\nInner: a.C$\n");
    assertEquals(Optional.of("Whole"), rules.name(Section.CLIENT, "a.D.run"));
    assertEquals(Optional.of("Part"), rules.name(Section.CLIENT, "a.b.D.run"));
    assertEquals(Optional.of("Inner"), rules.name(Section.CLIENT, "a.C$1.run"));
    assertFalse(rules.is(Section.CLIENT, "ab.D.run"));
  }

  @Test
  void commentsAndEmptyLinesAreSkipped() throws IOException {
    FrameRules rules = parse("# a comment\n\n[idle]\n  # another\n  a.B.c  \n");
    assertTrue(rules.is(Section.IDLE, "a.B.c"));
  }

  @Test
  void threadNamesMatchByPatternLessTheExceptions() throws IOException {
    FrameRules rules = parse("[request thread]\nqtp*\n!qtp*acceptor*\nhttp-*-exec-*\n");
    assertTrue(rules.isRequestThread("qtp1-12"));
    assertFalse(rules.isRequestThread("qtp1-12-acceptor-0"));
    assertTrue(rules.isRequestThread("http-nio-8080-exec-3"));
    assertFalse(rules.isRequestThread("http-nio-8080-Poller"));
  }

  @Test
  void plumbingMayMatchInsideAFrame() throws IOException {
    FrameRules rules = parse("[plumbing]\n*$Proxy*\n");
    assertTrue(rules.is(Section.PLUMBING, "jdk.proxy2.$Proxy12.find"));
  }

  @Test
  void aLineThatIsNoRuleIsRefusedWithItsNumber() {
    for (String bad : new String[] {"[no such]\n", "a.B.c\n", "[idle]\na.*\n", "[idle]\nword\n"}) {
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> parse(bad), bad);
      assertTrue(e.getMessage().startsWith("line "), e.getMessage());
    }
  }
}
