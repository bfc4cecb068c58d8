package io.gcdiag.read.gclog;

import io.gcdiag.evidence.jvm.Flag;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.bytes.InputFile;
import io.gcdiag.read.bytes.JvmVersions;
import io.gcdiag.units.Bytes;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** A log's facts about its JVM, as evidence. */
final class LogFacts {

  private static final Set<String> SIZES =
      Set.of("MinHeapSize", "InitialHeapSize", "MaxHeapSize", "G1HeapRegionSize");

  static JvmFacts of(InputFile file, GcLog log) {
    Map<String, String> facts = log.origin().facts();
    SortedMap<String, Flag> flags = new TreeMap<>();
    facts.forEach(
        (name, value) ->
            flags.put(name, new Flag(name, inBytes(name, value), "", new Source(file.name(), ""))));
    return new JvmFacts(
        log.origin()
            .jvmVersion()
            .flatMap(JvmVersions::ofJdk)
            .or(() -> Optional.of(log.origin().jdks())),
        log.origin().collector(),
        size(facts, "InitialHeapSize"),
        size(facts, "MaxHeapSize"),
        cpus(facts),
        Optional.empty(),
        flags);
  }

  /** Converts sizes such as {@code 256M} to bytes, as the JVM's own tools print them. */
  static String inBytes(String name, String value) {
    return SIZES.contains(name)
        ? size(Map.of(name, value), name).map(size -> Long.toString(size.value())).orElse(value)
        : value;
  }

  /** A size that the log states; empty if it does not. */
  static Optional<Bytes> size(Map<String, String> facts, String name) {
    try {
      return Optional.ofNullable(facts.get(name)).map(Bytes::parse);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** {@code CPUs: 2 total, 2 available}. */
  private static OptionalInt cpus(Map<String, String> facts) {
    String text = facts.getOrDefault("CPUs", "").replaceAll("\\D+", " ").trim();
    String[] numbers = text.split(" ");
    String available = numbers[numbers.length - 1];
    return available.isEmpty() || available.length() > 6
        ? OptionalInt.empty()
        : OptionalInt.of(Integer.parseInt(available));
  }

  /**
   * The heap's size, if the initial size equals the maximum. If neither is stated, the size derived
   * from the shares in cycles.
   */
  static Optional<Bytes> fixedSize(GcLog log) {
    Optional<Bytes> max = size(log.origin().facts(), "MaxHeapSize");
    return max.isEmpty()
        ? log.capacity()
        : max.filter(
            size -> size(log.origin().facts(), "InitialHeapSize").filter(size::equals).isPresent());
  }
}
