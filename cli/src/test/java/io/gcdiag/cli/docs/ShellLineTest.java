package io.gcdiag.cli.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class ShellLineTest {

  private static List<List<String>> programs(String... lines) {
    return ShellLine.programs(List.of(lines));
  }

  @Test
  void pipesSeparatePrograms() {
    assertEquals(
        List.of(List.of("gcdiag", "analyze", "a b.log"), List.of("jq", ".x[0]")),
        programs("gcdiag analyze 'a b.log' | jq '.x[0]'"));
  }

  @Test
  void filesOfRedirectionAndCommentsAreNoArguments() {
    assertEquals(
        List.of(List.of("jcmd", "1", "Thread.print", "-l")),
        programs("jcmd 1 Thread.print -l > threads.txt   # while requests are slow"));
  }

  @Test
  void continuedLinesAreOneProgramAndVariablesNone() {
    assertEquals(
        List.of(List.of("gcdiag", "analyze", "incident/")),
        programs("GCDIAG_JAVA_OPTS=-Xmx2g gcdiag analyze \\", "  incident/"));
  }

  @Test
  void whatIsSubstitutedIsAProgram() {
    assertEquals(
        List.of(List.of("source"), List.of("gcdiag", "completion")),
        programs("source <(gcdiag completion)"));
  }
}
