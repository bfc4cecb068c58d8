package io.gcdiag.read.gclog.lines;

import io.gcdiag.units.Bytes;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What the runs of JVMs in one log say of themselves. The first one's is what figures are held
 * against, so that it has to be said where a later one differs: after a deployment, for instance.
 */
final class RunFacts {

  /** A file that was put together of all sorts of logs is not listed in full. */
  private static final int MOST = 4;

  private final Map<String, Set<String>> seen = new TreeMap<>();

  /** A run says this of itself. */
  void saw(String what, String value) {
    Set<String> values = seen.computeIfAbsent(what, any -> new LinkedHashSet<>());
    if (values.size() < MOST) {
      values.add(value);
    }
  }

  /** The sentence on what differs; empty if nothing does. */
  Optional<String> differences() {
    String words =
        seen.entrySet().stream()
            .filter(fact -> fact.getValue().size() > 1)
            .map(
                fact ->
                    fact.getKey()
                        + " "
                        + fact.getValue().stream()
                            .map(RunFacts::readable)
                            .collect(Collectors.joining(" and ")))
            .collect(Collectors.joining(", "));
    return words.isEmpty()
        ? Optional.empty()
        : Optional.of("its runs differ: " + words + "; the first one's count for all");
  }

  private static String readable(String value) {
    return value.chars().allMatch(Character::isDigit) && !value.isEmpty()
        ? Bytes.parse(value).toString()
        : value;
  }
}
