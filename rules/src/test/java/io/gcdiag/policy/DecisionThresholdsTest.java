package io.gcdiag.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * How many numbers decide in judging. The values of {@link Policy} are few and general; every other
 * named number in a class that judges is a fact, a matter of computing, or a threshold of its own,
 * of which there may be fewer tomorrow and not more: lower the limit when one goes.
 */
class DecisionThresholdsTest {

  private static final Path SOURCES = Path.of("src", "main", "java", "io", "gcdiag");

  /** Where evidence is measured, weighed and judged. */
  private static final List<String> JUDGING = List.of("measures", "books", "causes", "verdict");

  private static final int MOST_POLICY = 24;
  private static final int MOST_OF_THEIR_OWN = 54;

  /** What the JVM, the kernel, a network or a clock does, and the levels of statistics. */
  private static final Set<String> FACTS =
      Set.of(
          "UndisturbedLatency.WAY",
          "ChangedActivity.LARGE",
          "ClassMetadataRule.NEAR",
          "CollectorStarvation.LEAST_MEASURED_SECONDS",
          "CollectorTimes.LEAST_SECONDS",
          "DumpTimes.AROUND",
          "DumpedCpu.SHORTEST_BY_AGE",
          "DumpedCpu.SHORTEST_BY_DATE",
          "FileTimeRule.SEEK",
          "FullHeap.NOTHING_FREED",
          "HeapHeadroom.AT_CEILING",
          "HeldCarriers.SOME_READINGS",
          "FullHeap.SAME_OPERATION",
          "InterpretedCode.STORM",
          "InterpretedCode.WARM_UP",
          "LiveSet.NEVER_CLEARED",
          "LoggedErrorsRule.WHOLE_SECOND",
          "MemoryHeadroom.GENERATIONAL_SINCE",
          "OccupiedStretch.HARDLY_IDLE",
          "OccupiedStretch.ONE_LOOP",
          "SafepointTimes.SLICE_SECONDS",
          "SampledCalls.FASTEST_CALL",
          "SampledCalls.RULE_OF_THREE",
          "StillThread.LOOKING_NANOS_PER_SECOND",
          "StillThread.STILL_NANOS",
          "Throttling.USUAL_PERIOD",
          "UnendedThreads.MOST_OF_A_POOL",
          "WakeDelay.LATE_SECONDS",
          "WarmUpTrim.LONGEST_COMPILING");

  /** Units, steps and bounds of a calculation, and what a printed figure can show. */
  private static final Set<String> COMPUTING =
      Set.of(
          "Attribution.MOST_ROUNDS",
          "UndisturbedLatency.PIECES",
          "StoppedTimeSplit.UNKNOWN",
          "CoreQueue.MOST_USED",
          "Diagnoser.PAUSE_BYTES",
          "Ledger.MILLIS",
          "Ledger.PER_CENT",
          "LiveSet.SLICES",
          "HoldersTime.SECOND",
          "Judgement.LEAST_SHOWN",
          "PoolByFigures.LEAST_PRINTED",
          "LostTime.MOST_BUCKETS",
          "PausesAlone.MOST_REQUESTS",
          "RequestDelays.SECOND",
          "RuntimeWork.PARTS",
          "ShareIntervals.NEGLIGIBLE",
          "StopCost.LEAST_RUNNING",
          "Summary.MOMENT",
          "UndisturbedLatency.STEPS",
          "UnendedThreads.PARTS",
          "PoolInEvents.SECOND");

  /** Classes that predict or advise: what they know of the JVM and of libraries judges nothing. */
  private static final Pattern NOT_JUDGING =
      Pattern.compile(
          ".*Cause|CauseRemoved|Collection(?:Count|sDue|sRemoved)|EndpointExcess"
              + "|Heap(?:Model|Sizes|Use)|Latency|ServerCounts|SizeSetting|WantedHeap");

  /** A number, or a duration of a number; not what is computed from other names. */
  private static final Pattern NUMBER =
      Pattern.compile(
          "static final (?:double|int|long|Duration) (\\w+)\\s*=\\s*"
              + "((?:Duration\\.of\\w+\\()?[-0-9][0-9_.eEL]*\\)?);");

  /** Where the text of a rule begins that is nested in a cause. */
  private static final Pattern RULE_IN_CAUSE =
      Pattern.compile("(?m)(?=^  static final class \\w+Rule )");

  private static final Pattern RULE_NAME = Pattern.compile("\\A  static final class (\\w+Rule) ");

  @Test
  void generalDecisionsAreFew() {
    long values = numbers("policy").values().stream().mapToLong(List::size).sum();
    assertTrue(values <= MOST_POLICY, values + " values of policy");
  }

  @Test
  void thresholdsOfSingleClassesDoNotGrow() {
    TreeMap<String, List<String>> decisions = ownByValue();
    decisions.values().removeIf(List::isEmpty);
    long count = decisions.values().stream().mapToLong(List::size).sum();
    assertTrue(
        count <= MOST_OF_THEIR_OWN,
        () ->
            count
                + " thresholds, where "
                + MOST_OF_THEIR_OWN
                + " were, beside "
                + FACTS.size()
                + " facts and "
                + COMPUTING.size()
                + " of computing; is the new one a value of Policy, or an interval?\n"
                + decisions.entrySet().stream()
                    .map(entry -> entry.getKey() + ": " + String.join(", ", entry.getValue()))
                    .collect(Collectors.joining("\n")));
  }

  @Test
  void whatIsListedIsThere() {
    Set<String> names =
        JUDGING.stream()
            .flatMap(room -> numbers(room).values().stream())
            .flatMap(List::stream)
            .collect(Collectors.toSet());
    assertEquals(
        List.of(),
        Stream.concat(FACTS.stream(), COMPUTING.stream())
            .filter(name -> !names.contains(name))
            .toList());
  }

  /** The names of the numbers that are neither facts nor of computing, by their values. */
  private static TreeMap<String, List<String>> ownByValue() {
    TreeMap<String, List<String>> own = new TreeMap<>();
    for (String room : JUDGING) {
      numbers(room)
          .forEach(
              (value, names) ->
                  add(
                      own,
                      value,
                      names.stream()
                          .filter(name -> !FACTS.contains(name) && !COMPUTING.contains(name))
                          .toList()));
    }
    return own;
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

  private static String name(Path file) {
    return file.getFileName().toString().replace(".java", "");
  }

  private static void addNumbers(TreeMap<String, List<String>> numbers, Path file) {
    String name = name(file);
    for (String part : RULE_IN_CAUSE.split(text(file))) {
      Matcher rule = RULE_NAME.matcher(part);
      String place = name.endsWith("Cause") && rule.find() ? rule.group(1) : name;
      if (!NOT_JUDGING.matcher(place).matches()) {
        NUMBER
            .matcher(part)
            .results()
            .forEach(
                number -> add(numbers, number.group(2), List.of(place + "." + number.group(1))));
      }
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
