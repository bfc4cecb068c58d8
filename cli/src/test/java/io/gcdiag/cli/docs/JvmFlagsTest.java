package io.gcdiag.cli.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What pages and advice say of flags of the JVM, held against the JVM that runs the tests: each
 * flag exists, and its default is the one that is stated, with each collector for which it is.
 */
@Tag("slow")
class JvmFlagsTest {

  private static final Pattern FLAG = Pattern.compile("-XX:[+-]?(\\w+)");

  private static final Pattern PRINTED = Pattern.compile("\\s*\\w+ +(\\w+) +(?:=|:=) *(\\S*) .*");

  /** Named only together with JDK 8 or JDK 9 to 13 (CMS). */
  private static final Set<String> OF_OLD_JDKS =
      Set.of(
          "PrintGCDetails",
          "PrintGCDateStamps",
          "PrintGCTimeStamps",
          "PrintGCApplicationStoppedTime",
          "PrintHeapAtGC",
          "PrintClassHistogramBeforeFullGC",
          "CMSScavengeBeforeRemark");

  /** Of the JVM that runs gcdiag, from JDK 24 on. */
  private static final Set<String> OF_LATER_JDKS = Set.of("AOTCache", "AOTCacheOutput");

  /** The flags of the running JDK with a collector, by name; empty if it has not got that. */
  private static Map<String, String> flags(String collector)
      throws IOException, InterruptedException {
    Process java =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:+UnlockExperimentalVMOptions",
                "-XX:+Use" + collector + "GC",
                "-Xmx64m",
                "-XX:+PrintFlagsFinal",
                "-version")
            .redirectErrorStream(true)
            .start();
    String printed = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    Map<String, String> flags = new HashMap<>();
    if (java.waitFor() == 0) {
      Matcher line = PRINTED.matcher("");
      printed.lines().filter(text -> line.reset(text).matches()).forEach(text -> put(flags, line));
    }
    return flags;
  }

  private static void put(Map<String, String> flags, Matcher line) {
    flags.put(line.group(1), line.group(2));
  }

  private static List<Path> texts() throws IOException {
    List<Path> texts = new ArrayList<>(Pages.forUsers());
    for (String sources : List.of("rules/src/main", "cli/src/main")) {
      try (Stream<Path> files = Files.walk(Pages.ROOT.resolve(sources))) {
        files.filter(file -> file.toString().endsWith(".java")).forEach(texts::add);
      }
    }
    return texts;
  }

  @Test
  void eachFlagThatIsNamedExists() throws IOException, InterruptedException {
    Map<String, String> known = flags("G1");
    assertTrue(known.size() > 500, known.size() + " flags");
    Set<String> unknown = new TreeSet<>();
    for (Path text : texts()) {
      Matcher flag = FLAG.matcher(Files.readString(text));
      while (flag.find()) {
        String name = flag.group(1);
        if (!known.containsKey(name)
            && !OF_OLD_JDKS.contains(name)
            && !OF_LATER_JDKS.contains(name)) {
          unknown.add(name + " in " + Pages.ROOT.relativize(text));
        }
      }
    }
    assertEquals(Set.of(), unknown);
  }

  /** Defaults as pages state them; those that collectors set differ by collector. */
  @ParameterizedTest
  @CsvSource({
    "G1,         MinHeapFreeRatio,               40",
    "Serial,     MinHeapFreeRatio,               40",
    "Parallel,   MinHeapFreeRatio,               0",
    "G1,         ExplicitGCInvokesConcurrent,    false",
    "Shenandoah, ExplicitGCInvokesConcurrent,    true",
    "G1,         LoopStripMiningIter,            1000",
    "Z,          LoopStripMiningIter,            1000",
    "Shenandoah, LoopStripMiningIter,            1000",
    "Serial,     LoopStripMiningIter,            0",
    "Parallel,   LoopStripMiningIter,            0",
    "G1,         UseCountedLoopSafepoints,       true",
    "Serial,     UseCountedLoopSafepoints,       false",
    "Parallel,   UseCountedLoopSafepoints,       false",
    "Z,          UseCompressedOops,              false",
    "G1,         UseCompressedOops,              true",
    "G1,         ObjectAlignmentInBytes,         8",
    "G1,         UseCodeCacheFlushing,           true",
    "G1,         ParallelRefProcEnabled,         true",
    "Parallel,   ParallelRefProcEnabled,         true",
    "G1,         MaxDirectMemorySize,            0",
    "G1,         G1HeapWastePercent,             5",
    "G1,         G1MixedGCLiveThresholdPercent,  85",
    "G1,         G1ReservePercent,               10",
    "G1,         G1NewSizePercent,               5",
    "Parallel,   GCHeapFreeLimit,                2",
    "G1,         MaxJavaStackTraceDepth,         1024",
    "G1,         PerBytecodeTrapLimit,           4",
    "G1,         PerMethodRecompilationCutoff,   400",
  })
  void theDefaultsAreTheOnesThatAreStated(String collector, String flag, String value)
      throws IOException, InterruptedException {
    Map<String, String> flags = flags(collector);
    // Some builds have no Shenandoah, and some no C2 with its flags.
    assertEquals(value, flags.getOrDefault(flag, value));
  }

  /** Tiered compilation reserves 240 MiB; JDK 25 a page more, for where its parts begin. */
  @Test
  void theCodeCacheIsOf240Mebibytes() throws IOException, InterruptedException {
    long bytes = Long.parseLong(flags("G1").get("ReservedCodeCacheSize"));
    assertEquals(240, bytes >> 20);
  }
}
