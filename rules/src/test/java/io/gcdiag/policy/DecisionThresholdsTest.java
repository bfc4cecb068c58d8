package io.gcdiag.policy;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * How many numbers decide in judging. The values of {@link Policy} are few and general; every other
 * named number in a class that judges is a fact of the JVM or a threshold of its own, of which
 * there may be fewer tomorrow and not more: lower the limit when one goes.
 */
class DecisionThresholdsTest {

  private static final Path SOURCES = Path.of("src", "main", "java", "io", "gcdiag");

  /** Where evidence is measured, weighed and judged. */
  private static final List<String> JUDGING =
      List.of("measures", "accounts", "books", "windows", "diagnosis");

  private static final int MOST_POLICY = 24;
  private static final int MOST_OF_THEIR_OWN = 142;

  /** A number, or a duration of a number; not what is computed from other names. */
  private static final Pattern NUMBER =
      Pattern.compile(
          "static final (?:double|int|long|Duration) (\\w+)\\s*=\\s*"
              + "((?:Duration\\.of\\w+\\()?[-0-9][0-9_.eEL]*\\)?);");

  @Test
  void generalDecisionsAreFew() {
    long values = numbers("policy").values().stream().mapToLong(List::size).sum();
    assertTrue(values <= MOST_POLICY, values + " values of policy");
  }

  @Test
  void thresholdsOfSingleClassesDoNotGrow() {
    TreeMap<String, List<String>> byValue = new TreeMap<>();
    JUDGING.forEach(room -> numbers(room).forEach((value, names) -> add(byValue, value, names)));
    long count = byValue.values().stream().mapToLong(List::size).sum();
    assertTrue(
        count <= MOST_OF_THEIR_OWN,
        () ->
            count
                + " named numbers, where "
                + MOST_OF_THEIR_OWN
                + " were; is the new one a value of Policy, or an interval?\n"
                + byValue.entrySet().stream()
                    .map(entry -> entry.getKey() + ": " + String.join(", ", entry.getValue()))
                    .collect(Collectors.joining("\n")));
  }

  private static void add(TreeMap<String, List<String>> all, String value, List<String> names) {
    all.merge(value, names, (one, other) -> Stream.concat(one.stream(), other.stream()).toList());
  }

  /** The names of the numbers in a package, by their values. */
  private static TreeMap<String, List<String>> numbers(String room) {
    TreeMap<String, List<String>> numbers = new TreeMap<>();
    try (Stream<Path> files = Files.walk(SOURCES.resolve(room))) {
      files
          .filter(file -> file.toString().endsWith(".java"))
          .sorted()
          .forEach(file -> addNumbers(numbers, file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return numbers;
  }

  private static void addNumbers(TreeMap<String, List<String>> numbers, Path file) {
    String name = file.getFileName().toString().replace(".java", "");
    Matcher number = NUMBER.matcher(text(file));
    while (number.find()) {
      String place = name + "." + number.group(1);
      add(numbers, number.group(2), List.of(place));
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
