package io.gcdiag.read.gclog.lines;

import io.gcdiag.read.bytes.Line;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The header of a log of JDK 8 or earlier, and its other lines that are no records. */
final class BracketHeader {

  /**
   * {@code OpenJDK 64-Bit Server VM (25.504-b01) for linux-amd64 JRE (1.8.0_504-b01), built on};
   * but not the line of a crash report with the same words after {@code vm_info: }.
   */
  private static final Pattern VERSION =
      Pattern.compile("(?!vm_info: ).* VM \\(.*\\) for .* JRE \\(([^)]+)\\).*");

  private static final String VERSION_WORD = " VM (";

  private static final Pattern FLAG = Pattern.compile("-XX:(?:([+-])(\\w+)|(\\w+)=(\\S+))");

  private static final String FLAGS = "CommandLine flags: ";
  private static final String MEMORY = "Memory: ";

  /** Beginnings of lines that are ignored; lines of details begin with a blank. */
  private static final List<String> OTHER =
      List.of(" ", "{Heap before GC", "Heap after GC", "GC locker: ");

  private final GcLog log;

  BracketHeader(GcLog log) {
    this.log = log;
  }

  /** Whether the line is of a JVM's start. */
  static boolean isOne(Line line) {
    return line.startsWith(FLAGS, 0)
        || line.contains(VERSION_WORD) && VERSION.matcher(line).matches();
  }

  /** Reads the line; returns whether such logs have lines like it. */
  boolean read(Line line) {
    for (String word : OTHER) {
      if (line.startsWith(word, 0)) {
        return true;
      }
    }
    if (line.startsWith(FLAGS, 0)) {
      flags(line.toString());
      return true;
    }
    if (line.startsWith(MEMORY, 0)) {
      log.fact("Memory", line.substring(MEMORY.length()).strip());
      return true;
    }
    if (line.contains(VERSION_WORD)) {
      Matcher version = VERSION.matcher(line);
      if (version.matches()) {
        log.jvmVersion(version.group(1));
        return true;
      }
    }
    return line.length() == 1 && line.charAt(0) == '}'
        || line.length() == 4 && line.startsWith("Heap", 0)
        || line.contains(" GC log file ");
  }

  private void flags(String line) {
    Matcher flag = FLAG.matcher(line);
    while (flag.find()) {
      if (flag.group(1) == null) {
        log.fact(flag.group(3), flag.group(4));
      } else {
        log.fact(flag.group(2), Boolean.toString(flag.group(1).equals("+")));
        if (flag.group(1).equals("+")) {
          collectorByFlag(flag.group(2));
        }
      }
    }
  }

  private void collectorByFlag(String flag) {
    switch (flag) {
      case "UseG1GC" -> log.collector("G1");
      case "UseConcMarkSweepGC" -> log.collector("CMS");
      case "UseParallelGC", "UseParallelOldGC" -> log.collector("Parallel");
      case "UseSerialGC" -> log.collector("Serial");
      case "UseShenandoahGC" -> log.collector("Shenandoah");
      default -> {
        // Not a flag that selects a collector.
      }
    }
  }

  /** Derives the collector from a record, for a log that has not stated it. */
  void collector(String record) {
    if (record.contains("CMS")) {
      log.collectorByContent("CMS");
    } else if (record.contains("[ParNew")) {
      log.collectorByContent("ParNew");
    } else if (record.contains("[PSYoungGen") || record.contains("[ParOldGen")) {
      log.collectorByContent("Parallel");
    } else if (record.contains("[DefNew") || record.contains("[Tenured")) {
      log.collectorByContent("Serial");
    } else if (record.startsWith("[GC pause") || record.contains("G1 ") || record.contains("[G1")) {
      log.collectorByContent("G1");
    }
  }
}
