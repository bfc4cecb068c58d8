package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.OverwrittenOptionException;

/** What a command reads of the command line it was given. */
class CommandModelTest {

  private final CommandModel command = new CommandModel((Runnable) () -> {}, "tool");

  private CommandLine line;

  private void parse(String... arguments) {
    if (line == null) {
      line = new CommandLine(command.spec());
    }
    line.parseArgs(arguments);
  }

  @Test
  void aFlagIsOffUnlessItIsGiven() {
    BooleanSupplier flag = command.flag("--flag");
    assertFalse(flag.getAsBoolean());
    parse("--flag");
    assertTrue(flag.getAsBoolean());
    assertTrue(command.given("--flag"));
    parse();
    assertFalse(flag.getAsBoolean());
    assertFalse(command.given("--flag"));
  }

  @Test
  void aValueIsAbsentUnlessItIsGiven() {
    Supplier<Optional<Integer>> size = command.value("--size", "N", Integer.class);
    parse();
    assertEquals(Optional.empty(), size.get());
    parse("--size", "3");
    assertEquals(Optional.of(3), size.get());
    parse("--size=4");
    assertEquals(Optional.of(4), size.get());
    assertThrows(OverwrittenOptionException.class, () -> parse("--size=4", "--size=5"));
  }

  @Test
  void aDefaultHoldsUnlessTheOptionIsGivenAlsoTheSecondTime() {
    Supplier<Integer> size = command.value("--size", "N", Integer.class, 7);
    parse();
    assertEquals(7, size.get());
    parse("--size", "3");
    assertEquals(3, size.get());
    parse();
    assertEquals(7, size.get());
  }

  @Test
  void valuesAreAllThatAreGivenInTheirOrder() {
    Supplier<List<Integer>> sizes = command.values("--size", "N", Integer.class);
    Supplier<Map<String, Integer>> pairs = command.pairs("--set", "NAME=N", Integer.class);
    parse();
    assertEquals(List.of(), sizes.get());
    assertEquals(Map.of(), pairs.get());
    parse("--size", "2", "--set", "a=1", "--size", "1", "--set", "b=2");
    assertEquals(List.of(2, 1), sizes.get());
    assertEquals(Map.of("a", 1, "b", 2), pairs.get());
    parse("--size", "5");
    assertEquals(List.of(5), sizes.get());
    assertEquals(Map.of(), pairs.get());
  }

  @Test
  void argumentsStandByTheirPosition() {
    Supplier<String> first = command.argument(0, "FIRST", String.class);
    Supplier<String> second = command.argument(1, "SECOND", String.class);
    parse("a", "b");
    assertEquals("a", first.get());
    assertEquals("b", second.get());
    assertThrows(MissingParameterException.class, () -> parse("a"));
  }

  @Test
  void anOptionalArgumentMayBeLeftOut() {
    Supplier<Optional<String>> only = command.optionalArgument("NAME", String.class);
    parse("a");
    assertEquals(Optional.of("a"), only.get());
    parse();
    assertEquals(Optional.empty(), only.get());
  }

  @Test
  void argumentsMayBeManyOrNone() {
    Supplier<List<String>> all = command.arguments("NAME", String.class);
    parse("a", "b");
    assertEquals(List.of("a", "b"), all.get());
    parse();
    assertEquals(List.of(), all.get());
  }

  @Test
  void anInheritedFlagIsReadAfterTheCommandToo() {
    BooleanSupplier flag = command.inheritedFlag("--flag");
    line = new CommandLine(command.spec());
    line.addSubcommand(new CommandModel((Runnable) () -> {}, "run").spec());
    parse("run", "--flag");
    assertTrue(flag.getAsBoolean());
    parse("run");
    assertFalse(flag.getAsBoolean());
    parse("--flag", "run");
    assertTrue(flag.getAsBoolean());
  }
}
