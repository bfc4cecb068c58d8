package io.gcdiag.read.dumps;

import io.gcdiag.evidence.jvm.Flag;
import io.gcdiag.evidence.jvm.HeapSample;
import io.gcdiag.evidence.jvm.HeapSample.Moment;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.SignalState;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.bytes.FileHead;
import io.gcdiag.read.bytes.IngestContext;
import io.gcdiag.read.bytes.InputFile;
import io.gcdiag.read.bytes.InputFormat;
import io.gcdiag.read.bytes.JvmProcess;
import io.gcdiag.read.bytes.JvmVersions;
import io.gcdiag.read.bytes.LineSource;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.read.bytes.TimeText;
import io.gcdiag.units.Bytes;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A JVM's flags and heap as tools print them. */
public final class JvmInfoFormat extends InputFormat {

  private static final String TABLE = "[Global flags]";

  /**
   * A list of flags, or the heap, near the beginning. Further down, such lines belong to a log or a
   * thread dump, which have their own reader.
   */
  private static final Pattern BEGINNING =
      Pattern.compile(
          "\\A(?:[^\\n]*\\n){0,4}?(?:-XX:[+-]?\\w+"
              + "|\\s{0,2}(?:garbage-first heap|PSYoungGen|def new generation|DefNew"
              + "|par new generation) +total "
              + "|\\s{0,2}ZHeap +used |Shenandoah Heap\\r?\\n"
              + "|\\S.* VM version \\d)");

  private static final Pattern INSIDE =
      Pattern.compile("(?m)^(?:\\[Global flags\\]|Heap Configuration:|jvm_args: |VM\\.flags:)");

  public JvmInfoFormat() {
    super(
        "jvm-info",
        "flags or heap of a JVM (jcmd PID VM.flags -all, VM.command_line, GC.heap_info; jmap -heap)");
  }

  @Override
  public boolean recognises(FileHead head) {
    return BEGINNING.matcher(head.text()).find()
        || head.holds(
            INSIDE,
            "[Global flags]",
            JvmInfoText.HEAP_CONFIGURATION,
            JvmInfoText.ARGUMENTS,
            JvmInfoText.SCRIPT);
  }

  @Override
  public List<String> marks() {
    return List.of(
        TABLE, JvmInfoText.HEAP_CONFIGURATION, JvmInfoText.ARGUMENTS, JvmInfoText.SCRIPT);
  }

  @Override
  public Outcome read(InputFile file, IngestContext intake) throws IOException {
    JvmInfoText info = new JvmInfoText(file.name(), intake.redactor());
    Optional<String> damage = LineSource.read(file.bytes(), info::line);
    if (info.flags.isEmpty() && info.heapLine == 0 && info.version.isEmpty()) {
      throw new IOException("no flag and no heap in it, though it begins like a list of them");
    }
    if (!info.flags.isEmpty()) {
      intake.timeline().signal(Signal.FLAGS, SignalState.SEEN);
    }
    // A recording or log is certainly of the JVM in question; this output may be of another JVM.
    intake.afterRecordings(clocks -> intake.timeline().jvm(info.facts()));
    intake
        .processes()
        .add(
            new JvmProcess(
                file.name(),
                JvmProcess.Kind.STATEMENT,
                info.facts(),
                Optional.empty(),
                Optional.empty(),
                ""));
    intake.afterLogs(
        clocks ->
            clocks
                .at(file, info.time)
                .flatMap(info::heapAt)
                .ifPresent(sample -> intake.timeline().heapOfLog(List.of(sample))));
    return damage.map(Outcome::partial).orElse(Outcome.COMPLETE);
  }

  /** Collects flags, version and heap of one JVM from the lines that its tools print. */
  private static final class JvmInfoText {

    static final String HEAP_CONFIGURATION = "Heap Configuration:";
    static final String ARGUMENTS = "jvm_args: ";

    /** What yCrash's script writes above the answer of that command. */
    static final String SCRIPT = "VM.flags:";

    /** {@code jmap -heap}, {@code VM.version}, {@code java -version}, {@code VM.info}. */
    private static final Pattern VERSION =
        Pattern.compile(
            "(?:^JVM version is |\\bVM (?:version |(?:\\S{1,60} )?\\((?:build )?))(\\d[\\w.+-]{0,60})");

    /** Of the collector's own words in {@code VM.info}. */
    private static final Pattern CPUS =
        Pattern.compile("^\\s*CPUs: \\d+ total, (\\d{1,5}) available");

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
        options(line.substring(ARGUMENTS.length()), "Command line", number);
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

    /**
     * The last of several statements holds, as for the JVM; but who set a flag is not forgotten.
     */
    private void flag(FlagText.Setting setting, long number) {
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

    JvmFacts facts() {
      Optional<String> collector =
          heap.collector.or(
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

    /** The heap at an instant that the caller determined; empty if no heap was printed. */
    Optional<HeapSample> heapAt(Instant at) {
      return heap.committed().value() == 0
          ? Optional.empty()
          : Optional.of(
              new HeapSample(
                  at,
                  Moment.ANY,
                  Bytes.of(heap.used),
                  heap.committed(),
                  Source.line(file, heapLine)));
    }

    /** Flags of the JVM as its tools print them. */
    static final class FlagText {

      /** Longest name of a flag and longest value kept; a path may be as long as the latter. */
      private static final int LONGEST_VALUE = 4_096;

      /**
       * One line of {@code VM.flags -all} or {@code -XX:+PrintFlagsFinal}: type, name, value, kind
       * and, from JDK 9 on, origin. JDK 8 writes {@code :=} for a value that is not the default.
       */
      private static final Pattern TABLE_LINE =
          Pattern.compile(
              "^\\s*(?:bool|u?intx?|uint64_t|size_t|double|ccstr|ccstrlist)\\s+(\\w{1,100})\\s+(:?=)"
                  + "(.*?)\\s*\\{[^{}]*\\}(?:\\s*\\{([^{}]*)\\})?\\s*$");

      /** One line under {@code Heap Configuration:}: the number of bytes, in brackets in MB. */
      private static final Pattern HEAP_LINE =
          Pattern.compile("^\\s+(\\w{1,100})\\s+= (\\d{1,20})(?: \\(\\S+MB\\)| MB)?\\s*$");

      private static final Pattern OPTION =
          Pattern.compile("^-XX:(?:([+-])(\\w{1,100})|(\\w{1,100})=(.*))$");

      private static final Pattern SIZE_OPTION =
          Pattern.compile("^-X(mx|ms|mn)(\\d{1,18}[kKmMgGtT]?)$");

      private static final Map<String, String> SIZES =
          Map.of("mx", "MaxHeapSize", "ms", "InitialHeapSize", "mn", "NewSize");

      /**
       * A flag.
       *
       * @param name without {@code -XX:}
       * @param value as text; sizes as a number of bytes
       * @param origin who set it, in the words that recordings use; empty if not stated
       */
      record Setting(String name, String value, String origin) {}

      /** The flag in a line of a table of flags. */
      static Optional<Setting> ofTable(String line) {
        Matcher matcher = TABLE_LINE.matcher(line);
        return matcher.matches()
            ? Optional.of(setting(matcher.group(1), matcher.group(3).strip(), origin(matcher)))
            : Optional.empty();
      }

      /** The flag in a line under {@code Heap Configuration:}. */
      static Optional<Setting> ofHeap(String line) {
        Matcher matcher = HEAP_LINE.matcher(line);
        // A limit of 17592186044415 MB means no limit.
        return matcher.matches() && !line.stripTrailing().endsWith(" MB")
            ? Optional.of(setting(matcher.group(1), matcher.group(2), ""))
            : Optional.empty();
      }

      /**
       * The flag that an option of the command line sets; nothing for options that are no flags.
       */
      static Optional<Setting> ofOption(String option, String origin) {
        Matcher flag = OPTION.matcher(option);
        if (flag.matches()) {
          return Optional.of(
              flag.group(2) != null
                  ? setting(flag.group(2), Boolean.toString(flag.group(1).equals("+")), origin)
                  : setting(flag.group(3), flag.group(4), origin));
        }
        Matcher size = SIZE_OPTION.matcher(option);
        return size.matches()
            ? Optional.of(
                setting(
                    SIZES.get(size.group(1)),
                    Long.toString(Bytes.parse(size.group(2)).value()),
                    origin))
            : Optional.empty();
      }

      private static Setting setting(String name, String value, String origin) {
        String kept = value.length() > LONGEST_VALUE ? value.substring(0, LONGEST_VALUE) : value;
        return new Setting(name, kept, origin);
      }

      private static String origin(Matcher line) {
        if (line.group(4) != null) {
          return capitalised(line.group(4));
        }
        return line.group(2).equals("=") ? "Default" : "";
      }

      private static String capitalised(String text) {
        String words = text.strip();
        return words.isEmpty()
            ? ""
            : words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
      }
    }

    /**
     * The heap as {@code GC.heap_info} and {@code jhsdb jmap --heap} print it, line by line.
     * Collectors with two generations print one line for each; the heap is their sum.
     */
    private static final class HeapText {

      private static final String SIZE = "(\\d{1,12})([KMGT])";

      /** The spelling of JDK 8 to 25, and the collector that alone has such a heap. */
      private enum Shape {
        G1("garbage-first heap\\s+total (?:reserved " + SIZE + ", committed )?", "G1"),
        PARALLEL("(?:PSYoungGen|ParOldGen|PSOldGen)\\s+total ", "Parallel"),
        SERIAL("(?:(?:def new|tenured) generation|DefNew|Tenured)\\s+total ", "Serial"),
        CMS("(?:par new|concurrent mark-sweep) generation\\s+total ", "ParNew + CMS");

        private final Pattern pattern;
        private final String collector;

        Shape(String words, String collector) {
          this.pattern = Pattern.compile("^\\s*" + words + SIZE + ", used " + SIZE);
          this.collector = collector;
        }
      }

      private static final Pattern Z =
          Pattern.compile(
              "^\\s*ZHeap\\s+used " + SIZE + ", capacity " + SIZE + ", max capacity " + SIZE);

      private static final Pattern SHENANDOAH =
          Pattern.compile("^\\s*" + SIZE + " max, .*?" + SIZE + " committed, " + SIZE + " used");

      /** The heading of {@code jmap -heap} names the collector; serial has this older name. */
      private static final Pattern USING =
          Pattern.compile(
              "^(Garbage-First \\(G1\\) GC|Parallel GC|Mark Sweep Compact GC|Concurrent Mark-Sweep GC"
                  + "|ZGC|Shenandoah GC|Epsilon GC)(?: with \\d+ thread\\(s\\))?\\s*$");

      private Optional<String> collector = Optional.empty();
      private Optional<Bytes> max = Optional.empty();
      private long committed;
      private long used;

      /** Reads a line; returns whether it belongs to the heap. */
      boolean accept(String line) {
        for (Shape shape : Shape.values()) {
          Matcher matcher = shape.pattern.matcher(line);
          if (matcher.find()) {
            int last = matcher.groupCount() - 3;
            committed += size(matcher, last);
            used += size(matcher, last + 2);
            collector = Optional.of(shape.collector);
            if (last > 1 && matcher.group(1) != null) {
              max = Optional.of(Bytes.of(size(matcher, 1)));
            }
            return true;
          }
        }
        Matcher z = Z.matcher(line);
        if (z.find()) {
          whole("ZGC", size(z, 5), size(z, 3), size(z, 1));
          return true;
        }
        Matcher shenandoah = SHENANDOAH.matcher(line);
        if (shenandoah.find()) {
          whole("Shenandoah", size(shenandoah, 1), size(shenandoah, 3), size(shenandoah, 5));
          return true;
        }
        Matcher using = USING.matcher(line);
        if (using.matches()) {
          collector = Optional.of(name(using.group(1)));
          return true;
        }
        return false;
      }

      private void whole(String name, long most, long now, long inUse) {
        collector = Optional.of(name);
        max = Optional.of(Bytes.of(most));
        committed = now;
        used = inUse;
      }

      private static String name(String heading) {
        return switch (heading) {
          case "Garbage-First (G1) GC" -> "G1";
          case "Mark Sweep Compact GC" -> "Serial";
          case "Concurrent Mark-Sweep GC" -> "ParNew + CMS";
          default -> heading.replace(" GC", "");
        };
      }

      private static long size(Matcher matcher, int group) {
        return Bytes.parse(matcher.group(group) + matcher.group(group + 1)).value();
      }

      /** The heap's maximum size, where it is printed. */
      Optional<Bytes> max() {
        return max;
      }

      /** What is committed; zero if no heap was printed. */
      Bytes committed() {
        return Bytes.of(committed);
      }
    }
  }
}
