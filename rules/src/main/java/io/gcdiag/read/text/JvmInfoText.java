package io.gcdiag.read.text;

import io.gcdiag.evidence.jvm.Flag;
import io.gcdiag.evidence.jvm.HeapSample;
import io.gcdiag.evidence.jvm.HeapSample.Moment;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.bytes.JvmVersions;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.read.bytes.TimeText;
import io.gcdiag.read.text.FlagText.Setting;
import io.gcdiag.units.Bytes;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Collects flags, version and heap of one JVM from the lines that its tools print. */
final class JvmInfoText {

  static final String HEAP_CONFIGURATION = "Heap Configuration:";
  static final String ARGUMENTS = "jvm_args: ";

  /** {@code jmap -heap}, {@code VM.version}, {@code java -version}, {@code VM.info}. */
  private static final Pattern VERSION =
      Pattern.compile(
          "(?:^JVM version is |\\bVM (?:version |(?:\\S{1,60} )?\\((?:build )?))(\\d[\\w.+-]{0,60})");

  /** Of the collector's own words in {@code VM.info}. */
  private static final Pattern CPUS =
      Pattern.compile("^\\s*CPUs: \\d+ total, (\\d{1,5}) available");

  private static final String COMMAND_LINE = "Command line";

  /** More flags than any JVM has. */
  private static final int MOST_FLAGS = 5_000;

  private static final Map<String, String> COLLECTORS =
      Map.of(
          "UseG1GC", "G1",
          "UseParallelGC", "Parallel",
          "UseSerialGC", "Serial",
          "UseConcMarkSweepGC", "ParNew + CMS",
          "UseZGC", "ZGC",
          "UseShenandoahGC", "Shenandoah",
          "UseEpsilonGC", "Epsilon");

  private final String file;
  private final Redactor redactor;
  private final SortedMap<String, Flag> flags = new TreeMap<>();
  private final HeapText heap = new HeapText();
  private TimeText time = TimeText.NONE;
  private long heapLine;
  private boolean configuration;
  private Optional<String> version = Optional.empty();
  private OptionalInt cpus = OptionalInt.empty();

  JvmInfoText(String file, Redactor redactor) {
    this.file = file;
    this.redactor = redactor;
  }

  void line(String line, long number) {
    if (line.startsWith(HEAP_CONFIGURATION)) {
      configuration = true;
      return;
    }
    if (line.isBlank()) {
      configuration = false;
    }
    if (line.startsWith("-XX:")) {
      options(line, "", number);
    } else if (line.startsWith(ARGUMENTS)) {
      options(line.substring(ARGUMENTS.length()), COMMAND_LINE, number);
    } else if (configuration) {
      FlagText.ofHeap(line).ifPresent(setting -> flag(setting, number));
    } else if (line.indexOf('{') > 0 && line.indexOf('=') > 0) {
      FlagText.ofTable(line).ifPresent(setting -> flag(setting, number));
    } else if (heap.accept(line)) {
      heapLine = heapLine == 0 ? number : heapLine;
    } else {
      other(line);
    }
  }

  private void other(String line) {
    Matcher named = VERSION.matcher(line);
    if (named.find()) {
      version = version.or(() -> JvmVersions.ofJdk(named.group(1)));
      return;
    }
    Matcher processors = CPUS.matcher(line);
    if (processors.find()) {
      cpus = OptionalInt.of(Integer.parseInt(processors.group(1)));
      return;
    }
    if (heapLine == 0 && !time.isPresent()) {
      time = TimeText.in(line);
    }
  }

  private void options(String options, String origin, long number) {
    for (String option : options.split("\\s+")) {
      FlagText.ofOption(option, origin).ifPresent(setting -> flag(setting, number));
    }
  }

  /** The last of several statements holds, as for the JVM; but who set a flag is not forgotten. */
  private void flag(Setting setting, long number) {
    Flag earlier = flags.get(setting.name());
    if (earlier == null && flags.size() >= MOST_FLAGS) {
      return;
    }
    String origin =
        setting.origin().isEmpty() && earlier != null ? earlier.origin() : setting.origin();
    flags.put(
        setting.name(),
        new Flag(
            setting.name(), redactor.redact(setting.value()), origin, Source.line(file, number)));
  }

  boolean isEmpty() {
    return flags.isEmpty() && heapLine == 0 && version.isEmpty();
  }

  boolean hasFlags() {
    return !flags.isEmpty();
  }

  TimeText time() {
    return time;
  }

  JvmFacts facts() {
    Optional<String> collector =
        heap.collector()
            .or(
                () ->
                    COLLECTORS.entrySet().stream()
                        .filter(entry -> isOn(entry.getKey()))
                        .map(Map.Entry::getValue)
                        .findFirst());
    return new JvmFacts(
        version,
        collector,
        size("InitialHeapSize"),
        size("MaxHeapSize").or(heap::max),
        cpus,
        Optional.empty(),
        flags);
  }

  private boolean isOn(String name) {
    return flags.containsKey(name) && flags.get(name).value().equals("true");
  }

  private Optional<Bytes> size(String name) {
    String value = flags.containsKey(name) ? flags.get(name).value() : "";
    return value.matches("\\d{1,18}[kKmMgGtT]?") && !value.equals("0")
        ? Optional.of(Bytes.parse(value))
        : Optional.empty();
  }

  /** The heap at an instant that the caller has found out; nothing if no heap was printed. */
  Optional<HeapSample> heapAt(Instant at) {
    return heap.committed().value() == 0
        ? Optional.empty()
        : Optional.of(
            new HeapSample(
                at, Moment.ANY, heap.used(), heap.committed(), Source.line(file, heapLine)));
  }
}
