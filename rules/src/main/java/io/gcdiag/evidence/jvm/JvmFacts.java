package io.gcdiag.evidence.jvm;

import io.gcdiag.units.Bytes;
import java.time.Instant;
import java.util.Collections;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Facts about the JVM from the inputs. Everything may be unknown.
 *
 * @param version such as {@code 17.0.15}; if a log's format only limits it, a range such as {@code
 *     9 to 13}
 * @param collector such as {@code G1}, {@code Parallel}, {@code ParNew + CMS}
 * @param initialHeap the heap's size at start
 * @param maxHeap the heap's maximum size
 * @param cpus processors the JVM may use
 * @param start when the JVM started
 * @param flags flags in force, by name
 */
public record JvmFacts(
    Optional<String> version,
    Optional<String> collector,
    Optional<Bytes> initialHeap,
    Optional<Bytes> maxHeap,
    OptionalInt cpus,
    Optional<Instant> start,
    SortedMap<String, Flag> flags) {

  /** The last release before modules, unified logging and DRBG (JEP 273). */
  public static final int JDK_8 = 8;

  /** The first release that records no socket read that ends by its timeout (JDK-8308995). */
  public static final int WITHOUT_TIMED_OUT_READS = 22;

  /** Events per second of one type of reads that the settings {@code default} of JDK 25 keep. */
  public static final int READS_KEPT_PER_SECOND = 100;

  /** Until JDK 8 the release came after {@code 1.}; three digits are enough for any release. */
  private static final Pattern RELEASE = Pattern.compile("(?:1\\.)?(\\d{1,3})(?!\\d)");

  /** The machine's CPUs; {@code 1 available} may follow. */
  private static final Pattern CPUS = Pattern.compile("(\\d{1,6}) total");

  public JvmFacts {
    flags = Collections.unmodifiableSortedMap(new TreeMap<>(flags));
  }

  public static JvmFacts unknown() {
    return ofCpus(OptionalInt.empty());
  }

  /** Only the number of processors. */
  public static JvmFacts ofCpus(OptionalInt cpus) {
    return new JvmFacts(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        cpus,
        Optional.empty(),
        new TreeMap<>());
  }

  /** The version, if it is not a range. */
  public Optional<String> exactVersion() {
    return version.filter(text -> text.indexOf(' ') < 0);
  }

  /** The oldest possible release: 8 for {@code 1.8.0_504}, 9 for {@code 9 to 13}. */
  public OptionalInt oldestRelease() {
    return version.map(RELEASE::matcher).filter(Matcher::lookingAt).stream()
        .mapToInt(number -> Integer.parseInt(number.group(1)))
        .findFirst();
  }

  /**
   * The processors that the operating system gives the JVM, unless the number was set by a flag.
   */
  public OptionalInt cpusGiven() {
    return number("ActiveProcessorCount").orElse(0) > 0 ? OptionalInt.empty() : cpus;
  }

  /**
   * Whether the operating system gives the JVM fewer CPUs than the machine has, by a CPU set or a
   * quota, as its log states ({@code CPUs: 2 total, 1 available}).
   */
  public boolean isGivenFewer() {
    return cpusGiven().orElse(Integer.MAX_VALUE) < cpusOfMachine().orElse(0);
  }

  /** The machine's processors, as its log states them. */
  public OptionalInt cpusOfMachine() {
    return flag("CPUs").map(line -> CPUS.matcher(line.value())).filter(Matcher::find).stream()
        .mapToInt(cpus -> Integer.parseInt(cpus.group(1)))
        .findFirst();
  }

  public Optional<Flag> flag(String name) {
    return Optional.ofNullable(flags.get(name));
  }

  /** A flag's value as a number, if there is one. */
  public OptionalDouble number(String name) {
    Flag flag = flags.get(name);
    if (flag == null) {
      return OptionalDouble.empty();
    }
    try {
      return OptionalDouble.of(Double.parseDouble(flag.value()));
    } catch (NumberFormatException e) {
      return OptionalDouble.empty();
    }
  }

  /**
   * Whether the heap has a constant size: {@code -Xms}, which sets HotSpot's {@code MinHeapSize},
   * equals {@code -Xmx}. What Serial and Parallel report as capacity still varies, because it
   * excludes one of two survivor spaces.
   */
  public boolean keepsHeapSize() {
    OptionalDouble least = number("MinHeapSize");
    return least.isPresent()
        && maxHeap.filter(most -> most.value() == Math.round(least.getAsDouble())).isPresent();
  }
}
