package io.gcdiag.read.gclog;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The lines that a unified log begins with: which collector, which version, which sizes. */
final class UnifiedFacts {

  /**
   * {@code Using G1}, {@code Using The Z Garbage Collector}, {@code Using Concurrent Mark Sweep}.
   */
  private static final Pattern USING =
      Pattern.compile(
          "Using (G1|Parallel|Serial|Concurrent Mark Sweep|The Z Garbage Collector|Shenandoah"
              + "|Epsilon)\\b.*");

  /** {@code Version: 25.0.3+9-LTS (release)}. */
  private static final Pattern VERSION = Pattern.compile("Version: (\\S+).*");

  /** {@code Heap Region Size: 1M}, {@code CPUs: 2 total, 2 available}. */
  private static final Pattern SETTING =
      Pattern.compile(
          "(CPUs|Memory|Large Page Support|NUMA Support|Compressed Oops"
              + "|Heap Region Size|Heap region size"
              + "|Heap Min Capacity|Heap Initial Capacity|Heap Max Capacity"
              + "|Min Capacity|Initial Capacity|Max Capacity|Soft Max Capacity"
              + "|Pre-touch|Parallel Workers|Concurrent Workers|GC Workers|Periodic GC"
              + "|Heuristics|Mode): (.+)");

  /** JDK 17 and later with debug: {@code Minimum heap 67108864 Initial heap 67108864 ...}. */
  private static final Pattern DEBUG_SIZES =
      Pattern.compile("Minimum heap (\\d+)  Initial heap (\\d+)  Maximum heap (\\d+)");

  private static final Map<String, String> FLAGS =
      Map.of(
          "Heap Min Capacity", "MinHeapSize",
          "Heap Initial Capacity", "InitialHeapSize",
          "Heap Max Capacity", "MaxHeapSize",
          "Min Capacity", "MinHeapSize",
          "Initial Capacity", "InitialHeapSize",
          "Max Capacity", "MaxHeapSize",
          "Heap Region Size", "G1HeapRegionSize",
          "Heap region size", "G1HeapRegionSize");

  private static final Map<String, String> COLLECTORS =
      Map.of("Concurrent Mark Sweep", "CMS", "The Z Garbage Collector", "ZGC");

  private UnifiedFacts() {}

  /** Whether a log begins with that message: ZGC's first one comes before it names itself. */
  static boolean isBeginning(String message) {
    return message.startsWith("Initializing The Z Garbage Collector")
        || collector(message).isPresent();
  }

  static Optional<String> collector(String message) {
    if (!message.startsWith("Using ")) {
      return Optional.empty();
    }
    Matcher using = USING.matcher(message);
    return using.matches()
        ? Optional.of(COLLECTORS.getOrDefault(using.group(1), using.group(1)))
        : Optional.empty();
  }

  /** Takes what the message says; true if it was a line of this sort. */
  static boolean read(String message, GcLog log) {
    if (message.indexOf(':') < 0 && !message.startsWith("Minimum heap ")) {
      return false;
    }
    Matcher version = VERSION.matcher(message);
    if (version.matches()) {
      log.jvmVersion(version.group(1));
      return true;
    }
    Matcher setting = SETTING.matcher(message);
    if (setting.matches()) {
      String key = setting.group(1);
      log.fact(FLAGS.getOrDefault(key, key), setting.group(2).strip());
      return true;
    }
    Matcher sizes = DEBUG_SIZES.matcher(message);
    if (sizes.matches()) {
      log.fact("MinHeapSize", sizes.group(1));
      log.fact("InitialHeapSize", sizes.group(2));
      log.fact("MaxHeapSize", sizes.group(3));
      return true;
    }
    return false;
  }

  /** The collector that alone uses such words for a pause or a generation. */
  static Optional<String> byContent(String text) {
    if (text.startsWith("Pause Mark Start") || text.startsWith("Pause Relocate Start")) {
      return Optional.of("ZGC");
    }
    if (text.startsWith("Pause Init ")
        || text.startsWith("Pause Final ")
        || text.startsWith("Pause Degenerated")) {
      return Optional.of("Shenandoah");
    }
    if (text.contains("(G1 ")
        || text.startsWith("Pause Cleanup")
        || text.startsWith("Pause Young (Normal)")
        || text.startsWith("Pause Young (Mixed)")
        || text.startsWith("Pause Young (Prepare Mixed)")
        || text.startsWith("Pause Young (Concurrent Start)")) {
      return Optional.of("G1");
    }
    if (text.startsWith("PSYoungGen")) {
      return Optional.of("Parallel");
    }
    if (text.startsWith("DefNew")) {
      return Optional.of("Serial");
    }
    if (text.startsWith("ParNew") || text.equals("Pause Initial Mark")) {
      return Optional.of("CMS");
    }
    return Optional.empty();
  }
}
