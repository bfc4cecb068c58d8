package io.gcdiag.cli;

import static io.gcdiag.evidence.time.Signal.CLASS_HISTOGRAMS;
import static io.gcdiag.evidence.time.Signal.CPU_THROTTLING;
import static io.gcdiag.evidence.time.Signal.GC_PAUSES;
import static io.gcdiag.evidence.time.Signal.HEAP_AROUND_GC;
import static io.gcdiag.evidence.time.Signal.HOLD_TIME;
import static io.gcdiag.evidence.time.Signal.MACHINE_MEMORY;
import static io.gcdiag.evidence.time.Signal.POOL_SIZE;
import static io.gcdiag.evidence.time.Signal.REQUEST_STATS;
import static io.gcdiag.evidence.time.Signal.SAFEPOINTS;
import static io.gcdiag.evidence.time.Signal.THREAD_DUMPS;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.causes.Causes;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.read.jfr.RecordingSettings;
import io.gcdiag.units.ResourceText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Prints a shell script that collects the files of a service that is slow now. */
final class CollectCommand extends Command {

  /** What the script can collect, with the signals that each shows. */
  private enum Part {
    RECORDING(
        EnumSet.complementOf(EnumSet.of(THREAD_DUMPS, CLASS_HISTOGRAMS, POOL_SIZE, HOLD_TIME))),
    DUMPS(EnumSet.of(THREAD_DUMPS)),
    FLAGS(EnumSet.of(Signal.FLAGS)),
    HEAP(EnumSet.of(HEAP_AROUND_GC)),
    HISTOGRAM(EnumSet.of(CLASS_HISTOGRAMS)),
    CGROUP(EnumSet.of(CPU_THROTTLING)),
    MACHINE(EnumSet.of(MACHINE_MEMORY)),
    /** The GC log and the access log among them. */
    LOGS(EnumSet.of(GC_PAUSES, SAFEPOINTS, HEAP_AROUND_GC, REQUEST_STATS));

    private final Set<Signal> shows;

    Part(Set<Signal> shows) {
      this.shows = shows;
    }

    /** What a recording shows, too, but costs less to look up. */
    private static final Set<Signal> ALSO_ELSEWHERE =
        EnumSet.of(Signal.FLAGS, CPU_THROTTLING, MACHINE_MEMORY, REQUEST_STATS);

    /** Those that show one of the signals. */
    static Set<Part> showing(Set<Signal> signals) {
      return Arrays.stream(values())
          .filter(part -> part.shows.stream().anyMatch(signals::contains))
          .collect(Collectors.toCollection(() -> EnumSet.noneOf(Part.class)));
    }

    /** Those that show what was not recorded: no recording only for what is known without one. */
    static Set<Part> lacked(Set<Signal> signals) {
      Set<Part> parts = showing(signals);
      if (ALSO_ELSEWHERE.containsAll(signals)) {
        parts.remove(RECORDING);
      }
      return parts;
    }

    /** What a histogram costs, a full GC, is not paid unasked. */
    static Set<Part> usual() {
      return EnumSet.complementOf(EnumSet.of(HISTOGRAM));
    }
  }

  private final Supplier<List<Hypothesis>> causes =
      command.values("--for", "CAUSE", Hypothesis.class);
  private final Supplier<Optional<Path>> report =
      command.value("--next-time", "REPORT", Path.class);
  private final BooleanSupplier histogram = command.flag("--histogram");
  private final BooleanSupplier requests = command.flag("--requests");

  CollectCommand(Terminal terminal) {
    super("collect", terminal);
  }

  @Override
  public Integer call() {
    Set<Part> parts = parts();
    if (histogram.getAsBoolean()) {
      parts.add(Part.HISTOGRAM);
    }
    String settings =
        parts.contains(Part.RECORDING)
            ? RecordingSettings.text(requests.getAsBoolean()).replaceAll("(?s)<!--.*?-->\\s*", "")
            : "";
    return print(
        ResourceText.whole(CollectCommand.class, "collect.sh")
            .replace(
                "@PARTS@",
                parts.stream()
                    .map(Part::name)
                    .collect(Collectors.joining(" "))
                    .toLowerCase(Locale.ROOT))
            .replace("@SETTINGS@\n", settings));
  }

  /** The usual ones, or only those that show what the causes or the report need. */
  private Set<Part> parts() {
    Set<Signal> needed = EnumSet.noneOf(Signal.class);
    causes.get().stream().flatMap(CollectCommand::needs).forEach(needed::add);
    if (causes.get().isEmpty() && report.get().isEmpty()) {
      return Part.usual();
    }
    Set<Part> parts = Part.showing(needed);
    report.get().ifPresent(file -> parts.addAll(Part.lacked(missing(file))));
    if (parts.isEmpty()) {
      throw CommandFailure.usage(
          "nothing that this report lacks is collected on a machine; its options are in the report");
    }
    return parts;
  }

  private static Stream<Signal> needs(Hypothesis cause) {
    return Causes.rules().stream()
        .filter(rule -> rule.judges().contains(cause))
        .flatMap(rule -> rule.needs().stream());
  }

  /** What a report in JSON says was not recorded. */
  private static Set<Signal> missing(Path file) {
    List<String> ids;
    try {
      ids = new ObjectMapper().readTree(file.toFile()).findValuesAsText("signal");
    } catch (IOException e) {
      throw CommandFailure.usage(
          file + " is no report: name what 'gcdiag analyze --format json' printed", e);
    }
    return Arrays.stream(Signal.values())
        .filter(signal -> ids.contains(signal.id()))
        .collect(Collectors.toSet());
  }
}
